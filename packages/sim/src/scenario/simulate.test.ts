import { namespacedName } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { randomScenario } from "../explore/random-scenario.ts";
import type { Scenario } from "./scenario.ts";
import { simulate } from "./simulate.ts";

/** Returns all objects and lists in a value. */
function splitParts(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(splitParts)];
}

describe("simulate", () => {
  it("simulate leaves a scenario unchanged and unfrozen", () => {
    const scenario = randomScenario(1);
    const before = JSON.stringify(scenario);
    expect(splitParts(scenario).filter(Object.isFrozen)).toEqual([]);
    simulate(scenario);
    expect(JSON.stringify(scenario)).toBe(before);
    expect(splitParts(scenario).filter(Object.isFrozen)).toEqual([]);
  });

  it("the number of objects equals the number of listed objects after each turn", () => {
    const turns: (readonly [counted: number, listed: number])[] = [];
    simulate(randomScenario(2), {
      onTurn: ({ cluster: { objects } }) => turns.push([objects.count, [...objects.all()].length]),
    });
    expect(turns.filter(([counted, listed]) => counted !== listed)).toEqual([]);
    expect(new Set(turns.map(([counted]) => counted)).size).toBeGreaterThan(5);
  });

  it("simulate returns the same history for frozen, partly frozen and unfrozen scenarios", () => {
    const pod = {
      kind: "Pod",
      metadata: { name: "p", namespace: "ml", labels: null },
      spec: { containers: [{ name: "c", image: "i", env: null }], affinity: null },
      status: null,
    };
    const create = () => {
      const scenario = structuredClone(randomScenario(1));
      return { ...scenario, objects: [...scenario.objects, structuredClone(pod)] } as never;
    };
    const simulateHistory = (scenario: Scenario) => {
      const written: unknown[] = [];
      simulate(scenario, {
        onTurn: ({ changes }) => written.push(changes.map(({ after }) => after)),
      });
      return JSON.stringify(written);
    };
    const inPart: Scenario = create();
    for (const object of inPart.objects) Object.freeze(object);
    const frozen = splitParts(inPart).filter(Object.isFrozen).length;
    const histories = [create(), deepFreeze(create()), inPart].map(simulateHistory);
    expect(new Set(histories).size).toBe(1);
    expect(splitParts(inPart).filter(Object.isFrozen)).toHaveLength(frozen);
  });

  it("an action with a selector requests all objects of a kind and namespace that have the labels", () => {
    const pod = (namespace: string, name: string, app: string) => ({
      kind: "Pod",
      metadata: { namespace, name, labels: { app } },
      spec: { containers: [{ name: "main", image: "busybox" }] },
    });
    const objects = [
      pod("ml", "a", "x"),
      pod("ml", "b", "x"),
      pod("ml", "c", "y"),
      pod("o", "a", "x"),
    ];
    const request = { verb: "delete", object: { kind: "Pod", metadata: { namespace: "ml" } } };
    const actions = [{ at: 1_000, request, selector: { app: "x" } }];
    const scenario = { seed: 1, objects, workload: [], actions, faults: [], endsAt: 5_000 };
    const { end } = simulate(scenario as unknown as Scenario);
    expect(end.objects.ofKind("Pod").map(namespacedName).toSorted()).toEqual(["ml/c", "o/a"]);
  });

  it("the user writes no status that the creation has already stored", () => {
    const writes: string[] = [];
    const scenario = randomScenario(1);
    simulate(scenario, {
      onTurn: ({ changes }) =>
        void writes.push(
          ...changes
            .filter(({ actor }) => actor === "user")
            .map(({ verb, after }) => `${verb} ${after?.kind}`),
        ),
    });
    const nodes = scenario.objects.filter(({ kind }) => kind === "Node");
    expect(writes.filter((line) => line.endsWith("Node"))).toEqual(nodes.map(() => "Added Node"));
  });
});
