import {
  type EpochMillis,
  getReplicatedJobs,
  type JobSet,
  type JobSetStatus,
  parseTime,
} from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
  CONDITION_SUSPENDED,
  type JobSetConditionType,
} from "@jobset-ts/api/conditions";
import {
  asArray,
  type Condition,
  findCondition,
  isEqualJson,
  type Job,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isConditionTrue } from "../api-server/conditions.ts";
import { isForeground } from "../api-server/deletion.ts";
import type { Change } from "../kernel/component.ts";
import {
  getControllingJobSet,
  getJobSetVersions,
  getReplicasByName,
  getStoredJobs,
  getTargetFilter,
  hasSucceeded,
  isTerminal,
  listJobNames,
} from "./jobset-facts.ts";
import { isByManager, type LawContext, type SafetyLaw } from "./law.ts";
import { isRelabelled } from "./relabelled-jobs.ts";
import { getObservedJobSet, getStatusWrite } from "./request-facts.ts";
import { getAttempt } from "./restart-attempt.ts";

const FINISHED_CONDITIONS = [CONDITION_COMPLETED, CONDITION_FAILED];

export const terminalStateIsFinal: SafetyLaw = {
  name: "terminalStateIsFinal",
  sentence:
    "Once a JobSet has completed or failed, its terminalState, its terminal condition and its restarts never change; terminalState is set together with the condition.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const { before, after } = versions;
    const ended = FINISHED_CONDITIONS.filter((type) =>
      isConditionTrue(after.status?.conditions, type),
    );
    if (ended.length === 2) return "it has both completed and failed";
    // An empty text is an absent one.
    if ((after.status?.terminalState || undefined) !== ended[0]) {
      return `terminalState is ${after.status?.terminalState}, but the condition ${ended[0]} is True`;
    }
    if (!isTerminal(before)) return undefined;
    const [from, to] = [before, after].map(({ status }) => ({
      terminalState: status?.terminalState,
      ends: FINISHED_CONDITIONS.map((type) => getEnd(status, type)),
      restarts: status?.restarts ?? 0,
      restartsCountTowardsMax: status?.restartsCountTowardsMax ?? 0,
      jobRestarts: singleRestarts(status),
    }));
    return isEqualJson(from, to) ? undefined : "the final status has changed";
  },
};

/** Returns a terminal condition with its time as an instant. */
function getEnd(status: JobSetStatus | null | undefined, type: string): unknown {
  const found = findCondition<Condition>(status?.conditions, type);
  if (found === undefined) return undefined;
  const { status: own, reason, message, lastTransitionTime } = found;
  return [own, reason, message, parseTime(lastTransitionTime)];
}

/** Returns the restarts of individual Jobs by name and index. An absent Job has no restarts. */
function singleRestarts(status: JobSetStatus | null | undefined): Readonly<Record<string, number>> {
  return Object.fromEntries(
    asArray(status?.replicatedJobsStatus).flatMap((entry) =>
      (["jobRestarts", "jobRestartsCountTowardsMax"] as const).flatMap((counter) =>
        asArray(entry[counter])
          .map((count, index) => [`${counter} of ${entry.name} ${index}`, count] as const)
          .filter(([, count]) => count > 0),
      ),
    ),
  );
}

export const completionFollowsSuccessPolicy: SafetyLaw<PersistentMap<ReadonlySet<string>>> = {
  name: "completionFollowsSuccessPolicy",
  sentence:
    "Completed is written only if the Jobs of the current attempt that the success policy requires have succeeded, whether they still exist or not.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet", "Job"],
  onChange: (change, context) => {
    recordSuccess(change, context);
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const { before, after } = versions;
    if (
      !isConditionTrue(after.status?.conditions, CONDITION_COMPLETED) ||
      isConditionTrue(before.status?.conditions, CONDITION_COMPLETED)
    )
      return undefined;
    const { operator = "All" } = after.spec.successPolicy ?? {};
    const succeeded = context.memory.get(after.metadata.uid ?? "") ?? new Set();
    const isTarget = getTargetFilter(after);
    const jobs = getReplicatedJobs(after)
      .filter(({ name }) => isTarget(name))
      .flatMap((one) => listJobNames(after, one));
    const missing = jobs.filter((name) => !succeeded.has(`${name} ${after.status?.restarts ?? 0}`));
    const relabelled = [...succeeded].filter((own) => own.startsWith(RELABELLED)).length;
    const isEarned =
      operator === "Any"
        ? missing.length < jobs.length + relabelled
        : jobs.length > 0 && missing.length <= relabelled;
    return isEarned
      ? undefined
      : `the success policy ${operator} is not met by ${missing.join(", ") || "targets without Jobs"}`;
  },
};

/** Replaces the name and attempt of a succeeded Job with changed labels, which may count for any Job. */
const RELABELLED = "relabelled ";

