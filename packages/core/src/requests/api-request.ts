import { asArray, asRecord } from "../jobset-members.ts";
import type { Effect, EffectError, UpdateEffect, UpdateStatusEffect } from "../plan/effects.ts";
import { toWire } from "../plan/wire-form.ts";
import { getGroup } from "../snapshot/kinds.ts";
import { collectionPath, objectPath, type RequestPath, resourceForKind } from "./request-path.ts";
import { strategicMergePatch } from "./strategic-merge-patch.ts";

/** One HTTP request to a Kubernetes API server. */
export interface ApiRequest {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path below the server's URL, encoded. */
  readonly path: string;
  readonly contentType:
    | "application/json"
    | "application/merge-patch+json"
    | "application/strategic-merge-patch+json";
  /** The body, to send as JSON. */
  readonly body: unknown;
}

/** The request for an effect, or an `EffectResult` with the reason why no request is possible. */
export type EffectRequest =
  | { readonly ok: true; readonly request: ApiRequest }
  | { readonly ok: false; readonly error: EffectError };

/**
 * Returns the request for an effect.
 *
 * A Job or Pod is changed by a strategic merge patch of its `changes`, so that other members cannot be lost. The patch
 * carries the observed `resourceVersion`, so that a concurrent change is a conflict. The status of a JobSet is
 * replaced.
 *
 * @returns no request if the name or namespace is invalid for any object, or a changed member has an invalid name
 * @example createApiRequest({ verb: "delete", target: { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "a/b" }, propagationPolicy: "Foreground", onNotFound: "Succeed" }) // => { ok: false, error: { reason: "Invalid", message: 'invalid name of a Job: "a/b"' } }
 */
export function createApiRequest(effect: Effect): EffectRequest {
  const { target } = effect;
  const contentType = "application/json";
  switch (effect.verb) {
    case "create":
      return at(collectionPath(target), { method: "POST", contentType, body: effect.object });
    case "update":
      return createPatch(effect, objectPath(target));
    case "updateStatus": {
      const path = getStatus(objectPath(target));
      return effect.object.kind === "JobSet"
        ? at(path, { method: "PUT", contentType, body: effect.object })
        : createPatch(effect, path);
    }
    case "patch": {
      const body = effect.patch;
      return at(objectPath(target), {
        method: "PATCH",
        contentType: "application/merge-patch+json",
        body,
      });
    }
    case "delete": {
      const { propagationPolicy, uid } = effect;
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy, ...preconditions };
      return at(objectPath(target), { method: "DELETE", contentType, body });
    }
  }
}

function createPatch(
  { target, object, changes }: UpdateEffect | UpdateStatusEffect,
  path: RequestPath,
): EffectRequest {
  const { uid, resourceVersion } = asRecord(object.metadata);
  const body = strategicMergePatch(changes, { uid, resourceVersion });
  if (body === undefined) {
    const message = `${target.kind} "${target.name}": a key cannot start with "$"`;
    return { ok: false, error: { reason: "Invalid", message } };
  }
  const contentType = "application/strategic-merge-patch+json";
  return at(path, { method: "PATCH", contentType, body: toWire(body) });
}

function at(path: RequestPath, request: Omit<ApiRequest, "path">): EffectRequest {
  return path.ok ? { ok: true, request: { ...request, path: path.path } } : path;
}

function getStatus(path: RequestPath): RequestPath {
  return path.ok ? { ok: true, path: `${path.path}/status` } : path;
}

/** The permission that a role needs for a request. */
export interface Permission {
  readonly apiGroup: string;
  /** Including the subresource, as in `pods/status`. */
  readonly resource: string;
  readonly verb: "create" | "update" | "patch" | "delete";
}

/**
 * Returns the permissions that a controller's role needs for an effect. An owner reference that blocks the deletion of
 * its owner requires the permission to set the owner's finalizers, if the cluster enforces that.
 *
 * @see Kubernetes `OwnerReferencesPermissionEnforcement`
 * @example permissionsFor({ verb: "patch", target: { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "a" }, patch: {} }) // => [{ apiGroup: "batch", resource: "jobs", verb: "patch" }]
 */
export function permissionsFor(effect: Effect): readonly Permission[] {
  const { verb, target } = effect;
  const apiGroup = getGroup(target.apiVersion);
  const resource = resourceForKind(target.kind);
  if (verb === "update") return [{ apiGroup, resource, verb: "patch" }];
  if (verb === "updateStatus") {
    const isReplaced = effect.object.kind === "JobSet";
    return [{ apiGroup, resource: `${resource}/status`, verb: isReplaced ? "update" : "patch" }];
  }
  if (verb !== "create") return [{ apiGroup, resource, verb }];
  const owners = asArray(effect.object.metadata.ownerReferences).filter(
    ({ blockOwnerDeletion }) => blockOwnerDeletion === true,
  );
  return [
    { apiGroup, resource, verb },
    ...owners.map(
      (owner): Permission => ({
        apiGroup: getGroup(owner.apiVersion),
        resource: `${resourceForKind(owner.kind)}/finalizers`,
        verb: "update",
      }),
    ),
  ];
}
