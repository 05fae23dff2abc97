import { clusters, type GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claimSame } from "../../../../testing/src/laws/claim.ts";
import { deepFreeze, findFrozenPath } from "../../../../testing/src/testing/freezing.ts";
import { createSnapshot } from "../../index.ts";
import type { Reconcile } from "./subject.ts";

/** The plan does not depend on the order of the listed objects. */
export function listingOrderDoesNotShow(subject: Reconcile): fc.IProperty<unknown> {
  const relisted = clusters().chain((cluster) =>
    fc.tuple(
      fc.constant(cluster),
      fc.shuffledSubarray([...cluster.others], { minLength: cluster.others.length }),
    ),
  );
  return fc.property(relisted, ([cluster, others]) => {
    const { jobSet, context } = cluster;
    const plan = subject(
      createSnapshot([jobSet, ...cluster.others], { kinds: "all" }),
      jobSet,
      context,
    );
    const other = subject(createSnapshot([...others, jobSet], { kinds: "all" }), jobSet, context);
    claimSame(other, plan, "the listing order shows");
  });
}

/** Deep-frozen input is accepted, and each call returns the same plan. */
export function frozenInputGivesSamePlanTwice(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters(), (cluster) => {
    const before = createPlan(subject, cluster);
    const frozen = deepFreeze(cluster.others);
    const { context } = cluster;
    const jobSet = deepFreeze(cluster.jobSet);
    const snapshot = createSnapshot([jobSet, ...frozen], { kinds: "all" });
    claimSame(subject(snapshot, jobSet, context), before, "frozen input has another answer");
    claimSame(subject(snapshot, jobSet, context), before, "the second answer is another");
  });
}

/** The input is not changed or frozen. */
export function inputDoesNotChange(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters(), ({ jobSet, others, context }) => {
    const input = JSON.parse(JSON.stringify({ jobSet, others }));
    const text = JSON.stringify(input);
    createPlan(subject, { ...input, context });
    claimSame(JSON.stringify(input), text, "the input has changed");
    claimSame(findFrozenPath(input), undefined, "the input has been frozen");
  });
}

function createPlan(subject: Reconcile, { jobSet, others, context }: GeneratedCluster) {
  return subject(createSnapshot([jobSet, ...others], { kinds: "all" }), jobSet, context);
}
