// Controllers that are wrong about the followers of a leader Pod.
import { createSnapshot } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { createPlacementController } from "@jobset-ts/testing/placement";
import type { ControllerSubject } from "@jobset-ts/testing/reconcile";
import type { Loose } from "../edit.ts";
import { type SubjectsByLaw, subjectsByLaw } from "./wrong-subject.ts";

const KEY = "rack";

interface View {
  readonly leader: Loose;
  /** All Pods except the leader. */
  readonly others: Loose[];
  readonly nodes: Loose[];
  /** The domain of a Pod's node. */
  readonly domainOf: (pod: Loose) => string | undefined;
}

/** Our controller, which sees only the remaining Pods of a changed view. */
function seeing(change: (view: View) => readonly Loose[] | undefined): () => ControllerSubject {
  return () =>
    createPlacementController((snapshot, { metadata }, context) => {
      const pods: Loose[] = structuredClone([...snapshot.objects("Pod")]);
      const nodes: Loose[] = structuredClone([...snapshot.objects("Node")]);
      const leader = pods.find((pod) => pod.metadata.uid === metadata?.uid);
      const others = pods.filter((pod) => pod !== leader);
      const domainOf = ({ spec }: Loose) =>
        nodes.find((node) => node.metadata.name === spec.nodeName)?.metadata.labels?.[KEY];
      const seen = change({ leader, others, nodes, domainOf }) ?? others;
      const objects = [leader, ...seen, ...nodes];
      return reconcilePlacement(createSnapshot(objects, { kinds: "all" }), leader, context);
    });
}

const repairs: SubjectsByLaw<() => ControllerSubject> = {
  misplacedFollowersAreDeletedTogether: {
    "B01 never deletes followers": () => () => undefined,
    "B02 fails if a follower is misplaced": () =>
      createPlacementController((...args) => {
        const plan = reconcilePlacement(...args);
        if (plan.steps.length > 0) throw new Error("mismatch");
        return plan;
      }),
    "finds followers of any Job": seeing(({ leader, others }) => {
      for (const { metadata } of others) metadata.ownerReferences = leader.metadata.ownerReferences;
    }),
    "deletes only misplaced followers": seeing(({ leader, others, domainOf }) =>
      others.filter(({ spec }) => spec.nodeSelector?.[KEY] !== domainOf(leader)),
    ),
    "does not delete followers that run": seeing(({ others }) =>
      others.filter(({ status }) => status?.phase !== "Running"),
    ),
  },
  followersGetAConditionBeforeDeletion: {
    "decides by the node of a follower instead of its node selector": seeing(
      ({ others, domainOf }) => {
        for (const pod of others)
          if (domainOf(pod)) pod.spec.nodeSelector = { [KEY]: domainOf(pod) };
      },
    ),
    "deletes followers if the domain of the leader is unknown": seeing(
      ({ leader, others, nodes, domainOf }) => {
        if (domainOf(leader)) return undefined;
        const metadata = { name: "gone", labels: { [KEY]: "gone" } };
        nodes.push({ apiVersion: "v1", kind: "Node", metadata });
        leader.spec.nodeName = "gone";
        return others;
      },
    ),
  },
  otherPodsAreLeftAlone: {
    "deletes Pods of other namespaces": seeing(({ leader, others }) => {
      for (const { metadata } of others) metadata.namespace = leader.metadata.namespace;
    }),
  },
};

export const wrongRepairs = subjectsByLaw("repairs", repairs, (make) => make());
