import type { Unvalidated } from "@jobset-ts/api";
import {
  applyMergePatch,
  asString,
  getName,
  getNamespace,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type {
  RequestedObject,
  ServerRejection,
  ServerReply,
  ServerRequest,
} from "./api-request.ts";
import { createObject } from "./create-object.ts";
import { findDecodingRejection } from "./decoding.ts";
import { deleteObject } from "./delete-object.ts";
import type { KindRules } from "./kind-rules.ts";
import { findKindRules } from "./kinds.ts";
import type { Stored } from "./objects.ts";
import { setDisruptionTarget } from "./pod-conditions.ts";
import { bindPod, checkEviction } from "./pod-subresources.ts";
import { invalid, notFound, preconditionFailed, unknownKind } from "./rejections.ts";
import { type ApiServer, RequestExecution, type WatchEvent } from "./request-execution.ts";
import { editObject, toStored } from "./stored-values.ts";
import { updateObject } from "./update-object.ts";

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
  if (verb === "create" && subresource === undefined) return createObject(serving, rules, object);
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
  return updateObject(serving, rules, stored, requested, subresource);
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
