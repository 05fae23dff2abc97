import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Check, CheckDependencies } from "./check.ts";
import { defineChecks } from "./define-checks.ts";
import { causalChecks, createChecks } from "./testing/arbitrary-checks.ts";

function createSet(...checks: readonly (Partial<CheckDependencies> & { readonly id: string })[]) {
  return defineChecks<unknown, string>(
    checks.map((check) => ({ causes: [], ...check, run: () => ({ outcome: "Pass" }) })),
  );
}

describe("defineChecks", () => {
  it("defineChecks sorts the checks in causal order", () => {
    const { checks, graph } = createSet({ id: "b", causes: ["a"] }, { id: "a" }, { id: "c" });
    expect(graph.order).toEqual(["a", "b", "c"]);
    expect(checks.map(({ id }) => id)).toEqual(graph.order);
  });

  it("defineChecks finds the causes of causes, nearest first, for any listing order", () => {
    const { graph } = createSet(
      { id: "d", causes: ["a", "c"] },
      { id: "c", causes: ["b"] },
      { id: "b", causes: ["a"] },
      { id: "a" },
      { id: "x" },
    );
    expect(graph.causes.get("d")).toEqual(["c", "b", "a"]);
    expect(graph.causes.get("a")).toEqual([]);
  });

  it("defineChecks lists each transitive cause once, before its own causes", () => {
    fc.assert(
      fc.property(causalChecks(), (checks) => {
        const { graph } = defineChecks(createChecks(checks));
        for (const { id, causes } of checks) {
          const all = graph.causes.get(id) ?? [];
          const reached = new Set(causes.flatMap((one) => [one, ...(graph.causes.get(one) ?? [])]));
          expect([...all].sort()).toEqual([...reached].sort());
          for (const [index, cause] of all.entries()) {
            const before = all.slice(0, index);
            for (const further of graph.causes.get(cause) ?? []) {
              expect(before).not.toContain(further);
            }
          }
        }
      }),
    );
  });

  it("defineChecks accepts a need that is an indirect cause", () => {
    const set = createSet(
      { id: "c", causes: ["b"], needs: ["a"] },
      { id: "b", causes: ["a"] },
      { id: "a" },
    );
    expect(set.graph.order).toEqual(["a", "b", "c"]);
  });

  it("defineChecks rejects and names checks that cause themselves", () => {
    expect(() =>
      createSet({ id: "b", causes: ["a"] }, { id: "a", causes: ["c"] }, { id: "c", causes: ["b"] }),
    ).toThrow(new TypeError('the checks cause each other in a cycle: "a" -> "b" -> "c" -> "a"'));
  });

  it("defineChecks names only the checks of a cycle", () => {
    expect(() =>
      createSet({ id: "a" }, { id: "b", causes: ["c"] }, { id: "c", causes: ["b"] }),
    ).toThrow(new TypeError('the checks cause each other in a cycle: "b" -> "c" -> "b"'));
  });

  it("defineChecks rejects a duplicate ID", () => {
    expect(() => createSet({ id: "a" }, { id: "b" }, { id: "a" })).toThrow(
      new TypeError('check "a" is listed twice'),
    );
  });

  it("defineChecks rejects a cause that is not a check", () => {
    expect(() => createSet({ id: "a", causes: ["x"] })).toThrow(
      new TypeError('check "a" has a cause "x" that is not a check'),
    );
  });

  it("defineChecks rejects a need that is not a check or not one of the causes", () => {
    expect(() => createSet({ id: "a", needs: ["x"] })).toThrow(
      new TypeError('check "a" has a need "x" that is not a check'),
    );
    expect(() => createSet({ id: "a", needs: ["b"] }, { id: "b" })).toThrow(
      new TypeError('check "a" needs "b", which is not one of its causes'),
    );
    expect(() => createSet({ id: "a", needs: ["a"] })).toThrow(TypeError);
  });

  it("defineChecks copies the list of checks", () => {
    const causes = ["a"];
    const needs = ["a"];
    const list = [{ id: "a" }, { id: "b", causes, needs }];
    const set = createSet(...list);
    causes.push("x");
    needs.push("x");
    list.pop();
    expect(set.graph.causes.get("b")).toEqual(["a"]);
    expect(set.graph.needs.get("b")).toEqual(["a"]);
    expect(set.checks).toHaveLength(2);
  });

  it("defineChecks calls a check as a method of its object", () => {
    class Counting implements Check<number> {
      readonly id = "counting";
      readonly causes = [];
      readonly limit = 3;
      run(count: number) {
        return count < this.limit
          ? ({ outcome: "Pass" } as const)
          : ({ outcome: "Fail", message: `${count}`, transient: false } as const);
      }
    }
    expect(defineChecks([new Counting()]).checks[0]?.run(3)).toMatchObject({ outcome: "Fail" });
  });
});
