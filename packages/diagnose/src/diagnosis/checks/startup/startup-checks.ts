import type { CheckResult, Evidence } from "@jobset-ts/admission/checks";
import type { DependsOn, Observed, ReplicatedJob } from "@jobset-ts/api";
import { isObject, listOf, textOf } from "@jobset-ts/api/kubernetes";
import { dependencyReached, startedCount, startsInOrder } from "@jobset-ts/core/policies";
import type { JobSetView, ReplicatedJobView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import {
  absenceOf,
  type DiagnosisCheck,
  fail,
  failForNow,
  fieldOf,
  keyOfObject,
  pass,
  unknown,
} from "../answers.ts";
import type { FindingId } from "../finding-ids.ts";
import { key } from "../jobset/jobset-checks.ts";

/** One thing that a ReplicatedJob waits for: an entry of `dependsOn`. */
export interface DependencyView {
  readonly replicatedJob: ReplicatedJobView;
  readonly dependency: Observed<DependsOn>;
  /** The ReplicatedJob that it names; absent when there is none. */
  readonly on?: ReplicatedJobView;
}

/** What a ReplicatedJob depends on, in the order of its list. */
export function dependenciesOf(replicatedJob: ReplicatedJobView): readonly DependencyView[] {
  const { spec, jobSet } = replicatedJob;
  const entries = listOf((spec as Observed<ReplicatedJob> | undefined)?.dependsOn).filter(isObject);
  return entries.map((dependency) => {
    const on = jobSet.named.get(textOf(dependency.name));
    return { replicatedJob, dependency, ...(on !== undefined && { on }) };
  });
}

/**
 * A pass that ends early writes no status, in which it would show what has started since; and Pods that wait for each other
 * never start.
 */
const holdBack: readonly FindingId[] = [
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
  causes: holdBack,
  words: { advice: ["look at the ReplicatedJob that it waits for"] },
  run: ({ replicatedJob, dependency, on }) => {
    const { jobSet } = replicatedJob;
    if (!isHeldBack(replicatedJob)) return pass;
    const [name, status] = [textOf(dependency.name), textOf(dependency.status)];
    const counts = jobSet.counts.get(name);
    const isReached =
      on !== undefined && counts !== undefined && dependencyReached(status, on.replicas, counts);
    if (isReached) return pass;
    const object = key(jobSet);
    const text = `${replicatedJob.name} waits for ${name} to be ${status}`;
    const at = `spec.replicatedJobs[${replicatedJob.position}].dependsOn`;
    return failForNow(text, {
      objects: [object],
      evidence: [fieldOf(object, at, `${name} ${status}`)],
    });
  },
};

/** The first ReplicatedJob that has not started, under startup in order: all behind it wait for it. */
export function firstUnstarted(view: JobSetView): ReplicatedJobView | undefined {
  if (!startsInOrder(view.jobSet)) return undefined;
  return view.replicatedJobs.find(({ name, replicas, spec }) => {
    const counts = view.counts.get(name);
    return spec !== undefined && (counts === undefined || startedCount(counts) !== replicas);
  });
}

/** Whether the order of startup keeps Jobs from being made or resumed. */
export const startupOrder: DiagnosisCheck<{
  readonly replicatedJob: ReplicatedJobView;
  readonly before: ReplicatedJobView;
}> = {
  id: "startup-order",
  causes: holdBack,
  words: { advice: ["look at the ReplicatedJob that has to start first"] },
  run: ({ replicatedJob, before }) => {
    if (!isHeldBack(replicatedJob)) return pass;
    const object = key(replicatedJob.jobSet);
    const evidence = [fieldOf(object, "spec.startupPolicy.startupPolicyOrder", "InOrder")];
    const text = `${replicatedJob.name} waits for ${before.name} to start`;
    return failForNow(text, { objects: [object], evidence });
  },
};

/** The Jobs of a ReplicatedJob, which are held back until those of another have come so far. */
export interface HeldBack {
  readonly replicatedJob: ReplicatedJobView;
  readonly on: ReplicatedJobView;
  /** Whether that is until they are ready, and not until they have ended. */
  readonly needsReady: boolean;
  readonly message: string;
  readonly evidence: readonly Evidence[];
}

/** What order and dependencies hold back. */
export function heldBack(view: JobSetView): readonly HeldBack[] {
  const unstarted = firstUnstarted(view);
  return view.replicatedJobs.flatMap((replicatedJob) => {
    const all = dependenciesOf(replicatedJob).flatMap((one) =>
      held(dependencyNotReady.run(one), {
        replicatedJob,
        on: one.on,
        needsReady: one.dependency.status === "Ready",
      }),
    );
    if (unstarted === undefined || !isBehind(replicatedJob, unstarted)) return all;
    const result = startupOrder.run({ replicatedJob, before: unstarted });
    return [...all, ...held(result, { replicatedJob, on: unstarted, needsReady: true })];
  });
}

function held(
  result: CheckResult,
  {
    on,
    ...rest
  }: { on: ReplicatedJobView | undefined } & Pick<HeldBack, "replicatedJob" | "needsReady">,
): readonly HeldBack[] {
  if (result.outcome !== "Fail" || on === undefined) return [];
  return [{ ...rest, on, message: result.message, evidence: result.evidence ?? [] }];
}

/** Whether a ReplicatedJob of the spec comes after another. */
export function isBehind(one: ReplicatedJobView, other: ReplicatedJobView): boolean {
  return one.spec !== undefined && one.position > other.position;
}

/** More than anybody reads. */
const MAX_LEADERS = 100;

/** Whether there is no domain at all for a leader that is on no node. */
export const noDomainLabel: DiagnosisCheck<ReplicatedJobView> = {
  id: "no-domain-label",
  causes: [],
  words: { advice: ["label the nodes with the topology key, or name one that they have"] },
  run: (replicatedJob) => {
    const { jobs, jobSet } = replicatedJob;
    const isWaiting = ({ isActive, nodeName }: MemberPod) => isActive && nodeName === "";
    const waiting = jobs.filter(
      ({ topologyKey, leaders }) => topologyKey !== undefined && leaders.some(isWaiting),
    );
    const topologyKey = waiting[0]?.topologyKey;
    if (topologyKey === undefined) return pass;
    if (!jobSet.facts.wasRead("Node")) return unknown("Node");
    if (jobSet.facts.domains(topologyKey).size > 0) return pass;
    const object = key(jobSet);
    const leaders = waiting.slice(0, MAX_LEADERS).flatMap((job) => job.leaders.filter(isWaiting));
    const text = `no node carries label ${topologyKey}`;
    return fail(text, {
      objects: [object, ...leaders.map(({ pod }) => keyOfObject("Pod", pod))],
      evidence: [absenceOf(object, text)],
    });
  },
};

/** Whether a Job of a ReplicatedJob is not there, or does not run: a gate that is passed holds nothing back. */
function isHeldBack({ jobs, jobSet }: ReplicatedJobView): boolean {
  if (jobSet.isFinished) return false;
  if (!jobSet.facts.wasRead("Job")) return true;
  return jobs.some(({ isDue, job }) => isDue && (job === undefined || job.spec?.suspend === true));
}
