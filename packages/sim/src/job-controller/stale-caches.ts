import type { EpochMillis } from "@jobset-ts/api";
import { asString, getControllerOf, getUid } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { Objects } from "../api-server/objects.ts";
import { type Change, getChangedObject, type Process } from "../kernel/component.ts";
import { withMembers, withoutMember } from "../with-members.ts";

/** The kinds that the Job controller keeps caches of. */
export const jobControllerKinds = ["Job", "Pod"] as const;

export type JobControllerKind = (typeof jobControllerKinds)[number];

/** The controller's view of a kind while its watch is paused. */
interface StaleCache {
  /** The objects when the pause started. */
  readonly objects: Objects;
  readonly until: EpochMillis;
  /** The changes since then, newest first. */
  readonly lateChanges: LateChange | undefined;
  /** The time of the controller's own last write of the kind, by the UID of the Job that it was for. */
  readonly ownWrites: PersistentMap<EpochMillis>;
}

interface LateChange {
  readonly change: Change;
  readonly earlier: LateChange | undefined;
}

/** The kinds whose watch is paused. */
export type StaleCaches = Readonly<Partial<Record<JobControllerKind, StaleCache>>>;

type ControllerView = Process<{ readonly staleCaches: StaleCaches }>;

/** Pauses the watch of a kind up to an instant. */
export function withStaleCache(
  staleCaches: StaleCaches,
  kind: JobControllerKind,
  { objects, until }: Pick<StaleCache, "objects" | "until">,
): StaleCaches {
  const own = staleCaches[kind];
  const view: StaleCache =
    own === undefined
      ? { objects, until, lateChanges: undefined, ownWrites: emptyMap() }
      : withMembers(own, { until: Math.max(own.until, until) });
  return { ...staleCaches, [kind]: view };
}

/** Returns the caches of a controller that has just listed all objects. They lag behind later changes again. */
export function relistCaches(staleCaches: StaleCaches, objects: Objects): StaleCaches {
  let views: StaleCaches = {};
  for (const kind of jobControllerKinds) {
    const { until } = staleCaches[kind] ?? {};
    if (until !== undefined) views = withStaleCache(views, kind, { objects, until });
  }
  return views;
}

/** Records a change of a paused kind. `undefined` if the watch of the kind is not paused. */
export function withLateChange(
  staleCaches: StaleCaches,
  change: Change,
  isOwn: boolean,
): StaleCaches | undefined {
  const object = getChangedObject(change);
  const kind = object.kind as JobControllerKind;
  const view = staleCaches[kind];
  if (view === undefined) return undefined;
  const job = kind === "Job" ? getUid(object) : asString(getControllerOf(object)?.uid);
  const ownWrites = isOwn ? view.ownWrites.set(job, change.at) : view.ownWrites;
  const lateChanges = { change, earlier: view.lateChanges };
  return { ...staleCaches, [kind]: withMembers(view, { lateChanges, ownWrites }) };
}

/** Resumes the watch of a kind. Returns its late changes, oldest first. */
export function releaseCache(
  staleCaches: StaleCaches,
  kind: JobControllerKind,
): { readonly staleCaches: StaleCaches; readonly changes: readonly Change[] } {
  const changes: Change[] = [];
  for (let rest = staleCaches[kind]?.lateChanges; rest !== undefined; rest = rest.earlier) {
    changes.push(rest.change);
  }
  return { staleCaches: withoutMember(staleCaches, kind), changes: changes.reverse() };
}

/** Returns the objects that the controller sees for a kind. */
export function getVisibleObjects(
  { memory, objects }: ControllerView,
  kind: JobControllerKind,
): Objects {
  return memory.staleCaches[kind]?.objects ?? objects;
}

/** Returns when the controller last wrote an object for a Job without having seen the write. */
export function findUnseenWriteTime(
  { memory }: ControllerView,
  kind: JobControllerKind,
  jobUid: string,
): EpochMillis | undefined {
  return memory.staleCaches[kind]?.ownWrites.get(jobUid);
}
