import { expect, it } from "vitest";
import { validateDNS1035Label, validateQualifiedName } from "./name-checks.ts";

const notALabel =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

it.each(["a", "js-w--1", "a".repeat(63)])("validateDNS1035Label accepts %j", (name) => {
  expect(validateDNS1035Label(name)).toEqual([]);
});

it.each(["", "1a", "-a", "a-", "a.b", "A", "é", "a\n"])(
  "validateDNS1035Label returns the format of a DNS-1035 label for %j",
  (name) => {
    expect(validateDNS1035Label(name)).toEqual([notALabel]);
  },
);

it("validateDNS1035Label counts bytes, and reports the length before the format", () => {
  expect(validateDNS1035Label("a".repeat(64))).toEqual(["must be no more than 63 characters"]);
  expect(validateDNS1035Label("é".repeat(32))).toEqual([
    "must be no more than 63 characters",
    notALabel,
  ]);
});

it("a caller can set the message for a label that is too long", () => {
  expect(validateDNS1035Label("a".repeat(64), "the name is too long")).toEqual([
    "the name is too long",
  ]);
});

it.each([
  "a",
  "A_b.9",
  "x.y/A",
  "a".repeat(63),
  `example.com/${"a".repeat(63)}`,
  `${"a".repeat(253)}/b`,
])("validateQualifiedName accepts %j", (key) => {
  expect(validateQualifiedName(key)).toEqual([]);
});

it.each([
  "",
  "-a",
  "a-",
  "a/",
  "/a",
  "A/a",
  "a./b",
  "a/b/c",
  "é",
  "a\n",
  "a".repeat(64),
  `${"a".repeat(254)}/b`,
])("validateQualifiedName rejects %j", (key) => {
  expect(validateQualifiedName(key)).not.toEqual([]);
});
