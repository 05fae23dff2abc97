import {
  asInteger,
  findCondition,
  type Job,
  type JobSpec,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { JobCluster } from "../testing/job-cluster.ts";
import { getIndex, hasTrackingFinalizer, isActive } from "./pod-state.ts";

const small = fc.integer({ min: 0, max: 4 });
const exitCode = fc.constantFrom(0, 0, 1, 7, 42);

/** Generates valid Job specs for every case that the controller distinguishes. */
const specs: fc.Arbitrary<Partial<JobSpec>> = fc
  .record({
    isIndexed: fc.boolean(),
    completions: fc.option(small, { nil: undefined }),
    parallelism: small,
    backoffLimit: small,
    perIndex: fc.option(small, { nil: undefined }),
    maxFailedIndexes: fc.option(fc.integer({ min: 0, max: 1 }), { nil: undefined }),
    suspend: fc.boolean(),
    replacement: fc.constantFrom("Failed", "TerminatingOrFailed"),
    hasFailurePolicy: fc.boolean(),
    hasSuccessPolicy: fc.boolean(),
    activeDeadlineSeconds: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    ttlSecondsAfterFinished: fc.option(small, { nil: undefined }),
  })
  .map((chosen) => {
    const { isIndexed, perIndex, maxFailedIndexes, replacement } = chosen;
    const completions = isIndexed ? (chosen.completions ?? 3) : chosen.completions;
    const hasPerIndex = isIndexed && perIndex !== undefined;
    const spec = {
      completionMode: isIndexed ? "Indexed" : "NonIndexed",
      completions,
      parallelism: chosen.parallelism,
      suspend: chosen.suspend,
      activeDeadlineSeconds: chosen.activeDeadlineSeconds,
      ttlSecondsAfterFinished: chosen.ttlSecondsAfterFinished,
      ...(hasPerIndex ? { backoffLimitPerIndex: perIndex } : { backoffLimit: chosen.backoffLimit }),
      ...(hasPerIndex && maxFailedIndexes !== undefined && maxFailedIndexes <= (completions ?? 0)
        ? { maxFailedIndexes }
        : {}),
      ...(chosen.hasFailurePolicy
        ? { podFailurePolicy: { rules: failureRules(hasPerIndex) } }
        : { podReplacementPolicy: replacement }),
      ...(isIndexed && chosen.hasSuccessPolicy && (completions ?? 0) > 0
        ? { successPolicy: { rules: [{ succeededIndexes: "0" }] } }
        : {}),
    };
    return JSON.parse(JSON.stringify(spec));
  });

function failureRules(hasPerIndex: boolean) {
  const onCode = (code: number) => ({ onExitCodes: { operator: "In", values: [code] } });
  return [
    { action: "FailJob", ...onCode(42) },
    { action: hasPerIndex ? "FailIndex" : "Ignore", ...onCode(7) },
  ];
}

/** Generates steps of users and kubelets. Each acts on one of the possible Pods, by position. */
const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant("start" as const), at: small }),
    fc.record({ does: fc.constant("end" as const), at: small, exitCode }),
    fc.record({ does: fc.constant("deletePod" as const), at: small }),
    fc.record({ does: fc.constant("stop" as const), at: small }),
    fc.record({ does: fc.constant("suspend" as const), suspend: fc.boolean() }),
    fc.record({ does: fc.constant("scale" as const), parallelism: small, isElastic: fc.boolean() }),
    fc.record({
      does: fc.constant("deleteJob" as const),
      policy: fc.constantFrom("Foreground", "Background", "Orphan"),
    }),
    fc.record({ does: fc.constant("restart" as const) }),
    fc.record({ does: fc.constant("wait" as const), seconds: fc.constantFrom(0.02, 1, 2, 15) }),
  ),
  { maxLength: 14 },
);

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Applies a step to one of the possible Pods. */
function applyStep(cluster: JobCluster, step: Step): void {
  const pick = (pods: readonly Pod[], at: number) => pods[at % Math.max(1, pods.length)];
  if (step.does === "start") cluster.startPod(pick(cluster.activePods, step.at));
  if (step.does === "end") cluster.exitPod(pick(cluster.activePods, step.at), step.exitCode);
  if (step.does === "deletePod") cluster.deletePod(pick(cluster.pods, step.at));
  if (step.does === "stop") cluster.stopPod(pick(cluster.terminatingPods, step.at));
  if (step.does === "suspend") cluster.patch({ spec: { suspend: step.suspend } });
  if (step.does === "scale") {
    const { parallelism, isElastic } = step;
    cluster.patch({ spec: { parallelism, ...(isElastic && { completions: parallelism }) } });
  }
  if (step.does === "deleteJob") cluster.delete(step.policy as "Foreground");
  if (step.does === "restart") cluster.restartController();
  if (step.does === "wait") cluster.run(step.seconds);
}

