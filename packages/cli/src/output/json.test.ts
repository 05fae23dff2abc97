import { describe, expect, it } from "vitest";
import { formatJsonArray, formatJsonList } from "./json.ts";

describe("formatJsonArray", () => {
  it("is what JSON.stringify writes, piece by piece", () => {
    const values = [{ a: [1, { b: "x\ny" }] }, 2, "three", [], {}];
    expect([...formatJsonArray(values)].join("")).toBe(JSON.stringify(values, null, 2));
    expect([...formatJsonArray([])].join("")).toBe("[]");
  });

  it("escapes what JSON need not, and a terminal obeys", () => {
    const values = [{ "a\u009b": "\u007f\u202e\u2028\t" }];
    const text = [...formatJsonArray(values)].join("");
    expect(text).toContain('"a\\u009b": "\\u007f\\u202e\\u2028\\t"');
    expect(JSON.parse(text)).toEqual(values);
  });

  it("makes a value only when its turn comes", () => {
    let made = 0;
    const pieces = formatJsonArray(
      (function* () {
        for (;;) yield made++;
      })(),
    );
    pieces.next();
    pieces.next();
    expect(made).toBe(2);
  });
});

describe("formatJsonList", () => {
  it("is a List of Kubernetes", () => {
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
