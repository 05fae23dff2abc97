import type { JobSetStatus } from "@jobset-ts/api";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim } from "../../../../testing/src/laws/claim.ts";
import { createSnapshot } from "../../index.ts";
import type { Reconcile } from "./subject.ts";

/** The API server accepts the status: each type has one condition, and each condition has a time. */
export function conditionsAreInOrder(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters(), (cluster) => {
    const { jobSet, others, context } = cluster;
    const snapshot = createSnapshot([jobSet, ...others], { kinds: "all" });
    const { status } = subject(snapshot, jobSet, context);
    const conditions = status?.conditions ?? [];
    const types = conditions.map(({ type }) => type);
    claim(new Set(types).size === types.length, "a condition is there twice", types);
    for (const { type, lastTransitionTime = "" } of conditions) {
      const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(lastTransitionTime);
      claim(isTime, `${type} has no time of whole seconds`, lastTransitionTime);
    }
    // Both startup conditions are True only if they were True before the pass and have not changed.
    claim(!startupIsBoth(status) || startupIsBoth(jobSet.status), "startup is under way and over");
  });
}

function startupIsBoth(status: JobSetStatus | undefined): boolean {
  const holding = (status?.conditions ?? []).filter((one) => one.status === "True");
  return ["StartupPolicyInProgress", "StartupPolicyCompleted"].every((type) =>
    holding.some((one) => one.type === type),
  );
}
