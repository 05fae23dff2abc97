import type { EpochMillis } from "@jobset-ts/api";
import { asString, getControllerOf, getUid } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { Objects } from "../api-server/objects.ts";
import { type Change, getChangedObject, type Process } from "../kernel/component.ts";
import { withMembers, withoutMember } from "../with-members.ts";

/** The kinds that the Job controller keeps caches of. */
export const jobControllerKinds = ["Job", "Pod"] as const;

export type JobControllerKind = (typeof jobControllerKinds)[number];

/** What the controller knows of a kind while no change of it reaches its cache. */
interface StaleCache {
  /** What there was when that began. */
  readonly objects: Objects;
  readonly until: EpochMillis;
  /** The changes since then, the newest first. */
  readonly late: LateChange | undefined;
  /** When the controller itself has changed something of the kind last, by the UID of the Job that it was for. */
  readonly ownWrites: PersistentMap<EpochMillis>;
}

interface LateChange {
  readonly change: Change;
  readonly earlier: LateChange | undefined;
}

/** The kinds of which no change is heard; none where all is well. */
export type StaleCaches = Readonly<Partial<Record<JobControllerKind, StaleCache>>>;

type ControllerView = Process<{ readonly held: StaleCaches }>;

/** With no change of a kind heard up to an instant. */
export function withStaleCache(
  held: StaleCaches,
  kind: JobControllerKind,
  { objects, until }: Pick<StaleCache, "objects" | "until">,
): StaleCaches {
  const own = held[kind];
  const view: StaleCache =
    own === undefined
      ? { objects, until, late: undefined, ownWrites: emptyMap() }
      : withMembers(own, { until: Math.max(own.until, until) });
  return { ...held, [kind]: view };
}

/** With the views of a controller that has just listed everything; changes from then on are late again. */
export function relistCaches(held: StaleCaches, objects: Objects): StaleCaches {
  let views: StaleCaches = {};
  for (const kind of jobControllerKinds) {
    const { until } = held[kind] ?? {};
    if (until !== undefined) views = withStaleCache(views, kind, { objects, until });
  }
  return views;
}

/** With a change that is not heard yet; `undefined` where it is heard at once. */
export function withLateChange(
  held: StaleCaches,
  change: Change,
  isOwn: boolean,
): StaleCaches | undefined {
  const object = getChangedObject(change);
  const kind = object.kind as JobControllerKind;
  const view = held[kind];
  if (view === undefined) return undefined;
  const job = kind === "Job" ? getUid(object) : asString(getControllerOf(object)?.uid);
  const ownWrites = isOwn ? view.ownWrites.set(job, change.at) : view.ownWrites;
  const late = { change, earlier: view.late };
  return { ...held, [kind]: withMembers(view, { late, ownWrites }) };
}

/** Without the view of a kind, and what is heard of it now, the oldest change first. */
export function releaseCache(
  held: StaleCaches,
  kind: JobControllerKind,
): { readonly held: StaleCaches; readonly changes: readonly Change[] } {
  const changes: Change[] = [];
  for (let rest = held[kind]?.late; rest !== undefined; rest = rest.earlier) {
    changes.push(rest.change);
  }
  return { held: withoutMember(held, kind), changes: changes.reverse() };
}

/** The objects among which the controller sees those of a kind. */
export function getVisibleObjects(
  { memory, objects }: ControllerView,
  kind: JobControllerKind,
): Objects {
  return memory.held[kind]?.objects ?? objects;
}

/** When the controller has last changed something of a kind for a Job that it does not see yet. */
export function findUnseenWriteTime(
  { memory }: ControllerView,
  kind: JobControllerKind,
  jobUid: string,
): EpochMillis | undefined {
  return memory.held[kind]?.ownWrites.get(jobUid);
}
