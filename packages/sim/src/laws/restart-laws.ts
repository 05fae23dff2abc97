import type { JobSet } from "@jobset-ts/api";
import { CONDITION_FAILED } from "@jobset-ts/api/conditions";
import {
  IN_PLACE_RESTART_ATTEMPT_KEY,
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
} from "@jobset-ts/api/keys";
import {
  asArray,
  getAnnotation,
  getControllerOf,
  getLabel,
  getNamespace,
  type Job,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { Change } from "../kernel/component.ts";
import {
  getControllingJobSet,
  getJobSetVersions,
  getStatusEntries,
  hasFailed,
  isDesiredJob,
} from "./jobset-facts.ts";
import type { LawContext, SafetyLaw } from "./law.ts";
import { isRelabelled } from "./relabelled-jobs.ts";
import { countLimitedRestarts, getAttempt } from "./restart-attempt.ts";

/** Each write of a JobSet restarts it, or one of its Jobs, at most once, and counts at most that restart. */
export const restartsIncreaseByOne: SafetyLaw = {
  name: "restartsIncreaseByOne",
  sentence:
    "A write increases one restart counter by at most one, and the count towards the limit by at most the same.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const [from, to] = [restartCounts(versions.before), restartCounts(versions.after)];
    const [raised, counted] = [
      findIncreases(from.all, to.all),
      findIncreases(from.counted, to.counted),
    ];
    if (raised.some(({ by }) => by < 0)) return `${formatRises(raised)} fell`;
    if (counted.some(({ by }) => by < 0)) return `counted: ${formatRises(counted)} fell`;
    if (raised.reduce((sum, { by }) => sum + by, 0) > 1)
      return `one write increased ${formatRises(raised)}`;
    const overCounted = counted.filter(
      ({ key, by }) => by > (raised.find((one) => one.key === key)?.by ?? 0),
    );
    if (overCounted.length > 0) return `counted without a restart: ${formatRises(overCounted)}`;
    const above = [...to.counted].filter(([key, count]) => count > (to.all.get(key) ?? 0));
    return above.length > 0
      ? `more restarts count towards the limit than happened: ${above.map(([key]) => key).join(", ")}`
      : undefined;
  },
};

/** Each Job keeps its index in the list of counters. */
export const jobRestartsKeepTheirOrder: SafetyLaw = {
  name: "jobRestartsKeepTheirOrder",
  sentence:
    "After the restart of a single Job is counted, the number of restart counters of its ReplicatedJob does not change.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const { before, after } = getJobSetVersions(change) ?? {};
    if (before === undefined || before.status === after?.status) return undefined;
    const entries = after === undefined ? undefined : getStatusEntries(after);
    for (const from of asArray(before.status?.replicatedJobsStatus)) {
      const to = entries?.get(from.name);
      for (const counts of ["jobRestarts", "jobRestartsCountTowardsMax"] as const) {
        const [was, is] = [from, to].map((entry) => asArray(entry?.[counts]).length);
        if (was !== 0 && is !== was) return `${counts} of ${from.name} were ${was}, and are ${is}`;
      }
    }
    return undefined;
  },
};

/** Restarts that count towards the limit never exceed `maxRestarts`. */
export const countedRestartsStayWithinTheLimit: SafetyLaw = {
  name: "countedRestartsStayWithinTheLimit",
  sentence:
    "After a write that counts a restart, the counted restarts do not exceed the maxRestarts of that version of the JobSet.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const [from, to] = [versions.before, versions.after].map(({ status }) =>
      countLimitedRestarts(status),
    );
    const limit = versions.after.spec.failurePolicy?.maxRestarts ?? 0;
    return to !== undefined && from !== undefined && to > from && to > limit
      ? `${to} restarts are counted, but maxRestarts is ${limit}`
      : undefined;
  },
};

/** No restart without a failed Job in the previous attempt. */
export const eachRestartHasAFailure: SafetyLaw<PersistentMap<true>> = {
  name: "eachRestartHasAFailure",
  sentence:
    "A restart counter increases from k only after a Job of attempt k has failed, so each attempt is counted once.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet", "Job"],
  onChange: (change, context) => {
    recordFailure(change, context);
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const uid = versions.after.metadata.uid ?? "";
    const from = restartCounts(versions.before).all;
    for (const [key, count] of restartCounts(versions.after).all) {
      const before = from.get(key) ?? 0;
      const reasons = [`${uid} ${key} ${before}`, `${uid} relabelled`];
      if (count > before && reasons.every((one) => context.memory.get(one) === undefined)) {
        return `${key} increased to ${count}, but no Job of attempt ${before} has failed`;
      }
    }
    return undefined;
  },
};

