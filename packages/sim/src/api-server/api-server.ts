import { type EpochMillis, formatTime, type Unvalidated } from "@jobset-ts/api";
import {
  applyMergePatch,
  asArray,
  asString,
  getName,
  getNamespace,
  type KubernetesObject,
  type ObjectMeta,
  type Pod,
  resolveGenerateName,
} from "@jobset-ts/api/kubernetes";
import { withMembers, withoutMember } from "../with-members.ts";
import type { AdmissionResult } from "./admission-step.ts";
import type {
  RequestedObject,
  ServerRejection,
  ServerReply,
  ServerRequest,
} from "./api-request.ts";
import { findDecodingRejection } from "./decoding.ts";
import { getDeletionFinalizers, getGraceSeconds } from "./deletion.ts";
import type { KindRules, ServedVersions } from "./kind-rules.ts";
import { findKindRules } from "./kinds.ts";
import type { Objects, Stored } from "./objects.ts";
import { setDisruptionTarget } from "./pod-conditions.ts";
import { bindPod, checkEviction } from "./pod-subresources.ts";
import {
  alreadyExists,
  invalid,
  notFound,
  preconditionFailed,
  resourceVersionConflict,
  unknownKind,
} from "./rejections.ts";
import { deepFreeze, editObject, isEqualJson, shareUnchanged, toStored } from "./stored-values.ts";

/**
 * The API server at one moment: its stored objects, and everything else that its replies depend on. It is an immutable
 * value.
 */
export interface ApiServer extends ServedVersions {
  readonly now: EpochMillis;
  readonly objects: Objects;
  /** The number of writes so far. */
  readonly revision: number;
  /** Returns the five random characters of a generated name. */
  readonly nameSuffix: (prefix: string, attempt: number) => string;
  /** Runs the mutating admission plugins and webhooks, one after the other. */
  readonly mutate: (object: Stored, before: Stored | undefined) => AdmissionResult;
  /** Runs the validating admission plugins and webhooks. */
  readonly validate: (object: Stored, before: Stored | undefined) => ServerRejection | undefined;
}

/** A watch event of any kind: an object was added, modified or deleted. */
export interface WatchEvent {
  readonly verb: "Added" | "Modified" | "Deleted";
  /** The revision after this write. */
  readonly revision: number;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

/** The result of a request. */
export interface ServeResult {
  readonly reply: ServerReply;
  /** The writes of the request, in order. Empty for a rejected request. */
  readonly events: readonly WatchEvent[];
}

/**
 * Handles a request and returns the reply.
 *
 * @param isUnchecked - whether the body can be arbitrary, as from a user; components of the simulation send valid objects
 */
export function serve(
  server: ApiServer,
  request: ServerRequest,
  isUnchecked: boolean,
): ServeResult {
  const serving = new RequestExecution(server);
  return { reply: handleRequest(serving, request, isUnchecked), events: serving.events };
}

/** One request in progress, with its writes so far. */
class RequestExecution {
  readonly server: ApiServer;
  readonly events: WatchEvent[] = [];

  constructor(server: ApiServer) {
    this.server = server;
  }

  get #nextRevision(): number {
    return this.server.revision + this.events.length + 1;
  }

