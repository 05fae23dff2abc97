import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "./yaml-documents.ts";

/** The values of a stream without errors. */
function listValues(text: string): unknown[] {
  return readYamlDocuments(text).map(({ value, errors }) => {
    expect(errors).toEqual([]);
    return value;
  });
}

/** The errors of a stream as `line:column field: message`. */
function listErrors(text: string): string[] {
  return readYamlDocuments(text).flatMap(({ errors, positionAt }) =>
    errors.map(({ offset, field, message }) => {
      const { line, column } = positionAt(offset);
      return `${line}:${column} ${field}: ${message}`;
    }),
  );
}

describe("readYamlDocuments", () => {
  it("reads the documents of a stream and leaves out empty ones", () => {
    expect(listValues("---\n---\n# only a comment\n---\na: 1\n---\n~\n---\nb: 2\n...\n")).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
    expect(listValues("")).toEqual([]);
    expect(listValues("# only a comment\n")).toEqual([]);
  });

  it("reads scalars as kubectl does, unless they are quoted or tagged", () => {
    expect(
      listValues("[yes, 012, e2, 2026-02-07, 'yes', \"012\", !!str 5, !!int '5', !!float 1, ! 7]"),
    ).toEqual([[true, 10, "e2", "2026-02-07", "yes", "012", "5", 5, 1, "7"]]);
    expect(listValues("a: |\n  5\nb: >-\n  yes\nc:\n")).toEqual([{ a: "5\n", b: "yes", c: null }]);
  });

  it("makes text of keys that are integers and booleans", () => {
    expect(listValues("1: a\nyes: b\n0x10: c\n")).toEqual([{ 1: "a", true: "b", 16: "c" }]);
  });

  it("merges as go-yaml does: what is merged replaces what stands before it", () => {
    const base = "base: &base {a: 1, b: 2}\nmore: &more {b: 3, c: 4}\n";
    const merged = (text: string) =>
      (listValues(`${base}it:\n  ${text}\n`)[0] as Record<string, unknown>).it;
    expect(merged("<<: *base\n  b: 9")).toEqual({ a: 1, b: 9 });
    expect(merged("b: 9\n  <<: *base")).toEqual({ a: 1, b: 2 });
    expect(merged("<<: [*base, *more]")).toEqual({ a: 1, b: 2, c: 4 });
    expect(merged("'<<': *base")).toEqual({ "<<": { a: 1, b: 2 } });
  });

  it("lets an anchor be set again", () => {
    expect(listValues("a: &x 1\nb: *x\nc: &x 2\nd: *x\n? &y k\n: *y\n")).toEqual([
      { a: 1, b: 1, c: 2, d: 2, k: "k" },
    ]);
  });

  it("tells of a key that is set again, also when it is written differently, and takes the last one", () => {
    const [spec] = readYamlDocuments("spec:\n  a: 1\n  b: 2\n  a: 3\n  a: 4\n");
    expect(spec).toMatchObject({ value: { spec: { a: 4, b: 2 } }, errors: [] });
    expect(spec?.duplicates).toEqual([{ field: "spec.a", line: 2 }]);
    const [truth] = readYamlDocuments("yes: 1\n'true': 2\n");
    expect(truth).toMatchObject({ value: { true: 2 }, duplicates: [{ field: "true", line: 1 }] });
    const [merged] = readYamlDocuments("a: &a {b: 1}\nc: {b: 2, <<: *a, b: 3}\n");
    expect(merged?.duplicates).toEqual([{ field: "c.b", line: 2 }]);
  });

  it("lets no key change what an object is, however often it is set", () => {
    const [document] = readYamlDocuments("__proto__: {a: 1}\n__proto__: {a: 2}\n");
    expect(document?.errors).toHaveLength(2);
    expect(document?.value).not.toHaveProperty("a");
  });

  it("keys that are not text are rejected", () => {
    const message = "a key must be text; put it in quotes";
    expect(listErrors("1.5: a\n")).toEqual([`1:1 : Invalid value: 1.5: ${message}`]);
    expect(listErrors("~: a\n")).toEqual([`1:1 : Invalid value: ~: ${message}`]);
    expect(listErrors("? [a]\n: b\n")).toEqual([`1:3 : Invalid value: object: ${message}`]);
  });

  it("refuses __proto__ wherever it is a key", () => {
    expect(listErrors("spec:\n  __proto__:\n    polluted: true\n")).toEqual([
      "2:3 spec.__proto__: Forbidden: no field of Kubernetes has this name",
    ]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("refuses numbers that JSON or JavaScript cannot hold", () => {
    expect(listErrors("a: 9007199254740993\nb: .inf\n")).toEqual([
      "1:4 a: Invalid value: 9007199254740993: an integer beyond ±9007199254740991 (2^53 - 1) is not " +
        "read exactly; if it is a quantity, put it in quotes",
      "2:4 b: Invalid value: .inf: JSON has no such number",
    ]);
  });

  it("refuses what a tag says and the text is not", () => {
    expect(listErrors("a: !!int x\n")).toEqual([
      '1:10 a: Invalid value: "x" cannot be read as tag:yaml.org,2002:int',
    ]);
    expect(listErrors("a: !!binary aGk=\n")).toHaveLength(1);
  });

  it("refuses aliases without an anchor, within their own anchor, and merged scalars", () => {
    expect(listErrors("a: *x\n")).toEqual(["1:4 a: Invalid value: no such anchor: &x before it"]);
    expect(listErrors("a: &x [*x]\n")).toEqual([
      "1:8 a[0]: Invalid value: the anchor &x contains itself",
    ]);
    expect(listErrors("<<: 5\n")).toEqual([
      "1:5 : Invalid value: only an object, or a list of objects, can be merged",
    ]);
  });

  it("refuses an alias bomb at the alias that is one too many, and quickly", () => {
    const levels = Array.from({ length: 30 }, (_, level) =>
      level === 0
        ? "l0: &l0 [x, x, x, x, x, x, x, x, x, x]"
        : `l${level}: &l${level} [${Array(10)
            .fill(`*l${level - 1}`)
            .join(", ")}]`,
    );
    expect(listErrors(levels.join("\n"))).toEqual([
      "5:45 l4[7]: Invalid value: the aliases stand for more than 100,000 values",
    ]);
  });

  it("refuses values that are nested too deeply, however they are written", () => {
    expect(listErrors(`${"[".repeat(600)}${"]".repeat(600)}`).join()).toMatch(
      /^1:502 .*: is nested deeper than 500 levels$/,
    );
    expect(listErrors("[".repeat(20_000)).join()).toMatch(/is nested deeper than 500 levels$/);
  });

  it("invalid YAML is rejected with its place and its field", () => {
    expect(listErrors("spec:\n  suspend: 'x\n")).toEqual([
      "3:1 spec.suspend: not YAML: missing closing 'quote",
    ]);
    expect(listErrors("\ta: 1\n")).toEqual(["1:1 : not YAML: tabs are not allowed as indentation"]);
  });

  it("refuses control characters, also in comments", () => {
    expect(listErrors("spec:\n  a: x\0y\n")).toEqual([
      "2:7 spec.a: not YAML: the control character U+0000 must not stand in it",
    ]);
    expect(listErrors("a: 1\n# \u0007\n---\nb: 1\n")).toEqual([
      "2:3 a: not YAML: the control character U+0007 must not stand in it",
    ]);
  });

  it("refuses text with half a surrogate pair or a NUL character in it", () => {
    expect(listErrors('a: "\\ud800"\nb: "\\0"\n"\\0": c\n')).toEqual([
      "1:4 a: Invalid value: the text holds half of a surrogate pair, which is not a character",
      "2:4 b: Invalid value: the text holds a NUL character",
      "3:1 : Invalid value: the text holds a NUL character",
    ]);
    expect(listValues('"\\ud83d\\ude00"')).toEqual(["😀"]);
  });
});
