import { namespacedName } from "@jobset-ts/api/kubernetes";
import { createSnapshot, type Snapshot } from "@jobset-ts/core";
import type { Objects, Stored } from "../api-server/objects.ts";
import { type Change, createObject } from "../kernel/component.ts";
import { withMember, withMembers } from "../with-members.ts";

/** The kinds that the controller watches, each with its own stream. */
export const WATCHED_KINDS = ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Node"];

/**
 * What a process knows about the cluster: each kind as of some time ago, with later changes on their way. Changes of
 * one kind arrive in write order. There is no order between kinds.
 */
export interface Caches {
  readonly snapshot: Snapshot;
  /** The revision up to which each kind is known. */
  readonly revisions: Readonly<Record<string, number>>;
  /** What is on its way, by kind, the newest first. */
  readonly onTheWay: Readonly<Record<string, OnTheWay | undefined>>;
}

interface Arrival {
  readonly arrivesAt: number;
  /** Whether of all that arrives with it only the last state of each object is seen. */
  readonly collapses: boolean;
}

interface OnTheWay extends Arrival {
  readonly change: Change;
  readonly earlier: OnTheWay | undefined;
}

/** Caches that have just listed everything. */
export function listed(objects: Objects, revision: number): Caches {
  const known = WATCHED_KINDS.flatMap((kind) => objects.ofKind<Stored>(kind));
  return {
    snapshot: createSnapshot(known, { kinds: "all" }),
    revisions: Object.fromEntries(WATCHED_KINDS.map((kind) => [kind, revision])),
    onTheWay: {},
  };
}

/** The changes of all watched kinds, the newest first. */
export interface Past {
  readonly change: Change;
  readonly earlier: Past | undefined;
}

/** Caches that have just listed everything, one kind as it was at an instant; what has changed in it since is on its way. */
export function listPastObjects(
  objects: Objects,
  revision: number,
  past: Past | undefined,
  {
    kind,
    asOf,
    arrivesAt,
  }: { readonly kind: string; readonly asOf: number; readonly arrivesAt: number },
): Caches {
  const caches = listed(objects, revision);
  const since: Change[] = [];
  for (let rest = past; rest !== undefined && rest.change.at > asOf; rest = rest.earlier) {
    if (createObject(rest.change).kind === kind) since.push(rest.change);
  }
  const oldest = since.at(-1);
  if (oldest === undefined) return caches;
  // The oldest change of each object comes last, and tells what it was before all of them.
  const first = new Map(since.map((change) => [namespacedName(createObject(change)), change]));
  const changes = [...first.values()];
  return {
    snapshot: caches.snapshot.with({
      put: changes.flatMap(({ before }) => (before === undefined ? [] : [before])),
      remove: changes.flatMap(({ before, after }) => (before === undefined ? [after] : [])),
    }),
    revisions: { ...caches.revisions, [kind]: oldest.revision - 1 },
    onTheWay: {
      [kind]: linked(
        since.map((change) => ({ change, arrivesAt, collapses: false, earlier: undefined })),
      ),
    },
  };
}

/** With a change on its way; it arrives no earlier than those before it. */
export function expecting(
  caches: Caches,
  change: Change,
  { arrivesAt, collapses }: Arrival,
): { readonly caches: Caches; readonly arrivesAt: number } {
  const { kind } = createObject(change);
  const earlier = caches.onTheWay[kind];
  const at = Math.max(arrivesAt, earlier?.arrivesAt ?? 0);
  const arriving: OnTheWay = { change, arrivesAt: at, collapses, earlier };
  const onTheWay = withMember(caches.onTheWay, kind, arriving);
  return { caches: withMembers(caches, { onTheWay }), arrivesAt: at };
}

/** With the changes of a kind that have arrived by an instant, and which those are, the oldest first. */
export function delivered(
  caches: Caches,
  kind: string,
  now: number,
): { readonly caches: Caches; readonly changes: readonly Change[] } {
  const later: OnTheWay[] = [];
  let rest = caches.onTheWay[kind];
  for (; rest !== undefined && rest.arrivesAt > now; rest = rest.earlier) later.push(rest);
  const newest = rest?.change;
  if (newest === undefined) return { caches, changes: [] };
  const changes: Change[] = [];
  let collapses = false;
  for (; rest !== undefined; rest = rest.earlier) {
    changes.push(rest.change);
    collapses ||= rest.collapses;
  }
  changes.reverse();
  const ends = takeLastOfEach(changes);
  const [put, remove]: [Stored[], (Stored | undefined)[]] = [[], []];
  for (const { before, after } of ends) {
    if (after === undefined) remove.push(before);
    else put.push(after);
  }
  return {
    caches: {
      snapshot: caches.snapshot.with({ put, remove }),
      revisions: withMember(caches.revisions, kind, newest.revision),
      onTheWay: withMember(caches.onTheWay, kind, linked(later)),
    },
    changes: collapses ? ends : changes,
  };
}

/** One change for each object, from what it was first to what it is last; none for what only came and went. */
function takeLastOfEach(changes: readonly Change[]): readonly Change[] {
  if (changes.length === 1) return changes;
  const last = new Map<string, Change>();
  for (const change of changes) {
    const key = namespacedName(change.after ?? (change.before as Stored));
    const first = last.get(key);
    last.set(key, first === undefined ? change : withMembers(change, { before: first.before }));
  }
  return [...last.values()].filter(
    ({ before, after }) => before !== undefined || after !== undefined,
  );
}

/** When the next change of a kind arrives. */
export function nextArrival({ onTheWay }: Caches, kind: string): number | undefined {
  let at: number | undefined;
  for (let rest = onTheWay[kind]; rest !== undefined; rest = rest.earlier) at = rest.arrivesAt;
  return at;
}

/** Whether there are changes of a kind up to a revision that have not arrived. */
export function isBehind({ revisions, onTheWay }: Caches, kind: string, revision: number): boolean {
  return (revisions[kind] ?? 0) < revision && onTheWay[kind] !== undefined;
}

/** The changes that have not arrived, from the newest to the oldest, linked again. */
function linked(newestFirst: readonly OnTheWay[]): OnTheWay | undefined {
  return newestFirst.reduceRight<OnTheWay | undefined>(
    (earlier, one) => withMembers(one, { earlier }),
    undefined,
  );
}
