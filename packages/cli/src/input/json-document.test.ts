import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { readJsonDocuments } from "./json-document.ts";
import { readYamlDocuments } from "./yaml-documents.ts";

function readDocuments(text: string) {
  const documents = readJsonDocuments(text);
  if (documents === undefined) throw new Error("no JSON");
  return documents;
}

function listErrors(text: string): string[] {
  return readDocuments(text).flatMap(({ errors, positionAt }) =>
    errors.map(({ offset, field, message }) => {
      const { line, column } = positionAt(offset);
      return `${line}:${column} ${field}: ${message}`;
    }),
  );
}

describe("readJsonDocuments", () => {
  it("readJsonDocuments reads JSON", () => {
    const [document] = readDocuments(' {"a": [1, "\\u0041", null], "b": {}}\n');
    expect(document?.value).toEqual({ a: [1, "A", null], b: {} });
    expect(document?.errors).toEqual([]);
  });

  it("readJsonDocuments returns undefined for other text, which the YAML reader handles", () => {
    for (const text of [
      "a: 1",
      "{a: 1}",
      '{"a": 1}\nb: 2',
      '{"a": 1} x',
      "",
      '"text"',
      '{"a": tru}',
    ]) {
      expect(readJsonDocuments(text)).toBeUndefined();
    }
    for (const text of ['{"a" 1', '{"a": 1,}', "[1 2", "[,", '{"a": 1]', "[1}", '{} "text"']) {
      expect(readJsonDocuments(text)).toBeUndefined();
    }
  });

  it("readJsonDocuments reads several values in a row, each with its positions", () => {
    const text = '{"a": 1}{"b": [1, {}]}\n---\n[2]\n---\n{"c": 1, "c": 2}\n';
    const documents = readDocuments(text);
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: [1, {}] }, [2], { c: 2 }]);
    expect(documents.at(-1)?.duplicates).toEqual([{ field: "c", line: 5 }]);
    expect(listErrors('{"a": 1}\n {"b": 1e999}')).toEqual([
      "2:8 b: Invalid value: 1e999: JSON cannot represent this number",
    ]);
  });

  it("readJsonDocuments rejects a text that ends within a value, with the position of its end", () => {
    const text = '{"a": [1, true, "x\\"y", {}],\n "b": {"c": null}}';
    for (let length = 1; length < text.length; length++) {
      const cut = text.slice(0, length);
      const [line, column] = length < 29 ? [1, length + 1] : [2, length - 28];
      const refusal = `${line}:${column} : truncated: the text ends within a JSON value`;
      expect(listErrors(cut), cut).toEqual([refusal]);
      expect(listErrors(`{}\n${cut}`), cut).toEqual([refusal.replace(/^\d/, `${line + 1}`)]);
    }
  });

  it("readJsonDocuments reads any values in a row, and rejects them if the last one is truncated", () => {
    const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
    const space = fc.constantFrom("", " ", "\n", "\n---\n", "\r\n\t");
    fc.assert(
      fc.property(fc.array(fc.tuple(value, space), { minLength: 1 }), fc.nat(), (row, cut) => {
        const texts = row.map(([one, after], at) => {
          return JSON.stringify(one, undefined, at % 3) + after;
        });
        const read = readJsonDocuments(texts.join(""));
        expect(read?.map((one) => JSON.stringify(one.value))).toEqual(
          row.map(([one]) => JSON.stringify(one)),
        );
        const last = JSON.stringify(row[0]?.[0]);
        const broken = texts.join("") + last.slice(0, 1 + (cut % (last.length - 1)));
        const [refusal] = readJsonDocuments(broken)?.[0]?.errors ?? [];
        expect(refusal).toMatchObject({
          offset: broken.length,
          message: expect.stringMatching(/^truncated/),
        });
      }),
      { numRuns: runs(100) },
    );
  });

  it("readJsonDocuments reports a duplicate key once, and the last value counts", () => {
    const [document] = readDocuments('{"a": 1,\n "b": {"c": 1, "\\u0063": 2, "c": 3}, "a": 4}');
    expect(document).toMatchObject({ value: { a: 4, b: { c: 3 } }, errors: [] });
    expect(document?.duplicates).toEqual([
      { field: "b.c", line: 2 },
      { field: "a", line: 1 },
    ]);
  });

  it("readJsonDocuments rejects values that JSON.parse would silently change", () => {
    expect(listErrors('{"a": [0, 9007199254740993, -1e400]}')).toEqual([
      "1:11 a[1]: Invalid value: 9007199254740993: an integer beyond ±9007199254740991 (2^53 - 1) " +
        "cannot be represented exactly; if it is a quantity, put it in quotes",
      "1:29 a[2]: Invalid value: -1e400: JSON cannot represent this number",
    ]);
  });

  it("readJsonDocuments rejects values that no Kubernetes object can contain", () => {
    expect(listErrors('{"__proto__": {}, "a": "\\ud800", "b": ["\\u0000"], "\\udc00": 1}')).toEqual(
      [
        "1:2 __proto__: Forbidden: no Kubernetes field has this name",
        "1:24 a: Invalid value: the text contains a lone surrogate, which is not a character",
        "1:40 b[0]: Invalid value: the text contains a NUL character",
        "1:51 [\udc00]: Invalid value: the text contains a lone surrogate, which is not a character",
      ],
    );
  });

  it("readJsonDocuments rejects values that are nested too deeply, with one error", () => {
    const depth = 100_000;
    const rejected = listErrors(`${"[".repeat(depth)}1${"]".repeat(depth)}`);
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatch(/^1:501 .*: is nested deeper than 500 levels$/);
  });

  it("readJsonDocuments accepts keys and text that only look dangerous", () => {
    expect(
      listErrors('{"constructor": "__proto__", "a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}'),
    ).toEqual([]);
  });

  it("readJsonDocuments and readYamlDocuments return the same values, errors and positions for JSON", () => {
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
        const [json] = readDocuments(asObject);
        const [yaml] = readYamlDocuments(asObject);
        expect(json?.errors.map(({ offset, field }) => [offset, field])).toEqual(
          yaml?.errors.map(({ offset, field }) => [offset, field]),
        );
        expect(json?.duplicates).toEqual(yaml?.duplicates);
        if (json?.errors.length === 0) expect(json.value).toEqual(yaml?.value);
      }),
      { numRuns: runs(150) },
    );
  });
});
