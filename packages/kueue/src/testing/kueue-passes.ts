import type { JobSet } from "@jobset-ts/api";
import fc from "fast-check";
import { claim, claimSame } from "../../../testing/src/laws/claim.ts";
import type { KueueCluster, KueueContext, Workload } from "../index.ts";
import type { KueuePass, KueueRequest } from "../reconcile/reconcile.ts";
import { queuedJobSets } from "./arbitrary-queued-jobsets.ts";
import { aCluster, aCondition, aContext, requestFor } from "./kueue-cluster.ts";
import { asAdmitted, createWorkloadFor, type NewWorkload } from "./kueue-workloads.ts";

/** One reconcile of a JobSet and its Workload. */
export type ReconcileKueue = (
  request: KueueRequest,
  cluster: KueueCluster,
  context: KueueContext,
) => KueuePass;

/** Kueue does not start or stop a finished JobSet, and records the result in its Workload. */
export function ignoresFinishedJobSets(subject: {
  readonly reconcile: ReconcileKueue;
  readonly newWorkload: NewWorkload;
}): fc.IProperty<unknown> {
  const admission = fc.constantFrom("none", "reserved", "admitted");
  return fc.property(queuedJobSets(), admission, fc.boolean(), (given, how, success) => {
    const conditions = [aCondition(success ? "Completed" : "Failed", "True", "x")];
    const labels = { "kueue.x-k8s.io/queue-name": "cpu" };
    const jobSet: JobSet = {
      ...given,
      metadata: { ...given.metadata, labels },
      status: { restarts: 0, conditions },
    };
    const fresh = createWorkloadFor(subject.newWorkload, jobSet);
    const workload = how === "none" ? fresh : asAdmitted(fresh);
    const { effects } = subject.reconcile(
      requestFor(jobSet),
      { ...aCluster(), workloads: [workload] },
      aContext,
    );
    claimSame(
      effects.filter(({ target }) => target.kind === "JobSet"),
      [],
      "the JobSet is written",
    );
    const written = effects.flatMap((effect) =>
      effect.verb === "patchStatus" ? [effect.status] : [],
    );
    const writtenConditions = written.flatMap((status) => status.conditions ?? []);
    const finished = writtenConditions.find(({ type }) => type === "Finished");
    claimSame(finished?.reason, success ? "Succeeded" : "Failed", "its end is not told");
  });
}

/**
 * Kueue converges for any actions of the scheduler, the user and the Pods. Then there is at most one Workload, and a
 * JobSet runs only if its Workload is admitted. Quota is released only when no Pods are left.
 */
export function kueueConverges(subject: ReconcileKueue): fc.IProperty<unknown> {
  const happenings = fc.array(fc.constantFrom(...scenarioSteps), { maxLength: 12 });
  return fc.property(queuedJobSets({ suspend: true }), happenings, (given, happened) => {
    const labels = { "kueue.x-k8s.io/queue-name": "cpu" };
    const status = { restarts: 0, replicatedJobsStatus: [] };
    const metadata = { ...given.metadata, labels };
    let world: KueueTestCluster = { jobSet: { ...given, metadata, status }, workloads: [] };
    for (const name of ["", ...happened]) {
      world = runToSteadyState(subject, applyAction(world, name));
      claimSteadyState(world);
    }
  });
}

interface KueueTestCluster {
  readonly jobSet: JobSet;
  readonly workloads: readonly Workload[];
}

const scenarioSteps = ["reserve", "admit", "evict", "suspend", "resume", "start", "complete"];

function applyAction(world: KueueTestCluster, happening: string): KueueTestCluster {
  const { jobSet } = world;
  switch (happening) {
    case "reserve":
      return withConditions(world, ["Evicted", "False"], ["QuotaReserved", "True"]);
    case "admit":
      return isTrue(world, "QuotaReserved") ? withConditions(world, ["Admitted", "True"]) : world;
    case "evict":
      return isTrue(world, "QuotaReserved") ? withConditions(world, ["Evicted", "True"]) : world;
    case "suspend":
    case "resume":
      return {
        ...world,
        jobSet: { ...jobSet, spec: { ...jobSet.spec, suspend: happening === "suspend" } },
      };
    case "start":
      return jobSet.spec.suspend === true ? world : withActive(world, 1);
    case "complete":
      return jobSet.spec.suspend === true ? world : withCompletedJobSet(withActive(world, 0));
    default:
      return world;
  }
}

function isTrue({ workloads }: KueueTestCluster, type: string): boolean {
  const conditions = workloads[0]?.status?.conditions ?? [];
  return conditions.some((one) => one.type === type && one.status === "True");
}