/** Runs a Job through the steps, then finishes all Pods until the cluster is idle. */
function runJob(spec: Partial<JobSpec>, taken: readonly Step[]): JobCluster {
  const cluster = new JobCluster();
  expect(cluster.create(spec)).toMatchObject({ ok: true });
  for (const step of taken) applyStep(cluster, step);
  for (let round = 0; round < 60; round++) {
    expect(cluster.runUntilIdle()).toBe(true);
    const { activePods, terminatingPods } = cluster;
    if (activePods.length + terminatingPods.length === 0) break;
    for (const pod of terminatingPods) cluster.stopPod(pod);
    for (const pod of activePods) cluster.exitPod(pod, 0);
  }
  return cluster;
}

function hasEnded(job: Job | undefined): boolean {
  return ["Complete", "Failed"].some(
    (type) => findCondition(job?.status?.conditions, type)?.status === "True",
  );
}

describe("Job controller properties", () => {
  const checkHistories = (check: (cluster: JobCluster) => void) =>
    fc.assert(
      fc.property(specs, steps, (spec, appliedSteps) => check(runJob(spec, appliedSteps))),
      { numRuns: runs(150) },
    );

  it("the Job controller sends no request that the API server rejects", () => {
    checkHistories(({ turns }) => {
      const rejected = turns
        .flatMap((turn) => turn.rejectedRequests)
        .filter(({ actor }) => actor !== "user");
      expect(rejected.map(({ rejection }) => rejection.message)).toEqual([]);
    });
  });

  it("the Job controller writes no negative counts and counts each Pod at most once", () => {
    checkHistories(({ turns }) => {
      const created = new Set<string>();
      for (const { before, after } of turns.flatMap(({ changes }) => changes)) {
        if (after?.kind === "Pod" && before === undefined) created.add(after.metadata.uid ?? "");
        if (after?.kind !== "Job") continue;
        const { status = {}, spec } = after as unknown as Job;
        for (const member of ["active", "ready", "terminating", "succeeded", "failed"] as const) {
          expect(asInteger(status[member] ?? 0, -1)).toBeGreaterThanOrEqual(0);
        }
        const { succeeded = 0, failed = 0 } = status;
        expect(succeeded + failed).toBeLessThanOrEqual(created.size);
        if (spec.completionMode === "Indexed") {
          expect(succeeded).toBeLessThanOrEqual(spec.completions ?? 0);
        }
      }
    });
  });

  it("the Job controller does not change a finished Job", () => {
    checkHistories(({ turns }) => {
      for (const { before, after } of turns.flatMap(({ changes }) => changes)) {
        if (before?.kind !== "Job" || after === undefined) continue;
        if (hasEnded(before as unknown as Job)) expect(after.status).toEqual(before.status);
      }
    });
  });

  it("the Job controller runs at most parallelism Pods and no index twice", () => {
    checkHistories(({ turns }) => {
      for (const { cluster, changes } of turns) {
        const isCreated = changes.some(({ before, after }) => !before && after?.kind === "Pod");
        const [job] = cluster.objects.ofKind<Job>("Job");
        if (!isCreated || job === undefined) continue;
        const active = cluster.objects.ofKind<Pod>("Pod").filter(isActive);
        const own = active.filter(
          ({ metadata }) => metadata.ownerReferences?.[0]?.uid === job.metadata.uid,
        );
        expect(own.length).toBeLessThanOrEqual(job.spec.parallelism ?? 1);
        const indexes = own.map((pod) => getIndex(pod, job)).filter((index) => index !== undefined);
        expect(new Set(indexes).size).toBe(indexes.length);
      }
    });
  });

  it("the Job controller becomes idle, and then every Job that can run has finished", () => {
    checkHistories((cluster) => {
      const count = () => cluster.turns.flatMap(({ changes }) => changes).length;
      const before = count();
      cluster.run(100_000);
      expect(count()).toBe(before);
      expect(cluster.pods.filter(isActive)).toEqual([]);
      const job = cluster.get("j");
      if (job === undefined || job.spec.suspend || job.spec.parallelism === 0) return;
      if (job.metadata.deletionTimestamp === undefined) expect(hasEnded(job)).toBe(true);
    });
  });

  it("the Job controller removes its finalizer from every Pod of a finished or deleted Job", () => {
    checkHistories((cluster) => {
      const job = cluster.get("j");
      if (job === undefined || hasEnded(job))
        expect(cluster.pods.filter(hasTrackingFinalizer)).toEqual([]);
    });
  });
});
