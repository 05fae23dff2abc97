import type { Observed } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import {
  type DomainLookup,
  lookUpDomain,
  type NotFoundStyle,
  nodeNameOf,
} from "./leader-domain.ts";
import { type LeaderFacts, type LeaderFault, leaderFault } from "./leader-fault.ts";
import { lookUpLeader } from "./leader-lookup.ts";

/** A follower that asks to be admitted, and what the cluster says of its leader. */
export interface PodView extends LeaderFacts {
  /** What is behind a leader that cannot be followed. */
  readonly fault?: LeaderFault;
  readonly notFoundStyle: NotFoundStyle;
}

/** Looks up all that the checks of a follower ask, once. */
export function podView(
  pod: Observed<Pod>,
  topologyKey: string,
  snapshot: Snapshot,
  notFoundStyle: NotFoundStyle = "api",
): PodView {
  const leader = lookUpLeader(pod, snapshot);
  const isBound = leader.outcome === "Found" && nodeNameOf(leader.leader) !== "";
  const domain: DomainLookup | undefined = isBound
    ? lookUpDomain(leader.leader, topologyKey, snapshot)
    : undefined;
  const facts: LeaderFacts = { pod, topologyKey, leader, domain, snapshot };
  return { ...facts, fault: leaderFault(facts), notFoundStyle };
}
