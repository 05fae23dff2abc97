import type { RequestedObject } from "@jobset-ts/core/requests";
import type { Stored } from "./objects.ts";

export type { RequestedObject };

/** A request to the API server. */
export interface ServerRequest {
  /** `patch` is a JSON merge patch. */
  readonly verb: "create" | "update" | "patch" | "delete";
  /** Whether the patch is a server-side apply, which a client can repeat. */
  readonly isApply?: boolean;
  /** The parts of the object that the verb needs: at least the kind and the name. */
  readonly object: RequestedObject;
  /**
   * `binding` (a create) binds a Pod to the node in `target.name`. `eviction` (a create) deletes a Pod unless a
   * PodDisruptionBudget forbids it.
   */
  readonly subresource?: "status" | "binding" | "eviction";
  /** For deletions. Defaults to the policy of the kind. */
  readonly propagationPolicy?: PropagationPolicy;
  /** For deletions of Pods. */
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export type PropagationPolicy = "Foreground" | "Background" | "Orphan";

/** The reply of the API server. */
export type ServerReply = { readonly ok: true; readonly object: Stored } | ServerRejection;

/** The `Status` of a failed request, without the members that are the same in every failure. */
export interface ServerRejection {
  readonly ok: false;
  readonly code: number;
  /** Empty if a webhook gave no reason. */
  readonly reason: string;
  readonly message: string;
}
