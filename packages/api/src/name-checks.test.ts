import { expect, it } from "vitest";
import { validateDNS1035Label } from "./name-checks.ts";

const notALabel =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

it.each(["a", "js-w--1", "a".repeat(63)])("takes %j for a DNS label of RFC 1035", (name) => {
  expect(validateDNS1035Label(name)).toEqual([]);
});

it.each(["", "1a", "-a", "a-", "a.b", "A", "é", "a\n"])(
  "says of %j what a DNS label of RFC 1035 is",
  (name) => {
    expect(validateDNS1035Label(name)).toEqual([notALabel]);
  },
);

it("counts bytes, and says so before it says what a label is", () => {
  expect(validateDNS1035Label("a".repeat(64))).toEqual(["must be no more than 63 characters"]);
  expect(validateDNS1035Label("é".repeat(32))).toEqual([
    "must be no more than 63 characters",
    notALabel,
  ]);
});

it("says in a caller's words that a label is too long", () => {
  expect(validateDNS1035Label("a".repeat(64), "the name is too long")).toEqual([
    "the name is too long",
  ]);
});
