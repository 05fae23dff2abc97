import type { Job } from "@jobset-ts/api/kubernetes";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim } from "../../../../testing/src/laws/claim.ts";
import { createSnapshot } from "../../index.ts";
import { InMemoryCluster, listChildJobs } from "../in-memory-cluster.ts";
import { referenceBucket } from "../reference/reference-pass.ts";
import type { Reconcile } from "./subject.ts";

/** After a pass over a suspended JobSet that the pass does not finish, each of its unfinished Jobs is suspended. */
export function suspendedMeansEveryJob(subject: Reconcile): fc.IProperty<unknown> {
  const goingOn = clusters({ foreign: false, finished: false, wedged: false });
  return fc.property(goingOn, (cluster) => {
    const { others, context } = cluster;
    const jobSet = { ...cluster.jobSet, spec: { ...cluster.jobSet.spec, suspend: true } };
    const after = new InMemoryCluster({ ...cluster, jobSet });
    const plan = subject(createSnapshot([jobSet, ...others], { kinds: "all" }), jobSet, context);
    fc.pre(plan.status?.terminalState === undefined && plan.error === undefined);
    claim(after.carryOut(plan).ok, "the plan cannot be carried out", plan.steps);
    const restartJob = context.features.has("RestartJob");
    for (const job of listChildJobs(after, jobSet) as readonly Job[]) {
      const runs = job.spec.suspend !== true;
      const bucket = referenceBucket(jobSet, job, restartJob);
      const isActive = bucket === "active" || bucket === "unclaimed";
      claim(!(runs && isActive), "a Job of a suspended JobSet runs", job.metadata.name);
    }
  });
}
