// Controllers that are wrong about the followers of a leader Pod.
import { getLabel } from "@jobset-ts/api/kubernetes";
import { createSnapshot } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { createPlacementController } from "@jobset-ts/testing/placement";
import { edit, type Untyped } from "../edit.ts";
import type { CreateController } from "../wrapped-controllers.ts";
import { copyObjects } from "./wrong-reads.ts";
import { createWrongSubjects, type DefectsByLaw } from "./wrong-subject.ts";

/** The node label of the topology domains in all cases of the laws. */
const TOPOLOGY_KEY = "rack";

/** What a controller reads: copies of the objects, which a defect may modify. */
interface View {
  readonly leader: Untyped;
  readonly otherPods: Untyped[];
  readonly nodes: Untyped[];
  /** Returns the domain of a Pod's node. */
  readonly getDomain: (pod: Untyped) => string | undefined;
}

function misreadCluster(change: (view: View) => unknown): CreateController {
  return () =>
    createPlacementController((snapshot, { metadata }, context) => {
      const { Pod: pods = [], Node: nodes = [] } = copyObjects(snapshot);
      const leader = pods.find((pod) => pod.metadata.uid === metadata?.uid);
      const otherPods = pods.filter((pod) => pod !== leader);
      const getDomain = ({ spec }: Untyped) => {
        const node = nodes.find((one) => one.metadata.name === spec.nodeName);
        return node && getLabel(node, TOPOLOGY_KEY);
      };
      change({ leader, otherPods, nodes, getDomain });
      const objects = [leader, ...otherPods, ...nodes];
      return reconcilePlacement(createSnapshot(objects, { kinds: "all" }), leader, context);
    });
}

/** The controller reads other values in the Pods except the leader. */
const misread = (path: string, change: (value: Untyped, view: View) => Untyped) =>
  misreadCluster((view) => edit(view, `otherPods.*${path}`, (value) => change(value, view)));

const defects: DefectsByLaw<CreateController> = {
  misplacedFollowersAreDeletedTogether: {
    "B01 never deletes followers": () => () => undefined,
    "finds followers of any Job": misread(
      ".metadata.ownerReferences",
      (_, { leader }) => leader.metadata.ownerReferences,
    ),
    "deletes only misplaced followers": misread("", (pod, { leader, getDomain }) =>
      pod.spec.nodeSelector?.[TOPOLOGY_KEY] === getDomain(leader) ? undefined : pod,
    ),
    "does not delete followers that run": misread("", (pod) =>
      pod.status?.phase === "Running" ? undefined : pod,
    ),
  },
  followersGetAConditionBeforeDeletion: {
    "decides by the node of a follower instead of its node selector": misread(
      "",
      (pod, { getDomain }) => {
        const nodeSelector = { [TOPOLOGY_KEY]: getDomain(pod) };
        return getDomain(pod) ? { ...pod, spec: { ...pod.spec, nodeSelector } } : pod;
      },
    ),
    "deletes followers if the domain of the leader is unknown": misreadCluster(
      ({ leader, nodes, getDomain }) => {
        if (getDomain(leader)) return;
        const metadata = { name: "gone", labels: { [TOPOLOGY_KEY]: "gone" } };
        nodes.push({ apiVersion: "v1", kind: "Node", metadata });
        leader.spec.nodeName = "gone";
      },
    ),
  },
  otherPodsAreLeftAlone: {
    "deletes Pods of other namespaces": misread(
      ".metadata.namespace",
      (_, { leader }) => leader.metadata.namespace,
    ),
  },
};

export const wrongRepairs = createWrongSubjects("repairs", defects, (create) => create());
