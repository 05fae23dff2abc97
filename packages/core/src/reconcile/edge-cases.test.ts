// States that do not occur in a well-behaved cluster, and the known reactions of upstream's controller. The
// numbers refer to the rows of the specification.
import type { FailurePolicy, ReplicatedJobStatus } from "@jobset-ts/api";
import type { Condition, Job } from "@jobset-ts/api/kubernetes";
import {
  type AJob,
  type APod,
  aClaim,
  aJob,
  aJobSet,
  aPod,
  aReplicatedJob,
  aService,
} from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import type { CreateEffect } from "../plan/effects.ts";
import type { Plan } from "../plan/plan.ts";
import { type Quirk, UPSTREAM_QUIRKS } from "../quirks.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";

const key = (name: string) => `jobset.sigs.k8s.io/${name}`;
const service = aService("train");
const earlier = "2026-08-18T09:00:00Z";
const train = aJobSet("train").withReplicatedJob("w", { replicas: 2 });
const [job0, job1] = [aJob("train-w-0"), aJob("train-w-1")];
const quirks = UPSTREAM_QUIRKS;
const ready = (job: AJob) => job.withStatus({ active: 1, ready: 1 });

function createCounts(
  name: string,
  counters: Partial<ReplicatedJobStatus> = {},
): ReplicatedJobStatus {
  return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0, ...counters };
}

function conditionWith(type: string, status: "True" | "False" = "True"): Condition {
  return { type, status, reason: "R", message: "m", lastTransitionTime: earlier };
}

function listConditions({ status }: Plan): string[] {
  return (status?.conditions ?? []).map(
    ({ type, status: value, reason }: Condition) => `${type} ${value} ${reason}`,
  );
}

function createdJobs({ steps }: Plan): Job[] {
  return steps
    .flatMap(({ effects }) => effects)
    .filter((effect): effect is CreateEffect => effect.verb === "create")
    .map(({ object }) => object as Job)
    .filter(({ kind }) => kind === "Job");
}

