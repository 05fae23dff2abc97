import { describe, expect, it } from "vitest";
import { withoutGoArtefacts } from "./normalise.ts";

describe("additions of Go's encoder", () => {
  it("withoutGoArtefacts removes null members at any depth", () => {
    const pod = { metadata: { creationTimestamp: null, name: "p" }, spec: [{ command: null }] };
    expect(withoutGoArtefacts(pod)).toEqual({ metadata: { name: "p" }, spec: [{}] });
  });

  it("withoutGoArtefacts removes empty status, resources and strategy objects, also if they contained only nulls", () => {
    expect(withoutGoArtefacts({ status: {}, resources: { limits: null }, strategy: {} })).toEqual(
      {},
    );
  });

  it("withoutGoArtefacts removes the resource version of an object and nothing else with that name", () => {
    const labels = { resourceVersion: "1" };
    expect(withoutGoArtefacts({ metadata: { resourceVersion: "7", labels } })).toEqual({
      metadata: { labels },
    });
  });
});

describe("values that are kept", () => {
  it("withoutGoArtefacts keeps values that upstream writes intentionally", () => {
    const status = { restarts: 0, message: "", suspended: false };
    expect(withoutGoArtefacts({ status })).toEqual({ status });
  });

  it("withoutGoArtefacts keeps other empty values", () => {
    const value = { emptyDir: {}, tolerations: [{}], jobs: [], strategy: [], status: "" };
    expect(withoutGoArtefacts(value)).toEqual(value);
  });

  it("withoutGoArtefacts keeps null elements of a list", () => {
    expect(withoutGoArtefacts({ args: [null, "a"] })).toEqual({ args: [null, "a"] });
  });

  it("withoutGoArtefacts keeps nulls in a patch, where they remove a member", () => {
    const effect = { verb: "patch", patch: { spec: { completions: null } } };
    expect(withoutGoArtefacts(effect)).toEqual(effect);
  });

  it("withoutGoArtefacts keeps values that are deeper than any type", () => {
    let value: unknown = { a: null };
    for (let depth = 0; depth < 200_000; depth += 1) value = [value];
    expect(() => withoutGoArtefacts(value)).not.toThrow();
  });

  it("withoutGoArtefacts keeps a member called __proto__", () => {
    const value = JSON.parse('{"__proto__":{"a":null,"b":1}}');
    expect(JSON.stringify(withoutGoArtefacts(value))).toBe('{"__proto__":{"b":1}}');
  });

  it("withoutGoArtefacts does not change its input", () => {
    const value = Object.freeze({ status: Object.freeze({}), list: Object.freeze([null]) });
    withoutGoArtefacts(value);
    expect(value).toEqual({ status: {}, list: [null] });
  });
});
