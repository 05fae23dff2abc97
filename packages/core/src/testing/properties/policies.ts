import type { JobSet } from "@jobset-ts/api";
import { getControllerOf, getName, type Job, type Pod } from "@jobset-ts/api/kubernetes";
import { clusters, type GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { earlier } from "../../../../testing/src/arbitraries/arbitrary-fates.ts";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { createContext, type Plan } from "../../index.ts";
import { listSteps } from "../reconciled.ts";
import { type Counters, referenceFree } from "../reference/reference-pass.ts";
import {
  referenceAttempts,
  referenceFailure,
  referenceSucceeded,
} from "../reference/reference-policies.ts";
import { runPass } from "./pass-over.ts";
import { listEffects, listTargets, type Reconcile } from "./subject.ts";

/**
 * Failed Jobs have exactly the effects that a slow reference model of the failure policy computes. In addition, a
 * suspended JobSet that does not fail suspends its running Jobs.
 */
export function failurePolicyAgrees(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(fc.nat().chain(clustersWithAFailedJob), (cluster) => {
    const { jobSet } = cluster;
    const { plan, named, restartJob } = runPass(subject, cluster);
    const failure = referenceFailure(jobSet, named("failed"), restartJob);
    fc.pre(failure !== undefined && plan.error?.phase !== "classify");
    const { outcome, job, rule } = failure;
    const fails = ["FailJobSet", "FailedJobs", "ReachedMaxRestarts"].includes(outcome);
    const { suspend } = jobSet.spec;
    const running = named("active", "unclaimed").filter(({ spec }) => spec.suspend !== true);
    const others = listEffects(plan).filter(({ verb }) => verb !== "delete");
    claimSame(
      others.map(({ verb, target }) => `${verb} ${target.name}`),
      suspend && !fails ? running.map((one) => `update ${getName(one)}`) : [],
      "more than deletions and suspensions is planned beside a failure",
    );

    const refusable = ["RestartJob", "RestartJobAndIgnoreMaxRestarts"];
    const restartsOne = refusable.includes(outcome);
    const isRefused =
      outcome === "Explode" || (restartsOne && !(restartJob && hasPlace(jobSet, job)));
    claimSame(plan.error?.phase, isRefused ? "failure-policy" : undefined, "the error is another");
    if (isRefused) return;
    const [after, before] = [
      countRestarts(jobSet, plan.status),
      countRestarts(jobSet, jobSet.status),
    ];
    const restartsAll = outcome.startsWith("RestartJobSet");
    claimSame(after.all, before.all + (restartsAll ? 1 : 0), "restarts are counted otherwise");
    const towardsMax = before.towardsMax + (outcome === "RestartJobSet" ? 1 : 0);
    claimSame(after.towardsMax, towardsMax, "restarts towards the maximum are counted otherwise");
    if (restartJob) claimSame(after.ofJobs - before.ofJobs, restartsOne ? 1 : 0, "single restarts");

    const messages = plan.events.map(({ message }) => message);
    const names = ` (first failed job: ${getName(job)})`;
    claim(
      messages.some((text) => text.endsWith(names)),
      "another Job is reported as the first failed one",
      messages,
    );
    claimSame(plan.status?.terminalState === "Failed", fails, "the JobSet fails otherwise");
    if (!restartsAll) return;
    const reason = rule === undefined ? "DefaultFailurePolicy" : `FailurePolicy_${rule}`;
    const restarting = plan.status?.conditions?.find(({ type }) => type === "RestartingJobSet");
    const expected = suspend ? ["False", "JobSetSuspended"] : ["True", reason];
    claimSame([restarting?.status, restarting?.reason], expected, "it is restarting otherwise");
  });
}

/** Whether the restarts of a Job are counted individually. */
function hasPlace({ spec, status }: JobSet, { metadata }: Job): boolean {
  const label = (name: string) => metadata.labels?.[`jobset.sigs.k8s.io/${name}`];
  const isIts = ({ name }: { readonly name: string }) => name === label("replicatedjob-name");
  const replicatedJob = spec.replicatedJobs?.find(isIts);
  if (replicatedJob === undefined) return false;
  const stored = status?.replicatedJobsStatus?.find(isIts)?.jobRestarts ?? [];
  return Number(label("job-index")) < Math.max(replicatedJob.replicas ?? 1, stored.length);
}

/** Clusters in which at least one Job of the JobSet has failed, if the JobSet has Jobs. */
function clustersWithAFailedJob(place: number): fc.Arbitrary<GeneratedCluster> {
  return clusters({ foreign: false, finished: false }).map((cluster) => {
    const jobs = cluster.others.filter(({ kind, metadata }) => kind === "Job" && metadata.uid);
    const chosen = jobs[place % Math.max(jobs.length, 1)];
    const condition = {
      type: "Failed",
      status: "True",
      reason: "BackoffLimitExceeded",
      message: "exit 42",
      lastTransitionTime: earlier,
    };
    const others = cluster.others.map((one) =>
      one === chosen ? { ...one, status: { conditions: [condition] } } : one,
    );
    return { ...cluster, others };
  });
}

/** A JobSet completes if and only if a slow reference model of the success policy completes it. */
export function successPolicyAgrees(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false, finished: false }), (cluster) => {
    const { jobSet } = cluster;
    const { plan, named } = runPass(subject, cluster);
    fc.pre(plan.error?.phase !== "classify" && named("failed").length === 0);
    const successful = named("successful");
    const completes = successful.length > 0 && referenceSucceeded(jobSet, successful);
    claimSame(
      [plan.status?.terminalState === "Completed", listEnds(plan)],
      [completes, completes ? ["jobset_completed_total"] : []],
      completes ? "it does not complete" : "it completes too early",
    );
  });
}

