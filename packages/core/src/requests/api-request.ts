import type { Effect, ObjectKey } from "../plan.ts";
import { listOf } from "../reading.ts";
import { groupOf } from "../snapshot/kinds.ts";

/** One HTTP request to a Kubernetes API server. */
export interface ApiRequest {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the server's URL, encoded. */
  readonly path: string;
  readonly contentType: "application/json" | "application/merge-patch+json";
  /** To be sent as JSON. */
  readonly body: unknown;
}

/**
 * The request that an effect stands for.
 *
 * @example apiRequestOf({ verb: "delete", target: { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "train-workers-0" }, propagationPolicy: "Foreground", whenGone: "Succeed" }).path // => "/apis/batch/v1/namespaces/ml/jobs/train-workers-0"
 */
export function apiRequestOf(effect: Effect): ApiRequest {
  const { target } = effect;
  const contentType = "application/json";
  switch (effect.verb) {
    case "create":
      return { method: "POST", path: collectionPath(target), contentType, body: effect.object };
    case "update":
      return { method: "PUT", path: objectPath(target), contentType, body: effect.object };
    case "updateStatus":
      return {
        method: "PUT",
        path: `${objectPath(target)}/status`,
        contentType,
        body: effect.object,
      };
    case "patch": {
      const path = objectPath(target);
      return {
        method: "PATCH",
        path,
        contentType: "application/merge-patch+json",
        body: effect.patch,
      };
    }
    case "delete": {
      const { propagationPolicy, uid } = effect;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy, ...preconditions };
      return { method: "DELETE", path: objectPath(target), contentType, body };
    }
  }
}

/** The path of one object. */
export function objectPath(key: ObjectKey): string {
  return `${collectionPath(key)}/${segment(key.name)}`;
}

/**
 * The path of all objects of a kind in a namespace; without a namespace, of all in the cluster.
 *
 * @example collectionPath({ apiVersion: "v1", kind: "Node", namespace: "" }) // => "/api/v1/nodes"
 */
export function collectionPath({
  apiVersion,
  kind,
  namespace,
}: Pick<ObjectKey, "apiVersion" | "kind" | "namespace">): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespace === "" ? "" : `/namespaces/${segment(namespace)}`;
  return `${root}${within}/${resourceOf(kind)}`;
}

/** encodeURIComponent throws on a lone surrogate, and no object is named with one. */
function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/**
 * The name of a kind in paths and in roles: its plural in lower case. All kinds that plans speak of end in a plain
 * `s`.
 */
export function resourceOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

/** What a role has to allow for a request. */
export interface Permission {
  readonly apiGroup: string;
  /** With the subresource, as in `pods/status`. */
  readonly resource: string;
  readonly verb: "create" | "update" | "patch" | "delete";
}

/**
 * What a controller's role has to allow for an effect. An owner reference that blocks the deletion of its owner takes
 * the right to set the owner's finalizers, where the cluster enforces that.
 *
 * @see Kubernetes `OwnerReferencesPermissionEnforcement`
 * @example permissionsFor({ verb: "patch", target: { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "a" }, patch: {} }) // => [{ apiGroup: "batch", resource: "jobs", verb: "patch" }]
 */
export function permissionsFor(effect: Effect): readonly Permission[] {
  const { verb, target } = effect;
  const apiGroup = groupOf(target.apiVersion);
  const resource = resourceOf(target.kind);
  if (verb === "updateStatus")
    return [{ apiGroup, resource: `${resource}/status`, verb: "update" }];
  if (verb !== "create") return [{ apiGroup, resource, verb }];
  const owners = listOf(effect.object.metadata.ownerReferences).filter(
    ({ blockOwnerDeletion }) => blockOwnerDeletion === true,
  );
  return [
    { apiGroup, resource, verb },
    ...owners.map(
      (owner): Permission => ({
        apiGroup: groupOf(owner.apiVersion),
        resource: `${resourceOf(owner.kind)}/finalizers`,
        verb: "update",
      }),
    ),
  ];
}
