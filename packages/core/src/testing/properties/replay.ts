import type { JobSet } from "@jobset-ts/api";
import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { clusters, type GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { InMemoryCluster, listChildJobs } from "../in-memory-cluster.ts";
import { maxPassesToConverge, playRounds } from "./convergence.ts";
import { isEmpty, type Reconcile } from "./subject.ts";

/**
 * Executing a plan again after the cluster has changed is harmless. It changes and deletes no object that is newer than
 * the plan, except for the Pod counts of a scaled Job. It counts no restart again, and the cluster converges as before.
 * A create has no precondition: it may recreate a Job that is gone.
 */
export function aPlanCarriedOutAgainIsHarmless(subject: Reconcile): fc.IProperty<unknown> {
  const cases = fc.record({
    cluster: clusters({ foreign: false, wedged: false }),
    roundsBetween: fc.nat(3),
    fates: fc.array(
      fc.constantFrom("Failed" as const, "Complete" as const, "gone" as const, undefined),
      { maxLength: 9 },
    ),
  });
  return fc.property(cases, ({ cluster, roundsBetween, fates }) => {
    const quiet = new InMemoryCluster(cluster);
    const other = new InMemoryCluster(cluster);
    const { jobSet, context } = cluster;
    const plan = subject(other.snapshot(), other.jobSet ?? jobSet, context);
    for (const one of [quiet, other]) {
      one.carryOut(plan);
      one.finishDeletions();
      applyFates(one, jobSet, fates);
      playRounds(subject, one, context, roundsBetween);
    }
    // The garbage collector deletes the objects that a deleted JobSet controlled.
    fc.pre(other.jobSet !== undefined);
    const before = new Map(other.objects.map((object) => [object.metadata.uid, object]));
    const known = new Set(uidsIn(cluster));
    other.carryOut(plan);
    const after = new Map(other.objects.map((object) => [object.metadata.uid, object]));
    for (const [uid, object] of before) {
      if (known.has(uid ?? "")) continue;
      claimSame(
        withoutVersion(after.get(uid)),
        withoutVersion(object),
        "a newer object is touched",
      );
    }
    const restarts = [quiet, other].map(({ jobSet }) => jobSet?.status?.restarts);
    claimSame(restarts[1], restarts[0], "a restart is counted again");

    const [rests, restsToo] = [quiet, other].map((one) => {
      one.finishDeletions();
      const last = playRounds(subject, one, context, 2 * maxPassesToConverge(cluster)).at(-1);
      return last === undefined || isEmpty(last);
    });
    claim(rests !== true || restsToo === true, "it does not converge any more");
  });
}

function uidsIn(cluster: GeneratedCluster): readonly string[] {
  return new InMemoryCluster(cluster).objects.map(({ metadata }) => metadata.uid ?? "");
}

/** The changes that other controllers make to the Jobs, by name. */
function applyFates(
  cluster: InMemoryCluster,
  jobSet: JobSet,
  fates: readonly ("Failed" | "Complete" | "gone" | undefined)[],
): void {
  const jobs = [...(listChildJobs(cluster, jobSet) as readonly Job[])].sort((one, two) =>
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

/**
 * Returns an object without the members that every write changes, and without the numbers of Pods. The patch that
 * scales a Job has no precondition. If it is sent again, a newer Job gets the size that its template had when the patch
 * was planned.
 */
function withoutVersion(object: KubernetesObject | undefined) {
  if (object === undefined) return undefined;
  const { resourceVersion: _, ...metadata } = object.metadata as Record<string, unknown>;
  const { parallelism, completions, ...spec } = (object as Partial<Job>).spec ?? {};
  return { ...object, metadata, spec };
}
