import { describe, expect, it } from "vitest";
import { simulate } from "../scenario/simulate.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { randomScenario } from "./random-scenario.ts";
import { varyScenario } from "./vary-scenario.ts";

const scenario = randomScenario(7);
const variations = Array.from({ length: 200 }, (_, at) => varyScenario(scenario, at));

describe("varyScenario", () => {
  it("varyScenario varies faults and leaves the cluster and its JobSet unchanged", () => {
    for (const one of variations) expect(one.objects).toBe(scenario.objects);
    expect(new Set(variations.map(({ faults }) => JSON.stringify(faults))).size).toBeGreaterThan(
      100,
    );
  });

  it("varyScenario returns the same scenario for the same seed", () => {
    expect(varyScenario(scenario, 3)).toEqual(varyScenario(scenario, 3));
    expect(varyScenario(scenario, 3)).not.toEqual(varyScenario(scenario, 4));
  });

  it("varyScenario keeps most faults and adds at most five", () => {
    const before = scenario.faults.map((fault) => JSON.stringify(fault));
    const kept = variations.map(
      ({ faults }) => faults.filter((fault) => before.includes(JSON.stringify(fault))).length,
    );
    for (const [at, { faults }] of variations.entries()) {
      expect(faults.length - (kept[at] ?? 0)).toBeLessThanOrEqual(5);
    }
    const share = kept.reduce((sum, count) => sum + count, 0) / (before.length * kept.length);
    expect(share).toBeGreaterThan(0.5);
    expect(share).toBeLessThan(0.9);
  });

  it("varyScenario sometimes makes a Pod fail and a user act", () => {
    const failing = variations.filter(({ workload }) => workload !== scenario.workload).length;
    const acting = variations.filter(({ actions }) => actions !== scenario.actions).length;
    for (const count of [failing, acting]) {
      expect(count).toBeGreaterThan(20);
      expect(count).toBeLessThan(180);
    }
  });

  it("faults in a varied scenario name objects of that scenario", () => {
    const own = typicalScenarios.failure as never as typeof scenario;
    const named = Array.from({ length: 100 }, (_, at) => varyScenario(own, at)).flatMap(
      ({ faults }) => faults.flatMap((fault) => ("node" in fault ? [fault.node] : [])),
    );
    expect(new Set(named)).toEqual(new Set(["node-0"]));
    const { rejectedRequests, violations } = simulate(varyScenario(own, 1));
    expect([rejectedRequests, violations]).toEqual([[], []]);
  });

  it("varyScenario does not delete a JobSet whose Service another one uses", () => {
    const shared = { network: { enableDNSHostnames: true, subdomain: "shared" } };
    const [jobSet] = scenario.objects.filter(({ kind }) => kind === "JobSet");
    const first = { ...jobSet, spec: { ...(jobSet?.spec as object), ...shared } };
    const second = { ...first, metadata: { ...jobSet?.metadata, name: "eval" } };
    const isJobSet = ({ kind }: { readonly kind?: string }) => kind === "JobSet";
    const hasDeletion = (one: typeof scenario) =>
      one.actions.some(({ request }) => request.verb === "delete" && isJobSet(request.object));
    const others = scenario.objects.filter((object) => !isJobSet(object));
    const create = { at: 1_000, request: { verb: "create", object: second } } as const;
    const alone = { ...scenario, objects: [...others, first], actions: [] } as typeof scenario;
    const both = { ...alone, actions: [create] } as typeof scenario;
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    expect(seeds.some((seed) => hasDeletion(varyScenario(alone, seed)))).toBe(true);
    expect(seeds.some((seed) => hasDeletion(varyScenario(both, seed)))).toBe(false);
  });

  it("varyScenario returns a scenario without JobSets unchanged", () => {
    const empty = { ...scenario, objects: [], faults: [], actions: [] };
    for (let seed = 0; seed < 50; seed++) {
      const { faults, actions } = varyScenario(empty, seed);
      expect(actions).toEqual([]);
      expect(faults.filter((fault) => "jobSet" in fault)).toEqual([]);
    }
  });
});
