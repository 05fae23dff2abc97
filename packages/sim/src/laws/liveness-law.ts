import type { EpochMillis } from "@jobset-ts/api";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { Objects, Stored } from "../api-server/objects.ts";
import { getPassNotes } from "../jobset-controller/pass-note.ts";
import type { StepResult } from "../kernel/advance.ts";
import { START_TIME } from "../kernel/cluster.ts";
import type { Change } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import type { FaultCondition, LawStatement, LawViolation } from "./law.ts";

/**
 * A law about what must happen within a time limit. A change starts the time limit. When it ends, nothing may be
 * missing. The time limit restarts when a change starts it again, when the last lasting fault ends, and when a
 * request fails because of a fault. After such a failure, the controller may wait for its longest back-off. The law
 * reads changes and the stored objects.
 */
export interface LivenessLaw extends LawStatement {
  /** By default `Always`. */
  readonly validUnder?: FaultCondition;
  /** Milliseconds of virtual time. */
  readonly withinMs: number;
  /** Returns the subject for which a change starts the time limit. */
  readonly begins: (change: Change, objects: Objects) => LivenessStart | undefined;
  /** Returns the missing part. `undefined` if nothing is missing or the subject no longer matters. */
  readonly missing: (subject: Stored, objects: Objects) => string | undefined;
}

/** Longer than the longest back-off of a work queue, 1,000 s, plus the time that Pods take to stop. */
export const LIVENESS_LIMIT_MS = 1_200_000;

/** The subject for which a change starts the time limit of a law. */
export interface LivenessStart {
  readonly subject: Stored;
  /** Additional time in milliseconds. */
  readonly laterMs?: number;
}

/** Laws that the same changes start and that have the same time limit, so one entry serves them all. */
export type LivenessGroup = readonly [LivenessLaw, ...LivenessLaw[]];

export function listGroups(laws: readonly LivenessLaw[]): readonly LivenessGroup[] {
  const groups: [LivenessLaw, ...LivenessLaw[]][] = [];
  for (const law of laws) {
    const { begins, withinMs } = law;
    const group = groups.find(([own]) => own.begins === begins && own.withinMs === withinMs);
    if (group === undefined) groups.push([law]);
    else group.push(law);
  }
  return groups;
}

/** All started time limits that have not been checked since. An immutable value, like the cluster. */
export interface PendingLaws {
  /** By the index of the group and the UID. */
  readonly pending: PersistentMap<PendingRequirement>;
  /** Nothing is due before this time. */
  readonly firstDueAt: EpochMillis;
  /** When the last known request that fails because of a fault ends. */
  readonly failingUntil: EpochMillis;
}

interface PendingRequirement {
  readonly group: LivenessGroup;
  readonly subject: Stored;
  readonly since: EpochMillis;
  readonly dueAt: EpochMillis;
}

export const NO_PENDING_LAWS: PendingLaws = {
  pending: emptyMap(),
  firstDueAt: Number.POSITIVE_INFINITY,
  failingUntil: START_TIME,
};

/**
 * Adds the laws that a turn starts.
 *
 * @param calmAt - when nothing goes wrong for a time any more
 */
export function addPending(
  groups: readonly LivenessGroup[],
  awaited: PendingLaws,
  turn: StepResult,
  calmAt: EpochMillis,
): PendingLaws {
  if (groups.length === 0) return awaited;
  const { cluster, changes } = turn;
  let before = awaited;
  for (const note of getPassNotes(turn)) {
    if (note.kind === "FaultNote") before = restartWaits(before, note.until ?? cluster.now);
  }
  let { pending: begun, firstDueAt } = before;
  const { failingUntil } = before;
  for (const change of changes) {
    for (let place = 0; place < groups.length; place++) {
      const group = groups[place] as LivenessGroup;
      const { begins, withinMs } = group[0];
      const begin = begins(change, cluster.objects);
      if (begin === undefined) continue;
      const { subject, laterMs = 0 } = begin;
      const dueAt = Math.max(cluster.now, calmAt, failingUntil) + withinMs + laterMs;
      const waiting = { group, subject, since: cluster.now, dueAt };
      begun = begun.set(`${place} ${subject.metadata.uid}`, waiting);
      firstDueAt = Math.min(firstDueAt, dueAt);
    }
  }
  return begun === before.pending ? before : { pending: begun, firstDueAt, failingUntil };
}

/** Restarts the full time limit of each pending law when a failure is over. */
function restartWaits(
  { pending: begun, failingUntil }: PendingLaws,
  now: EpochMillis,
): PendingLaws {
  let [next, firstDueAt] = [begun, Number.POSITIVE_INFINITY];
  for (const [key, waiting] of begun.entries()) {
    const dueAt = Math.max(waiting.dueAt, now + waiting.group[0].withinMs);
    next = next.set(key, withMembers(waiting, { dueAt }));
    firstDueAt = Math.min(firstDueAt, dueAt);
  }
  return { pending: next, firstDueAt, failingUntil: Math.max(failingUntil, now) };
}

/**
 * Returns the violations of all laws that are due before an instant, if nothing in the cluster changes until then.
 *
 * @param until - infinite if nothing else happens
 */
export function findOverdue(
  awaited: PendingLaws,
  objects: Objects,
  until: EpochMillis,
): { readonly awaited: PendingLaws; readonly violations: readonly LawViolation[] } {
  if (awaited.firstDueAt >= until) return { awaited, violations: [] };
  let { pending: begun } = awaited;
  let firstDueAt = Number.POSITIVE_INFINITY;
  const due: PendingRequirement[] = [];
  for (const [key, waiting] of awaited.pending.entries()) {
    if (waiting.dueAt < until) {
      due.push(waiting);
      begun = begun.delete(key);
    } else firstDueAt = Math.min(firstDueAt, waiting.dueAt);
  }
  due.sort((one, other) => one.dueAt - other.dueAt);
  const { failingUntil } = awaited;
  const violations = due.flatMap(({ group, subject, since, dueAt }) =>
    group.flatMap(({ name, sentence, missing }) => {
      const text = missing(subject, objects);
      if (text === undefined) return [];
      const message = `${text}, since ${(since - START_TIME) / 1000} s`;
      return [{ law: name, sentence, at: dueAt, message }];
    }),
  );
  return { awaited: { pending: begun, firstDueAt, failingUntil }, violations };
}
