import type { Job, JobSet } from "@jobset-ts/api";
import fc from "fast-check";
import { type Cluster, clusters } from "../arbitraries/arbitrary-clusters.ts";
import { childJobsOf, InMemoryCluster } from "../in-memory-cluster.ts";
import { claim, claimSame } from "./claim.ts";
import { roundsOf, roundsToRest } from "./coming-to-rest.ts";
import type { Reconcile } from "./subject.ts";

/**
 * Carrying a plan out again when the cluster has moved on is harmless: no object that came after the plan is changed
 * or deleted, no restart is counted again, and the cluster comes to rest where it would have without it.
 */
export function aPlanCarriedOutAgainIsHarmless(subject: Reconcile): fc.IProperty<unknown> {
  const cases = fc.record({
    cluster: clusters({ foreign: false, wedged: false }),
    roundsBetween: fc.nat(3),
    fates: fc.array(fc.constantFrom("Failed", "Complete", "gone", undefined), { maxLength: 9 }),
  });
  return fc.property(cases, ({ cluster, roundsBetween, fates }) => {
    const quiet = new InMemoryCluster(cluster);
    const other = new InMemoryCluster(cluster);
    const { jobSet, context } = cluster;
    const plan = subject(other.snapshot(), other.jobSet ?? jobSet, context);
    for (const one of [quiet, other]) {
      one.carryOut(plan);
      one.finishDeletions();
      meetFates(one, jobSet, fates);
      roundsOf(subject, one, context, roundsBetween);
    }
    // What a JobSet that is gone left behind, the garbage collector takes.
    fc.pre(other.jobSet !== undefined);
    const before = new Map(other.objects.map((object) => [object.metadata.uid, object]));
    const known = new Set(quietUids(cluster));
    other.carryOut(plan);
    const after = new Map(other.objects.map((object) => [object.metadata.uid, object]));
    for (const [uid, object] of before) {
      if (known.has(uid ?? "")) continue;
      claimSame(unversioned(after.get(uid)), unversioned(object), "a newer object is touched");
    }
    const restarts = [quiet, other].map(({ jobSet }) => jobSet?.status?.restarts);
    claimSame(restarts[1], restarts[0], "a restart is counted again");

    for (const one of [quiet, other]) {
      one.finishDeletions();
      roundsOf(subject, one, context, 2 * roundsToRest(cluster));
    }
    claimSame(atRest(other), atRest(quiet), "it comes to rest elsewhere");
    claim(other.jobSet !== undefined || quiet.jobSet === undefined, "the JobSet is gone");
  });
}

function quietUids(cluster: Cluster): readonly string[] {
  return new InMemoryCluster(cluster).objects.map(({ metadata }) => metadata.uid ?? "");
}

/** What the cluster does by itself to the Jobs, by name. */
function meetFates(
  cluster: InMemoryCluster,
  jobSet: JobSet,
  fates: readonly ("Failed" | "Complete" | "gone" | undefined)[],
): void {
  const jobs = [...(childJobsOf(cluster, jobSet) as readonly Job[])].sort((one, two) =>
    (one.metadata.name ?? "") < (two.metadata.name ?? "") ? -1 : 1,
  );
  for (const [index, job] of jobs.entries()) {
    const fate = fates[index];
    if (fate === "gone") cluster.remove(job);
    else if (fate !== undefined) {
      const time = "2026-02-07T10:00:01Z";
      const condition = { type: fate, status: "True", lastTransitionTime: time } as const;
      const conditions = [...(job.status?.conditions ?? []), condition];
      cluster.put({ ...job, status: { ...job.status, conditions } } as Job);
    }
  }
}

/** An object without what a write changes of itself. */
function unversioned(object: { readonly metadata: object } | undefined) {
  if (object === undefined) return undefined;
  const { resourceVersion: _, ...metadata } = object.metadata as Record<string, unknown>;
  return { ...object, metadata };
}

/** The Jobs and the status, without what names one single object. */
function atRest(cluster: InMemoryCluster) {
  const { jobSet } = cluster;
  const jobs = jobSet === undefined ? [] : (childJobsOf(cluster, jobSet) as readonly Job[]);
  return {
    status: jobSet?.status,
    jobs: jobs
      .map(({ metadata, spec }) => ({
        name: metadata.name,
        attempt: metadata.labels?.["jobset.sigs.k8s.io/restart-attempt"],
        restart: metadata.labels?.["jobset.sigs.k8s.io/job-restart-attempt"],
        suspend: spec.suspend ?? false,
      }))
      .sort((one, two) => ((one.name ?? "") < (two.name ?? "") ? -1 : 1)),
  };
}