/** Records which Jobs of a JobSet have succeeded, with their attempt. */
function recordSuccess(
  { before, after }: Change,
  context: LawContext<PersistentMap<ReadonlySet<string>>>,
): void {
  if (after?.kind !== "Job") return;
  const job = after as unknown as Job;
  if (!hasSucceeded(job)) return;
  const isRelabelledNow = isRelabelled(job);
  const was = before as unknown as Job | undefined;
  if (was !== undefined && hasSucceeded(was) && isRelabelled(was) === isRelabelledNow) return;
  const uid = getControllingJobSet(after, context.objects)?.metadata.uid;
  if (uid === undefined) return;
  const own = isRelabelledNow
    ? `${RELABELLED}${job.metadata.uid}`
    : `${job.metadata.name} ${getAttempt(job).restarts}`;
  context.memory = context.memory.set(uid, new Set([...(context.memory.get(uid) ?? []), own]));
}

export const conditionsAreWellFormed: SafetyLaw<PersistentMap<number>> = {
  name: "conditionsAreWellFormed",
  sentence:
    "JobSet's conditions are well-formed. Each type has one condition, which is never removed. The time changes only with the status, and is the time of the pass in whole seconds. No condition starts as False, except for a restart that starts and ends in one write. Exclusive conditions are not True together. RestartingJobSet becomes True once for each counted restart.",
  validUnder: "Always",
  memory: emptyMap(),
  kinds: ["JobSet"],
  onRequest: (request) => {
    const { jobSet, status } = getStatusWrite(request) ?? {};
    if (jobSet === undefined || status === undefined) return undefined;
    for (const { type, status: own, lastTransitionTime } of getJobSetConditions(status)) {
      const before = findCondition<Condition>(jobSet.status?.conditions, type);
      if (before?.status === own) continue;
      const [at, now] = [parseTime(lastTransitionTime) ?? 0, request.context.now].map(toSecond);
      if (at !== now) return `${type} becomes ${own} with the time ${lastTransitionTime}`;
    }
    return undefined;
  },
  onChange: (change, context) => {
    const versions = getJobSetVersions(change);
    if (versions === undefined || !isByManager(change)) return undefined;
    const { before, after } = versions;
    const uncounted = checkRestartTransition(versions, context);
    if (uncounted !== undefined) return uncounted;
    const conditions = getJobSetConditions(after.status);
    const removed = getJobSetConditions(before.status).find(
      ({ type }) => findCondition(after.status?.conditions, type) === undefined,
    );
    if (removed !== undefined) return `the condition ${removed.type} was removed`;
    for (const { type, status, lastTransitionTime } of conditions) {
      if (conditions.filter((one) => one.type === type).length > 1)
        return `the condition ${type} exists twice`;
      const own = findCondition<Condition>(before.status?.conditions, type);
      const isOver =
        type === CONDITION_RESTARTING &&
        isConditionTrue(after.status?.conditions, CONDITION_SUSPENDED);
      if (own === undefined && status === "False" && !isOver) return `${type} starts as False`;
      if (own === undefined) continue;
      const [isSameStatus, isSameTime] = [
        own.status === status,
        parseTime(own.lastTransitionTime) === parseTime(lastTransitionTime),
      ];
      const isAnother = isOver && (after.status?.restarts ?? 0) > (before.status?.restarts ?? 0);
      if (isSameStatus && !isSameTime && !(isAnother && status === "False"))
        return `the time of the condition ${type} changes without its status`;
    }
    for (const [one, other] of EXCLUSIVE) {
      if (
        isConditionTrue(after.status?.conditions, one) &&
        isConditionTrue(after.status?.conditions, other)
      )
        return `the conditions ${one} and ${other} are both True`;
    }
    const isSuspendedNow =
      !isConditionTrue(before.status?.conditions, CONDITION_SUSPENDED) &&
      isConditionTrue(after.status?.conditions, CONDITION_SUSPENDED);
    return isSuspendedNow && isConditionTrue(after.status?.conditions, CONDITION_RESTARTING)
      ? "it is suspended, but RestartingJobSet is True"
      : undefined;
  },
};

/** Upstream's times are in whole seconds. Other controllers may write fractions. */
function toSecond(time: EpochMillis): number {
  return Math.floor(time / 1000);
}

/**
 * Records the last restart that RestartingJobSet reported. Reports a violation if the condition becomes True without a
 * further restart.
 */
function checkRestartTransition(
  { before, after }: { readonly before: JobSet; readonly after: JobSet },
  context: LawContext<PersistentMap<number>>,
): string | undefined {
  const [was, is] = [before, after].map(({ status }) =>
    isConditionTrue(status?.conditions, CONDITION_RESTARTING),
  );
  if (!is) return undefined;
  const { metadata, status } = after;
  const restarts = status?.restarts ?? 0;
  const reported = context.memory.get(metadata.uid ?? "") ?? 0;
  context.memory = context.memory.set(metadata.uid ?? "", restarts);
  return was || restarts > reported
    ? undefined
    : `${CONDITION_RESTARTING} becomes True, but no restart beyond ${reported} is counted`;
}