  newUid(): string {
    return createUid(this.#nextRevision);
  }

  /** Stores a new version of an object under a new resourceVersion, or removes the object. */
  commit(before: Stored | undefined, after: Stored | undefined): Stored {
    const revision = this.#nextRevision;
    const stored = after && withResourceVersion(after, String(revision));
    const verb = before === undefined ? "Added" : after === undefined ? "Deleted" : "Modified";
    this.events.push({ verb, revision, before, after: stored });
    return (stored ?? before) as Stored;
  }
}

function handleRequest(
  serving: RequestExecution,
  request: ServerRequest,
  isUnchecked: boolean,
): ServerReply {
  const { verb } = request;
  const rules = findKindRules(request.object.kind);
  if (rules === undefined) return unknownKind(request.object.kind);
  const unread = isUnchecked ? findDecodingRejection(rules, request.object) : undefined;
  if (unread !== undefined) return unread;
  // In a patch, null removes a member.
  const object = toStored(request.object, verb !== "patch" && !rules.isCustomResource);
  const { subresource } = request;
  if (verb === "create" && subresource === undefined) return create(serving, rules, object);
  const namespace = rules.isNamespaced ? getNamespace(object as Unvalidated<KubernetesObject>) : "";
  const name = getName(object as Unvalidated<KubernetesObject>);
  const stored = serving.server.objects.get<Stored>(rules.kind, namespace, name);
  if (stored === undefined) return notFound(rules, name);
  const rejection = checkPreconditions(rules, stored, request);
  if (rejection !== undefined) return rejection;
  if (verb === "delete") return deleteObject(serving, rules, stored, request);
  if (subresource === "binding") return bind(serving, rules, stored, object);
  if (subresource === "eviction") return evict(serving, rules, stored, request);
  const requested =
    verb === "patch" ? (applyMergePatch(stored, object) as Stored) : (object as Stored);
  if (
    verb === "update" &&
    rules.isCustomResource &&
    !asString(requested.metadata?.resourceVersion)
  ) {
    return invalid(rules, name, [
      "metadata.resourceVersion: Invalid value: 0: must be specified for an update",
    ]);
  }
  return update(serving, rules, stored, requested, subresource);
}

const NAME_ATTEMPTS = 8;

function create(
  serving: RequestExecution,
  rules: KindRules,
  requested: RequestedObject,
): ServerReply {
  const decoded = deepFreeze(withoutSystemMembers(rules, requested));
  const { server } = serving;
  const mutated = server.mutate(rules.applyDefaults?.(decoded, server) ?? decoded, undefined);
  if (!mutated.ok) return mutated;
  const { metadata } = mutated.object;
  const prefix = asString(metadata.name) === "" ? asString(metadata.generateName) : "";
  let rejection: ServerRejection | undefined;
  for (let attempt = 0; attempt < (prefix === "" ? 1 : NAME_ATTEMPTS); attempt++) {
    const name =
      prefix === ""
        ? asString(metadata.name)
        : resolveGenerateName(prefix, serving.server.nameSuffix(prefix, attempt));
    const existing = serving.server.objects.get(rules.kind, getNamespace(mutated.object), name);
    if (existing === undefined) return storeNewObject(serving, rules, mutated.object, name);
    const isBeingDeleted = existing.metadata.deletionTimestamp !== undefined;
    rejection = alreadyExists(rules, name, { isBeingDeleted, wasGenerated: prefix !== "" });
  }
  return rejection ?? notFound(rules, "");
}

/** Sets the server-assigned fields of a new object, validates it and stores it. */
function storeNewObject(
  serving: RequestExecution,
  rules: KindRules,
  mutated: Stored,
  name: string,
): ServerReply {
  // A run creates thousands of objects, and an immer draft for each would dominate the run time.
  const metadata = withMembers(mutated.metadata, {
    name,
    uid: serving.newUid(),
    creationTimestamp: formatTime(serving.server.now),
    ...(rules.countsGenerations && { generation: 1 }),
  });
  const created = deepFreeze(withMembers(withoutStatus(rules, mutated), { metadata }));
  const object = rules.prepare?.(created) ?? created;
  const errors = rules.validateCreate?.(object, serving.server) ?? [];
  if (errors.length > 0) return invalid(rules, name, errors);
  const denial = serving.server.validate(object, undefined);
  return denial ?? { ok: true, object: serving.commit(undefined, object) };
}

/** Returns a new object without the fields that only the server writes. */
function withoutSystemMembers(rules: KindRules, requested: RequestedObject): Stored {
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    ...metadata
  } = (requested.metadata ?? {}) as Partial<ObjectMeta> & Record<string, unknown>;
  const { apiVersion, kind } = rules;
  const members = { apiVersion, kind, metadata: metadata as ObjectMeta };
  return withoutStatus(rules, withMembers(requested as unknown as Stored, members));
}

/** Removes the status from a new object. Clients and webhooks can set it only for some kinds. */
function withoutStatus({ hasStatus, isCreatedWithStatus }: KindRules, object: Stored): Stored {
  if (!hasStatus || isCreatedWithStatus || object.status === undefined) return object;
  return withoutMember(object, "status");
}

