import { describe, expect, it } from "vitest";
import { formatJsonArray, formatJsonList } from "./json.ts";

describe("formatJsonArray", () => {
  it("formatJsonArray yields the output of JSON.stringify in chunks", () => {
    const values = [{ a: [1, { b: "x\ny" }] }, 2, "three", [], {}];
    expect([...formatJsonArray(values)].join("")).toBe(JSON.stringify(values, null, 2));
    expect([...formatJsonArray([])].join("")).toBe("[]");
  });

  it("formatJsonArray escapes control characters of terminals", () => {
    const values = [{ "a\u009b": "\u007f\u202e\u2028\t" }];
    const text = [...formatJsonArray(values)].join("");
    expect(text).toContain('"a\\u009b": "\\u007f\\u202e\\u2028\\t"');
    expect(JSON.parse(text)).toEqual(values);
  });

  it("formatJsonArray creates values lazily", () => {
    let created = 0;
    const pieces = formatJsonArray(
      (function* () {
        for (;;) yield created++;
      })(),
    );
    pieces.next();
    pieces.next();
    expect(created).toBe(2);
  });
});

describe("formatJsonList", () => {
  it("formatJsonList yields a Kubernetes List", () => {
    const objects = [{ kind: "Job" }, { kind: "Service" }];
    const text = [...formatJsonList(objects)].join("");
    expect(JSON.parse(text)).toEqual({
      apiVersion: "v1",
      kind: "List",
      metadata: {},
      items: objects,
    });
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });
});
