import type { DependsOn, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import { asArray, asString, isObject } from "@jobset-ts/api/kubernetes";
import type { CheckResult, Evidence } from "@jobset-ts/checks";
import {
  countStartedJobs,
  isDependencySatisfied,
  isInOrderStartup,
} from "@jobset-ts/core/policies";
import type { JobSetView, ReplicatedJobView } from "../../view/jobset-view.ts";
import {
  type DiagnosisCheck,
  failWaiting,
  fieldEvidence,
  jobSetKey,
  pass,
} from "../check-results.ts";
import type { FindingId } from "../finding-ids.ts";

/** One dependency of a ReplicatedJob: an entry of `dependsOn`. */
export interface DependencyView {
  readonly replicatedJob: ReplicatedJobView;
  readonly dependency: Unvalidated<DependsOn>;
  /** The ReplicatedJob that it names. Absent if it does not exist. */
  readonly on?: ReplicatedJobView;
}

/** Returns the dependencies of a ReplicatedJob in list order. */
export function getDependencies(replicatedJob: ReplicatedJobView): readonly DependencyView[] {
  const { spec, jobSet } = replicatedJob;
  const entries = asArray((spec as Unvalidated<ReplicatedJob> | undefined)?.dependsOn).filter(
    isObject,
  );
  return entries.map((dependency) => {
    const on = jobSet.named.get(asString(dependency.name));
    return { replicatedJob, dependency, ...(on !== undefined && { on }) };
  });
}

/**
 * Findings that block a dependency. After an error, a reconcile writes no status, so later starts are not visible. Pods
 * that wait for each other never start.
 */
const blockers: readonly FindingId[] = [
  "too-many-jobs",
  "webhook-unavailable",
  "service-rejected",
  "volume-claim-rejected",
  "job-foreign",
  "job-rejected",
];

/** Checks whether an entry of `dependsOn` prevents Jobs from being created or resumed. */
export const dependencyNotReady: DiagnosisCheck<DependencyView> = {
  id: "dependency-not-ready",
  causes: blockers,
  texts: { advice: ["check the ReplicatedJob that it waits for"] },
  run: ({ replicatedJob, dependency, on }) => {
    const { jobSet } = replicatedJob;
    if (!isBlocked(replicatedJob)) return pass;
    const [name, status] = [asString(dependency.name), asString(dependency.status)];
    const counts = jobSet.counts.get(name);
    const isReached =
      on !== undefined &&
      counts !== undefined &&
      isDependencySatisfied(status, on.replicas, counts);
    if (isReached) return pass;
    const object = jobSetKey(jobSet);
    const text = `${replicatedJob.name} waits for ${name} to be ${status}`;
    const at = `spec.replicatedJobs[${replicatedJob.position}].dependsOn`;
    return failWaiting(text, {
      objects: [object],
      evidence: [fieldEvidence(object, at, `${name} ${status}`)],
    });
  },
};

/** Returns the first ReplicatedJob that has not started, with ordered startup. All later ones wait for it. */
export function firstUnstarted(view: JobSetView): ReplicatedJobView | undefined {
  if (!isInOrderStartup(view.jobSet)) return undefined;
  return view.replicatedJobs.find(({ name, replicas, spec }) => {
    const counts = view.counts.get(name);
    return spec !== undefined && (counts === undefined || countStartedJobs(counts) !== replicas);
  });
}

/** Checks whether the startup order prevents Jobs from being created or resumed. */
export const startupOrder: DiagnosisCheck<{
  readonly replicatedJob: ReplicatedJobView;
  readonly before: ReplicatedJobView;
}> = {
  id: "startup-order",
  causes: blockers,
  texts: { advice: ["check the ReplicatedJob that must start first"] },
  run: ({ replicatedJob, before }) => {
    if (!isBlocked(replicatedJob)) return pass;
    const object = jobSetKey(replicatedJob.jobSet);
    const evidence = [fieldEvidence(object, "spec.startupPolicy.startupPolicyOrder", "InOrder")];
    const text = `${replicatedJob.name} waits for ${before.name} to start`;
    return failWaiting(text, { objects: [object], evidence });
  },
};

/** A ReplicatedJob whose Jobs wait until those of another are ready or have finished. */
export interface BlockedReplicatedJob {
  readonly replicatedJob: ReplicatedJobView;
  readonly on: ReplicatedJobView;
  /** Whether the Jobs wait for readiness rather than completion. */
  readonly needsReady: boolean;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

/** Returns the ReplicatedJobs that startup order and dependencies block. */
export function listBlockedReplicatedJobs(view: JobSetView): readonly BlockedReplicatedJob[] {
  const unstarted = firstUnstarted(view);
  return view.replicatedJobs.flatMap((replicatedJob) => {
    const all = getDependencies(replicatedJob).flatMap((one) =>
      createBlocked(dependencyNotReady.run(one), {
        replicatedJob,
        on: one.on,
        needsReady: one.dependency.status === "Ready",
      }),
    );
    if (unstarted === undefined || !isBehind(replicatedJob, unstarted)) return all;
    const result = startupOrder.run({ replicatedJob, before: unstarted });
    return [...all, ...createBlocked(result, { replicatedJob, on: unstarted, needsReady: true })];
  });
}

function createBlocked(
  result: CheckResult,
  {
    on,
    ...rest
  }: { on: ReplicatedJobView | undefined } & Pick<
    BlockedReplicatedJob,
    "replicatedJob" | "needsReady"
  >,
): readonly BlockedReplicatedJob[] {
  if (result.outcome !== "Fail" || on === undefined) return [];
  return [{ ...rest, on, message: result.message, evidence: result.evidence ?? [] }];
}

/** Reports whether a ReplicatedJob comes after another one in the spec. */
export function isBehind(one: ReplicatedJobView, other: ReplicatedJobView): boolean {
  return one.spec !== undefined && one.position > other.position;
}

/** Reports whether a Job of a ReplicatedJob is absent or does not run. Otherwise, nothing is blocked anymore. */
function isBlocked({ jobs, jobSet }: ReplicatedJobView): boolean {
  if (!jobSet.needsJobs) return false;
  if (!jobSet.facts.wasRead("Job")) return true;
  return jobs.some(({ isDue, job }) => isDue && (job === undefined || job.spec?.suspend === true));
}