describe("an order that the caller did not choose", () => {
  it("the order of the list of Jobs has no effect", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("b")
      .withReplicatedJob("a", { replicas: 3 })
      .withSpec({ failurePolicy: { maxRestarts: 1 } });
    const jobs = [0, 1, 2].map((index) => aJob(`train-a-${index}`).failed());
    const plan = reconcileForTest(jobSet, jobs);
    expect(reconcileForTest(jobSet, jobs.toReversed())).toEqual(plan);
    expect(plan.events[0]?.message).toContain("(first failed job: train-a-0)");
    expect(plan.status?.replicatedJobsStatus?.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it("deletions, suspension and scaling follow the order of names", () => {
    const names = ["train-w-10", "train-w-2", "train-w-1"];
    const jobs = names.map((name) => aJob(name));
    const inOrder = ["train-w-1", "train-w-10", "train-w-2"];
    const deletions = reconcileForTest(train.restarted(1), [service, ...jobs]);
    expect(listRequests(deletions)[0]).toEqual(inOrder.map((name) => `delete Job ${name}`));
    const suspension = reconcileForTest(train.suspended(), [service, ...jobs, job0]);
    expect(listRequests(suspension).at(-1)).toEqual(
      ["train-w-0", ...inOrder].map((name) => `update Job ${name}`),
    );
  });

  it("a percent sign in a Job's name has no special meaning in messages", () => {
    const jobSet = { ...train, metadata: { ...train.metadata, name: "100%" } };
    const invalidJob = { ...job0.failed(), metadata: { ...job0.metadata, name: "100%-w-0" } };
    const plan = reconcileForTest(jobSet, [invalidJob]);
    expect(plan.events[0]?.message).toContain("(first failed job: 100%-w-0)");
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
      const { metadata, ...job } = ready(aJob(`train-w-${index}`));
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

describe("states in which upstream is stuck", () => {
  it.each([
    ["missing", undefined, 'strconv.Atoi: parsing "": invalid syntax'],
    ["no number", "one", 'strconv.Atoi: parsing "one": invalid syntax'],
    [
      "too large",
      "9223372036854775808",
      'strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
  ])("a single restart-attempt label that is %s makes the pass fail", (_, attempt, message) => {
    const bad = aJob("train-x-0").withLabels({ [key("restart-attempt")]: attempt });
    const plan = reconcileForTest(train.restarted(1), [job0, job1.failed(), bad]);
    expect(plan).toMatchObject({
      steps: [],
      events: [],
      metrics: [],
      error: { phase: "classify", message, object: { kind: "Job", name: "train-x-0" } },
    });
    expect(plan).not.toHaveProperty("status");
  });

  describe("under the gate RestartJob", () => {
    const features = { RestartJob: true };
    const withIndexLabel = (job: AJob, index: string) =>
      job.withLabels({ [key("job-restart-attempt")]: "0", [key("job-index")]: index });

    it.each([
      ["beyond the replicas", withIndexLabel(job0, "2"), "2", "w"],
      ["below zero", withIndexLabel(job0, "-1"), "-1", "w"],
    ])("a job-index %s makes the pass fail", (_, job, index, replicatedJob) => {
      const plan = reconcileForTest(train, [job], { features });
      expect(plan.error?.message).toBe(
        `job index ${index} is out of bounds for replicated job ${replicatedJob}`,
      );
      expect(listSteps(plan)).toEqual([]);
      expect(reconcileForTest(train, [job]).error).toBeUndefined();
    });

    it.each([
      ["beyond the replicas", withIndexLabel(aJob("train-w-2"), "2"), "2", "w"],
      ["of an unknown ReplicatedJob", withIndexLabel(aJob("train-gone-0"), "0"), "0", "gone"],
    ])(
      "a Job %s makes the pass fail only with the quirk UnclaimedJobsCount",
      (_, job, index, replicatedJob) => {
        expect(reconcileForTest(train, [job], { features }).error).toBeUndefined();
        const plan = reconcileForTest(train, [job], { features, quirks: ["UnclaimedJobsCount"] });
        expect(plan.error?.message).toBe(
          `job index ${index} is out of bounds for replicated job ${replicatedJob}`,
        );
      },
    );

    it("a negative index of a failed Job without its own restarts makes the pass fail only with the quirk", () => {
      const job = job0.withLabels({ [key("job-index")]: "-1" }).failed();
      const rules = [{ name: "r", action: "RestartJob" as const }];
      const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 9, rules } });
      const plan = reconcileForTest(jobSet, [job], { features });
      expect(plan.error).toEqual({
        phase: "failure-policy",
        message:
          "failed job train-w-0 has index -1 out of bounds for replicated job w (replicas: 2)",
        object: { kind: "Job", name: "train-w-0" },
      });
    });

    it("restart counts that are too short are padded with zeros", () => {
      const jobSet = train.withStatus({
        replicatedJobsStatus: [createCounts("w", { jobRestarts: [3] })],
      });
      const old = withIndexLabel(job0, "0");
      const plan = reconcileForTest(jobSet, [service, old, withIndexLabel(job1, "1")], {
        features,
      });
      expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
      const attempts = createdJobs(reconcileForTest(jobSet, [service], { features })).map(
        ({ metadata }) => metadata.labels?.[key("job-restart-attempt")],
      );
      expect(attempts).toEqual(["3", "0"]);
    });

    it("Jobs that were created without the gate are current, and get the label when they are recreated", () => {
      const plan = reconcileForTest(train, [service, job0], { features });
      expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
      const [created] = createdJobs(plan);
      expect(created?.metadata.labels?.[key("job-restart-attempt")]).toBe("0");
      expect(plan.warnings).toEqual([
        "Job train-w-0 has no label jobset.sigs.k8s.io/job-restart-attempt and counts as current",
      ]);
      expect(reconcileForTest(train, [service, job0]).warnings).toEqual([]);
    });

    it("restart counts are dropped after the gate was disabled", () => {
      const stored = createCounts("w", { ready: 2, active: 2, jobRestarts: [1] });
      const jobSet = train.withStatus({ replicatedJobsStatus: [stored] });
      const jobs = [service, ready(job0), ready(job1)];
      expect(reconcileForTest(jobSet, jobs).status?.replicatedJobsStatus).toStrictEqual([
        createCounts("w", { ready: 2, active: 2 }),
      ]);
      expect(reconcileForTest(jobSet, jobs, { features }).status).toBeUndefined();
    });
  });

  it.each(["RestartJob", "Explode"])(
    "the action %s makes the pass fail after the Jobs of earlier attempts were deleted",
    (action) => {
      const rules = [{ name: "r", action }] as FailurePolicy["rules"];
      const jobSet = train.restarted(1).withSpec({ failurePolicy: { maxRestarts: 9, rules } });
      const plan = reconcileForTest(jobSet, [job0, job1.ofAttempt(1).failed()]);
      expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
      expect(plan).toMatchObject({
        events: [],
        metrics: [],
        error: { phase: "failure-policy", object: { kind: "Job", name: "train-w-1" } },
      });
      expect(plan).not.toHaveProperty("status");
      expect(plan.decisions.at(-1)).toMatchObject({ rule: "Refused" });
    },
  );

  it("a finish without a time makes the pass fail after the active Jobs were deleted", () => {
    const { lastTransitionTime: _, ...completed } = conditionWith("Completed");
    const jobSet = train
      .withSpec({ ttlSecondsAfterFinished: 0 })
      .withStatus({ conditions: [completed as Condition] });
    const plan = reconcileForTest(jobSet, [job0]);
    expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
    expect(plan.error).toMatchObject({ phase: "delete-jobset" });
    expect(plan).not.toHaveProperty("status");
  });

  it("an invalid in-place restart attempt makes the pass fail after its steps", () => {
    const failurePolicy = { maxRestarts: 3, restartStrategy: "InPlaceRestart" as const };
    const pod = aPod("train-w-0-0-abcde").withAnnotations({
      [key("in-place-restart-attempt")]: "x",
    });
    const plan = reconcileForTest(train.withSpec({ failurePolicy }), [service, job0, pod], {
      features: { InPlaceRestart: true },
    });
    expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
    expect(plan.error).toMatchObject({
      phase: "in-place-restart",
      object: { kind: "Pod", name: "train-w-0-0-abcde" },
    });
    expect(plan).not.toHaveProperty("status");
  });

  it("reconcile creates a Job although another Job has its name", () => {
    for (const foreign of [job0.withoutOwner(), job0.controlledBy(aJobSet("train").withUid("x"))]) {
      const plan = reconcileForTest(train, [service, foreign, job1]);
      expect(listRequests(plan)).toEqual([["create Job train-w-0"]]);
      expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("w")]);
    }
  });

  it("a Service that cannot be created blocks all Jobs, because it comes first", () => {
    expect(listRequests(reconcileForTest(train))[0]).toEqual(["create Service train"]);
  });
});

describe("absent values", () => {
  const { successPolicy: _, ...spec } = train.spec;
  const withoutPolicy = { ...train, spec };

  it("without a success policy, all Jobs have to succeed", () => {
    const one = reconcileForTest(withoutPolicy, [service, job0.completed(), job1]);
    expect(listConditions(one)).toEqual([]);
    const all = reconcileForTest(withoutPolicy, [service, job0.completed(), job1.completed()]);
    expect(listConditions(all)).toEqual(["Completed True AllJobsCompleted"]);
  });

  it("a Job without parallelism has one Pod", () => {
    const job = job0.withSpec({ parallelism: undefined, completions: undefined });
    const plan = reconcileForTest(train, [service, job.withStatus({ ready: 1 }), job1]);
    expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("w", { ready: 1 })]);
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
});

describe("a cluster that is seen late", () => {
  it("reconcile creates an object again if the snapshot does not show it yet", () => {
    const [first, second] = [reconcileForTest(train), reconcileForTest(train)];
    expect(listRequests(second)).toEqual(listRequests(first));
    for (const step of listSteps(second)) {
      for (const effect of step.effects) expect(effect).toMatchObject({ onExists: "Fail" });
    }
  });

  it("a restart that is observed late is counted again, but its write requires an unchanged JobSet", () => {
    const failing = train.withSpec({ failurePolicy: { maxRestarts: 9 } });
    const stale = { ...failing, metadata: { ...train.metadata, resourceVersion: "3" } };
    const plans = [1, 2].map(() => reconcileForTest(stale, [job0.failed()]));
    expect(plans.map(({ status }) => status?.restarts)).toEqual([1, 1]);
    expect(plans.map(({ jobSet }) => jobSet.resourceVersion)).toEqual(["3", "3"]);
  });

  it("reconcile deletes only the observed Job, not a successor with the same name", () => {
    const [step] = listSteps(reconcileForTest(train.restarted(1), [service, job0.withUid("old")]));
    expect(step?.effects[0]).toMatchObject({ uid: "old", onNotFound: "Succeed" });
    const [unseen] = listSteps(reconcileForTest(train.restarted(1), [service, job0.withUid("")]));
    expect(unseen?.effects[0]).not.toHaveProperty("uid");
  });

  it("the remaining time is never negative", () => {
    const jobSet = train
      .withSpec({ ttlSecondsAfterFinished: 5 })
      .withStatus({ conditions: [conditionWith("Completed")] });
    for (const now of ["09:00:04.999", "09:00:05", "09:00:05.001"]) {
      const plan = reconcileForTest(jobSet, [], { now: `2026-08-18T${now}Z` });
      expect(plan.requeueAfterSeconds ?? 1).toBeGreaterThan(0);
      expect(plan.requeueAfterSeconds === undefined).toBe(listSteps(plan).length === 1);
    }
  });

  it("a pass whose status was not written is planned again, with its remaining steps", () => {
    const first = reconcileForTest(train.suspended(), [service, job0, job1.suspended()]);
    const second = reconcileForTest(train.suspended(), [
      service,
      job0.suspended(),
      job1.suspended(),
    ]);
    expect(listRequests(first)).toEqual([["update Job train-w-0"]]);
    expect(listSteps(second)).toEqual([]);
    expect(second.events).toEqual(first.events);
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
    expect(createdJobs(next)[0]?.metadata.labels?.[key("restart-attempt")]).toBe("0");
    expect(next.status?.restarts).toBe(0);
  });
});

describe("surprising, and kept", () => {
  it("any Service with the name is accepted", () => {
    const foreign = aService("train").controlledBy(aJobSet("other")).beingDeleted();
    expect(listRequests(reconcileForTest(train, [foreign, job0, job1]))).toEqual([]);
  });

  it("operator All over no Jobs completes the JobSet only with the upstream quirk", () => {
    const successPolicy = { operator: "All" as const, targetReplicatedJobs: ["none"] };
    const jobSet = train.withReplicatedJob("none", { replicas: 0 }).withSpec({ successPolicy });
    const others = [service, job0.completed(), job1];
    expect(listConditions(reconcileForTest(jobSet, others))).toEqual([]);
    const plan = reconcileForTest(jobSet, others, { quirks: ["EmptyTargetCompletes"] });
    expect(listConditions(plan)).toEqual(["Completed True AllJobsCompleted"]);
  });

  it("a JobSet without Jobs never completes", () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 0 });
    for (const operator of ["All", "Any"] as const) {
      const plan = reconcileForTest(jobSet.withSpec({ successPolicy: { operator } }), [service]);
      expect([listSteps(plan), plan.events]).toEqual([[], []]);
    }
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

  it("a ReplicatedJob that is no longer ready reverts in-order startup", () => {
    const jobSet = train
      .withReplicatedJob("v")
      .withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } })
      .withStatus({
        conditions: [
          conditionWith("StartupPolicyInProgress", "False"),
          conditionWith("StartupPolicyCompleted", "True"),
        ],
      });
    // The Job of `v` was deleted, and is not recreated before `w` is ready.
    const plan = reconcileForTest(jobSet, [service, ready(job0), job1]);
    expect(listSteps(plan)).toEqual([]);
    expect(listConditions(plan)).toEqual([
      "StartupPolicyInProgress True InOrderStartupPolicyInProgress",
      "StartupPolicyCompleted False R",
    ]);
    expect(plan.events).toEqual([
      {
        type: "Normal",
        reason: "InOrderStartupPolicyInProgress",
        message: "in order startup policy is in progress",
      },
    ]);
    const back = reconcileForTest({ ...jobSet, status: plan.status }, [
      service,
      ...[job0, job1, aJob("train-v-0")].map(ready),
    ]);
    expect(listConditions(back)).toEqual([
      "StartupPolicyInProgress False InOrderStartupPolicyInProgress",
      "StartupPolicyCompleted True InOrderStartupPolicyCompleted",
    ]);
    expect(back.events).toHaveLength(1);
  });

  describe("while it is suspended, a JobSet", () => {
    const suspended = train.suspended();

    it("a suspended JobSet loses its Jobs of earlier attempts", () => {
      const plan = reconcileForTest(suspended.restarted(1), [service, job0.suspended()]);
      expect(listRequests(plan)[0]).toEqual(["delete Job train-w-0"]);
    });

    it("a suspended JobSet can fail and complete", () => {
      expect(listConditions(reconcileForTest(suspended, [job0.failed()]))).toEqual([
        "Failed True FailedJobs",
      ]);
      const done = [job0.completed(), job1.completed()];
      expect(listConditions(reconcileForTest(suspended, done))).toEqual([
        "Completed True AllJobsCompleted",
      ]);
    });

    it("a new JobSet gets its Service, PersistentVolumeClaims and Jobs, with any startup order", () => {
      const templates = [{ metadata: { name: "data" }, spec: {} }];
      const jobSet = suspended.withReplicatedJob("v").withSpec({
        volumeClaimPolicies: [{ templates }],
        startupPolicy: { startupPolicyOrder: "InOrder" },
      });
      const plan = reconcileForTest(jobSet);
      expect(listRequests(plan)).toEqual([
        ["create Service train"],
        ["create PersistentVolumeClaim data-train"],
        ["create Job train-w-0", "create Job train-w-1"],
        ["create Job train-v-0"],
      ]);
      expect(listConditions(plan)).toEqual(["Suspended True SuspendedJobs"]);
      expect(
        listRequests(reconcileForTest(jobSet, [service, aClaim("data-train"), job0, job1])),
      ).toEqual([["update Job train-w-0", "update Job train-w-1"], ["create Job train-v-0"]]);
    });
  });

  it.each([
    ["3", "above the JobSet's own counts as the current one", false],
    ["-1", "below zero counts as an earlier one", true],
  ])("a Job's restart attempt of %s, %s", (attempt, _, previous) => {
    const job = job0.withLabels({ [key("restart-attempt")]: attempt });
    const plan = reconcileForTest(train, [service, job, job1]);
    expect(listRequests(plan)).toEqual(previous ? [["delete Job train-w-0"]] : []);
  });

  describe("in place", () => {
    const failurePolicy = { maxRestarts: 1, restartStrategy: "InPlaceRestart" as const };
    const features = { InPlaceRestart: true };
    const jobSet = train.withSpec({ failurePolicy });
    const podWithAttempt = (name: string, attempt: string) =>
      aPod(name).withAnnotations({ [key("in-place-restart-attempt")]: attempt });

    it("in-place restart without its gate behaves like Recreate, with a warning", () => {
      const plan = reconcileForTest(jobSet, [service, podWithAttempt("train-w-0-0-abcde", "9")]);
      expect(listRequests(plan)).toEqual([["create Job train-w-0", "create Job train-w-1"]]);
      expect(plan.warnings).toEqual([
        "in-place restart strategy cannot be used when the feature gate is disabled",
      ]);
      const old = job0.ofAttempt(-1).beingDeleted();
      expect(listRequests(reconcileForTest(jobSet, [service, old]))).toEqual([
        ["create Job train-w-1"],
      ]);
    });

    it("only Pods that the JobSet's Jobs control count; with the quirk, all Pods with its label count", () => {
      const own = podWithAttempt("train-w-0-0-abcde", "2");
      const failed = ["Failed True ReachedMaxRestarts"];
      const getMessages = (pods: readonly APod[], given: readonly Quirk[] = []) =>
        listConditions(
          reconcileForTest(jobSet, [service, job0, job1, ...pods], { features, quirks: given }),
        );
      expect(getMessages([own])).toEqual(failed);
      const ofDeleted = own.controlledBy(job0.withUid("of a JobSet that was deleted"));
      for (const pod of [ofDeleted, own.withoutOwner(), own.controlledBy(jobSet)]) {
        expect(getMessages([pod])).toEqual([]);
        expect(getMessages([pod], ["PodsOfDeletedJobSetCount"])).toEqual(failed);
      }
      expect(
        getMessages([own.inNamespace("ml"), own.withLabels({ [key("jobset-name")]: "b" })]),
      ).toEqual([]);
    });

    it("a resume counts as a restart, because new Pods announce the next attempt", () => {
      const resumed = jobSet.withStatus({ currentInPlaceRestartAttempt: 1 });
      const pods = ["train-w-0-0-abcde", "train-w-1-0-abcde"].map((name) =>
        podWithAttempt(name, "2"),
      );
      const plan = reconcileForTest(resumed, [service, job0, job1, ...pods], { features });
      expect(listConditions(plan)).toEqual(["Failed True ReachedMaxRestarts"]);
    });
  });

  it("a node selector strategy in the Pod template places the Job, although its Pods lack the annotation", () => {
    const { template } = aReplicatedJob("w");
    const annotations = { "alpha.jobset.sigs.k8s.io/node-selector": "true" };
    const topology = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
    const jobSet = aJobSet("train")
      .withAnnotations(topology)
      .withReplicatedJob("w", { template: { ...template, metadata: { annotations } } });
    const [job] = createdJobs(reconcileForTest(jobSet, [service]));
    expect(job?.metadata.annotations).toMatchObject({ ...annotations, ...topology });
    expect(job?.spec.template.spec?.nodeSelector).toEqual({
      "alpha.jobset.sigs.k8s.io/namespaced-job": "default_train-w-0",
    });
    expect(job?.spec.template.metadata?.annotations).not.toHaveProperty([
      "alpha.jobset.sigs.k8s.io/node-selector",
    ]);
  });

  it("a condition that is stored twice is set twice, with one Event", () => {
    const conditions = [conditionWith("Suspended"), conditionWith("Suspended")];
    const plan = reconcileForTest(train.withStatus({ conditions }), [service, job0, job1]);
    expect(listConditions(plan)).toEqual([
      "Suspended False ResumeJobs",
      "Suspended False ResumeJobs",
    ]);
    expect(plan.events).toHaveLength(1);
  });
});

