import type { RequestedObject } from "@jobset-ts/core/requests";
import type { Stored } from "./objects.ts";

export type { RequestedObject };

/** A request to the API server. */
export interface ServerRequest {
  /** `patch` is a JSON merge patch. */
  readonly verb: "create" | "update" | "patch" | "delete";
  /** Whether a patch has the effect of a server-side apply, which a client may repeat. */
  readonly isApply?: boolean;
  /** As much of the object as the verb takes: the kind and the name at least. */
  readonly object: RequestedObject;
  /**
   * `binding` (a create) puts a Pod on the node that `target.name` names; `eviction` (a create) deletes a Pod unless a
   * disruption budget refuses.
   */
  readonly subresource?: "status" | "binding" | "eviction";
  /** Of a deletion; left open, it is the kind's own default. */
  readonly propagationPolicy?: PropagationPolicy;
  /** Of the deletion of a Pod. */
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export type PropagationPolicy = "Foreground" | "Background" | "Orphan";

/** What the API server answers. */
export type ServerReply = { readonly ok: true; readonly object: Stored } | ServerRejection;

/** The `Status` of a request that failed, without what is the same in all of them. */
export interface ServerRejection {
  readonly ok: false;
  readonly code: number;
  /** Empty where a webhook gave none. */
  readonly reason: string;
  readonly message: string;
}
