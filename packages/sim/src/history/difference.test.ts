import { describe, expect, it } from "vitest";
import { createPatches } from "../api-server/stored-values.ts";
import { formatDiff } from "./difference.ts";

function lines(before: object, after: object) {
  return formatDiff(createPatches(before, after));
}

describe("formatDiff", () => {
  it("formatDiff lists replaced, added and removed members by path", () => {
    const before = { spec: { suspend: false, ttl: 5 }, status: { ready: 1 } };
    const after = { spec: { suspend: true }, status: { ready: 1, failed: 2 } };
    expect(lines(before, after).toSorted()).toEqual([
      "spec.suspend: false → true",
      "spec.ttl: − 5",
      "status.failed: + 2",
    ]);
  });

  it("formatDiff shows lists as a whole", () => {
    expect(lines({ gates: [{ name: "a" }] }, { gates: [{ name: "b" }] })).toEqual([
      'gates: [{"name":"a"}] → [{"name":"b"}]',
    ]);
  });

  it("formatDiff omits the resource version and prints nothing for equal objects", () => {
    const [before, after] = ["1", "2"].map((resourceVersion) => ({
      metadata: { resourceVersion },
    }));
    expect(lines(before as object, after as object)).toEqual([]);
    expect(lines({ spec: {} }, { spec: {} })).toEqual([]);
  });

  it("formatDiff truncates long values", () => {
    const [line = ""] = lines({ text: "" }, { text: "x".repeat(1_000) });
    expect(line.length).toBeLessThan(330);
    expect(line.endsWith("…")).toBe(true);
  });
});
