import type { Pod } from "@jobset-ts/api/kubernetes";
import type { Placement } from "../../../../testing/src/arbitraries/arbitrary-placements.ts";

const annotation = (name: string) => `alpha.jobset.sigs.k8s.io/${name}`;

/**
 * The followers as the rule defines them: with the same namespace, job key and controller, under exclusive
 * placement, and not leaders.
 */
export function referenceFollowers({ leader, pods, context }: Placement): readonly Pod[] {
  const getJobKey = ({ metadata }: Pod) => metadata.labels?.["jobset.sigs.k8s.io/job-key"];
  const getOwnerUid = ({ metadata }: Pod) => metadata.ownerReferences?.[0]?.uid;
  return pods.filter(
    (pod) =>
      pod.metadata.namespace === leader.metadata.namespace &&
      getJobKey(pod) === getJobKey(leader) &&
      getOwnerUid(pod) === getOwnerUid(leader) &&
      pod.metadata.annotations?.[annotation("exclusive-topology")] !== undefined &&
      pod.metadata.annotations?.["batch.kubernetes.io/job-completion-index"] !== "0" &&
      // Jobs that are placed by node labels declare no domain. Only upstream checks them.
      (pod.metadata.annotations?.[annotation("node-selector")] === undefined ||
        context.quirks.has("NodeSelectorFollowersRepaired")),
  );
}

/**
 * The domain that the followers must select: the label of the leader's node, or empty if the node does not
 * exist.
 *
 * @returns `undefined` if the node does not have the label
 */
export function referenceDomain({ leader, nodes }: Placement): string | undefined {
  const node = nodes.find(({ metadata }) => metadata.name === leader.spec.nodeName);
  return node === undefined ? "" : node.metadata.labels?.rack;
}

/** Whether any Pod has to follow the leader. */
export function referenceLeads({ leader, context }: Placement): boolean {
  const isLive = leader.status?.phase === "Running";
  return isLive || context.quirks.has("DeadLeaderEnforces");
}

/** The domain that a Pod declares in its node selector. */
export function referenceDeclaration({ spec }: Pod): string | undefined {
  return spec.nodeSelector?.rack;
}
