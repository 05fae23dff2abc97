import type { Job } from "@jobset-ts/api/kubernetes";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { snapshotOf } from "../../index.ts";
import { childJobsOf, InMemoryCluster } from "../in-memory-cluster.ts";
import { referenceBucket, referenceChildren } from "../reference/reference-pass.ts";
import { roundsOf } from "./coming-to-rest.ts";
import { effectsOf, type Reconcile, targetsOf } from "./subject.ts";

/** No plan creates two objects of one kind and name, nor one of a child Job that exists. */
export function noTwoJobsOfOneName(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters(), ({ jobSet, others, context }) => {
    const plan = subject(snapshotOf([jobSet, ...others], { kinds: "all" }), jobSet, context);
    const created = effectsOf(plan)
      .filter(({ verb }) => verb === "create")
      .map(({ target }) => `${target.kind}/${target.name}`)
      // Claim templates of one name in two policies are one claim, and it may exist.
      .filter((name) => !name.startsWith("PersistentVolumeClaim/"));
    claim(new Set(created).size === created.length, "one name is created twice", created);
    for (const { metadata } of referenceChildren(jobSet, others)) {
      const name = `Job/${metadata.name}`;
      claim(!created.includes(name), `${name} exists and is created`);
    }
  });
}

/** Of a JobSet that is being deleted, or that another controller manages, nothing is asked. */
export function nothingForWhatIsNotOurs(subject: Reconcile): fc.IProperty<unknown> {
  const notOurs = fc.constantFrom("beingDeleted", "managedElsewhere");
  return fc.property(clusters({ foreign: false }), notOurs, (cluster, how) => {
    const { jobSet, others, context } = cluster;
    const { metadata, spec } = jobSet;
    const other =
      how === "beingDeleted"
        ? { ...jobSet, metadata: { ...metadata, deletionTimestamp: "2026-02-07T09:00:00Z" } }
        : { ...jobSet, spec: { ...spec, managedBy: "acme.com/controller" } };
    const { jobSet: self, ...plan } = subject(
      snapshotOf([other, ...others], { kinds: "all" }),
      other,
      context,
    );
    const nothing = { steps: [], decisions: [], warnings: [], events: [], metrics: [] };
    claimSame(plan, nothing, "something is asked for another's JobSet");
    claimSame(self.name, "train", "the plan is for another JobSet");
  });
}

/** After a pass over a suspended JobSet that does not end in it, each of its Jobs that has not ended is suspended. */
export function suspendedMeansEveryJob(subject: Reconcile): fc.IProperty<unknown> {
  const goingOn = clusters({ foreign: false, finished: false, wedged: false });
  return fc.property(goingOn, (cluster) => {
    const { others, context } = cluster;
    const jobSet = { ...cluster.jobSet, spec: { ...cluster.jobSet.spec, suspend: true } };
    const after = new InMemoryCluster({ ...cluster, jobSet });
    const plan = subject(snapshotOf([jobSet, ...others], { kinds: "all" }), jobSet, context);
    fc.pre(plan.status?.terminalState === undefined && plan.error === undefined);
    claim(after.carryOut(plan).ok, "the plan cannot be carried out", plan.steps);
    const restartJob = context.features.has("RestartJob");
    for (const job of childJobsOf(after, jobSet) as readonly Job[]) {
      const runs = job.spec.suspend !== true;
      const bucket = referenceBucket(jobSet, job, restartJob);
      const isActive = bucket === "active" || bucket === "unclaimed";
      claim(!(runs && isActive), "a Job of a suspended JobSet runs", job.metadata.name);
    }
  });
}

/** A Job that was resumed is not resumed again. */
export function resumeIsIdempotent(subject: Reconcile): fc.IProperty<unknown> {
  const resumable = clusters({ foreign: false, finished: false, wedged: false });
  return fc.property(resumable, (cluster) => {
    const jobSet = { ...cluster.jobSet, spec: { ...cluster.jobSet.spec, suspend: false } };
    const quiet = new InMemoryCluster({ ...cluster, jobSet });
    const resumed = roundsOf(subject, quiet, cluster.context, 5).flatMap((plan) =>
      targetsOf(effectsOf(plan, "resume").filter(({ verb }) => verb === "update")),
    );
    claim(new Set(resumed).size === resumed.length, "a Job is resumed again", resumed);
  });
}