describe("a suspended Job with ready Pods in its status", () => {
  it("a suspended Job without Pods is resumed under in-order startup, except with the quirk", () => {
    const template = { spec: { ...aReplicatedJob("w").template.spec, parallelism: 0 } };
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { template })
      .withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });
    const job = job0.suspended().withSpec({ parallelism: 0 });
    expect(listRequests(reconcileForTest(jobSet, [service, job]))).toEqual([
      ["update Job train-w-0"],
    ]);
    expect(listSteps(reconcileForTest(jobSet, [service, job], { quirks }))).toEqual([]);
  });

  it.each([
    ["startup in order", { startupPolicy: { startupPolicyOrder: "InOrder" } }, []],
    ["dependsOn", {}, [{ name: "driver", status: "Ready" }]],
  ] as const)(
    "a suspended Job that claims to be ready does not release its dependents under %s, except with the quirk",
    (_, spec, dependsOn) => {
      const jobSet = aJobSet("train")
        .withReplicatedJob("driver")
        .withReplicatedJob("worker", { dependsOn: [...dependsOn] })
        .withSpec(spec);
      const driver = ready(aJob("train-driver-0")).suspended();
      const worker = aJob("train-worker-0").suspended();
      const resumes = (...jobs: AJob[]) =>
        listRequests(reconcileForTest(jobSet, [service, ...jobs]));
      expect(resumes(driver, worker)).toEqual([["update Job train-driver-0"]]);
      expect(resumes(ready(aJob("train-driver-0")), worker)).toEqual([
        ["update Job train-worker-0"],
      ]);
      const plan = reconcileForTest(jobSet, [service, driver, worker], { quirks });
      expect(listRequests(plan).flat()).toContain("update Job train-worker-0");
    },
  );
});