function withConditions(
  world: KueueTestCluster,
  ...set: readonly (readonly [type: string, status: "True" | "False"])[]
): KueueTestCluster {
  const [workload] = world.workloads;
  if (workload === undefined || isTrue(world, "Finished")) return world;
  const types = set.map(([type]) => type);
  const otherConditions = (workload.status?.conditions ?? []).filter(
    ({ type }) => !types.includes(type),
  );
  const conditions = [
    ...otherConditions,
    ...set.map(([type, status]) => aCondition(type, status, "Preempted")),
  ];
  const podSetAssignments = (workload.spec.podSets ?? []).map(({ name, count }) => ({
    name,
    count,
    flavors: { cpu: "spot" },
  }));
  const admission = { clusterQueue: "cq", podSetAssignments };
  return {
    ...world,
    workloads: [{ ...workload, status: { ...workload.status, conditions, admission } }],
  };
}

function withActive({ jobSet, ...world }: KueueTestCluster, active: number): KueueTestCluster {
  const [first] = jobSet.spec.replicatedJobs ?? [];
  const entry = {
    name: first?.name ?? "",
    active,
    ready: 0,
    succeeded: 0,
    failed: 0,
    suspended: 0,
  };
  const status = { ...jobSet.status, restarts: 0, replicatedJobsStatus: [entry] };
  return { ...world, jobSet: { ...jobSet, status } };
}

function withCompletedJobSet({ jobSet, ...world }: KueueTestCluster): KueueTestCluster {
  const conditions = [aCondition("Completed", "True", "AllJobsCompleted")];
  return { ...world, jobSet: { ...jobSet, status: { ...jobSet.status, restarts: 0, conditions } } };
}

/** More passes than any situation needs. */
const MAX_PASSES = 10;

function runToSteadyState(subject: ReconcileKueue, start: KueueTestCluster): KueueTestCluster {
  let world = start;
  for (let passes = 0; passes < MAX_PASSES; passes += 1) {
    const { jobSet, workloads } = world;
    const { effects } = subject(requestFor(jobSet), { ...aCluster(), workloads }, aContext);
    const isDraining = jobSet.spec.suspend === true && isRunning(world);
    if (effects.length === 0 && !isDraining) return world;
    world = applyEffects(world, effects);
    // Pods of a suspended JobSet terminate with a delay.
    if (isDraining) world = withActive(world, 0);
  }
  throw new Error(`it does not converge in ${MAX_PASSES} passes`);
}

function isRunning({ jobSet }: KueueTestCluster): boolean {
  return (jobSet.status?.replicatedJobsStatus ?? []).some(({ active }) => active > 0);
}

function applyEffects(start: KueueTestCluster, effects: KueuePass["effects"]): KueueTestCluster {
  let world = start;
  for (const effect of effects) {
    const next = afterEffect(world, effect);
    const isFreed = isTrue(world, "QuotaReserved") && !isTrue(next, "QuotaReserved");
    claim(!isFreed || !isRunning(world), "quota is released while Pods run");
    world = next;
  }
  return world;
}

function afterEffect(
  world: KueueTestCluster,
  effect: KueuePass["effects"][number],
): KueueTestCluster {
  const { jobSet, workloads } = world;
  const { kind, name } = effect.target;
  if (effect.verb === "create") return { jobSet, workloads: [...workloads, effect.object] };
  if (effect.verb === "delete") {
    return { jobSet, workloads: workloads.filter(({ metadata }) => metadata.name !== name) };
  }
  const { verb: _v, target: _t, ...parts } = effect;
  if (kind === "JobSet") return { jobSet: { ...jobSet, ...parts } as JobSet, workloads };
  const written = workloads.map((one) =>
    one.metadata.name === name ? ({ ...one, ...parts } as Workload) : one,
  );
  return { jobSet, workloads: written };
}

function claimSteadyState(world: KueueTestCluster): void {
  const { jobSet, workloads } = world;
  claim(workloads.length <= 1, `there are ${workloads.length} Workloads`);
  const hasEnded = (jobSet.status?.conditions ?? []).some(({ status }) => status === "True");
  const mayRun = isTrue(world, "Admitted") && !isTrue(world, "Evicted");
  if (jobSet.spec.suspend !== true) {
    claim(mayRun || hasEnded || isTrue(world, "Finished"), "it runs without quota", world);
  } else {
    claim(!mayRun || hasEnded || isTrue(world, "Finished"), "it is not started", world);
  }
}