function update(
  serving: RequestExecution,
  rules: KindRules,
  stored: Stored,
  requested: Stored,
  subresource: "status" | undefined,
): ServerReply {
  const name = getName(stored);
  const version = asString(requested.metadata?.resourceVersion);
  if (version !== "" && version !== stored.metadata.resourceVersion) {
    return resourceVersionConflict(rules, name);
  }
  const written =
    subresource === "status"
      ? mergeStatusWrite(rules, stored, requested)
      : mergeMainWrite(
          rules,
          stored,
          rules.applyDefaults?.(requested, serving.server) ?? requested,
        );
  // Equal parts are shared, so identity is enough.
  const isSpecChanged = written.spec !== stored.spec;
  const after =
    isSpecChanged && rules.countsGenerations
      ? deepFreeze(
          withMembers(written, {
            metadata: withMembers(written.metadata, {
              generation: (written.metadata.generation ?? 0) + 1,
            }),
          }),
        )
      : written;
  const errors =
    (subresource === "status"
      ? rules.validateStatus?.(after, stored, serving.server)
      : rules.validateUpdate?.(after, stored, serving.server)) ?? [];
  if (errors.length > 0) return invalid(rules, name, errors);
  // Status writes skip the webhooks.
  const denial = subresource === "status" ? undefined : serving.server.validate(after, stored);
  if (denial !== undefined) return denial;
  return { ok: true, object: storeVersion(serving, stored, after) };
}

/**
 * Stores a new version of an object, unless nothing changed. Removes the object if it was only waiting for its
 * finalizers.
 */
function storeVersion(serving: RequestExecution, stored: Stored, after: Stored): Stored {
  if (after === stored) return stored;
  const isHeld = asArray(after.metadata.finalizers).length > 0 || isWaitingForGrace(after);
  if (after.metadata.deletionTimestamp === undefined || isHeld)
    return serving.commit(stored, after);
  // The deletion event holds the object as it was before its last finalizer was removed.
  serving.commit(stored, undefined);
  return after;
}

function isWaitingForGrace({ metadata }: Stored): boolean {
  return (metadata.deletionGracePeriodSeconds ?? 0) > 0;
}

/** Merges an update of the main resource. It keeps the status and the fields that only the server writes. */
function mergeMainWrite(rules: KindRules, stored: Stored, requested: Stored): Stored {
  const { apiVersion, kind } = stored;
  const metadata = mergeMetadata(stored, requested);
  const { status } = rules.hasStatus ? stored : requested;
  return shareUnchanged(stored, withStatus(requested, { apiVersion, kind, metadata, status }));
}

/**
 * Merges a status update. It keeps the spec. A built-in kind also accepts changes of user metadata. Returns the stored
 * object if nothing changes.
 */
function mergeStatusWrite(rules: KindRules, stored: Stored, requested: Stored): Stored {
  const status = shareUnchanged(stored.status, requested.status);
  const metadata = rules.isCustomResource
    ? stored.metadata
    : shareUnchanged(stored.metadata, mergeMetadata(stored, requested));
  return status === stored.status && metadata === stored.metadata
    ? stored
    : Object.freeze(withStatus(stored, { status, metadata }));
}

/** Returns an object with other members. An undefined status is absent. */
function withStatus(
  object: Stored,
  members: Partial<Stored> & { readonly status: unknown },
): Stored {
  const next = withMembers(object, members) as Stored;
  return members.status === undefined ? withoutMember(next, "status") : next;
}

/** Merges the metadata of an update. The system metadata does not change. */
function mergeMetadata(stored: Stored, { metadata }: Stored): ObjectMeta {
  return metadata === stored.metadata
    ? metadata
    : withMembers(metadata, pickSystemMetadata(stored));
}

const SYSTEM_METADATA = [
  "name",
  "namespace",
  "generateName",
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
] as const;

function pickSystemMetadata({ metadata }: Stored): Partial<ObjectMeta> {
  const members: Record<string, unknown> = {};
  for (const name of SYSTEM_METADATA) {
    if (metadata[name] !== undefined) members[name] = metadata[name];
  }
  return members;
}

