import type { Unvalidated } from "@jobset-ts/api";
import { JOB_CONDITION_COMPLETE, JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import {
  asArray,
  asString,
  isBeingDeleted,
  type Job,
  type JobSpec,
} from "@jobset-ts/api/kubernetes";
import type { MemberPod, PodPhase } from "./member-pod.ts";

/**
 * The numbers of Pods of a Job, a ReplicatedJob or a JobSet, by state. All fields except the last two cover Pods of the
 * current restart attempt and of the current Job object.
 */
export interface PodNumbers {
  readonly byPhase: Readonly<Record<PodPhase, number>>;
  /** Pending without a node. */
  readonly unscheduled: number;
  /** Unscheduled with scheduling gates. */
  readonly gated: number;
  readonly ready: number;
  /** Being deleted, in any phase. */
  readonly terminating: number;
  /** Neither finished nor being deleted. */
  readonly active: number;
  /** The required number of active Pods. Absent if Jobs were not read. */
  readonly wanted?: number;
  /** The number of required Pods that do not exist. Absent if Jobs were not read. */
  readonly missing?: number;
  /** The number of missing Pods that are followers denied by admission. Absent if unknown. */
  readonly blockedFollowers?: number;
  /** Pods of an earlier Job of the same name. */
  readonly stray: number;
  /** Pods of an earlier restart attempt. */
  readonly previous: number;
}

/** Counts the Pods of a Job, without the required numbers. */
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

const phases = ["Pending", "Running", "Succeeded", "Failed", "Other"] as const;
const states = [
  "unscheduled",
  "gated",
  "ready",
  "terminating",
  "active",
  "wanted",
  "missing",
  "blockedFollowers",
  "stray",
  "previous",
] as const;

/** Adds numbers. A field that is unknown in one of them is unknown in the sum. */
export function sumNumbers(all: readonly PodNumbers[]): PodNumbers {
  const total = (numberOf: (numbers: PodNumbers) => number) =>
    all.reduce((sum, numbers) => sum + numberOf(numbers), 0);
  const known = states.filter((state) => all.every((numbers) => numbers[state] !== undefined));
  return {
    byPhase: mapNames(phases, (phase) => total(({ byPhase }) => byPhase[phase])),
    ...mapNames(known, (state) => total((numbers) => numbers[state] ?? 0)),
  };
}

/** Multiplies the numbers of one Job without Pods by the number of such Jobs. */
export function multiplyNumbers(numbers: PodNumbers, count: number): PodNumbers {
  const known = states.filter((state) => numbers[state] !== undefined);
  return { ...numbers, ...mapNames(known, (state) => (numbers[state] ?? 0) * count) };
}

function mapNames<Name extends string>(
  names: readonly Name[],
  numberOf: (name: Name) => number,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, numberOf(name)])) as Record<Name, number>;
}

/** Returns one sentence for each inconsistent sum, as a contradictory Pod status can cause. */
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

/** The required number of active Pods, and the lowest index without a Pod. */
export interface WantedPods {
  readonly wanted: number;
  readonly missing: number;
  /** Undefined if no Pod is missing, and for a Job without indexes. */
  readonly lowestMissingIndex: number | undefined;
}

/**
 * Returns how many Pods a Job requires now, and how many are missing.
 *
 * An index that has succeeded or failed permanently is not required. A succeeded Pod counts even before the Job's
 * status shows it.
 *
 * @param job - the Job; absent if it is required but does not exist
 * @param template - the Job's spec in the JobSet, used if the Job does not exist
 * @param counts - the result of {@link countPods}
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
    // After the first success of such a Job, no Pod is created.
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
  const occupiedRanges = [...ended, ...getRanges(pods.filter(({ isActive }) => isActive))];
  return { wanted, missing, lowestMissingIndex: lowestFreeIndex(occupiedRanges, completions) };
}

function createsNoPods(job: Unvalidated<Job>): boolean {
  if (job.spec?.suspend === true || isBeingDeleted(job)) return true;
  return asArray(job.status?.conditions).some(
    (condition) => endings.has(asString(condition?.type)) && condition?.status === "True",
  );
}

/** The conditions with which a Job creates no more Pods. */
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

function lowestFreeIndex(
  occupiedRanges: readonly Range[],
  completions: number,
): number | undefined {
  let lowest = 0;
  for (const [first, last] of mergeRanges(occupiedRanges, completions)) {
    if (lowest < first) break;
    lowest = last + 1;
  }
  return lowest < completions ? lowest : undefined;
}

function countItems<Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : otherwise;
}
