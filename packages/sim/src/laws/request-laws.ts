import type { EpochMillis } from "@jobset-ts/api";
import { getControllerOf, isEqualJson, namespacedName } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { RequestedObject, ServerRequest } from "../api-server/api-request.ts";
import type { Stored } from "../api-server/objects.ts";
import { getChangedObject } from "../kernel/component.ts";
import { isByManager, type LawContext, type SafetyLaw } from "./law.ts";
import { LIVENESS_LIMIT_MS } from "./liveness-law.ts";
import { getRequestedChange } from "./request-facts.ts";

export const noWriteIsInvalid: SafetyLaw = {
  name: "noWriteIsInvalid",
  sentence:
    "The API server never rejects a change by the controller as invalid; races end in conflicts.",
  validUnder: "Always",
  memory: undefined,
  onRejection: (rejected) => {
    const { request, rejection } = rejected;
    if (!isByManager(rejected) || request.verb === "create" || rejection.code !== 422)
      return undefined;
    return rejection.message;
  },
};

export const noWriteIsWithoutEffect: SafetyLaw = {
  name: "noWriteIsWithoutEffect",
  sentence:
    "The controller sends no change that has no effect on the object that it sees, except by server-side apply.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request) => {
    const { verb, object, subresource, isApply } = request.request;
    if ((verb !== "update" && verb !== "patch") || isApply) return undefined;
    const { before, after } = getRequestedChange(request);
    return before && isEqualJson(readContent(after, subresource), readContent(before, subresource))
      ? `${verb} of ${object.kind} ${object.metadata?.name} changes nothing`
      : undefined;
  },
};

export const deletionsHavePreconditions: SafetyLaw = {
  name: "deletionsHavePreconditions",
  sentence:
    "The controller deletes an object only with the UID that the pass has seen, so a new object with the same name is not deleted.",
  validUnder: "Always",
  // Upstream sends no UID, which is harmless for a single controller.
  appliesTo: "BuiltInController",
  memory: undefined,
  onRequest: ({ request, snapshot }) => {
    if (request.verb !== "delete") return undefined;
    const { kind, metadata } = request.object;
    const { namespace = "", name = "" } = metadata ?? {};
    const seen = snapshot.object(kind, namespace, name)?.metadata?.uid;
    const { uid } = request.preconditions ?? {};
    return uid !== undefined && uid === seen
      ? undefined
      : `${kind} ${name} is deleted with the UID ${uid}, but the pass has seen ${seen}`;
  },
};

/** Returns the part of an object that a request can change. */
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

/**
 * The maximum number of passes over one JobSet that see the same cluster within a minute. A watch event without a
 * change also starts a pass.
 */
const MAX_PASSES_PER_MINUTE = 40;

export const passesDoNotHotLoop: SafetyLaw<PersistentMap<Passes>> = {
  name: "passesDoNotHotLoop",
  sentence: "While the cluster does not change, the passes over a JobSet are delayed by back-off.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: emptyMap(),
  onPlan: ({ plan, revisions, context }, lawContext) => {
    if (!("jobSet" in plan)) return undefined;
    const key = namespacedName({ metadata: plan.jobSet });
    const revision = Math.max(...Object.values(revisions));
    const own = lawContext.memory.get(key);
    const goesOn = own?.revision === revision && context.now - own.since < 60_000;
    const passes = goesOn
      ? { ...own, count: own.count + 1 }
      : { revision, count: 1, since: context.now };
    lawContext.memory = lawContext.memory.set(key, passes);
    return passes.count > MAX_PASSES_PER_MINUTE
      ? `${passes.count} passes over ${key} within ${context.now - passes.since} ms`
      : undefined;
  },
};

/** The maximum number of writes for one JobSet before another client writes. */
const INITIAL_WRITES = 40;
const WRITES_FOR_EACH_CHANGE = 4;

/**
 * The number of remaining writes for a JobSet, the controller process that wrote last, and the writes that it
 * sent without others in between.
 */
interface Writes {
  readonly left: number;
  readonly writer?: string;
  /**
   * The time of its first write since the last write of another client, and the number of its writes
   * since then.
   */
  readonly alone?: { readonly since: EpochMillis; readonly count: number };
}

/**
 * The maximum number of writes while no other client writes for a long time. Repeated rejections cause some writes, and
 * so does the end of the rejections.
 */
const MAX_UNCAUSED_WRITES = 4;

export const writesAreCausedByChanges: SafetyLaw<PersistentMap<Writes>> = {
  name: "writesAreCausedByChanges",
  sentence:
    "The controller's writes to a JobSet and its Jobs are bounded by the writes of other clients, and stop when no other client writes.",
  validUnder: "Always",
  memory: emptyMap(),
  onChange: (change, context) => {
    const object = getChangedObject(change);
    const uid = getFamily(object);
    if (uid === undefined) {
      if (object.kind === "Pod") formatPodNote(object, context);
      return undefined;
    }
    const { left, writer, alone } = context.memory.get(uid) ?? { left: INITIAL_WRITES };
    const { actor, at } = change;
    // While two replicas both lead for a moment, each reacts to the writes of the other.
    const isOwn =
      isByManager(change) &&
      change.verb === "Modified" &&
      (writer === undefined || writer === actor);
    const now = isOwn ? left - 1 : left + WRITES_FOR_EACH_CHANGE;
    const lastWriter = isByManager(change) ? actor : writer;
    const spell = isOwn ? { since: alone?.since ?? at, count: (alone?.count ?? 0) + 1 } : undefined;
    context.memory = context.memory.set(uid, {
      left: now,
      ...(lastWriter !== undefined && { writer: lastWriter }),
      ...(spell !== undefined && { alone: spell }),
    });
    if (now < 0)
      return `the controller has written ${INITIAL_WRITES} times more than the writes of other clients explain`;
    return spell !== undefined &&
      spell.count > MAX_UNCAUSED_WRITES &&
      at - spell.since > LIVENESS_LIMIT_MS
      ? `the controller has written ${spell.count} times in ${(at - spell.since) / 1000} s, and no other client has written`
      : undefined;
  },
};

/** Changes of a JobSet's Pods may also cause writes, for example with in-place restart. */
function formatPodNote(pod: Stored, context: LawContext<PersistentMap<Writes>>): void {
  const owner = getControllerOf(pod);
  if (owner?.kind !== "Job") return;
  const job = context.objects.get("Job", pod.metadata.namespace ?? "", owner.name ?? "");
  const uid = job && getFamily(job);
  const writes = uid === undefined ? undefined : context.memory.get(uid);
  if (uid === undefined || writes?.alone === undefined) return;
  const { alone: _, ...others } = writes;
  context.memory = context.memory.set(uid, others);
}

/** Returns the UID of an object if it is a JobSet, or of the JobSet that controls it. */
function getFamily(object: Stored): string | undefined {
  if (object.kind === "JobSet") return object.metadata.uid;
  const owner = getControllerOf(object);
  return owner?.kind === "JobSet" ? owner.uid : undefined;
}

export const writesAreInOrder: SafetyLaw<number> = {
  name: "writesAreInOrder",
  sentence: "Every write increases the revision, and the written object contains it.",
  validUnder: "Always",
  appliesTo: "BuiltInController",
  memory: 0,
  onChange: ({ revision, after }, context) => {
    const before = context.memory;
    context.memory = revision;
    if (revision <= before) return `revision ${revision} comes after ${before}`;
    return after === undefined || after.metadata.resourceVersion === String(revision)
      ? undefined
      : `revision ${revision} is stored as ${after.metadata.resourceVersion}`;
  },
};
