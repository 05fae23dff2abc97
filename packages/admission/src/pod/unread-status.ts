import type { KindStatus } from "@jobset-ts/core";
import { type ApiStatus, forbiddenStatus } from "../api-status.ts";

/** Why a kind is unknown. */
export type UnreadKind = Exclude<KindStatus, { readonly outcome: "Read" }>;

/**
 * Returns the status for a kind that was not read: the API server's own status if the read failed there, a plain
 * sentence if it failed elsewhere, and an internal error if the kind was never read.
 */
export function unreadStatus(unread: UnreadKind): ApiStatus {
  const { message } = unread;
  if (unread.outcome === "NotRead") return { message, reason: "InternalError", code: 500 };
  const { reason, code } = unread;
  if (reason === undefined && code === undefined) return forbiddenStatus(message);
  return {
    status: "Failure",
    message,
    ...(reason !== undefined && { reason }),
    code: code ?? 500,
  };
}
