import { resolveFeatureGates } from "@jobset-ts/api";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { RequestedObject } from "../api-server/api-request.ts";
import { exploreInBatches } from "../explore/explore-in-blocks.ts";
import type { Scenario } from "./scenario.ts";
import { scenarioForJobSets } from "./scenario-for-jobsets.ts";
import { simulate } from "./simulate.ts";
import { computeWorkLimit } from "./size.ts";

const DAY_MS = 86_400_000;

const listJobs = (spec: object, replicas = 1) => ({
  replicas,
  template: {
    spec: {
      completionMode: "Indexed" as const,
      ...spec,
      template: {
        spec: {
          restartPolicy: "Never" as const,
          containers: [{ name: "main", image: "example.com/train" }],
        },
      },
    },
  },
});

function withJobSet(jobs: object, more: Partial<Scenario> = {}): Scenario {
  const jobSet = aJobSet("train")
    .withSpec({ failurePolicy: { maxRestarts: 2_147_483_647 } })
    .withReplicatedJob("w", jobs);
  const allocatable = { cpu: "64", memory: "256Gi", pods: "1000" };
  const conditions = [{ type: "Ready", status: "True" }];
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1" },
    spec: {},
    status: { allocatable, conditions },
  };
  const objects = [node, { ...jobSet }] as unknown as readonly RequestedObject[];
  return { seed: 1, objects, workload: [], actions: [], faults: [], endsAt: DAY_MS, ...more };
}

const formatMessage = (scenario: Scenario) =>
  simulate(scenario).rejectedRequests.map(({ rejection }) => rejection.message);

describe("the size of a scenario", () => {
  it.each([
    [listJobs({}, 1_000_000_000), "replicas: 1000000000 Jobs are more than the 10000"],
    [
      listJobs({ parallelism: 2_147_483_647, completionMode: "NonIndexed" }),
      "template.spec.parallelism: 2147483647 Pods are more than the 20000",
    ],
    [
      listJobs({ parallelism: 1, completions: 2_147_483_647 }),
      "template.spec.completions: 2147483647 Pods are more than the 20000",
    ],
    [listJobs({ completions: 5 }, 9_000), "replicas: 45000 Pods are more than the 20000"],
  ])("simulate rejects a JobSet that requests too much, case %#", (jobs, text) => {
    const expected = [`spec.replicatedJobs[0].${text} that a simulation can hold`];
    expect(formatMessage(withJobSet(jobs))).toEqual(expected);
  });

  it("simulate rejects an action that makes a JobSet too large, and a Job of too many Pods", () => {
    const object = {
      kind: "JobSet",
      metadata: { namespace: "default", name: "train" },
      spec: { replicatedJobs: [{ name: "w", replicas: 1_000_000_000 }] },
    };
    const actions = [{ at: 5, request: { verb: "patch", object } as const }];
    const scenario = withJobSet(listJobs({}), { actions });
    expect(formatMessage(scenario)).toEqual([
      "spec.replicatedJobs[0].replicas: 1000000000 Jobs are more than the 10000 that a simulation can hold",
    ]);
    const job = { kind: "Job", metadata: { name: "j" }, spec: { completions: 2_147_483_647 } };
    expect(formatMessage({ ...scenario, actions: [], objects: [job] })).toEqual([
      "spec.completions: 2147483647 Pods are more than the 20000 that a simulation can hold",
    ]);
  });

  it("simulate counts the Jobs of all JobSets together", () => {
    const { objects, ...scenario } = withJobSet(listJobs({}, 6_000));
    const another = { ...objects[1], metadata: { name: "other" } } as RequestedObject;
    expect(formatMessage({ ...scenario, objects: [...objects, another] })).toEqual([
      "spec.replicatedJobs[0].replicas: 12000 Jobs are more than the 10000 that a simulation can hold",
    ]);
  });

  it("simulate ends a run after the maximum number of turns and reports that", () => {
    const scenario = withJobSet(listJobs({ parallelism: 3, completions: 3 }, 2));
    const { turns, getWeight: weightOf } = computeWorkLimit(scenario);
    expect(turns).toBe(5_000 + 200 * (2 + 2 + 6));
    expect([weightOf(10), weightOf(1_010)]).toEqual([1, 11]);
    const { isIdle, abortReason } = simulate(scenario, { maxTurns: 3 });
    expect([isIdle, abortReason]).toEqual([
      false,
      "the run ended after 3 turns, the maximum for a run of its size",
    ]);
    expect(simulate(scenario).abortReason).toBeUndefined();
  });

  it("simulate ends a run sooner if failed Pods accumulate", () => {
    const jobs = listJobs({ parallelism: 50, completions: 50, backoffLimit: 2_147_483_647 });
    const scenario = withJobSet(jobs, {
      workload: [{ runMs: 0, exitCode: 1 }],
      endsAt: Number.MAX_SAFE_INTEGER,
    });
    let most = 0;
    const { abortReason } = simulate(scenario, {
      safetyLaws: [],
      livenessLaws: [],
      onTurn: ({ cluster }) => {
        most = Math.max(most, cluster.objects.count);
      },
    });
    expect(abortReason).toBeDefined();
    expect(most).toBeLessThan(2_000);
  });

  it("scenarioForJobSets creates few nodes for a JobSet that is too large, and 100,000 at most", () => {
    const options = { seed: 1, failures: [], features: resolveFeatureGates({}) } as const;
    const jobSet = aJobSet("train").withReplicatedJob("w", listJobs({}, 150_000));
    expect(scenarioForJobSets([jobSet], options).objects).toHaveLength(2);
    expect(scenarioForJobSets([], { ...options, nodes: 1_000_000_000 }).objects).toHaveLength(
      100_000,
    );
  });

  it("exploreInBatches simulates no scenario of a JobSet that is too large", () => {
    const scenario = withJobSet(listJobs({}, 1_000_000_000));
    expect(exploreInBatches({ seed: 1, scenario })(0)).toMatchObject({
      simulatedCount: 50,
      rejectedCount: 50,
    });
  });

  it("exploreInBatches abandons a varied scenario after 20 times as many turns as it takes without faults", () => {
    const scenario = withJobSet(listJobs({ parallelism: 1, completions: 1, backoffLimit: 0 }), {
      workload: [
        { attempt: 0, runMs: 10 },
        { runMs: 0, exitCode: 1 },
      ],
    });
    // One such scenario is enough, so the exploration stops.
    let [turns, longest] = [0, 0];
    const explore = exploreInBatches(
      { seed: 1, scenario },
      {
        safetyLaws: [],
        livenessLaws: [],
        onTurn: () => {
          turns += 1;
        },
        onSimulated: () => {
          longest = turns;
          turns = 0;
          if (longest > 5_000) throw new Error("long enough");
        },
      },
    );
    expect(() => explore(20)).toThrow("long enough");
    expect(longest).toBeLessThan(10_000);
  });
});
