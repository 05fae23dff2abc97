import type { JobSet, Unvalidated } from "@jobset-ts/api";
import fc from "fast-check";
import { claim, claimSame } from "../../../testing/src/laws/claim.ts";
import { deepClone, deepFreeze } from "../../../testing/src/testing/freezing.ts";
import type { KueueCluster, KueueContext } from "../index.ts";
import { resolveKueueFeatureGates, type Workload } from "../index.ts";
import type { KueueResult } from "../objects/kueue-error.ts";
import type { KueuePass, KueueRequest } from "../reconcile/reconcile.ts";
import type { DefaultedJobSet } from "../webhooks/default-on-create.ts";
import { admissions, queuedJobSets } from "./arbitrary-queued-jobsets.ts";

/** The result of creating a JobSet in a cluster with Kueue. */
export type DefaultOnCreate = (
  jobSet: Unvalidated<JobSet>,
  cluster: KueueCluster,
) => DefaultedJobSet;

/**
 * Defaulting is idempotent, resumes no JobSet, and does not replace the manager of a JobSet unless it is JobSet's own
 * controller.
 */
export function defaultingIsIdempotent(subject: DefaultOnCreate): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), (jobSet) => {
    const once = applyDefaults(subject, deepFreeze(deepClone(jobSet)));
    claimSame(applyDefaults(subject, once), once, "a second call changes something");
    const { suspend, managedBy } = jobSet.spec;
    if (suspend === true) claimSame(once.spec?.suspend, true, "the JobSet is resumed");
    const queue = once.metadata?.labels?.["kueue.x-k8s.io/queue-name"] ?? "";
    if (queue !== "") claimSame(once.spec?.suspend, true, "the JobSet does not wait for quota");
    if (managedBy === "example.com/other") {
      claimSame(once.spec?.managedBy, managedBy, "the manager is replaced");
    }
  });
}

function applyDefaults(subject: DefaultOnCreate, jobSet: Unvalidated<JobSet>): Unvalidated<JobSet> {
  const result = subject(jobSet, aCluster());
  claim(result.allowed, "a JobSet without owners is denied", result);
  return result.allowed ? result.jobSet : jobSet;
}

/** Returns a namespace with queues, one of them for MultiKueue, and the classes and flavors that JobSets name. */
function aCluster(): KueueCluster {
  const named = (name: string) => ({ metadata: { name } });
  return {
    namespaces: [named("default")],
    localQueues: ["default", "cpu", "gpu"].map((name) => ({
      metadata: { namespace: "default", name },
      spec: { clusterQueue: name === "gpu" ? "far" : "near" },
    })),
    clusterQueues: [
      { ...named("far"), spec: { admissionChecksStrategy: { admissionChecks: [{ name: "mk" }] } } },
      named("near"),
    ],
    admissionChecks: [{ ...named("mk"), spec: { controllerName: "kueue.x-k8s.io/multikueue" } }],
    workloadPriorityClasses: ["default", "high"].map((name) => ({ ...named(name), value: 1 })),
    resourceFlavors: [{ ...named("spot"), spec: { nodeLabels: { pool: "spot" } } }],
  };
}

/** Creates the Workload of a JobSet. */
export type NewWorkload = (jobSet: Unvalidated<JobSet>) => KueueResult<Workload>;

/** Reports whether a Workload still matches its JobSet. */
export type IsEquivalent = (
  jobSet: Unvalidated<JobSet>,
  workload: Unvalidated<Workload>,
) => KueueResult<boolean>;

/** A new Workload matches its JobSet, and still does after its admission. */
export function newWorkloadsAreEquivalent(subject: {
  readonly newWorkload: NewWorkload;
  readonly isEquivalent: IsEquivalent;
  readonly admit: (
    jobSet: Unvalidated<JobSet>,
    infos: readonly object[],
  ) => KueueResult<Unvalidated<JobSet>>;
}): fc.IProperty<unknown> {
  return fc.property(admissions(), ({ jobSet: given, infos }) => {
    const jobSet = withoutPriority(given);
    const workload = createWorkloadFor(subject.newWorkload, jobSet);
    claim(fits(subject.isEquivalent, jobSet, workload), "a new Workload does not match its JobSet");
    const admitted = subject.admit(jobSet, infos);
    claim(admitted.ok, "infos without a conflict are rejected", admitted);
    const running = admitted.ok ? admitted.value : jobSet;
    claim(
      fits(subject.isEquivalent, running, asAdmitted(workload)),
      "an admitted Workload does not match its JobSet",
    );
  });
}

