import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { causalCycle, causalOrder } from "./causal-order.ts";
import { causalChecks } from "./testing/arbitrary-checks.ts";

function getOrder(listed: readonly string[], causes: Readonly<Record<string, readonly string[]>>) {
  return causalOrder(listed, (id) => causes[id] ?? []);
}

describe("causalOrder", () => {
  it("causalOrder keeps an order in which causes already come first", () => {
    expect(getOrder(["b", "a", "c"], { c: ["a", "b"] })).toEqual(["b", "a", "c"]);
  });

  it("causalOrder repeatedly takes the first listed check whose causes are done", () => {
    expect(getOrder(["d", "c", "b", "a"], { d: ["a"], c: ["b"] })).toEqual(["b", "c", "a", "d"]);
  });

  it("causalOrder ignores unlisted causes and duplicate causes", () => {
    expect(getOrder(["b", "a"], { b: ["x", "a", "a"], a: ["y"] })).toEqual(["a", "b"]);
  });

  it("causalOrder omits a cycle and the checks that depend on it", () => {
    expect(getOrder(["c", "b", "a", "z"], { a: ["b"], b: ["a"], c: ["a"] })).toEqual(["z"]);
  });

  it("causalOrder puts every check after its causes", () => {
    fc.assert(
      fc.property(causalChecks(), (checks) => {
        const causes = new Map(checks.map((check) => [check.id, check.causes]));
        const listed = checks.map(({ id }) => id);
        const order = causalOrder(listed, (id) => causes.get(id) ?? []);
        expect([...order].sort()).toEqual([...listed].sort());
        for (const [position, id] of order.entries()) {
          expect(order.slice(0, position)).toEqual(
            expect.arrayContaining([...(causes.get(id) ?? [])]),
          );
        }
      }),
    );
  });
});

describe("causalCycle", () => {
  const findCycle = (causes: Readonly<Record<string, readonly string[]>>) =>
    causalCycle(Object.keys(causes), (id) => causes[id] ?? []);

  it("a cycle is reported from its alphabetically first check along the effects", () => {
    expect(findCycle({ b: ["a"], c: ["b"], a: ["c"] })).toEqual(["a", "b", "c"]);
    expect(findCycle({ m: ["z"], z: ["k"], k: ["m"] })).toEqual(["k", "z", "m"]);
  });

  it("causalCycle omits checks that only depend on the cycle", () => {
    expect(findCycle({ a: ["b"], b: ["c"], c: ["b"] })).toEqual(["b", "c"]);
  });

  it("causalCycle returns the same cycle for each order of the checks", () => {
    const two = { b: ["d", "c"], a: ["e", "b"], d: ["b"], c: ["b"], e: ["a"] };
    expect(findCycle(two)).toEqual(["b", "c"]);
    expect(findCycle({ e: two.e, d: two.d, c: two.c, b: ["c", "d"], a: ["b", "e"] })).toEqual([
      "b",
      "c",
    ]);
    expect(findCycle({ z: ["y"], y: ["z"], a: ["b"], b: ["a"] })).toEqual(["a", "b"]);
  });

  it("causalCycle returns a single check that causes itself", () => {
    expect(findCycle({ b: ["a"], a: ["a"] })).toEqual(["a"]);
  });
});