/** The counters of completed JobSets. In-place restarts may fail a JobSet in the same pass. */
function listEnds({ metrics }: Plan): readonly string[] {
  return metrics.map(({ name }) => name).filter((name) => name === "jobset_completed_total");
}

function countRestarts({ spec }: JobSet, status: JobSet["status"]) {
  const names = (spec.replicatedJobs ?? []).map(({ name }) => name);
  const single = (status?.replicatedJobsStatus ?? [])
    .filter(({ name }) => names.includes(name))
    .flatMap(({ jobRestarts = [] }) => jobRestarts);
  return {
    all: status?.restarts ?? 0,
    towardsMax: status?.restartsCountTowardsMax ?? 0,
    ofJobs: single.reduce((sum, count) => sum + count, 0),
  };
}

/**
 * With startup in order, no Job is created or resumed in a ReplicatedJob after the first one that has not started, or
 * in one that has started. The conditions show the progress of the startup.
 */
export function startupOrderIsKept(subject: Reconcile): fc.IProperty<unknown> {
  const inOrder = clusters({ foreign: false, finished: false }).map((cluster) => {
    const { jobSet } = cluster;
    const startupPolicy = { startupPolicyOrder: "InOrder" } as const;
    const spec = { ...jobSet.spec, suspend: false, startupPolicy };
    return { ...cluster, jobSet: { ...jobSet, spec } };
  });
  return fc.property(inOrder, (cluster) => {
    const { jobSet } = cluster;
    const { plan, countersAtGates, reachesJobs } = runPass(subject, cluster);
    fc.pre(reachesJobs && plan.error === undefined);
    const free = referenceFree(jobSet, countersAtGates);
    const waiting = (jobSet.spec.replicatedJobs ?? []).filter(
      ({ name, replicas = 1 }) =>
        free.includes(name) && getStarted(countersAtGates, name) !== replicas,
    );
    const turn = waiting[0]?.name;
    for (const target of listTargets(listEffects(plan, "create-jobs", "resume"))) {
      claim(target.startsWith(`train-${turn}-`), "a Job starts out of order", target, turn);
    }
    const expected = turn === undefined ? "StartupPolicyCompleted" : "StartupPolicyInProgress";
    const conditions = (plan.status ?? jobSet.status)?.conditions ?? [];
    const holds = conditions.some(({ type, status }) => type === expected && status === "True");
    claim(holds, `${expected} does not hold`, conditions);
  });
}

function getStarted(counters: readonly Counters[], name: string): number {
  const one = counters.find((counted) => counted.name === name);
  return (one?.ready ?? 0) + (one?.succeeded ?? 0) + (one?.failed ?? 0);
}

