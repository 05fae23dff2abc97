import type { Snapshot } from "@jobset-ts/core";
import type { AdmissionContext, WebhookOptions } from "../webhook-shape.ts";
import {
  type DomainLookup,
  getNodeName,
  lookUpDomain,
  type NotFoundStyle,
} from "./leader-domain.ts";
import { type LeaderFacts, type LeaderFault, leaderFault } from "./leader-fault.ts";
import { lookUpLeader } from "./leader-lookup.ts";

/** A follower that is being created, and the known facts about its leader. */
export interface PodView extends LeaderFacts {
  /** The problem of a leader that cannot be followed. */
  readonly fault?: LeaderFault;
  readonly notFoundStyle: NotFoundStyle;
}

/**
 * Collects the inputs of all checks of a follower.
 *
 * @param follower - with the topology key that its annotations name, see `podRole`
 * @example
 * import { createSnapshot, NO_QUIRKS } from "@jobset-ts/core";
 * const view = podView({ pod: {}, topologyKey: "rack" }, createSnapshot([]), { quirks: NO_QUIRKS });
 * view.leader // => { outcome: "LabelMissing", labelKey: "jobset.sigs.k8s.io/jobset-name" }
 */
export function podView(
  { pod, topologyKey }: Pick<LeaderFacts, "pod" | "topologyKey">,
  snapshot: Snapshot,
  { quirks }: Pick<AdmissionContext, "quirks">,
  { notFoundStyle = "api" }: WebhookOptions = {},
): PodView {
  const leader = lookUpLeader(pod, snapshot, quirks);
  const isBound = leader.outcome === "Found" && getNodeName(leader.leader) !== "";
  const domain: DomainLookup | undefined = isBound
    ? lookUpDomain(leader.leader, topologyKey, snapshot)
    : undefined;
  const facts: LeaderFacts = { pod, topologyKey, leader, domain, snapshot };
  return { pod, topologyKey, leader, domain, snapshot, fault: leaderFault(facts), notFoundStyle };
}
