import type { JobSet } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import { getName, type Job } from "@jobset-ts/api/kubernetes";
import { clusters, type GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claimSame } from "../../../../testing/src/laws/claim.ts";
import { isSameData } from "../../../../testing/src/same-data.ts";
import { createContext } from "../../index.ts";
import type { UpdateEffect } from "../../plan/effects.ts";
import { InMemoryCluster, listChildJobs } from "../in-memory-cluster.ts";
import { runPass } from "./pass-over.ts";
import { listEffects, type Reconcile } from "./subject.ts";

/**
 * With the gate `ElasticJobSet`, an active Job has the parallelism and completions of its template after the pass, if
 * these two are equal. Other Jobs keep theirs. Without the gate, all Jobs do.
 */
export function elasticJobsFollowTheirTemplate(subject: Reconcile): fc.IProperty<unknown> {
  const elastic = fc
    .tuple(clusters({ foreign: false, finished: false, wedged: false }), fc.constantFrom(0, 1, 1))
    .map(([cluster, gate]) => withElastic(cluster, gate === 1));
  return fc.property(elastic, (cluster) => {
    const { jobSet, context } = cluster;
    const { plan, jobs, named, reachesJobs } = runPass(subject, cluster);
    fc.pre(reachesJobs && plan.error === undefined);
    const after = new InMemoryCluster(cluster);
    claimSame(after.carryOut(plan).ok, true, "the plan cannot be carried out");
    for (const job of listChildJobs(after, jobSet) as readonly Job[]) {
      const before = jobs.find((one) => getName(one) === getName(job));
      if (before === undefined) continue;
      const mayFollow = context.features.has("ElasticJobSet") && named("active").includes(before);
      const { parallelism, completions } = getReplicatedJob(jobSet, job)?.template.spec ?? {};
      const follows = mayFollow && getReplicatedJob(jobSet, job) && parallelism === completions;
      const numbers = follows
        ? [parallelism ?? 1, completions ?? 1]
        : [before.spec.parallelism, before.spec.completions];
      claimSame([job.spec.parallelism, job.spec.completions], numbers, `${getName(job)}: numbers`);
    }
  });
}

/**
 * A resumed Job runs, and the mutable part of its Pod template equals the JobSet's, except for values that JobSet and
 * the Job controller added. Its containers do not change. If it had a start time, the start time is removed first.
 * While it counts active Pods, its template does not change, because the API server would reject that.
 */
export function resumedJobsFollowTheirTemplate(subject: Reconcile): fc.IProperty<unknown> {
  const resumable = clusters({ foreign: false, finished: false, wedged: false }).map((cluster) => {
    const { jobSet, context } = cluster;
    const features = [...context.features].filter((name) => name !== mutableResources);
    return {
      ...cluster,
      jobSet: { ...jobSet, spec: { ...jobSet.spec, suspend: false } },
      context: { ...context, features: new Set(features) },
    };
  });
  return fc.property(resumable, (cluster) => {
    const { plan, jobs } = runPass(subject, cluster);
    const effects = listEffects(plan, "resume");
    const updates = effects.filter((effect): effect is UpdateEffect => effect.verb === "update");
    for (const update of updates) {
      const job = update.object;
      const before = jobs.find((one) => getName(one) === getName(job));
      const writes = effects.filter(({ target }) => target.name === getName(job));
      const hasStarted = before?.status?.startTime !== undefined;
      const verbs = hasStarted ? ["updateStatus", "update"] : ["update"];
      claimSame(
        writes.map(({ verb }) => verb),
        verbs,
        `${getName(job)}: its start time`,
      );
      claimSame(job.spec.suspend, false, `${getName(job)} stays suspended`);
      const expected = getReplicatedJob(cluster.jobSet, job)?.template.spec.template;
      claimSame(mutablePart(job.spec.template), mutablePart(expected), `${getName(job)}: template`);
      const containers = [before, job].map((one) => one?.spec.template.spec?.containers);
      claimSame(containers[1], containers[0], `${getName(job)} has other containers`);
      if ((before?.status?.active ?? 0) === 0) continue;
      claimSame(job.spec.template, before?.spec.template, `${getName(job)} changes too soon`);
    }
  });
}

/**
 * Reports whether a suspended Job may wait until its Pods have stopped: it counts active Pods, and its template changes
 * or may change because JobSet itself writes to it.
 */
export function mayWaitForItsPods({ jobSet, context }: GeneratedCluster, job: Job): boolean {
  if ((job.status?.active ?? 0) === 0) return false;
  const { template } = getReplicatedJob(jobSet, job) ?? {};
  const annotations = { ...jobSet.metadata.annotations, ...template?.metadata?.annotations };
  return (
    context.features.has("ExecutionAttemptsTracking") ||
    context.features.has(mutableResources) ||
    placementKeys.some((key) => Object.hasOwn(annotations, key)) ||
    !isSameData(mutablePart(job.spec.template), mutablePart(template?.spec.template))
  );
}

const placementKeys = [EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY];
const mutableResources = "MutablePodResourcesForSuspendedJobSets";

/** Returns the part of a Pod that only the template determines. Each list of members is in a fixed order. */
function mutablePart(template: Job["spec"]["template"] | undefined) {
  const { metadata, spec } = template ?? {};
  return {
    labels: own(metadata?.labels),
    annotations: own(metadata?.annotations),
    nodeSelector: own(spec?.nodeSelector),
    tolerations: (spec?.tolerations ?? []).filter((one) => !isOurs(one.key ?? "")),
    // Their order has no meaning.
    schedulingGates: (spec?.schedulingGates ?? []).map(({ name }) => name).sort(),
  };
}

function own(members: Readonly<Record<string, string>> | undefined) {
  return Object.entries(members ?? {})
    .filter(([name]) => !isOurs(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Whether JobSet or the Job controller writes a key. */
function isOurs(name: string): boolean {
  return name.includes("jobset.sigs.k8s.io/") || name.startsWith("batch.kubernetes.io/");
}

function withElastic(cluster: GeneratedCluster, isOn: boolean): GeneratedCluster {
  const others = [...cluster.context.features].map((name) => [name, true] as const);
  const features = { ...Object.fromEntries(others), ElasticJobSet: isOn };
  return { ...cluster, context: createContext({ now: "2026-02-07T10:00:30Z", features }) };
}

function getReplicatedJob({ spec }: JobSet, { metadata }: Job) {
  const name = metadata.labels?.["jobset.sigs.k8s.io/replicatedjob-name"];
  return spec.replicatedJobs?.find((one) => one.name === name);
}