/**
 * A finished JobSet is deleted after its Jobs when its TTL expires. Before that, a reconcile is scheduled for exactly
 * that time.
 */
export function timeToLiveIsKept(subject: Reconcile): fc.IProperty<unknown> {
  const ended = fc
    .tuple(clusters({ foreign: false, finished: false }), fc.constantFrom("Completed", "Failed"))
    .map(([cluster, type]) => withCondition(cluster, type));
  return fc.property(ended, (cluster) => {
    const { jobSet, context } = cluster;
    const { plan } = runPass(subject, cluster);
    fc.pre(plan.error === undefined);
    const { ttlSecondsAfterFinished: ttl } = jobSet.spec;
    const left = ttl === undefined ? undefined : (Date.parse(earlier) - context.now) / 1000 + ttl;
    const isOver = left !== undefined && left <= 0;
    const deleted = listEffects(plan, "delete-jobset").map(({ verb, target }) => [
      verb,
      target.kind,
    ]);
    claimSame(deleted, isOver ? [["delete", "JobSet"]] : [], "it is deleted at another time");
    if (isOver) claimSame(listSteps(plan).at(-1)?.phase, "delete-jobset", "its Jobs go behind it");
    claimSame(plan.requeueAfterSeconds, isOver ? undefined : left, "the requeue differs");
  });
}

function withCondition(cluster: GeneratedCluster, type: string): GeneratedCluster {
  const { jobSet } = cluster;
  const condition = { type, status: "True", reason: "R", message: "m" } as const;
  const conditions = [
    ...(jobSet.status?.conditions ?? []),
    { ...condition, lastTransitionTime: earlier },
  ];
  const status = { restarts: 0, ...jobSet.status, conditions };
  return { ...cluster, jobSet: { ...jobSet, status } };
}

/** The attempts of in-place restarts change exactly as in a slow reference model. */
export function inPlaceAttemptsAgree(subject: Reconcile): fc.IProperty<unknown> {
  const inPlace = clusters({ foreign: false, finished: false, wedged: false }).map(withInPlace);
  return fc.property(inPlace, (cluster) => {
    const { jobSet, others } = cluster;
    const { plan, reachesJobs } = runPass(subject, cluster);
    fc.pre(reachesJobs && plan.error === undefined);
    const { uid } = jobSet.metadata;
    const ofDeletedCount = cluster.context.quirks.has("PodsOfDeletedJobSetCount");
    const jobs = others.filter(
      (object) => object.kind === "Job" && getControllerOf(object)?.uid === uid,
    );
    const owners = jobs.map(({ metadata }) => metadata.uid);
    const pods = others
      .filter((object): object is Pod => object.kind === "Pod")
      .filter((pod) => ofDeletedCount || owners.includes(getControllerOf(pod)?.uid));
    const currentFalls = cluster.context.quirks.has("CurrentAttemptFalls");
    const { current, previous, fails } = referenceAttempts(jobSet, pods, currentFalls);
    const status = plan.status ?? jobSet.status;
    claimSame(plan.status?.terminalState === "Failed", fails, "it fails otherwise");
    claimSame(status?.currentInPlaceRestartAttempt, current, "the current attempt is another");
    claimSame(status?.previousInPlaceRestartAttempt, previous, "the previous attempt is another");
  });
}

function withInPlace(cluster: GeneratedCluster): GeneratedCluster {
  const { jobSet, context } = cluster;
  const { spec } = jobSet;
  const replicatedJobs = (spec.replicatedJobs ?? []).map((replicatedJob) => {
    const { template } = replicatedJob;
    const numbers = { parallelism: 1, completions: 1 };
    return { ...replicatedJob, template: { ...template, spec: { ...template.spec, ...numbers } } };
  });
  const failurePolicy = {
    maxRestarts: 1,
    ...spec.failurePolicy,
    restartStrategy: "InPlaceRestart",
  };
  const features = Object.fromEntries(
    [...context.features, "InPlaceRestart"].map((name) => [name, true]),
  );
  return {
    ...cluster,
    jobSet: { ...jobSet, spec: { ...spec, replicatedJobs, failurePolicy } as JobSet["spec"] },
    context: createContext({ now: "2026-02-07T10:00:30Z", features }),
  };
}