/** Edits of labels, annotations, node selectors, gates or names do not require a new Workload. */
export function irrelevantEditsKeepTheWorkload(subject: {
  readonly newWorkload: NewWorkload;
  readonly isEquivalent: IsEquivalent;
}): fc.IProperty<unknown> {
  return fc.property(queuedJobSets(), (given) => {
    const jobSet = withoutPriority(given);
    const workload = createWorkloadFor(subject.newWorkload, jobSet);
    const edited = withReplicatedJobs(jobSet, ({ name, template, ...other }) => {
      const { spec } = template.spec.template;
      const next = {
        metadata: { labels: { edited: "true" }, annotations: { edited: "true" } },
        spec: {
          ...spec,
          containers: spec?.containers ?? [],
          nodeSelector: { edited: "true" },
          schedulingGates: [],
        },
      };
      return {
        ...other,
        name: `${name}x`,
        template: { ...template, spec: { ...template.spec, template: next } },
      };
    });
    claim(
      fits(subject.isEquivalent, edited, workload),
      "an irrelevant edit requires a new Workload",
    );
  });
}

/** Edits of counts, containers, time limits or owners require a new Workload. */
export function podSetEditsInvalidateTheWorkload(subject: {
  readonly newWorkload: NewWorkload;
  readonly isEquivalent: IsEquivalent;
}): fc.IProperty<unknown> {
  const edits = fc.constantFrom<Edit>("count", "containers", "limit", "owner", "length");
  return fc.property(queuedJobSets(), edits, (given, edit) => {
    const jobSet = withoutPriority(given);
    const workload = createWorkloadFor(subject.newWorkload, jobSet);
    const isSame = fits(subject.isEquivalent, applyEdit(jobSet, edit), workload);
    claim(!isSame, `another ${edit} is not seen`);
  });
}

type Edit = "count" | "containers" | "limit" | "owner" | "length";

function applyEdit(jobSet: JobSet, edit: Edit): JobSet {
  const { replicatedJobs = [] } = jobSet.spec;
  switch (edit) {
    case "count":
      return withReplicatedJobs(jobSet, ({ replicas = 1, template, ...other }) => ({
        ...other,
        replicas: replicas + 1,
        template: { ...template, spec: { ...template.spec, parallelism: 7, completions: 7 } },
      }));
    case "containers":
      return withReplicatedJobs(jobSet, ({ template, ...other }) => {
        const { spec, ...rest } = template.spec.template;
        const next = { ...rest, spec: { ...spec, containers: [{ name: "other" }] } };
        return { ...other, template: { ...template, spec: { ...template.spec, template: next } } };
      });
    case "limit": {
      const labels = { "kueue.x-k8s.io/max-exec-time-seconds": "60" };
      return { ...jobSet, metadata: { ...jobSet.metadata, labels } };
    }
    case "owner":
      return { ...jobSet, metadata: { ...jobSet.metadata, uid: "another" } };
    case "length":
      return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs: replicatedJobs.slice(1) } };
  }
}

type ReplicatedJobs = NonNullable<JobSet["spec"]["replicatedJobs"]>;

function withReplicatedJobs(
  jobSet: JobSet,
  edit: (replicatedJob: ReplicatedJobs[number]) => ReplicatedJobs[number],
): JobSet {
  const replicatedJobs = (jobSet.spec.replicatedJobs ?? []).map(edit);
  return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs } };
}

function withoutPriority(jobSet: JobSet): JobSet {
  return { ...jobSet, metadata: { ...jobSet.metadata, labels: {} } };
}

function createWorkloadFor(newWorkload: NewWorkload, jobSet: JobSet): Workload {
  const result = newWorkload(jobSet);
  if (!result.ok) throw new Error(`no Workload is made: ${result.refusal.message}`);
  return result.value;
}

function fits(
  isEquivalent: IsEquivalent,
  jobSet: Unvalidated<JobSet>,
  workload: Workload,
): boolean {
  const result = isEquivalent(jobSet, workload);
  claim(result.ok, "isEquivalent returns an error", result);
  return result.ok && result.value;
}

function asAdmitted(workload: Workload): Workload {
  const conditions = ["QuotaReserved", "Admitted"].map((type) => aCondition(type, "True", "ok"));
  return { ...workload, status: { conditions } };
}

function aCondition(type: string, status: "True" | "False", reason: string) {
  return { type, status, reason, message: "", lastTransitionTime: "2026-02-07T06:56:19Z" };
}

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

const aContext: KueueContext = {
  now: 1_770_447_379_000,
  config: { enabledFrameworks: ["jobset.x-k8s.io/jobset"] },
  features: resolveKueueFeatureGates(),
};

function requestFor(jobSet: JobSet): KueueRequest {
  return { namespace: "default", name: "train", jobSet };
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
