import { getName } from "@jobset-ts/api/kubernetes";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claimSame } from "../../../../testing/src/laws/claim.ts";
import { referenceEnd, referenceFree } from "../reference/reference-pass.ts";
import { mayWaitForItsPods } from "./following-templates.ts";
import { runPass } from "./pass-over.ts";
import { listEffects, listTargets, type Reconcile } from "./subject.ts";

/** Jobs are classified in the same way as in a slow reference model. */
export function classificationAgrees(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false }), (cluster) => {
    const { plan, named, isFinished } = runPass(subject, cluster);
    const isRefused = plan.error?.phase === "classify";
    claimSame(isRefused, named("error").length > 0, "a Job without an attempt is passed over");
    if (isRefused) return claimSame(plan.steps, [], "something is done all the same");
    const ofBucket = isFinished
      ? named("active", "unclaimed", "previous").filter((job) => referenceEnd(job) === undefined)
      : named("previous");
    claimSame(
      listTargets(listEffects(plan, "delete-active", "delete-previous")),
      ofBucket.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(getName),
      "other Jobs are deleted",
    );
    claimSame(
      plan.decisions.some(({ phase }) => phase === "failure-policy"),
      !isFinished && named("failed").length > 0,
      "the failure policy has a say",
    );
  });
}

/** The counters equal those of a slow reference model. */
export function countersAgree(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false }), (cluster) => {
    const { plan, counters: expected } = runPass(subject, cluster);
    if (plan.error !== undefined) return;
    const { jobSet } = cluster;
    const stored = jobSet.status?.replicatedJobsStatus ?? [];
    const written = plan.status?.replicatedJobsStatus ?? (plan.status === undefined ? stored : []);
    const counters = written.map(({ name, ready, succeeded, failed, active, suspended }) => ({
      name,
      ready,
      succeeded,
      failed,
      active,
      suspended,
    }));
    claimSame(counters.sort(byName), [...expected].sort(byName), "the counters are others");
    if (plan.status === undefined) return;
    claimSame(
      written.map(({ name }) => name),
      expected
        .map(({ name }) => name)
        .sort()
        .reverse(),
      "the counters are written in another order",
    );
  });
}

/**
 * Jobs are created and resumed if and only if a slow reference model finds their dependencies satisfied. A Job with
 * active Pods whose template changes may wait.
 */
export function dependencyGatesAgree(subject: Reconcile): fc.IProperty<unknown> {
  const unordered = clusters({ foreign: false, finished: false, wedged: false }).map((cluster) => {
    const { startupPolicy, ...spec } = cluster.jobSet.spec;
    // While the JobSet is suspended, in-order startup blocks nothing.
    if (spec.suspend === true) return cluster;
    return { ...cluster, jobSet: { ...cluster.jobSet, spec } };
  });
  return fc.property(unordered, (cluster) => {
    const { jobSet } = cluster;
    const { plan, jobs, countersAtGates, named, reachesJobs } = runPass(subject, cluster);
    fc.pre(reachesJobs && plan.error === undefined);
    const free = referenceFree(jobSet, countersAtGates);
    const blocking = jobSet.spec.failurePolicy?.restartStrategy === "BlockingRecreate";
    const blocked = blocking && named("previous").length > 0;
    const expected = (jobSet.spec.replicatedJobs ?? [])
      .filter(({ name }) => free.includes(name) && !blocked)
      .flatMap(({ name, replicas = 1 }) =>
        Array.from({ length: replicas }, (_, index) => `train-${name}-${index}`),
      )
      .filter((name) => !jobs.some((job) => getName(job) === name));
    const created = listTargets(listEffects(plan, "create-jobs"));
    claimSame(created, expected, "other Jobs are created");

    const updates = listEffects(plan, "resume").filter(({ verb }) => verb === "update");
    const resumed = listTargets(updates);
    const resumable = named("active").filter((job) => {
      const name = job.metadata.labels?.["jobset.sigs.k8s.io/replicatedjob-name"] ?? "";
      if (job.spec.suspend !== true || !free.includes(name)) return false;
      return resumed.includes(getName(job)) || !mayWaitForItsPods(cluster, job);
    });
    claimSame(
      [...resumed].sort(),
      jobSet.spec.suspend === true ? [] : resumable.map(getName).sort(),
      "other Jobs are resumed",
    );
  });
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
