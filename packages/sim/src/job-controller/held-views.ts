import type { EpochMillis } from "@jobset-ts/api";
import { asString, getControllerOf, getUid } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { Objects } from "../api-server/objects.ts";
import { type Change, createObject, type Process } from "../kernel/component.ts";
import { withMembers, withoutMember } from "../with-members.ts";

/** The kinds that the Job controller keeps caches of. */
export const jobControllerKinds = ["Job", "Pod"] as const;

export type JobControllerKind = (typeof jobControllerKinds)[number];

/** What the controller knows of a kind while no change of it reaches its cache. */
interface HeldView {
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
export type HeldViews = Readonly<Partial<Record<JobControllerKind, HeldView>>>;

type Viewer = Process<{ readonly held: HeldViews }>;

/** With no change of a kind heard up to an instant. */
export function withHeldView(
  held: HeldViews,
  kind: JobControllerKind,
  { objects, until }: Pick<HeldView, "objects" | "until">,
): HeldViews {
  const own = held[kind];
  const view: HeldView =
    own === undefined
      ? { objects, until, late: undefined, ownWrites: emptyMap() }
      : withMembers(own, { until: Math.max(own.until, until) });
  return { ...held, [kind]: view };
}

/** With the views of a controller that has just listed everything; changes from then on are late again. */
export function listedAnew(held: HeldViews, objects: Objects): HeldViews {
  let views: HeldViews = {};
  for (const kind of jobControllerKinds) {
    const { until } = held[kind] ?? {};
    if (until !== undefined) views = withHeldView(views, kind, { objects, until });
  }
  return views;
}

/** With a change that is not heard yet; `undefined` where it is heard at once. */
export function withLateChange(
  held: HeldViews,
  change: Change,
  isOwn: boolean,
): HeldViews | undefined {
  const object = createObject(change);
  const kind = object.kind as JobControllerKind;
  const view = held[kind];
  if (view === undefined) return undefined;
  const job = kind === "Job" ? getUid(object) : asString(getControllerOf(object)?.uid);
  const ownWrites = isOwn ? view.ownWrites.set(job, change.at) : view.ownWrites;
  const late = { change, earlier: view.late };
  return { ...held, [kind]: withMembers(view, { late, ownWrites }) };
}

/** Without the view of a kind, and what is heard of it now, the oldest change first. */
export function released(
  held: HeldViews,
  kind: JobControllerKind,
): { readonly held: HeldViews; readonly changes: readonly Change[] } {
  const changes: Change[] = [];
  for (let rest = held[kind]?.late; rest !== undefined; rest = rest.earlier) {
    changes.push(rest.change);
  }
  return { held: withoutMember(held, kind), changes: changes.reverse() };
}

/** The objects among which the controller sees those of a kind. */
export function seenObjects({ memory, objects }: Viewer, kind: JobControllerKind): Objects {
  return memory.held[kind]?.objects ?? objects;
}

/** When the controller has last changed something of a kind for a Job that it does not see yet. */
export function unseenWriteAt(
  { memory }: Viewer,
  kind: JobControllerKind,
  jobUid: string,
): EpochMillis | undefined {
  return memory.held[kind]?.ownWrites.get(jobUid);
}
