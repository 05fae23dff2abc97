import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { RequestedObject } from "@jobset-ts/core/requests";

export type { RequestedObject };

/** What a controller asks of the API server. A plain list of these is all that the laws need of it. */
export interface TestApiRequest {
  /**
   * `patch` is a JSON merge patch. `apply` is server-side apply with `force` by one field manager: it creates a missing object,
   * merges lists by their keys, and removes what the manager has applied before and now leaves out. The manager counts as having
   * applied before what JobSet changes in an object that is there at the beginning.
   */
  readonly verb: "create" | "update" | "patch" | "apply" | "delete";
  /** The whole object, or as much of it as the verb takes: the kind and the name at least. */
  readonly object: RequestedObject;
  readonly subresource?: "status";
  /** Of a deletion. */
  readonly propagationPolicy?: "Foreground" | "Background" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** What an API server makes of a request. */
export type TestApiResponse =
  | { readonly ok: true; readonly object?: KubernetesObject }
  /** With the reason of a `Status`: `NotFound`, `AlreadyExists`, `Conflict`, `Invalid`. */
  | {
      readonly ok: false;
      readonly code: number;
      readonly reason: string;
      readonly message: string;
    };

/** A request in a few words. */
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
