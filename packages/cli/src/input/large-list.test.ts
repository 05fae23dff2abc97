import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { readJsonDocuments } from "./json-document.ts";
import { readLargeList } from "./large-list.ts";

const encodeText = (text: string) => new TextEncoder().encode(text);
const read = (text: string, changeItem = (item: unknown) => item) =>
  readLargeList(encodeText(text), changeItem, () => text);

const list = (items: string, others = '"kind": "List"') =>
  `{ "apiVersion": "v1", "items": ${items}, ${others} }`;

describe("readLargeList", () => {
  it("readLargeList reads the same value as a reader of the whole text", () => {
    const items = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 });
    const indents = fc.constantFrom(undefined, 1, "\t");
    const others = fc.dictionary(
      fc.constantFrom("metadata", "items2", '"items"', "é"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(items, others, indents, (of, besides, indent) => {
        const text = JSON.stringify({ ...besides, items: of, kind: "List" }, undefined, indent);
        const [document] = readJsonDocuments(text) ?? [];
        const found = read(text);
        // The other reader handles texts with errors.
        if (document?.errors.length === 0) expect(found?.value).toEqual(document.value);
        else expect(found).toBeUndefined();
      }),
      { numRuns: runs(100) },
    );
  });

  it("readLargeList changes each item before it reads the next", () => {
    const changeItem = (item: unknown) => `changed ${(item as { n: number }).n}`;
    expect(read(list('[{"n": 1}, {"n": 2}]'), changeItem)?.value).toMatchObject({
      items: ["changed 1", "changed 2"],
    });
  });

  it("readLargeList finds the positions of values in the whole text on demand", () => {
    const text = list('[{"a": 1},\n{"b": 2}]');
    const document = read(text);
    const offset = document?.root.members().get("items")?.elements()[1]?.offset ?? 0;
    expect(text.slice(offset, offset + 4)).toBe('{"b"');
    expect(document?.positionAt(offset)).toEqual({ line: 2, column: 1 });
  });

  it.each([
    ["a list of one type", list("[]", '"kind": "PodList"')],
    ["an object without items", '{ "kind": "List" }'],
    ["items that are not a list", list("{}")],
    ["two lists of items", list("[1]", '"items": [2], "kind": "List"')],
    ["a comma after the last item", list("[1,]")],
    ["two commas between items", list("[1,,2]")],
    ["items without a comma", list("[1 2]")],
    ["brackets that do not match", list('[{"a": 1]}')],
    ["a key twice in an item", list('[{"a": 1, "a": 2}]')],
    ["an integer that is not exact", list('[{ "a": 12345678901234567890 }]')],
    ["an item that is nested too deeply", list(`[${"[".repeat(499)}${"]".repeat(499)}]`)],
    ["text after the list", `${list("[]")} x`],
    ["a second value after the list", `${list("[]")}${list("[]")}`],
    ["a truncated list", list("[1, 2]").slice(0, -9)],
    ["a truncated string", '{ "items": ["a'],
    ["a byte order mark", `\ufeff${list("[]")}`],
  ])("readLargeList leaves %s to the reader of the whole text", (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it("readLargeList leaves bytes that are not UTF-8 to the reader of the whole text", () => {
    const bytes = encodeText(list('["aa"]'));
    bytes[bytes.indexOf(0x61, 25)] = 0xff;
    expect(
      readLargeList(
        bytes,
        (item) => item,
        () => "",
      ),
    ).toBeUndefined();
  });
});
