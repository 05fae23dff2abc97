import { aClaim, aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { CreateEffect } from "../plan/effects.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  asReady,
  createCounts,
  job0,
  job1,
  jobSetKey,
  listCreatedJobs,
  running,
  service,
  train,
} from "../testing/typical-pass.ts";

describe("PersistentVolumeClaims", () => {
  const policy = (...names: string[]) => ({
    templates: names.map((name) => ({ metadata: { name }, spec: {} })),
  });
  const jobSet = aJobSet("train").withSpec({
    volumeClaimPolicies: [policy("data", "logs"), policy("cache"), policy("old")],
  });

  it("PersistentVolumeClaims are created policy by policy unless they exist, with any owner", () => {
    const plan = reconcileForTest(jobSet, [service, aClaim("logs-train"), aClaim("old-train")]);
    expect(listRequests(plan)).toEqual([
      ["create PersistentVolumeClaim data-train"],
      ["create PersistentVolumeClaim cache-train"],
    ]);
  });

  it("an existing PersistentVolumeClaim is not an error, and the next policy follows in any case", () => {
    expect(listSteps(reconcileForTest(jobSet, [service]))[0]).toMatchObject({
      phase: "volume-claims",
      concurrency: 1,
      onError: "Stop",
      dependsOn: [],
      failureEventReason: "PVCCreationFailed",
      effects: [{ onExists: "Succeed" }, { onExists: "Succeed" }],
    });
  });
});

