import type { JobSet } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { clusters, type GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim } from "../../../../testing/src/laws/claim.ts";
import type { Context, Plan } from "../../index.ts";
import { InMemoryCluster } from "../in-memory-cluster.ts";
import { isEmpty, type Reconcile } from "./subject.ts";

/** If nothing else changes the cluster and the plans are executed, reconciliation converges to an empty plan. */
export function idleClusterConverges(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ wedged: false }), (cluster) => {
    const quiet = new InMemoryCluster(cluster);
    // A pending deletion counts as a change.
    quiet.finishDeletions();
    const rounds = maxPassesToConverge(cluster);
    const plans = playRounds(subject, quiet, cluster.context, rounds + 1);
    if (quiet.jobSet === undefined) return;
    const rest = plans.findIndex(isEmpty);
    claim(rest !== -1, `there is something to do even after ${rounds} rounds`, plans.at(-1));
    const later = plans.slice(rest).find((plan) => !isEmpty(plan));
    claim(later === undefined, "there is something to do again after rest", later);
  });
}

/**
 * The number of passes until the plan is empty. A restart counts, deletes, creates and counts again. More passes are
 * needed only if one object waits for another.
 */
export function maxPassesToConverge({ jobSet, others, context }: GeneratedCluster): number {
  const { startupPolicy, replicatedJobs = [] } = jobSet.spec;
  const waits =
    startupPolicy?.startupPolicyOrder === "InOrder" ||
    replicatedJobs.some(({ dependsOn = [] }) => dependsOn.length > 0);
  return (
    4 +
    // A ReplicatedJob whose Jobs need no Pods is ready as soon as it is counted. Then the next one
    // starts.
    (waits ? 2 * replicatedJobs.length : 0) +
    // A failed Job of a later attempt belongs to the current attempt after the restart, so it counts
    // as failed again.
    Math.max(0, ...others.map((object) => getAttempt(object) - (jobSet.status?.restarts ?? 0))) +
    // A resume is counted before it is executed.
    (context.features.has("ExecutionAttemptsTracking") ? 1 : 0)
  );
}

/**
 * Returns the restart attempt in the labels of a Job. Any other object has none, which sorts before all
 * others.
 */
function getAttempt({ kind, metadata }: KubernetesObject): number {
  return kind === "Job"
    ? Number(metadata.labels?.["jobset.sigs.k8s.io/restart-attempt"] ?? -1)
    : -1;
}

/** Returns the plans of some passes, each executed before the next is computed. */
export function playRounds(
  subject: Reconcile,
  cluster: InMemoryCluster,
  context: Context,
  rounds: number,
): readonly Plan[] {
  const plans: Plan[] = [];
  for (let round = 0; round < rounds; round++) {
    const jobSet: JobSet | undefined = cluster.jobSet;
    if (jobSet === undefined) break;
    const plan = subject(cluster.snapshot(), jobSet, context);
    plans.push(plan);
    cluster.carryOut(plan);
    cluster.finishDeletions();
  }
  return plans;
}