/** Binds a Pod to a node. Only a binding can do this. */
function bind(
  serving: RequestExecution,
  rules: KindRules,
  stored: Stored,
  requested: RequestedObject,
): ServerReply {
  const admitted = bindPod(rules, stored, requested, serving.server.now);
  if (!admitted.ok) return admitted;
  return { ok: true, object: serving.commit(stored, admitted.object) };
}

/** Deletes a Pod and records the eviction in its conditions, unless a PodDisruptionBudget forbids it. */
function evict(
  serving: RequestExecution,
  rules: KindRules,
  stored: Stored,
  request: ServerRequest,
): ServerReply {
  const rejection = checkEviction(stored, serving.server.objects);
  if (rejection !== undefined) return rejection;
  const deletion = editObject(stored, (pod) => {
    setDisruptionTarget(
      pod as unknown as Pod,
      "EvictionByEvictionAPI",
      "Eviction API: evicting",
      serving.server.now,
    );
  });
  const evicted = deletion === stored ? stored : serving.commit(stored, deletion);
  return deleteObject(serving, rules, evicted, request);
}

/** Deletes an object: at once, or after its finalizers and its grace period. */
function deleteObject(
  serving: RequestExecution,
  rules: KindRules,
  stored: Stored,
  { propagationPolicy, gracePeriodSeconds }: ServerRequest,
): ServerReply {
  const finalizers = getDeletionFinalizers(rules, stored, propagationPolicy);
  const grace = getGraceSeconds(rules, stored, gracePeriodSeconds);
  // An object with a grace period gets a deletionTimestamp first, even if the period is zero.
  const isMarked = rules.graceSeconds !== undefined && !stored.metadata.deletionTimestamp;
  const isOver = finalizers.length === 0 && grace === 0;
  if (isOver && !isMarked) {
    serving.commit(stored, undefined);
    return { ok: true, object: stored };
  }
  const metadata = createDeletionMetadata(serving, rules, stored, finalizers, grace);
  const after = shareUnchanged(stored, withMembers(stored, { metadata }));
  if (isOver) {
    const marked = serving.commit(stored, after);
    serving.commit(marked, undefined);
    return { ok: true, object: marked };
  }
  return { ok: true, object: storeVersion(serving, stored, after) };
}

/** Returns the metadata of an object in deletion. A later request can only shorten the grace period. */
function createDeletionMetadata(
  serving: RequestExecution,
  rules: KindRules,
  { metadata }: Stored,
  finalizers: readonly string[],
  grace: number,
): ObjectMeta {
  const { finalizers: current, ...others } = metadata;
  const retained = isEqualJson(current ?? [], finalizers) ? current : [...finalizers];
  const isFirst = metadata.deletionTimestamp === undefined;
  const isShorter = grace < (metadata.deletionGracePeriodSeconds ?? 0);
  return {
    ...others,
    ...(retained !== undefined && retained.length > 0 && { finalizers: retained }),
    ...((isFirst || isShorter) && {
      deletionTimestamp: formatTime(serving.server.now + grace * 1000),
      deletionGracePeriodSeconds: grace,
    }),
    ...(isFirst && rules.countsGenerations && { generation: (metadata.generation ?? 0) + 1 }),
  };
}

function checkPreconditions(
  rules: KindRules,
  { metadata }: Stored,
  { preconditions = {} }: ServerRequest,
): ServerRejection | undefined {
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== metadata.uid) {
    const actual = asString(metadata.uid);
    return preconditionFailed(rules, asString(metadata.name), {
      what: "UID",
      expected: uid,
      actual,
    });
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    return preconditionFailed(rules, asString(metadata.name), {
      what: "ResourceVersion",
      expected: resourceVersion,
      actual: asString(metadata.resourceVersion),
    });
  }
  return undefined;
}

/** Returns a frozen object with this resourceVersion. */
function withResourceVersion(object: Stored, resourceVersion: string): Stored {
  const metadata = Object.freeze(withMembers(object.metadata, { resourceVersion }));
  return Object.freeze(withMembers(object, { metadata }));
}

/** Returns the UID of the object that a write creates. The revision makes it unique. */
export function createUid(revision: number): string {
  return `00000000-0000-4000-8000-${revision.toString(16).padStart(12, "0")}`;
}
