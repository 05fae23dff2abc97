import type { Unvalidated } from "@jobset-ts/api";
import type { ObjectMeta } from "@jobset-ts/api/kubernetes";
import type { Effect } from "../plan/effects.ts";

/** A request about one object, for servers that accept objects rather than HTTP. */
export interface ObjectRequest {
  /** `patch` is a JSON merge patch. */
  readonly verb: "create" | "update" | "patch" | "delete";
  /** The whole object, or the part that the verb needs: at least the kind and the name. */
  readonly object: RequestedObject;
  readonly subresource?: "status";
  /** Only for a deletion. */
  readonly propagationPolicy?: "Foreground" | "Background";
  readonly preconditions?: { readonly uid?: string };
}

/** An object in a request. */
export interface RequestedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  /** Contains at least the name. */
  readonly metadata?: Unvalidated<ObjectMeta>;
  readonly [member: string]: unknown;
}

/**
 * Returns the request of an effect, with the resulting object.
 *
 * @see createApiRequest for the same over HTTP
 * @example createObjectRequest({ verb: "patch", target: { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name: "w" }, patch: { spec: { parallelism: 2 } } }).object // => { spec: { parallelism: 2 }, apiVersion: "batch/v1", kind: "Job", metadata: { namespace: "ml", name: "w" } }
 */
export function createObjectRequest(effect: Effect): ObjectRequest {
  const { apiVersion, kind, namespace, name } = effect.target;
  switch (effect.verb) {
    case "create":
      return { verb: "create", object: effect.object as never };
    case "update":
      return { verb: "update", object: effect.object as never };
    case "updateStatus":
      return { verb: "update", object: effect.object as never, subresource: "status" };
    case "patch": {
      const metadata = { ...(effect.patch.metadata as object | undefined), namespace, name };
      return { verb: "patch", object: { ...effect.patch, apiVersion, kind, metadata } };
    }
    case "delete": {
      const { propagationPolicy, uid } = effect;
      const object = { apiVersion, kind, metadata: { namespace, name } };
      return {
        verb: "delete",
        object,
        propagationPolicy,
        ...(uid !== undefined && { preconditions: { uid } }),
      };
    }
  }
}
