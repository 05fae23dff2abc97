import { namespacedName } from "@jobset-ts/api/kubernetes";
import { createSnapshot, type Snapshot } from "@jobset-ts/core";
import type { Objects, Stored } from "../api-server/objects.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import { withMember, withMembers } from "../with-members.ts";

/** The kinds that the controller watches, each with its own stream. */
export const WATCHED_KINDS = ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Node"];

/**
 * The informer caches of a process. Each kind has its own lag, and its later changes are in flight. Changes of one kind
 * arrive in write order. There is no order between kinds.
 */
export interface Caches {
  readonly snapshot: Snapshot;
  /** By kind, the revision of the cache. */
  readonly revisions: Readonly<Record<string, number>>;
  /** By kind, the changes in flight, newest first. */
  readonly inFlight: Readonly<Record<string, InFlightChange | undefined>>;
}

interface Arrival {
  readonly arrivesAt: number;
  /** Whether only the last state of each object is visible when the changes arrive. */
  readonly collapses: boolean;
}

interface InFlightChange extends Arrival {
  readonly change: Change;
  readonly earlier: InFlightChange | undefined;
}

/** Creates caches that have just listed everything. */
export function createCaches(objects: Objects, revision: number): Caches {
  const known = WATCHED_KINDS.flatMap((kind) => objects.ofKind<Stored>(kind));
  return {
    snapshot: createSnapshot(known, { kinds: "all" }),
    revisions: Object.fromEntries(WATCHED_KINDS.map((kind) => [kind, revision])),
    inFlight: {},
  };
}

/** The changes of all watched kinds, newest first. */
export interface Past {
  readonly change: Change;
  readonly earlier: Past | undefined;
}

/**
 * Creates caches that have just listed everything, except that one kind is as it was at an instant. Its later changes
 * are in flight.
 */
export function createPastCaches(
  objects: Objects,
  revision: number,
  past: Past | undefined,
  {
    kind,
    asOf,
    arrivesAt,
  }: { readonly kind: string; readonly asOf: number; readonly arrivesAt: number },
): Caches {
  const caches = createCaches(objects, revision);
  const since: Change[] = [];
  for (let rest = past; rest !== undefined && rest.change.at > asOf; rest = rest.earlier) {
    if (getChangedObject(rest.change).kind === kind) since.push(rest.change);
  }
  const oldest = since.at(-1);
  if (oldest === undefined) return caches;
  // The oldest change of each object comes last, so the map keeps its state before all changes.
  const first = new Map(since.map((change) => [namespacedName(getChangedObject(change)), change]));
  const changes = [...first.values()];
  return {
    snapshot: caches.snapshot.with({
      put: changes.flatMap(({ before }) => (before === undefined ? [] : [before])),
      remove: changes.flatMap(({ before, after }) => (before === undefined ? [after] : [])),
    }),
    revisions: { ...caches.revisions, [kind]: oldest.revision - 1 },
    inFlight: {
      [kind]: linkChanges(
        since.map((change) => ({ change, arrivesAt, collapses: false, earlier: undefined })),
      ),
    },
  };
}

/** Puts a change in flight. It arrives no earlier than the changes before it. */
export function withInFlightChange(
  caches: Caches,
  change: Change,
  { arrivesAt, collapses }: Arrival,
): { readonly caches: Caches; readonly arrivesAt: number } {
  const { kind } = getChangedObject(change);
  const earlier = caches.inFlight[kind];
  const at = Math.max(arrivesAt, earlier?.arrivesAt ?? 0);
  const arriving: InFlightChange = { change, arrivesAt: at, collapses, earlier };
  const { snapshot, revisions } = caches;
  const inFlight = withMember(caches.inFlight, kind, arriving);
  return { caches: { snapshot, revisions, inFlight }, arrivesAt: at };
}

/** Delivers the changes of a kind that have arrived by an instant. Returns them, oldest first. */
export function deliverChanges(
  caches: Caches,
  kind: string,
  now: number,
): { readonly caches: Caches; readonly changes: readonly Change[] } {
  const later: InFlightChange[] = [];
  let rest = caches.inFlight[kind];
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
  const ends = compactChanges(changes);
  const [put, remove]: [Stored[], (Stored | undefined)[]] = [[], []];
  for (const { before, after } of ends) {
    if (after === undefined) remove.push(before);
    else put.push(after);
  }
  return {
    caches: {
      snapshot: caches.snapshot.with({ put, remove }),
      revisions: withMember(caches.revisions, kind, newest.revision),
      inFlight: withMember(caches.inFlight, kind, linkChanges(later)),
    },
    changes: collapses ? ends : changes,
  };
}

/** Merges the changes of each object into one. Objects that were created and deleted in between have none. */
function compactChanges(changes: readonly Change[]): readonly Change[] {
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

/** Returns when the next change of a kind arrives. */
export function getNextArrival({ inFlight }: Caches, kind: string): number | undefined {
  let at: number | undefined;
  for (let rest = inFlight[kind]; rest !== undefined; rest = rest.earlier) at = rest.arrivesAt;
  return at;
}

/** Returns whether changes of a kind up to a revision are still in flight. */
export function isBehind({ revisions, inFlight }: Caches, kind: string, revision: number): boolean {
  return (revisions[kind] ?? 0) < revision && inFlight[kind] !== undefined;
}

/** Links in-flight changes into a list, newest first. */
function linkChanges(newestFirst: readonly InFlightChange[]): InFlightChange | undefined {
  return newestFirst.reduceRight<InFlightChange | undefined>(
    (earlier, one) => withMembers(one, { earlier }),
    undefined,
  );
}
