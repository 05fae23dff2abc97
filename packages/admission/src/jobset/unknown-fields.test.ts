import { describe, expect, it } from "vitest";
import { unknownFields } from "./unknown-fields.ts";

describe("unknownFields", () => {
  it("names what was sent and not read, at every depth", () => {
    const sent = { spec: { jobs: [{ name: "a", x: 1 }, { "b.c": 2 }], y: { z: 1 } }, status: {} };
    const read = { spec: { jobs: [{ name: "a" }, {}] }, status: {} };
    expect(unknownFields(sent, read)).toEqual(["spec.jobs[0].x", "spec.jobs[1][b.c]", "spec.y"]);
  });

  it("takes null for absent, and does not look at what was changed or added", () => {
    const sent = { spec: { a: null, quantity: "1024Mi" } };
    expect(unknownFields(sent, { spec: { quantity: "1Gi", replicas: 1 } })).toEqual([]);
  });

  it("does not take empty metadata for unknown metadata", () => {
    const sent = {
      metadata: { generation: 0, labels: {}, finalizers: [], namespace: "", lables: { a: "b" } },
      spec: { empty: {} },
    };
    expect(unknownFields(sent, { metadata: {}, spec: {} })).toEqual([
      "metadata.lables",
      "spec.empty",
    ]);
  });

  it("has nothing to say about what is no object, or was replaced by something else", () => {
    expect(unknownFields(5, {})).toEqual([]);
    expect(unknownFields({ a: [1] }, { a: {} })).toEqual([]);
    expect(unknownFields(undefined, undefined)).toEqual([]);
  });
});
