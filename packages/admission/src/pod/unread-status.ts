import type { KindStatus } from "@jobset-ts/core";
import { type ApiStatus, forbiddenStatus } from "../api-status.ts";

/** Why nothing can be said of a kind. */
export type UnreadKind = Exclude<KindStatus, { readonly outcome: "Read" }>;

/**
 * What the client is told when a kind was not read: what the API server answered to the read, or a plain sentence
 * when the read failed elsewhere, or that this is our own fault when nobody tried.
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
