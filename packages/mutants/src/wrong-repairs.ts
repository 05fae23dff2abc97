// Controllers that are wrong about the followers of a leader Pod.
import { snapshotOf } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { controllerOfPlacementPlans } from "@jobset-ts/testing/placement";
import type { Controller } from "@jobset-ts/testing/reconcile";
import type { Loose } from "./wrapped-controllers.ts";
import type { WrongSubject } from "./wrong-subject.ts";

const KEY = "rack";

interface View {
  readonly leader: Loose;
  /** All Pods but the leader. */
  readonly others: Loose[];
  readonly nodes: Loose[];
  /** The domain of a Pod's node. */
  readonly domainOf: (pod: Loose) => string | undefined;
}

/** Ours, which sees the Pods that remain of a changed view. */
function seeing(change: (view: View) => readonly Loose[] | undefined): () => Controller {
  return () =>
    controllerOfPlacementPlans((snapshot, { metadata }, context) => {
      const pods: Loose[] = structuredClone([...snapshot.objects("Pod")]);
      const nodes: Loose[] = structuredClone([...snapshot.objects("Node")]);
      const leader = pods.find((pod) => pod.metadata.uid === metadata?.uid);
      const others = pods.filter((pod) => pod !== leader);
      const domainOf = ({ spec }: Loose) =>
        nodes.find((node) => node.metadata.name === spec.nodeName)?.metadata.labels?.[KEY];
      const seen = change({ leader, others, nodes, domainOf }) ?? others;
      const objects = [leader, ...seen, ...nodes];
      return reconcilePlacement(snapshotOf(objects, { kinds: "all" }), leader, context);
    });
}

const repairs: readonly (readonly [what: string, by: string, subject: () => Controller])[] = [
  ["never deletes followers", "misplacedFollowersGoTogether", () => () => undefined],
  [
    "fails if a follower is misplaced",
    "misplacedFollowersGoTogether",
    () =>
      controllerOfPlacementPlans((...args) => {
        const plan = reconcilePlacement(...args);
        if (plan.steps.length > 0) throw new Error("mismatch");
        return plan;
      }),
  ],
  [
    "finds followers whatever Job they belong to",
    "misplacedFollowersGoTogether",
    seeing(({ leader, others }) => {
      for (const { metadata } of others) metadata.ownerReferences = leader.metadata.ownerReferences;
    }),
  ],
  [
    "deletes misplaced followers only",
    "misplacedFollowersGoTogether",
    seeing(({ leader, others, domainOf }) =>
      others.filter(({ spec }) => spec.nodeSelector?.[KEY] !== domainOf(leader)),
    ),
  ],
  [
    "judges followers by their node",
    "followersAreMarkedBeforeTheyGo",
    seeing(({ others, domainOf }) => {
      for (const pod of others) if (domainOf(pod)) pod.spec.nodeSelector = { [KEY]: domainOf(pod) };
    }),
  ],
  [
    "spares followers that run",
    "misplacedFollowersGoTogether",
    seeing(({ others }) => others.filter(({ status }) => status?.phase !== "Running")),
  ],
  [
    "deletes Pods of other namespaces",
    "otherPodsAreLeftAlone",
    seeing(({ leader, others }) => {
      for (const { metadata } of others) metadata.namespace = leader.metadata.namespace;
    }),
  ],
  [
    "deletes followers if the leader's node is gone",
    "followersAreMarkedBeforeTheyGo",
    seeing(({ leader, nodes }) => {
      const name = leader.spec.nodeName;
      if (name && nodes.every(({ metadata }) => metadata.name !== name))
        nodes.push({
          apiVersion: "v1",
          kind: "Node",
          metadata: { name, labels: { [KEY]: "gone" } },
        });
    }),
  ],
];

export const wrongRepairs: readonly WrongSubject[] = repairs.map(([what, by, subject]) => ({
  what,
  laws: "repairs",
  by,
  subject,
}));
