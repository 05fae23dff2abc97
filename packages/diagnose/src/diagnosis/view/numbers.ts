import type { Unvalidated } from "@jobset-ts/api";
import { JOB_CONDITION_COMPLETE, JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { asArray, asString, type Job, type JobSpec } from "@jobset-ts/api/kubernetes";
import { isBeingDeleted, type MemberPod, type PodPhase } from "./member-pod.ts";

/**
 * How many Pods of a Job, a ReplicatedJob or a JobSet there are in which state. All but the last two fields are about
 * Pods of the current restart attempt and of the Job that there is now.
 */
export interface PodNumbers {
  readonly byPhase: Readonly<Record<PodPhase, number>>;
  /** Pending and on no node. */
  readonly unscheduled: number;
  /** Unscheduled, and held by scheduling gates. */
  readonly gated: number;
  readonly ready: number;
  /** Being deleted, whatever their phase. */
  readonly terminating: number;
  /** Neither ended nor being deleted. */
  readonly active: number;
  /** How many should be active now; absent when the Jobs were not read. */
  readonly wanted?: number;
  /** How many of those there are not; absent likewise. */
  readonly missing?: number;
  /** The number of missing Pods that are followers denied by admission. Absent if unknown. */
  readonly blockedFollowers?: number;
  /** Of a Job of the name that was there before. */
  readonly stray: number;
  /** Of an earlier restart attempt. */
  readonly previous: number;
}

/** The numbers of a Job's Pods, without what is wanted of them. */
export function countPods(pods: readonly MemberPod[]): PodNumbers {
  const byPhase = { Pending: 0, Running: 0, Succeeded: 0, Failed: 0, Other: 0 };
  let [unscheduled, gated, ready, terminating, active] = [0, 0, 0, 0, 0];
  for (const pod of pods) {
    byPhase[pod.phase] += 1;
    if (pod.phase === "Pending" && pod.nodeName === "") unscheduled += 1;
    if (pod.isGated) gated += 1;
    if (pod.isReady) ready += 1;
    if (pod.isTerminating) terminating += 1;
    if (pod.isActive) active += 1;
  }
  return { byPhase, unscheduled, gated, ready, terminating, active, stray: 0, previous: 0 };
}

/** The sum of numbers; what one of them does not know, the sum does not. */
export function sumNumbers(all: readonly PodNumbers[]): PodNumbers {
  const sum = (member: "wanted" | "missing" | "blockedFollowers") =>
    all.reduce<number | undefined>((total, numbers) => {
      const value = numbers[member];
      return total === undefined || value === undefined ? undefined : total + value;
    }, 0);
  const total = (numberOf: (numbers: PodNumbers) => number) =>
    all.reduce((so, numbers) => so + numberOf(numbers), 0);
  const [wanted, missing, blocked] = [sum("wanted"), sum("missing"), sum("blockedFollowers")];
  return {
    byPhase: {
      Pending: total(({ byPhase }) => byPhase.Pending),
      Running: total(({ byPhase }) => byPhase.Running),
      Succeeded: total(({ byPhase }) => byPhase.Succeeded),
      Failed: total(({ byPhase }) => byPhase.Failed),
      Other: total(({ byPhase }) => byPhase.Other),
    },
    unscheduled: total(({ unscheduled }) => unscheduled),
    gated: total(({ gated }) => gated),
    ready: total(({ ready }) => ready),
    terminating: total(({ terminating }) => terminating),
    active: total(({ active }) => active),
    ...(wanted !== undefined && { wanted }),
    ...(missing !== undefined && { missing }),
    ...(blocked !== undefined && { blockedFollowers: blocked }),
    stray: total(({ stray }) => stray),
    previous: total(({ previous }) => previous),
  };
}

/** The numbers of equal Jobs without Pods, as many as `count`, from those of one. */
export function multiplyNumbers(numbers: PodNumbers, count: number): PodNumbers {
  const { wanted, missing, blockedFollowers } = numbers;
  return {
    ...numbers,
    ...(wanted !== undefined && { wanted: wanted * count }),
    ...(missing !== undefined && { missing: missing * count }),
    ...(blockedFollowers !== undefined && { blockedFollowers: blockedFollowers * count }),
  };
}

/** The sums that do not add up, as happens where a Pod's status contradicts itself: a sentence each. */
export function listContradictions(numbers: PodNumbers, of: string): readonly string[] {
  const { ready, active, terminating, gated, unscheduled } = numbers;
  const { blockedFollowers = 0, missing = 0, wanted = missing } = numbers;
  const found: string[] = [];
  const claim = (holds: boolean, text: () => string) => {
    if (!holds) found.push(`${of}: Pods do not add up: ${text()}`);
  };
  claim(
    ready <= active + terminating,
    () => `${ready} ready, but ${active} active and ${terminating} terminating`,
  );
  claim(gated <= unscheduled, () => `${gated} gated of ${unscheduled} unscheduled`);
  claim(blockedFollowers <= missing, () => `${blockedFollowers} blocked of ${missing} missing`);
  claim(missing <= wanted, () => `${missing} missing of ${wanted} wanted`);
  return found;
}

/** How many Pods of a Job should be active, and the lowest index that lacks its Pod. */
export interface WantedPods {
  readonly wanted: number;
  readonly missing: number;
  /** Undefined if no Pod is missing, and for a Job without indexes. */
  readonly lowestMissingIndex: number | undefined;
}

/**
 * How many Pods a Job should have now, and has not.
 *
 * An index that has succeeded, or failed for good, is not wanted any more. A Pod that has succeeded counts as such even
 * before the Job's status says so.
 *
 * @param job - the Job; absent when it is due and does not exist
 * @param template - the Job's spec in the JobSet, in place of one that does not exist
 * @param counts - of the Pods, see {@link countPods}
 */
export function countWantedPods(
  job: Unvalidated<Job> | undefined,
  template: Unvalidated<JobSpec> | undefined,
  pods: readonly MemberPod[],
  { active, byPhase }: Pick<PodNumbers, "active" | "byPhase">,
): WantedPods {
  const spec = job === undefined ? template : job.spec;
  if (job !== undefined && createsNoPods(job))
    return { wanted: 0, missing: 0, lowestMissingIndex: undefined };
  const parallelism = countItems(spec?.parallelism, 1);
  const completions = countItems(spec?.completions, undefined);
  if (completions === undefined) {
    // Once a Pod of such a Job has succeeded, no other is made.
    const hasSucceeded = byPhase.Succeeded > 0 || countItems(job?.status?.succeeded, 0) > 0;
    const wanted = hasSucceeded ? Math.min(parallelism, active) : parallelism;
    return { wanted, missing: Math.max(0, wanted - active), lowestMissingIndex: undefined };
  }
  if (spec?.completionMode !== "Indexed") {
    const succeeded = Math.max(countItems(job?.status?.succeeded, 0), byPhase.Succeeded);
    const wanted = Math.min(parallelism, Math.max(0, completions - succeeded));
    return { wanted, missing: Math.max(0, wanted - active), lowestMissingIndex: undefined };
  }

  const done = indexRanges(asString(job?.status?.completedIndexes));
  const failed = indexRanges(asString(job?.status?.failedIndexes));
  const succeeded =
    byPhase.Succeeded === 0 ? [] : pods.filter(({ phase }) => phase === "Succeeded");
  const ended = mergeRanges([...done, ...failed, ...getRanges(succeeded)], completions);
  const endedCount = ended.reduce((count, [first, last]) => count + last - first + 1, 0);
  const wanted = Math.min(parallelism, completions - endedCount);
  const missing = Math.max(0, wanted - active);
  if (missing === 0) return { wanted, missing, lowestMissingIndex: undefined };
  const taken = [...ended, ...getRanges(pods.filter(({ isActive }) => isActive))];
  return { wanted, missing, lowestMissingIndex: lowestFreeIndex(taken, completions) };
}

function createsNoPods(job: Unvalidated<Job>): boolean {
  if (job.spec?.suspend === true || isBeingDeleted(job)) return true;
  return asArray(job.status?.conditions).some(
    (condition) => endings.has(asString(condition?.type)) && condition?.status === "True",
  );
}

/** The conditions with which a Job makes no Pods any more. */
const endings: ReadonlySet<string> = new Set([
  JOB_CONDITION_COMPLETE,
  JOB_CONDITION_FAILED,
  "FailureTarget",
  "SuccessCriteriaMet",
]);

type Range = readonly [first: number, last: number];

/** Parses indexes such as `0,2-5`. Malformed ranges are skipped. */
export function indexRanges(text: string): readonly Range[] {
  if (text === "") return [];
  return text.split(",").flatMap((part): Range[] => {
    const range = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part.trim());
    if (range === null) return [];
    const first = Number(range[1]);
    const last = range[2] === undefined ? first : Number(range[2]);
    return last < first ? [] : [[first, last]];
  });
}

function getRanges(pods: readonly MemberPod[]): readonly Range[] {
  return pods.flatMap(({ completionIndex: at }): Range[] => (at === undefined ? [] : [[at, at]]));
}

function mergeRanges(ranges: readonly Range[], completions: number): readonly Range[] {
  const merged: Range[] = [];
  for (const [first, end] of [...ranges].sort(([one], [other]) => one - other)) {
    const last = Math.min(end, completions - 1);
    if (first > last) continue;
    const before = merged.at(-1);
    if (before === undefined || first > before[1] + 1) merged.push([first, last]);
    else merged[merged.length - 1] = [before[0], Math.max(before[1], last)];
  }
  return merged;
}

function lowestFreeIndex(taken: readonly Range[], completions: number): number | undefined {
  let lowest = 0;
  for (const [first, last] of mergeRanges(taken, completions)) {
    if (lowest < first) break;
    lowest = last + 1;
  }
  return lowest < completions ? lowest : undefined;
}

function countItems<Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : otherwise;
}
