import type { Finding } from "@jobset-ts/checks";
import { type ApiStatus, forbiddenStatus } from "../api-status.ts";
import { nodeNotFoundStatus } from "./leader-domain.ts";
import type { PodCheckId } from "./pod-check-ids.ts";
import type { PodView } from "./pod-view.ts";
import { unreadStatus } from "./unread-status.ts";

/**
 * Returns the status for a finding: a plain sentence, or the API's own error, for example for a node that does not
 * exist or a read that failed.
 */
export function podStatus({ id, message }: Finding<PodCheckId>, view: PodView): ApiStatus {
  const { leader, domain, notFoundStyle } = view;
  if (id === "one-active-leader" && leader.outcome === "Unread") return unreadStatus(leader.unread);
  if (id === "node-known" && domain?.outcome === "Unread") return unreadStatus(domain.unread);
  if (id === "node-known" && domain?.outcome === "NodeMissing") {
    return nodeNotFoundStatus(domain.nodeName, notFoundStyle);
  }
  return forbiddenStatus(message);
}
