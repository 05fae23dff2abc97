import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "./yaml-documents.ts";

/** Returns the values of a stream, and expects no errors. */
function listValues(text: string): unknown[] {
  return readYamlDocuments(text).map(({ value, errors }) => {
    expect(errors).toEqual([]);
    return value;
  });
}

/** Returns the errors of a stream as `line:column field: message`. */
function listErrors(text: string): string[] {
  return readYamlDocuments(text).flatMap(({ errors, positionAt }) =>
    errors.map(({ offset, field, message }) => {
      const { line, column } = positionAt(offset);
      return `${line}:${column} ${field}: ${message}`;
    }),
  );
}

describe("readYamlDocuments", () => {
  it("readYamlDocuments reads the documents of a stream and omits empty ones", () => {
    expect(listValues("---\n---\n# only a comment\n---\na: 1\n---\n~\n---\nb: 2\n...\n")).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
    expect(listValues("")).toEqual([]);
    expect(listValues("# only a comment\n")).toEqual([]);
  });

  it("readYamlDocuments resolves plain scalars as kubectl does, unless they are quoted or tagged", () => {
    expect(
      listValues("[yes, 012, e2, 2026-02-07, 'yes', \"012\", !!str 5, !!int '5', !!float 1, ! 7]"),
    ).toEqual([[true, 10, "e2", "2026-02-07", "yes", "012", "5", 5, 1, "7"]]);
    expect(listValues("a: |\n  5\nb: >-\n  yes\nc:\n")).toEqual([{ a: "5\n", b: "yes", c: null }]);
  });

  it("readYamlDocuments converts integer and boolean keys to strings", () => {
    expect(listValues("1: a\nyes: b\n0x10: c\n")).toEqual([{ 1: "a", true: "b", 16: "c" }]);
  });

  it("readYamlDocuments merges as go-yaml does: merged members replace earlier ones", () => {
    const base = "base: &base {a: 1, b: 2}\nmore: &more {b: 3, c: 4}\n";
    const readMerged = (text: string) =>
      (listValues(`${base}it:\n  ${text}\n`)[0] as Record<string, unknown>).it;
    expect(readMerged("<<: *base\n  b: 9")).toEqual({ a: 1, b: 9 });
    expect(readMerged("b: 9\n  <<: *base")).toEqual({ a: 1, b: 2 });
    expect(readMerged("<<: [*base, *more]")).toEqual({ a: 1, b: 2, c: 4 });
    expect(readMerged("'<<': *base")).toEqual({ "<<": { a: 1, b: 2 } });
  });

  it("readYamlDocuments accepts an anchor that is defined again", () => {
    expect(listValues("a: &x 1\nb: *x\nc: &x 2\nd: *x\n? &y k\n: *y\n")).toEqual([
      { a: 1, b: 1, c: 2, d: 2, k: "k" },
    ]);
  });

  it("readYamlDocuments reports a duplicate key, also in another notation, and the last value counts", () => {
    const [spec] = readYamlDocuments("spec:\n  a: 1\n  b: 2\n  a: 3\n  a: 4\n");
    expect(spec).toMatchObject({ value: { spec: { a: 4, b: 2 } }, errors: [] });
    expect(spec?.duplicates).toEqual([{ field: "spec.a", line: 2 }]);
    const [truth] = readYamlDocuments("yes: 1\n'true': 2\n");
    expect(truth).toMatchObject({ value: { true: 2 }, duplicates: [{ field: "true", line: 1 }] });
    const [merged] = readYamlDocuments("a: &a {b: 1}\nc: {b: 2, <<: *a, b: 3}\n");
    expect(merged?.duplicates).toEqual([{ field: "c.b", line: 2 }]);
  });

  it("readYamlDocuments rejects the key __proto__, even if it is set several times", () => {
    const [document] = readYamlDocuments("__proto__: {a: 1}\n__proto__: {a: 2}\n");
    expect(document?.errors).toHaveLength(2);
    expect(document?.value).not.toHaveProperty("a");
  });

  it("readYamlDocuments rejects keys that are not strings", () => {
    const message = "a key must be a string; put it in quotes";
    expect(listErrors("1.5: a\n")).toEqual([`1:1 : Invalid value: 1.5: ${message}`]);
    expect(listErrors("~: a\n")).toEqual([`1:1 : Invalid value: ~: ${message}`]);
    expect(listErrors("? [a]\n: b\n")).toEqual([`1:3 : Invalid value: object: ${message}`]);
  });

  it("readYamlDocuments rejects __proto__ in any key", () => {
    expect(listErrors("spec:\n  __proto__:\n    polluted: true\n")).toEqual([
      "2:3 spec.__proto__: Forbidden: no Kubernetes field has this name",
    ]);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("readYamlDocuments rejects numbers that JSON or JavaScript cannot represent", () => {
    expect(listErrors("a: 9007199254740993\nb: .inf\n")).toEqual([
      "1:4 a: Invalid value: 9007199254740993: an integer beyond ±9007199254740991 (2^53 - 1) " +
        "cannot be represented exactly; if it is a quantity, put it in quotes",
      "2:4 b: Invalid value: .inf: JSON cannot represent this number",
    ]);
  });

  it("readYamlDocuments rejects text that does not match its tag", () => {
    expect(listErrors("a: !!int x\n")).toEqual([
      '1:10 a: Invalid value: "x" cannot be read as tag:yaml.org,2002:int',
    ]);
    expect(listErrors("a: !!binary aGk=\n")).toHaveLength(1);
  });

  it("readYamlDocuments rejects aliases without an anchor, within their own anchor, and merged scalars", () => {
    expect(listErrors("a: *x\n")).toEqual([
      "1:4 a: Invalid value: the anchor &x is not defined before this alias",
    ]);
    expect(listErrors("a: &x [*x]\n")).toEqual([
      "1:8 a[0]: Invalid value: the anchor &x contains itself",
    ]);
    expect(listErrors("<<: 5\n")).toEqual([
      "1:5 : Invalid value: only an object or a list of objects can be merged",
    ]);
  });

  it("readYamlDocuments rejects an alias bomb at the first alias over the limit, and quickly", () => {
    const levels = Array.from({ length: 30 }, (_, level) =>
      level === 0
        ? "l0: &l0 [x, x, x, x, x, x, x, x, x, x]"
        : `l${level}: &l${level} [${Array(10)
            .fill(`*l${level - 1}`)
            .join(", ")}]`,
    );
    expect(listErrors(levels.join("\n"))).toEqual([
      "5:45 l4[7]: Invalid value: the aliases expand to more than 100,000 values",
    ]);
  });

  it("readYamlDocuments rejects values that are nested too deeply, in any notation", () => {
    expect(listErrors(`${"[".repeat(600)}${"]".repeat(600)}`).join()).toMatch(
      /^1:502 .*: is nested deeper than 500 levels$/,
    );
    expect(listErrors("[".repeat(20_000)).join()).toMatch(/is nested deeper than 500 levels$/);
  });

  it("readYamlDocuments rejects invalid YAML with its position and field", () => {
    expect(listErrors("spec:\n  suspend: 'x\n")).toEqual([
      "3:1 spec.suspend: not YAML: missing closing 'quote",
    ]);
    expect(listErrors("\ta: 1\n")).toEqual(["1:1 : not YAML: tabs are not allowed as indentation"]);
  });

  it("readYamlDocuments rejects control characters, also in comments", () => {
    expect(listErrors("spec:\n  a: x\0y\n")).toEqual([
      "2:7 spec.a: not YAML: the control character U+0000 is not allowed",
    ]);
    expect(listErrors("a: 1\n# \u0007\n---\nb: 1\n")).toEqual([
      "2:3 a: not YAML: the control character U+0007 is not allowed",
    ]);
  });

  it("readYamlDocuments rejects lone surrogates and NUL characters", () => {
    expect(listErrors('a: "\\ud800"\nb: "\\0"\n"\\0": c\n')).toEqual([
      "1:4 a: Invalid value: the text contains a lone surrogate, which is not a character",
      "2:4 b: Invalid value: the text contains a NUL character",
      "3:1 : Invalid value: the text contains a NUL character",
    ]);
    expect(listValues('"\\ud83d\\ude00"')).toEqual(["😀"]);
  });
});
