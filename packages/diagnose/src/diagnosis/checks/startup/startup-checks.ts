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
  failTransiently,
  fieldEvidence,
  jobSetKey,
  pass,
} from "../answers.ts";
import type { FindingId } from "../finding-ids.ts";

/** One thing that a ReplicatedJob waits for: an entry of `dependsOn`. */
export interface DependencyView {
  readonly replicatedJob: ReplicatedJobView;
  readonly dependency: Unvalidated<DependsOn>;
  /** The ReplicatedJob that it names; absent when there is none. */
  readonly on?: ReplicatedJobView;
}

/** What a ReplicatedJob depends on, in the order of its list. */
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
 * A pass that ends early writes no status, in which it would show what has started since; and Pods that wait for each other
 * never start.
 */
const listBlockers: readonly FindingId[] = [
  "too-many-jobs",
  "webhook-unavailable",
  "service-rejected",
  "volume-claim-rejected",
  "job-foreign",
  "job-rejected",
  "in-place-order",
];

/** Whether an entry of `dependsOn` keeps Jobs from being made or resumed. */
export const dependencyNotReady: DiagnosisCheck<DependencyView> = {
  id: "dependency-not-ready",
  causes: listBlockers,
  words: { advice: ["look at the ReplicatedJob that it waits for"] },
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
    return failTransiently(text, {
      objects: [object],
      evidence: [fieldEvidence(object, at, `${name} ${status}`)],
    });
  },
};

/** The first ReplicatedJob that has not started, under startup in order: all behind it wait for it. */
export function firstUnstarted(view: JobSetView): ReplicatedJobView | undefined {
  if (!isInOrderStartup(view.jobSet)) return undefined;
  return view.replicatedJobs.find(({ name, replicas, spec }) => {
    const counts = view.counts.get(name);
    return spec !== undefined && (counts === undefined || countStartedJobs(counts) !== replicas);
  });
}

/** Whether the order of startup keeps Jobs from being made or resumed. */
export const startupOrder: DiagnosisCheck<{
  readonly replicatedJob: ReplicatedJobView;
  readonly before: ReplicatedJobView;
}> = {
  id: "startup-order",
  causes: listBlockers,
  words: { advice: ["look at the ReplicatedJob that has to start first"] },
  run: ({ replicatedJob, before }) => {
    if (!isBlocked(replicatedJob)) return pass;
    const object = jobSetKey(replicatedJob.jobSet);
    const evidence = [fieldEvidence(object, "spec.startupPolicy.startupPolicyOrder", "InOrder")];
    const text = `${replicatedJob.name} waits for ${before.name} to start`;
    return failTransiently(text, { objects: [object], evidence });
  },
};

/** The Jobs of a ReplicatedJob, which are held back until those of another have come so far. */
export interface BlockedReplicatedJob {
  readonly replicatedJob: ReplicatedJobView;
  readonly on: ReplicatedJobView;
  /** Whether that is until they are ready, and not until they have ended. */
  readonly needsReady: boolean;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

/** What order and dependencies hold back. */
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

/** Whether a ReplicatedJob of the spec comes after another. */
export function isBehind(one: ReplicatedJobView, other: ReplicatedJobView): boolean {
  return one.spec !== undefined && one.position > other.position;
}

/** Whether a Job of a ReplicatedJob is not there, or does not run: a gate that is passed holds nothing back. */
function isBlocked({ jobs, jobSet }: ReplicatedJobView): boolean {
  if (jobSet.isFinished) return false;
  if (!jobSet.facts.wasRead("Job")) return true;
  return jobs.some(({ isDue, job }) => isDue && (job === undefined || job.spec?.suspend === true));
}