describe("Jobs that no ReplicatedJob claims", () => {
  const quirks = ["UnclaimedJobsCount"] as const;
  const inOrder = train.withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });

  it("unclaimed Jobs block neither in-order startup nor the end of a restart, except with the quirk", () => {
    const jobSet = inOrder
      .withReplicatedJob("v", { replicas: 1 })
      .withStatus({ conditions: [conditionWith("RestartingJobSet")] });
    const jobs = [service, ...[job0, job1, aJob("train-w-2")].map(ready)];
    expect(listRequests(reconcileForTest(jobSet, jobs))).toEqual([["create Job train-v-0"]]);
    const upstream = reconcileForTest(jobSet, jobs, { quirks });
    expect(listSteps(upstream)).toEqual([]);
    expect(upstream.status?.replicatedJobsStatus).toContainEqual(
      createCounts("w", { ready: 3, active: 3 }),
    );

    const all = reconcileForTest(jobSet, [...jobs, ready(aJob("train-v-0"))]);
    expect(all.status?.replicatedJobsStatus).toContainEqual(
      createCounts("w", { ready: 2, active: 2 }),
    );
    expect(listConditions(all)).toEqual([
      "RestartingJobSet False JobsReady",
      "StartupPolicyCompleted True InOrderStartupPolicyCompleted",
    ]);
  });

  it("unclaimed Jobs do not count as started for missing ones, except with the quirk", () => {
    const jobs = [service, ready(job0), ready(aJob("train-w-7"))];
    expect(listRequests(reconcileForTest(inOrder, jobs))).toEqual([["create Job train-w-1"]]);
    expect(listRequests(reconcileForTest(inOrder, jobs, { quirks }))).toEqual([]);
  });

  it("unclaimed Jobs do not satisfy dependencies, except with the quirk", () => {
    const jobSet = train.withReplicatedJob("v", {
      dependsOn: [{ name: "w", status: "Complete" }],
    });
    const jobs = [service, job0.completed(), job1, aJob("train-w-7").completed()];
    expect(listRequests(reconcileForTest(jobSet, jobs))).toEqual([]);
    expect(listRequests(reconcileForTest(jobSet, jobs, { quirks }))).toEqual([
      ["create Job train-v-0"],
    ]);
  });

  it("unclaimed Jobs do not replace Jobs that must succeed, except with the quirk", () => {
    const jobs = [service, ...[job0, aJob("train-w-7")].map((job) => job.completed())];
    expect(listConditions(reconcileForTest(train, jobs))).toEqual([]);
    expect(listConditions(reconcileForTest(train, jobs, { quirks }))).toEqual([
      "Completed True AllJobsCompleted",
    ]);
  });

  it.each(["train-gone-0", "train-w-2"])(
    "%s fails and restarts nothing, except with the quirk",
    (name) => {
      const jobs = [service, aJob(name).failed(), job0, job1];
      const plan = reconcileForTest(train, jobs);
      expect([listRequests(plan), listConditions(plan)]).toEqual([[], []]);
      expect(plan.warnings).toEqual([
        `Job ${name} does not belong to a ReplicatedJob of the JobSet, so it is not counted`,
      ]);
      expect(listConditions(reconcileForTest(train, jobs, { quirks }))).toEqual([
        "Failed True FailedJobs",
      ]);

      const rules = [{ name: "any", action: "FailJobSet" as const }];
      const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 1, rules } });
      expect(listConditions(reconcileForTest(jobSet, jobs))).toEqual([]);
      expect(listConditions(reconcileForTest(jobSet, jobs, { quirks }))).toEqual([
        "Failed True FailJobSetFailurePolicyAction",
      ]);
    },
  );

  it("unclaimed Jobs are neither resumed nor scaled, except surplus Jobs with the quirk", () => {
    const template = {
      spec: { ...aReplicatedJob("w").template.spec, parallelism: 4, completions: 4 },
    };
    const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 1, template });
    const settled = job0.withSpec({ parallelism: 4, completions: 4 });
    const jobs = [
      service,
      settled,
      aJob("train-w-2").suspended(),
      aJob("train-gone-0").suspended(),
    ];
    const features = { ElasticJobSet: true };
    expect(listRequests(reconcileForTest(jobSet, jobs, { features }))).toEqual([]);
    expect(listRequests(reconcileForTest(jobSet, jobs, { features, quirks }))).toEqual([
      ["patch Job train-w-2"],
      ["update Job train-w-2"],
    ]);
  });

  it("a failed Job without a ReplicatedJob label counts by its name, and no rule applies to it", () => {
    const nameless = job0.withLabels({ [key("replicatedjob-name")]: undefined }).failed();
    const rules = [{ name: "any", action: "FailJobSet" as const }];
    const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 1, rules } });
    const plan = reconcileForTest(jobSet, [nameless]);
    expect(listConditions(plan)).toEqual(["RestartingJobSet True DefaultFailurePolicy"]);
    expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("w", { failed: 1 })]);
  });
});
