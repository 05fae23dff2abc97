import type { EpochMillis } from "@jobset-ts/api";
import { getControllerOf, namespacedName } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { RequestedObject, ServerRequest } from "../api-server/api-request.ts";
import type { Stored } from "../api-server/objects.ts";
import { isEqualJson } from "../api-server/stored-values.ts";
import { getChangedObject } from "../kernel/component.ts";
import { getRequestedChange } from "./jobset-facts.ts";
import { isByManager, type LawContext, type SafetyLaw } from "./law.ts";
import { SOON_MS } from "./liveness-law.ts";

export const noWriteIsInvalid: SafetyLaw = {
  name: "noWriteIsInvalid",
  sentence:
    "The controller never changes an object to one that the API server finds invalid; races end in conflicts.",
  validUnder: "Always",
  memory: undefined,
  onRefusal: (refused) => {
    const { request, rejection } = refused;
    if (!isByManager(refused) || request.verb === "create" || rejection.code !== 422)
      return undefined;
    return rejection.message;
  },
};

export const noWriteIsInVain: SafetyLaw = {
  name: "noWriteIsInVain",
  sentence:
    "The controller sends no change of an object that it sees to be so already, except by server-side apply.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { verb, object, subresource, isApply } = request.asked;
    if ((verb !== "update" && verb !== "patch") || isApply) return undefined;
    const { before, after } = getRequestedChange(request);
    return before && isEqualJson(readContent(after, subresource), readContent(before, subresource))
      ? `${verb} of ${object.kind} ${object.metadata?.name} changes nothing`
      : undefined;
  },
};

export const deletionsNameWhatWasSeen: SafetyLaw = {
  name: "deletionsNameWhatWasSeen",
  sentence:
    "A deletion is asked for with the UID of the object that the pass has seen, so that another one of its name stays.",
  validUnder: "Always",
  // Upstream asks for none, and a pass that is alone does no harm by it.
  appliesTo: "BuiltInController",
  memory: undefined,
  onRequest: ({ asked, snapshot }) => {
    if (asked.verb !== "delete") return undefined;
    const { kind, metadata } = asked.object;
    const { namespace = "", name = "" } = metadata ?? {};
    const seen = snapshot.object(kind, namespace, name)?.metadata?.uid;
    const { uid } = asked.preconditions ?? {};
    return uid !== undefined && uid === seen
      ? undefined
      : `${kind} ${name} is deleted with the UID ${uid}, and ${seen} is seen`;
  },
};

/** What of an object a request can change. */
function readContent(
  object: RequestedObject,
  subresource: ServerRequest["subresource"],
): readonly unknown[] {
  const { metadata, ...content } = object as RequestedObject & { status?: unknown };
  if (subresource !== undefined) return [content.status];
  const { labels, annotations, finalizers, ownerReferences } = metadata ?? {};
  const { status: _, apiVersion: _version, ...spec } = content;
  return [labels, annotations, finalizers, ownerReferences, spec];
}

interface Passes {
  readonly revision: number;
  readonly count: number;
  readonly since: EpochMillis;
}

/** How many passes over one JobSet may see the same cluster within a minute: one for each watch that brings no news. */
const MAX_PASSES_PER_MINUTE = 40;

export const passesAreSpacedOut: SafetyLaw<PersistentMap<Passes>> = {
  name: "passesAreSpacedOut",
  sentence: "Over a cluster that does not change, the passes of a JobSet are spaced by back-off.",
  validUnder: "Always",
  memory: emptyMap(),
  onPlan: ({ plan, revisions, context }, sight) => {
    if (!("jobSet" in plan)) return undefined;
    const key = namespacedName({ metadata: plan.jobSet });
    const revision = Math.max(...Object.values(revisions));
    const own = sight.memory.get(key);
    const goesOn = own?.revision === revision && context.now - own.since < 60_000;
    const passes = goesOn
      ? { ...own, count: own.count + 1 }
      : { revision, count: 1, since: context.now };
    sight.memory = sight.memory.set(key, passes);
    return passes.count > MAX_PASSES_PER_MINUTE
      ? `${passes.count} passes over ${key} within ${context.now - passes.since} ms`
      : undefined;
  },
};