/** Returns the conditions that JobSet's controller writes. Other controllers may write their own. */
function getJobSetConditions(status: JobSetStatus | undefined): readonly Condition[] {
  return asArray(status?.conditions).filter(({ type }) => TYPES.has(type));
}

const TYPES: ReadonlySet<string> = new Set<JobSetConditionType>([
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_SUSPENDED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_IN_PROGRESS,
  CONDITION_STARTUP_COMPLETED,
]);

const EXCLUSIVE = [
  [CONDITION_STARTUP_IN_PROGRESS, CONDITION_STARTUP_COMPLETED],
  [CONDITION_RESTARTING, CONDITION_COMPLETED],
  [CONDITION_RESTARTING, CONDITION_FAILED],
] as const;

export const countsFitTheJobSet: SafetyLaw = {
  name: "countsFitTheJobSet",
  sentence:
    "The status has one entry for each ReplicatedJob, and no counter exceeds the number of its Jobs.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change, { objects }) => {
    const versions = getJobSetVersions(change);
    if (versions === undefined || !isByManager(change)) return undefined;
    const { after } = versions;
    const replicas = getReplicasByName(after);
    const entries = asArray(after.status?.replicatedJobsStatus);
    if (entries.length === 0) return undefined;
    const names = entries.map(({ name }) => name);
    if (!isEqualJson([...names].sort(), [...replicas.keys()].sort()))
      return `entries for ${names.join(", ")}`;
    for (const { name, ready, succeeded, failed, active, suspended } of entries) {
      const most = replicas.get(name) ?? 0;
      const counted = Math.max(ready + succeeded + failed, active, suspended);
      if (counted <= most) continue;
      const relabelled = getStoredJobs(after, objects).filter(isRelabelled).length;
      if (counted > most + relabelled) return `${name} counts more Jobs than its ${most}`;
    }
    return undefined;
  },
};

export const inPlaceAttemptsNeverDecrease: SafetyLaw = {
  name: "inPlaceAttemptsNeverDecrease",
  sentence:
    "The attempts of an in-place restart never decrease, and the previous attempt never exceeds the current one.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["JobSet"],
  onChange: (change) => {
    const versions = getJobSetVersions(change);
    if (versions === undefined) return undefined;
    const [from, to] = [versions.before.status, versions.after.status];
    for (const name of ["previousInPlaceRestartAttempt", "currentInPlaceRestartAttempt"] as const) {
      if ((to?.[name] ?? 0) < (from?.[name] ?? 0)) return `${name} falls to ${to?.[name]}`;
    }
    const { previousInPlaceRestartAttempt: previous, currentInPlaceRestartAttempt: current } =
      to ?? {};
    return previous !== undefined && current !== undefined && previous > current
      ? `the previous attempt ${previous} exceeds the current attempt ${current}`
      : undefined;
  },
};

export const finishedJobSetsAreKeptUntilTheirTTL: SafetyLaw = {
  name: "finishedJobSetsAreKeptUntilTheirTTL",
  sentence:
    "The controller deletes a JobSet only in the foreground, after it has finished and its ttlSecondsAfterFinished has passed according to the clock of the pass.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["JobSet"],
  onRequest: (request) => {
    const { verb, object } = request.request;
    if (verb !== "delete" || object.kind !== "JobSet") return undefined;
    const dueAt = deletionDueAt(getObservedJobSet(request));
    if (dueAt === undefined) return undefined;
    const { now } = request.context;
    return now < dueAt ? `its deletion is requested ${dueAt - now} ms too early` : undefined;
  },
  onChange: (change) => {
    const { before, after } = change;
    if (before?.kind !== "JobSet" || !isByManager(change)) return undefined;
    const isAsked = after === undefined || after.metadata.deletionTimestamp !== undefined;
    if (!isAsked || before.metadata.deletionTimestamp !== undefined) return undefined;
    const jobSet = before as unknown as JobSet;
    const { ttlSecondsAfterFinished } = jobSet.spec;
    if (ttlSecondsAfterFinished === undefined)
      return "it is deleted, but has no ttlSecondsAfterFinished";
    // Only the pass can check the time, because its clock may be wrong.
    if (deletionDueAt(jobSet) === undefined) return "it is deleted before it has finished";
    return after && isForeground(after) ? undefined : "it is not deleted in the foreground";
  },
};

/** Returns when a finished JobSet may be deleted. `undefined` if it has not finished or has no TTL. */
function deletionDueAt(jobSet: JobSet | undefined): EpochMillis | undefined {
  const { ttlSecondsAfterFinished } = jobSet?.spec ?? {};
  const end = asArray(jobSet?.status?.conditions).find(
    ({ type, status }) => status === "True" && FINISHED_CONDITIONS.includes(type),
  );
  return end === undefined || ttlSecondsAfterFinished === undefined
    ? undefined
    : (parseTime(end.lastTransitionTime) ?? 0) + ttlSecondsAfterFinished * 1000;
}
