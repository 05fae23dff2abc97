import type { JobSet } from "@jobset-ts/api";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { corrupted } from "../../../../testing/src/arbitraries/hostile-values.ts";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { createSnapshot, type Plan, UPSTREAM_QUIRKS } from "../../index.ts";
import { createApiRequest, permissionsFor } from "../../requests.ts";
import type { Reconcile } from "./subject.ts";

/**
 * For any cluster, `reconcile` returns a plan or an error and does not throw. The plan is plain data, so a JSON round
 * trip does not change it. Each effect becomes a request with a normalized path, or is rejected.
 */
export function planExistsForAnyCluster(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(brokenClusters(), (cluster) => {
    const { context } = cluster;
    // Once with a client's objects, and once with the same objects in wire form.
    for (const { jobSet, others } of [cluster, JSON.parse(JSON.stringify(cluster))]) {
      const plan = subject(
        createSnapshot([jobSet, others].flat(), { kinds: "all" }),
        jobSet as JobSet,
        context,
      );
      expectReason(plan);
      isSendable(plan);
      const sent = JSON.parse(JSON.stringify(plan));
      const cameByWire = jobSet !== cluster.jobSet;
      if (cameByWire) claimSame(sent, plan, "the plan is not plain data");
    }
  });
}

/** An error has a message, and the rest of the pass is not planned. */
function expectReason({ error, events, metrics, status }: Plan): void {
  if (error === undefined) return;
  for (const text of [error.phase, error.message, error.object.kind]) {
    claim(typeof text === "string" && text !== "", "the error has no words", error);
  }
  claimSame([events, metrics, status], [[], [], undefined], "there is more beside the error");
}

function isSendable({ steps }: Plan): void {
  for (const effect of steps.flatMap(({ effects }) => effects)) {
    claim(permissionsFor(effect).length > 0, "a request takes no right", effect);
    const created = createApiRequest(effect);
    const isElsewhere = created.ok && /\/\.{0,2}(\/|$)|%2F|%25/.test(created.request.path);
    claim(!isElsewhere, "a path leads elsewhere", created);
    if (!created.ok) claim(created.error.message !== "", "a refusal has no words", effect);
  }
}

function brokenClusters() {
  return clusters().chain(({ jobSet, others, context }) =>
    fc.record({
      jobSet: corrupted(fc.constant(jobSet)),
      others: corrupted(fc.constant(others)),
      context: fc.constantFrom(context, { ...context, quirks: UPSTREAM_QUIRKS }),
    }),
  );
}
