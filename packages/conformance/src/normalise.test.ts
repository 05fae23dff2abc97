import { describe, expect, it } from "vitest";
import { withoutGoArtefacts } from "./normalise.ts";

describe("what Go's encoder adds", () => {
  it("is null members at any depth", () => {
    const pod = { metadata: { creationTimestamp: null, name: "p" }, spec: [{ command: null }] };
    expect(withoutGoArtefacts(pod)).toEqual({ metadata: { name: "p" }, spec: [{}] });
  });

  it("is empty status, resources and strategy objects, also those that only held nulls", () => {
    expect(withoutGoArtefacts({ status: {}, resources: { limits: null }, strategy: {} })).toEqual(
      {},
    );
  });

  it("is the resource version of an object, and of nothing else", () => {
    const labels = { resourceVersion: "1" };
    expect(withoutGoArtefacts({ metadata: { resourceVersion: "7", labels } })).toEqual({
      metadata: { labels },
    });
  });
});

describe("what stays", () => {
  it("is what upstream writes on purpose", () => {
    const status = { restarts: 0, message: "", suspended: false };
    expect(withoutGoArtefacts({ status })).toEqual({ status });
  });

  it("is any other empty value", () => {
    const value = { emptyDir: {}, tolerations: [{}], jobs: [], strategy: [], status: "" };
    expect(withoutGoArtefacts(value)).toEqual(value);
  });

  it("is a null that has a position in a list", () => {
    expect(withoutGoArtefacts({ args: [null, "a"] })).toEqual({ args: [null, "a"] });
  });

  it("is a null in a patch, where it removes a member", () => {
    const effect = { verb: "patch", patch: { spec: { completions: null } } };
    expect(withoutGoArtefacts(effect)).toEqual(effect);
  });

  it("is what lies deeper than any type reaches", () => {
    let value: unknown = { a: null };
    for (let depth = 0; depth < 200_000; depth += 1) value = [value];
    expect(() => withoutGoArtefacts(value)).not.toThrow();
  });

  it("is a member called __proto__", () => {
    const value = JSON.parse('{"__proto__":{"a":null,"b":1}}');
    expect(JSON.stringify(withoutGoArtefacts(value))).toBe('{"__proto__":{"b":1}}');
  });

  it("is the value that was given, untouched", () => {
    const value = Object.freeze({ status: Object.freeze({}), list: Object.freeze([null]) });
    withoutGoArtefacts(value);
    expect(value).toEqual({ status: {}, list: [null] });
  });
});