export const failureFollowsFailurePolicy: SafetyLaw<PersistentMap<true>> = {
  name: "failureFollowsFailurePolicy",
  sentence:
    "A JobSet fails only after one of its Jobs has failed in the current attempt of the JobSet or of that Job, or after too many in-place restarts of its Pods.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet", "Job", "Pod"],
  onChange: (change, context) => {
    recordFailure(change, context);
    recordInPlaceRestarts(change, context);
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const [was, is] = [versions.before, versions.after].map(({ status }) =>
      isConditionTrue(status?.conditions, CONDITION_FAILED),
    );
    if (was || !is) return undefined;
    const { metadata, status } = versions.after;
    const restarts = status?.restarts ?? 0;
    const reasons = ["in place", `restarts ${restarts}`, "relabelled"].map(
      (reason) => `${metadata.uid} ${reason}`,
    );
    return reasons.every((reason) => context.memory.get(reason) === undefined)
      ? `none of its Jobs of attempt ${restarts} has failed`
      : undefined;
  },
};

/**
 * Records that a Pod of a JobSet has exceeded its in-place restarts, because the Pod and its Job may be gone when the
 * JobSet fails.
 */
function recordInPlaceRestarts(
  { before, after }: Change,
  context: LawContext<PersistentMap<true>>,
): void {
  if (after?.kind === "Job" && before === undefined) {
    const { metadata, spec } = getControllingJobSet(after, context.objects) ?? {};
    if (spec?.failurePolicy?.restartStrategy !== "InPlaceRestart") return;
    context.memory = context.memory.set(`${metadata?.uid} owns ${after.metadata.uid}`, true);
  }
  if (after?.kind !== "Pod") return;
  const pod = after as unknown as Pod;
  const counts = [
    Number(getAnnotation(pod, IN_PLACE_RESTART_ATTEMPT_KEY) ?? 0),
    ...asArray(pod.status?.initContainerStatuses).map(({ restartCount }) => restartCount),
    ...asArray(pod.status?.containerStatuses).map(({ restartCount }) => restartCount),
  ];
  if (!counts.some((count = 0) => count > 0)) return;
  const jobSetName = getLabel(pod, JOBSET_NAME_KEY) ?? "";
  const jobSet = context.objects.get<JobSet>("JobSet", getNamespace(pod), jobSetName);
  const uid = jobSet?.metadata.uid;
  if (!context.memory.get(`${uid} owns ${getControllerOf(pod)?.uid}`)) return;
  const { maxRestarts = 0 } = jobSet?.spec.failurePolicy ?? {};
  if (counts.some((count = 0) => count > maxRestarts)) {
    context.memory = context.memory.set(`${uid} in place`, true);
  }
}

/**
 * Records by both attempts that a Job has failed, if its JobSet requests the Job. If another client has changed its
 * labels, it may belong to any attempt.
 */
function recordFailure({ before, after }: Change, context: LawContext<PersistentMap<true>>): void {
  if (after?.kind !== "Job") return;
  const job = after as unknown as Job;
  const was = before as unknown as Job | undefined;
  if (!hasFailed(job)) return;
  if (was !== undefined && hasFailed(was) && isRelabelled(was) === isRelabelled(job)) return;
  const jobSet = getControllingJobSet(after, context.objects);
  if (jobSet === undefined || !isDesiredJob(job, jobSet)) return;
  const { uid } = jobSet.metadata;
  if (isRelabelled(job)) {
    context.memory = context.memory.set(`${uid} relabelled`, true);
    return;
  }
  const { restarts, jobRestarts } = getAttempt(job);
  const own = `${getLabel(job, REPLICATED_JOB_NAME_KEY)}/${getLabel(job, JOB_INDEX_KEY)}`;
  context.memory = context.memory
    .set(`${uid} restarts ${restarts}`, true)
    .set(`${uid} ${own} ${jobRestarts}`, true);
}

interface RestartCounts {
  /** `restarts`, and `<ReplicatedJob>/<index>` for each individual Job. */
  readonly all: ReadonlyMap<string, number>;
  readonly counted: ReadonlyMap<string, number>;
}

function restartCounts({ status }: JobSet): RestartCounts {
  const all = new Map([["restarts", status?.restarts ?? 0]]);
  const counted = new Map([["restarts", status?.restartsCountTowardsMax ?? 0]]);
  for (const entry of asArray(status?.replicatedJobsStatus)) {
    const { name, jobRestarts, jobRestartsCountTowardsMax } = entry;
    asArray(jobRestarts).forEach((count, index) => void all.set(`${name}/${index}`, count));
    asArray(jobRestartsCountTowardsMax).forEach(
      (count, index) => void counted.set(`${name}/${index}`, count),
    );
  }
  return { all, counted };
}

interface CounterIncrease {
  readonly key: string;
  readonly by: number;
}

function findIncreases(
  from: ReadonlyMap<string, number>,
  to: ReadonlyMap<string, number>,
): readonly CounterIncrease[] {
  const keys = new Set([...from.keys(), ...to.keys()]);
  return [...keys]
    .map((key) => ({ key, by: (to.get(key) ?? 0) - (from.get(key) ?? 0) }))
    .filter(({ by }) => by !== 0);
}

function formatRises(rises: readonly CounterIncrease[]): string {
  return rises.map(({ key, by }) => `${key} by ${by}`).join(", ");
}