describe("the creation of Jobs", () => {
  it("Jobs are created in one step per ReplicatedJob, up to fifty at once", () => {
    const jobSet = train.withReplicatedJob("v");
    const steps = listSteps(reconcileForTest(jobSet, [service]));
    expect(steps.map(({ effects }) => effects.length)).toEqual([2, 1]);
    expect(steps[0]).toMatchObject({
      phase: "create-jobs",
      concurrency: 50,
      onError: "Continue",
      dependsOn: ["service", "volume-claims"],
      errorText: 'job "<name>" creation failed with error: <error>',
      failureEventReason: "JobCreationFailed",
    });
  });

  it("create-jobs waits for dependencies and continues with other ReplicatedJobs", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b", { dependsOn: [{ name: "a", status: "Complete" }] })
      .withReplicatedJob("c");
    const plan = reconcileForTest(jobSet, [service]);
    expect(listRequests(plan)).toEqual([["create Job train-a-0"], ["create Job train-c-0"]]);
    expect(plan.decisions).toContainEqual({
      phase: "create-jobs",
      rule: "DependencyNotReached",
      object: { kind: "ReplicatedJob", name: "b" },
      message: "waits until a is Complete",
    });
    const done = aJob("train-a-0").completed();
    expect(listRequests(reconcileForTest(jobSet, [service, done]))).toEqual([
      ["create Job train-b-0"],
      ["create Job train-c-0"],
    ]);
  });

  it("the decision names the unsatisfied dependency as text, for any spec", () => {
    const hostileName = { toString: 1 };
    const dependsOn = [{ name: hostileName, status: hostileName }] as never;
    const jobSet = aJobSet("train").withReplicatedJob("a", { dependsOn });
    expect(reconcileForTest(jobSet, [service]).decisions.at(-1)?.message).toBe("waits until  is ");
  });

  it("surplus Jobs and Jobs of unknown ReplicatedJobs are ignored", () => {
    const others = [aJob("train-w-7"), aJob("train-gone-0")];
    const plan = reconcileForTest(train, [service, ...others, ...running]);
    expect(listSteps(plan)).toEqual([]);
    expect(plan.warnings).toEqual([
      "Job train-gone-0 does not belong to a ReplicatedJob of the JobSet, so it is not counted",
      "Job train-w-7 does not belong to a ReplicatedJob of the JobSet, so it is not counted",
    ]);
  });

  it("reconcile creates a Job although another Job has its name", () => {
    for (const foreign of [job0.withoutOwner(), job0.controlledBy(aJobSet("train").withUid("x"))]) {
      const plan = reconcileForTest(train, [service, foreign, job1]);
      expect(listRequests(plan)).toEqual([["create Job train-w-0"]]);
      expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("w")]);
    }
  });

  it.each([
    ["a retention policy that says nothing", { retentionPolicy: {} }, 1],
    ["a retention policy Delete", { retentionPolicy: { whenDeleted: "Delete" as const } }, 1],
    ["a retention policy Retain", { retentionPolicy: { whenDeleted: "Retain" as const } }, 0],
    ["no retention policy", {}, 0],
  ])(
    "a retention policy of %s gives a PersistentVolumeClaim %s owners: %i",
    (_text, policy, owners) => {
      const templates = [{ metadata: { name: "data" }, spec: {} }];
      const jobSet = aJobSet("train").withSpec({ volumeClaimPolicies: [{ ...policy, templates }] });
      const [effect] = listSteps(reconcileForTest(jobSet, [service]))[0]?.effects ?? [];
      const { object } = effect as CreateEffect;
      expect(object.metadata.ownerReferences ?? []).toHaveLength(owners);
    },
  );

  it("absent replicas count as one, and an explicit 0 counts as none", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a", { replicas: undefined })
      .withReplicatedJob("b", { replicas: 0 });
    expect(listRequests(reconcileForTest(jobSet, [service]))).toEqual([["create Job train-a-0"]]);
  });

  it("reconcile creates an object again if the snapshot does not show it yet", () => {
    const [first, second] = [reconcileForTest(train), reconcileForTest(train)];
    expect(listRequests(second)).toEqual(listRequests(first));
    for (const step of listSteps(second)) {
      for (const effect of step.effects) expect(effect).toMatchObject({ onExists: "Fail" });
    }
  });

  it("a Job that its own TTL deleted is recreated, with a warning", () => {
    const template = {
      spec: { ...aReplicatedJob("w").template.spec, ttlSecondsAfterFinished: 60 },
    };
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { replicas: 2, template })
      .withReplicatedJob("empty", { replicas: 0, template: {} as never });
    const plan = reconcileForTest(jobSet, [service, job0.completed()]);
    expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
    expect(plan.warnings).toEqual([
      "ReplicatedJob w: its Jobs set ttlSecondsAfterFinished, so each Job is deleted, recreated and run again after it has finished",
    ]);
    expect(reconcileForTest(train, [service]).warnings).toEqual([]);
  });

  it("a Job that a user deletes counts until it no longer exists, and is recreated in the same attempt", () => {
    const deleting = [service, job0.beingDeleted().withStatus({ ready: 1 }), job1];
    const plan = reconcileForTest(train, deleting);
    expect(listSteps(plan)).toEqual([]);
    expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("w", { ready: 1 })]);
    const next = reconcileForTest(train, [service, job1]);
    expect(listRequests(next)).toEqual([["create Job train-w-0"]]);
    expect(listCreatedJobs(next)[0]?.metadata.labels?.[jobSetKey("restart-attempt")]).toBe("0");
    expect(next.status?.restarts).toBe(0);
  });

  it("a ReplicatedJob that depends on itself never starts", () => {
    const dependsOn = [{ name: "w", status: "Ready" as const }];
    const jobSet = aJobSet("train").withReplicatedJob("w", { dependsOn });
    expect(listSteps(reconcileForTest(jobSet, [service]))).toEqual([]);
  });

  it("dependents wait while the JobSet is suspended, too", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b", { dependsOn: [{ name: "a", status: "Ready" }] })
      .suspended();
    expect(listRequests(reconcileForTest(jobSet, [service]))).toEqual([["create Job train-a-0"]]);
  });

  it("a node selector strategy in the Pod template places the Job, although its Pods lack the annotation", () => {
    const { template } = aReplicatedJob("w");
    const annotations = { "alpha.jobset.sigs.k8s.io/node-selector": "true" };
    const topology = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
    const jobSet = aJobSet("train")
      .withAnnotations(topology)
      .withReplicatedJob("w", { template: { ...template, metadata: { annotations } } });
    const [job] = listCreatedJobs(reconcileForTest(jobSet, [service]));
    expect(job?.metadata.annotations).toMatchObject({ ...annotations, ...topology });
    expect(job?.spec.template.spec?.nodeSelector).toEqual({
      "alpha.jobset.sigs.k8s.io/namespaced-job": "default_train-w-0",
    });
    expect(job?.spec.template.metadata?.annotations).not.toHaveProperty([
      "alpha.jobset.sigs.k8s.io/node-selector",
    ]);
  });
});

describe("cost that is quadratic in upstream", () => {
  /**
   * How often a pass in a steady state reads the metadata of this many Jobs, and of as many missing
   * Jobs.
   */
  function countReads(replicas: number): number {
    let reads = 0;
    const jobs = Array.from({ length: replicas }, (_, index) => {
      const { metadata, ...job } = asReady(aJob(`train-w-${index}`));
      const counting = {
        get metadata() {
          reads += 1;
          return metadata;
        },
      };
      return Object.defineProperties({ ...job }, Object.getOwnPropertyDescriptors(counting));
    });
    const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 2 * replicas });
    const plan = reconcileForTest(jobSet, [service, ...jobs]);
    expect(listRequests(plan)[0]).toHaveLength(replicas);
    return reads;
  }

  it("a pass reads each Job a few times, for any number of existing and missing Jobs", () => {
    const [some, many] = [countReads(20), countReads(2_000)];
    // With more Jobs, sorting by name reads each Job slightly more often.
    expect(many / 2_000).toBeLessThan(3 * (some / 20));
  });
});
