import { type JobSet, resolveFeatureGates, type Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { START_TIME } from "../kernel/cluster.ts";
import { type JobSetScenarioOptions, scenarioForJobSets } from "./scenario-for-jobsets.ts";
import { simulate } from "./simulate.ts";

const EXCLUSIVE = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };

function aLife(jobSet: Unvalidated<JobSet>, options: Partial<JobSetScenarioOptions> = {}) {
  return scenarioForJobSets([jobSet], {
    seed: 1,
    failures: [],
    features: resolveFeatureGates({}),
    ...options,
  });
}

function train(members: object = {}): Unvalidated<JobSet> {
  const spec = { failurePolicy: { maxRestarts: 1 } };
  const jobSet: JobSet = aJobSet("train").withReplicatedJob("w", { replicas: 3 }).withSpec(spec);
  const replicatedJobs = (jobSet.spec.replicatedJobs ?? []).map((one) => ({
    ...one,
    template: { ...one.template, spec: { ...one.template.spec, backoffLimit: 0 } },
  }));
  return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs }, ...members } as Unvalidated<JobSet>;
}

function simulateToEnd(scenario: ReturnType<typeof aLife>) {
  const { end, isIdle, rejectedRequests, violations } = simulate(scenario);
  expect({ isIdle, rejectedRequests, violations }).toEqual({
    isIdle: true,
    rejectedRequests: [],
    violations: [],
  });
  const { terminalState, restarts } =
    end.objects.get<JobSet>("JobSet", "default", "train")?.status ?? {};
  return { terminalState, restarts };
}

function listNodes({ objects }: ReturnType<typeof aLife>) {
  return objects.filter(({ kind }) => kind === "Node");
}

describe("scenarioForJobSets", () => {
  it("scenarioForJobSets creates nodes on which a JobSet can succeed", () => {
    expect(simulateToEnd(aLife(train()))).toEqual({ terminalState: "Completed", restarts: 0 });
  });

  it("scenarioForJobSets creates the priority classes that Pods name", () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", {
      replicas: 1,
      template: {
        spec: {
          template: {
            spec: {
              priorityClassName: "gold",
              restartPolicy: "Never",
              containers: [{ name: "main", image: "busybox" }],
            },
          },
        },
      },
    });
    expect(simulateToEnd(aLife(jobSet as Unvalidated<JobSet>))).toMatchObject({
      terminalState: "Completed",
    });
  });

  it("Pods of Jobs that another controller manages are not required", () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", {
      replicas: 2,
      template: {
        spec: {
          managedBy: "kueue.x-k8s.io/multikueue",
          template: {
            spec: { restartPolicy: "Never", containers: [{ name: "main", image: "busybox" }] },
          },
        },
      },
    });
    expect(simulateToEnd(aLife(jobSet as Unvalidated<JobSet>))).toEqual({ restarts: 0 });
  });

  it("the first Pod of a Job fails at the requested time, and its replacements succeed", () => {
    const life = aLife(train(), { failures: [{ job: "train-w-1", at: 40_000 }] });
    expect(simulateToEnd(life)).toEqual({ terminalState: "Completed", restarts: 1 });
  });

  it("a JobSet fails if no restart is left for a requested failure", () => {
    const failures = [
      { job: "train-w-1", at: 40_000 },
      { job: "train-w-0", at: 100_000 },
    ];
    expect(simulateToEnd(aLife(train(), { failures }))).toMatchObject({ terminalState: "Failed" });
  });

  it("a Job can fail that waits for another one to complete", () => {
    const waiting = aJobSet("train")
      .withReplicatedJob("first", { replicas: 1 })
      .withReplicatedJob("second", {
        replicas: 1,
        dependsOn: [{ name: "first", status: "Complete" }],
      }) as Unvalidated<JobSet>;
    const life = aLife(waiting, { failures: [{ job: "train-second-0", at: 100_000 }] });
    const failedAt: number[] = [];
    const { violations } = simulate(life, {
      onTurn: ({ changes }) => {
        for (const { at, after } of changes) {
          if (after?.kind !== "Pod") continue;
          const [status] = (after as unknown as Pod).status?.containerStatuses ?? [];
          const ended = status?.state?.terminated ?? status?.lastState?.terminated;
          if (ended?.exitCode === 1) failedAt.push(at - START_TIME);
        }
      },
    });
    expect([violations, failedAt[0]]).toEqual([[], 100_000]);
  });

  it("two failures of a Job happen if they are requested in any order", () => {
    const failures = [
      { job: "train-w-1", at: 40_000 },
      { job: "train-w-1", at: 20_000 },
    ];
    const twice = { ...train(), spec: { ...train().spec, failurePolicy: { maxRestarts: 2 } } };
    expect(simulateToEnd(aLife(twice, { failures }))).toEqual({
      terminalState: "Completed",
      restarts: 2,
    });
  });

  it("scenarioForJobSets removes owners and finalizers", () => {
    const ownerReferences = [
      {
        apiVersion: "trainer.kubeflow.org/v1alpha1",
        kind: "TrainJob",
        name: "t",
        uid: "u",
        controller: true,
      },
    ];
    const metadata = {
      name: "train",
      namespace: "default",
      ownerReferences,
      finalizers: ["a.b/c"],
    };
    const tied = { ...train({ metadata }), spec: { ...train().spec, ttlSecondsAfterFinished: 5 } };
    const { end, violations } = simulate(aLife(tied));
    expect([violations, end.now - START_TIME > 60_000, end.objects.ofKind("JobSet")]).toEqual([
      [],
      true,
      [],
    ]);
  });

  it("the run continues until the TTL of the finished JobSet has expired, for any TTL", () => {
    const jobSet = train();
    const lasting = { ...jobSet, spec: { ...jobSet.spec, ttlSecondsAfterFinished: 604_800 } };
    const { end, isIdle } = simulate(aLife(lasting));
    expect([isIdle, end.objects.ofKind("JobSet")]).toEqual([true, []]);
  });

  it("scenarioForJobSets creates a domain for each exclusive Job", () => {
    const life = aLife(
      train({ metadata: { name: "train", namespace: "default", annotations: EXCLUSIVE } }),
    );
    const racks = listNodes(life).map(({ metadata }) => metadata?.labels?.rack);
    expect(new Set(racks).size).toBe(3);
    expect(simulateToEnd(life)).toMatchObject({ terminalState: "Completed" });
  });

  it("the scenario has the requested number of nodes", () => {
    expect(listNodes(aLife(train(), { nodes: 7 }))).toHaveLength(7);
  });

  it("scenarioForJobSets includes the feature gates that are not at their default", () => {
    const features = resolveFeatureGates({ RestartJob: true });
    expect(aLife(train(), { features }).features).toEqual(
      resolveFeatureGates({}).has("RestartJob") ? {} : { RestartJob: true },
    );
  });
});
