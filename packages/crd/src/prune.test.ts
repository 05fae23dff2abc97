import { describe, expect, it } from "vitest";
import { defaultMembers } from "./defaulting.ts";
import { pruneMembers } from "./prune.ts";
import { rewrite } from "./rewrite.ts";
import { createNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";

const text = { type: "string" } as const;
const schema: StructuralSchema = {
  type: "object",
  properties: {
    name: text,
    size: { type: "integer", default: 1 },
    note: { ...text, nullable: true },
    labels: { type: "object", additionalProperties: text },
    parts: { type: "array", items: { type: "object", properties: { name: text } } },
    words: { type: "array", items: text },
  },
};

const pruneValue = (value: unknown) => rewrite(value, createNode(schema), pruneMembers);
const defaultValue = (value: unknown, ofSchema = schema) =>
  rewrite(value, createNode(ofSchema), defaultMembers);

describe("pruning", () => {
  it("pruning drops unknown members at every depth", () => {
    const value = { name: "a", other: 1, parts: [{ name: "b", other: 2 }] };
    expect(pruneValue(value)).toEqual({ name: "a", parts: [{ name: "b" }] });
  });

  it("pruning keeps every key of a map", () => {
    const value = JSON.parse('{"labels": {"a": "b", "__proto__": "c"}, "__proto__": {}}');
    expect(JSON.stringify(pruneValue(value))).toBe('{"labels":{"a":"b","__proto__":"c"}}');
  });

  it("pruning drops nulls unless they have a meaning or a default, or are list elements", () => {
    const value = { name: null, size: null, note: null, labels: { a: null }, words: [null] };
    expect(pruneValue(value)).toEqual({ size: null, note: null, labels: {}, words: [null] });
  });

  it("pruning drops misplaced objects, and keeps the other elements of lists", () => {
    const value = { name: { first: "a" }, words: [{ a: 1 }, [[{ b: 1 }], 2]] };
    expect(pruneValue(value)).toEqual({ name: {}, words: [{}, [[{}], 2]] });
  });

  it("pruning keeps scalars of any type, because validation rejects them", () => {
    const value = { name: 1, labels: "x", parts: true };
    expect(pruneValue(value)).toBe(value);
  });
});

describe("defaulting", () => {
  it("defaulting sets absent and null members of existing objects", () => {
    expect(defaultValue({ size: null })).toEqual({ size: 1 });
    expect(defaultValue({ parts: [{}] })).toEqual({ parts: [{}], size: 1 });
  });

  it("defaulting does not replace present members", () => {
    const value = { size: 0 };
    expect(defaultValue(value)).toBe(value);
  });

  it("defaulting also sets the defaults within a default", () => {
    const nested: StructuralSchema = {
      type: "object",
      properties: { inner: { ...schema, default: {} } },
    };
    expect(defaultValue({}, nested)).toEqual({ inner: { size: 1 } });
  });
});
