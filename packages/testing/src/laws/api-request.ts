import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { RequestedObject } from "@jobset-ts/core/requests";

export type { RequestedObject };

/** A request of a controller to the API server. The laws need only a plain list of these. */
export interface TestApiRequest {
  /**
   * `patch` is a JSON merge patch. `apply` is server-side apply with `force` by one field manager: it creates a missing
   * object, merges lists by their keys, and removes fields that the manager applied before and now omits. At the start,
   * the manager counts as having applied the fields that JobSet changes in existing objects.
   */
  readonly verb: "create" | "update" | "patch" | "apply" | "delete";
  /** The whole object, or the part that the verb requires: at least the kind and the name. */
  readonly object: RequestedObject;
  readonly subresource?: "status";
  /** Only for deletions. */
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The response of the API server to a request. */
export type TestApiResponse =
  | { readonly ok: true; readonly object?: KubernetesObject }
  /** The reason is that of a `Status`: `NotFound`, `AlreadyExists`, `Conflict`, `Invalid`. */
  | {
      readonly ok: false;
      readonly code: number;
      readonly reason: string;
      readonly message: string;
    };

/** Formats a request as a short text. */
export function requestText({
  verb,
  object,
  subresource,
  propagationPolicy,
}: TestApiRequest): string {
  const name = String(object.metadata?.name ?? object.metadata?.generateName ?? "");
  const about = [object.kind, name, subresource].filter(Boolean).join(" ");
  return `${verb} ${about}${propagationPolicy === undefined ? "" : ` (${propagationPolicy})`}`;
}

/** Reports whether two requests are about the same object. */
export function hasSameObject(one: TestApiRequest, other: TestApiRequest): boolean {
  return (
    one.object.kind === other.object.kind &&
    one.object.metadata?.name === other.object.metadata?.name
  );
}
