import type { EpochMillis, Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace, getUid, namespacedName, type Pod } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { Snapshot } from "@jobset-ts/core";
import type { PodName } from "./census.ts";
import { missingEventsReason, type ObservedEvent, observedEvents } from "./observed-event.ts";

/**
 * What Events report about the scheduler's attempts at the unscheduled Pods.
 *
 * - `NothingToSchedule`: no Pods are unscheduled
 * - `Unknown`: Events were not read, or the read failed
 * - `NotTried`: no attempt is recorded for any of the Pods
 * - `Failed`: the recorded failed attempts
 */
export type ScheduleAttempts =
  | { readonly outcome: "NothingToSchedule" | "NotTried" }
  | { readonly outcome: "Unknown"; readonly message: string }
  | {
      readonly outcome: "Failed";
      /** The latest attempts in time order. Attempts at the same time are sorted by namespace, name and message. */
      readonly attempts: readonly FailedAttempt[];
      /** The number of older attempts that are omitted. */
      readonly omittedCount: number;
    };

/** A reason why a Pod was not scheduled. */
export interface FailedAttempt extends PodName {
  readonly message: string;
  /** The number of attempts with this reason. */
  readonly count: number;
  /** The time of the last attempt. Absent if no Event has it. */
  readonly lastAt?: EpochMillis;
}

/** Returns the scheduler's attempts for Pods, from Events. Events about an earlier Pod of the same name are ignored. */
export function scheduleAttempts(
  snapshot: Snapshot,
  unscheduled: readonly Unvalidated<Pod>[],
  maxEvents: number,
): ScheduleAttempts {
  if (unscheduled.length === 0) return { outcome: "NothingToSchedule" };
  const unread = missingEventsReason(snapshot);
  if (unread !== undefined) return { outcome: "Unknown", message: unread };
  const podByKey = new Map(unscheduled.map((pod) => [namespacedName(pod), pod]));
  const attempts = new Map<string, FailedAttempt>();
  for (const event of observedEvents(snapshot)) {
    if (event.reason !== "FailedScheduling") continue;
    const pod = podByKey.get(`${event.about.namespace}/${event.about.name}`);
    if (pod === undefined || !isAbout(event, pod)) continue;
    const key = `${namespacedName(pod)}/${event.message}`;
    attempts.set(key, mergeAttempt(attempts.get(key), event, pod));
  }
  if (attempts.size === 0) return { outcome: "NotTried" };
  const inOrder = [...attempts.values()].sort(byTime);
  const omittedCount = Math.max(0, inOrder.length - maxEvents);
  return { outcome: "Failed", attempts: inOrder.slice(omittedCount), omittedCount };
}

/** Reports whether an Event is about this Pod and not about an earlier one of the same name. */
function isAbout({ about }: ObservedEvent, pod: Unvalidated<Pod>): boolean {
  const uid = getUid(pod);
  return (
    (about.kind === "Pod" || about.kind === "") &&
    (about.uid === uid || about.uid === "" || uid === "")
  );
}

function mergeAttempt(
  before: FailedAttempt | undefined,
  { message, count, lastAt }: ObservedEvent,
  pod: Unvalidated<Pod>,
): FailedAttempt {
  const latest = Math.max(before?.lastAt ?? NEVER_MS, lastAt ?? NEVER_MS);
  return {
    namespace: getNamespace(pod),
    name: getName(pod),
    message,
    count: (before?.count ?? 0) + count,
    ...(latest > NEVER_MS && { lastAt: latest }),
  };
}

/** Precedes all times. */
const NEVER_MS = Number.NEGATIVE_INFINITY;

function byTime(a: FailedAttempt, b: FailedAttempt): number {
  const [earlier, later] = [a.lastAt ?? NEVER_MS, b.lastAt ?? NEVER_MS];
  if (earlier !== later) return earlier < later ? -1 : 1;
  return (
    compareBytes(a.namespace, b.namespace) ||
    compareBytes(a.name, b.name) ||
    compareBytes(a.message, b.message)
  );
}