/** How many writes the controller has left over one JobSet before something else has to happen. */
const WRITES_AT_FIRST = 40;
const WRITES_FOR_EACH_CHANGE = 4;

/** How many writes are left over a JobSet, which process of the controller wrote last, and what it has done alone. */
interface Writes {
  readonly left: number;
  readonly writer?: string;
  /** When the first of its writes was since somebody else's, and how many there were. */
  readonly alone?: { readonly since: EpochMillis; readonly count: number };
}

/**
 * So often the controller may write while nobody else does for longer than anything takes: before it is refused something
 * for a long time, and after that.
 */
const WRITES_ALONE = 4;

export const writesAreCausedByChanges: SafetyLaw<PersistentMap<Writes>> = {
  name: "writesAreCausedByChanges",
  sentence:
    "The controller writes only so often to a JobSet and its Jobs as others do, and not for ever while nobody else does: what nobody touches comes to rest.",
  validUnder: "Always",
  memory: emptyMap(),
  onChange: (change, sight) => {
    const object = getChangedObject(change);
    const uid = getFamily(object);
    if (uid === undefined) {
      if (object.kind === "Pod") formatPodNote(object, sight);
      return undefined;
    }
    const { left, writer, alone } = sight.memory.get(uid) ?? { left: WRITES_AT_FIRST };
    const { actor, at } = change;
    // Of two that both lead for a moment, each answers what the other writes.
    const isOwn =
      isByManager(change) &&
      change.verb === "Modified" &&
      (writer === undefined || writer === actor);
    const now = isOwn ? left - 1 : left + WRITES_FOR_EACH_CHANGE;
    const lastWriter = isByManager(change) ? actor : writer;
    const spell = isOwn ? { since: alone?.since ?? at, count: (alone?.count ?? 0) + 1 } : undefined;
    sight.memory = sight.memory.set(uid, {
      left: now,
      ...(lastWriter !== undefined && { writer: lastWriter }),
      ...(spell !== undefined && { alone: spell }),
    });
    if (now < 0) return `it has written ${WRITES_AT_FIRST} times more than there was reason to`;
    return spell !== undefined && spell.count > WRITES_ALONE && at - spell.since > SOON_MS
      ? `it has written ${spell.count} times in ${(at - spell.since) / 1000} s, and nobody else has`
      : undefined;
  },
};

/** What becomes of the Pods of a JobSet may be a reason to write as well, as of those that restart in place. */
function formatPodNote(pod: Stored, sight: LawContext<PersistentMap<Writes>>): void {
  const owner = getControllerOf(pod);
  if (owner?.kind !== "Job") return;
  const job = sight.objects.get("Job", pod.metadata.namespace ?? "", owner.name ?? "");
  const uid = job && getFamily(job);
  const writes = uid === undefined ? undefined : sight.memory.get(uid);
  if (uid === undefined || writes?.alone === undefined) return;
  const { alone: _, ...others } = writes;
  sight.memory = sight.memory.set(uid, others);
}

/** The JobSet that an object is, or is controlled by. */
function getFamily(object: Stored): string | undefined {
  if (object.kind === "JobSet") return object.metadata.uid;
  const owner = getControllerOf(object);
  return owner?.kind === "JobSet" ? owner.uid : undefined;
}

export const writesAreInOrder: SafetyLaw<number> = {
  name: "writesAreInOrder",
  sentence: "Every write has a later revision than the one before, and the object says so.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: 0,
  onChange: ({ revision, after }, sight) => {
    const before = sight.memory;
    sight.memory = revision;
    if (revision <= before) return `revision ${revision} comes after ${before}`;
    return after === undefined || after.metadata.resourceVersion === String(revision)
      ? undefined
      : `revision ${revision} is stored as ${after.metadata.resourceVersion}`;
  },
};
