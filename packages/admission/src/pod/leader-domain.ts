import type { Unvalidated } from "@jobset-ts/api";
import { asString, getLabel, getName, type Pod } from "@jobset-ts/api/kubernetes";
import { goQuote } from "@jobset-ts/api/text";
import type { Snapshot } from "@jobset-ts/core";
import type { ApiStatus } from "../api-status.ts";
import type { WebhookOptions } from "../webhook-shape.ts";
import type { UnreadKind } from "./unread-status.ts";

/** The topology domain of a Pod's node, or why it is unknown. */
export type DomainLookup =
  | { readonly outcome: "Found"; readonly nodeName: string; readonly domain: string }
  | { readonly outcome: "Unread"; readonly nodeName: string; readonly unread: UnreadKind }
  | { readonly outcome: "NodeMissing"; readonly nodeName: string }
  | { readonly outcome: "LabelMissing"; readonly nodeName: string; readonly topologyKey: string };

/** The form of the error for a missing node. */
export type NotFoundStyle = NonNullable<WebhookOptions["notFoundStyle"]>;

/** Returns the node that a Pod is bound to, or empty text until it is scheduled. */
export function getNodeName(pod: Unvalidated<Pod>): string {
  return asString(pod?.spec?.nodeName);
}

/** Returns the value of a label of the node that a Pod is bound to. An empty value is valid. */
export function lookUpDomain(
  pod: Unvalidated<Pod>,
  topologyKey: string,
  snapshot: Snapshot,
): DomainLookup {
  const nodeName = getNodeName(pod);
  const unread = snapshot.kindStatus("Node");
  if (unread.outcome !== "Read") return { outcome: "Unread", nodeName, unread };
  const node = snapshot.node(nodeName);
  if (node === undefined) return { outcome: "NodeMissing", nodeName };
  const domain = getLabel(node, topologyKey);
  return domain === undefined
    ? { outcome: "LabelMissing", nodeName: getName(node), topologyKey }
    : { outcome: "Found", nodeName, domain };
}

/**
 * Returns the status for a missing Node.
 *
 * @example nodeNotFoundStatus("n1", "cache").message // => 'Node "n1" not found'
 */
export function nodeNotFoundStatus(nodeName: string, style: NotFoundStyle): ApiStatus {
  const kind = style === "cache" ? "Node" : "nodes";
  return {
    status: "Failure",
    message: `${kind} ${goQuote(nodeName)} not found`,
    reason: "NotFound",
    details: { name: nodeName, kind },
    code: 404,
  };
}
