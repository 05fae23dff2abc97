import { runs } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJsonDocument } from "./json-document.ts";
import { readYamlDocuments } from "./yaml-documents.ts";

function refusalsOf(text: string): string[] {
  const document = readJsonDocument(text);
  if (document === undefined) throw new Error("no JSON");
  return document.refusals.map(({ offset, field, message }) => {
    const { line, column } = document.positionAt(offset);
    return `${line}:${column} ${field}: ${message}`;
  });
}

describe("readJsonDocument", () => {
  it("reads JSON", () => {
    const document = readJsonDocument(' {"a": [1, "\\u0041", null], "b": {}}\n');
    expect(document?.value).toEqual({ a: [1, "A", null], b: {} });
    expect(document?.refusals).toEqual([]);
  });

  it("leaves everything else to the YAML reader", () => {
    for (const text of ["a: 1", "{a: 1}", '{"a": 1}\n{"b": 2}', '{"a": 1', "", '"text"']) {
      expect(readJsonDocument(text)).toBeUndefined();
    }
  });

  it("tells of a key that is set again, of which the last one counts, once", () => {
    const document = readJsonDocument('{"a": 1,\n "b": {"c": 1, "\\u0063": 2, "c": 3}, "a": 4}');
    expect(document).toMatchObject({ value: { a: 4, b: { c: 3 } }, refusals: [] });
    expect(document?.duplicates).toEqual([
      { field: "b.c", line: 2 },
      { field: "a", line: 1 },
    ]);
  });

  it("refuses what JSON.parse would silently change", () => {
    expect(refusalsOf('{"a": [0, 9007199254740993, -1e400]}')).toEqual([
      "1:11 a[1]: Invalid value: 9007199254740993: an integer beyond ±9007199254740991 (2^53 - 1) is " +
        "not read exactly; if it is a quantity, put it in quotes",
      "1:29 a[2]: Invalid value: -1e400: JSON has no such number",
    ]);
  });

  it("refuses what no Kubernetes object can hold", () => {
    expect(refusalsOf('{"__proto__": {}, "a": "\\ud800", "b": ["\\u0000"], "\\udc00": 1}')).toEqual(
      [
        "1:2 __proto__: Forbidden: no field of Kubernetes has this name",
        "1:24 a: Invalid value: the text holds half of a surrogate pair, which is no character",
        "1:40 b[0]: Invalid value: the text holds a NUL character",
        "1:51 [\udc00]: Invalid value: the text holds half of a surrogate pair, which is no character",
      ],
    );
  });

  it("refuses values that are nested too deeply, once", () => {
    const depth = 100_000;
    const refused = refusalsOf(`${"[".repeat(depth)}1${"]".repeat(depth)}`);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(/^1:501 .*: is nested deeper than 500 levels$/);
  });

  it("allows keys and text that only look dangerous", () => {
    expect(
      refusalsOf('{"constructor": "__proto__", "a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}'),
    ).toEqual([]);
  });

  it("agrees with the YAML reader on every JSON value, and on every refusal and its place", () => {
    const keys = fc.oneof(fc.constantFrom("a", "b", "__proto__"), fc.string());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string().map((text) => JSON.stringify(text)),
        fc.constantFrom(
          "null",
          "true",
          '"\\u0000"',
          '"\\ud834\\udd1e"',
          "9007199254740993",
          "-12",
          "1.5e3",
        ),
        fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(", ")}]`),
        fc
          .array(fc.tuple(keys, tie("value")), { maxLength: 4 })
          .map(
            (members) =>
              `{${members.map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(",\n ")}}`,
          ),
      ),
    }));
    fc.assert(
      fc.property(value, (text) => {
        const asObject = `{"it": ${text}}`;
        const json = readJsonDocument(asObject);
        const [yaml] = readYamlDocuments(asObject);
        expect(json?.refusals.map(({ offset, field }) => [offset, field])).toEqual(
          yaml?.refusals.map(({ offset, field }) => [offset, field]),
        );
        expect(json?.duplicates).toEqual(yaml?.duplicates);
        if (json?.refusals.length === 0) expect(json.value).toEqual(yaml?.value);
      }),
      { numRuns: runs(300) },
    );
  });
});
