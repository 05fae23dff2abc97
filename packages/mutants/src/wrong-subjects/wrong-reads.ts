// Controllers that misread the objects in the cluster, or crash because of them.
import { getReplicatedJobs, getRestarts } from "@jobset-ts/api";
import { JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { asArray, findCondition, getControllerOf, getLabel } from "@jobset-ts/api/kubernetes";
import {
  createSnapshot,
  type Quirk,
  reconcile,
  SNAPSHOT_KINDS,
  type Snapshot,
} from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { createOwnerReference } from "@jobset-ts/core/desired";
import { isFinished } from "@jobset-ts/core/policies";
import { createPlanController } from "@jobset-ts/testing/reconcile";
import { edit, type Untyped } from "../edit.ts";
import type { CreateController } from "../wrapped-controllers.ts";
import { createWrongSubjects, type DefectsByLaw } from "./wrong-subject.ts";

/** What a controller reads in a pass: copies of the objects by kind, which a defect may modify. */
interface View extends Readonly<Record<string, Untyped>> {
  readonly jobSet: Untyped;
  readonly spec: Untyped;
  /** The Jobs of the JobSet. */
  readonly jobs: Untyped[];
}

type Misread = (value: Untyped, view: View & { readonly parent: Untyped }) => Untyped;

/** Copies the objects of a snapshot by kind. */
export function copyObjects(snapshot: Snapshot): Record<string, Untyped[]> {
  const kinds = [...SNAPSHOT_KINDS.keys()];
  return structuredClone(
    Object.fromEntries(kinds.map((kind) => [kind, [...snapshot.objects(kind)]])),
  );
}

function misreadCluster(change: (view: View) => unknown): CreateController {
  return () =>
    createPlanController((snapshot, { metadata }, context) => {
      const objects = copyObjects(snapshot);
      const jobSet = objects.JobSet?.find((one) => one.metadata.uid === metadata?.uid);
      const isOwn = (job: Untyped) => getControllerOf(job)?.uid === metadata?.uid;
      const jobs = asArray(objects.Job).filter(isOwn);
      const others = asArray(objects.Job).filter((job) => !isOwn(job));
      change({ ...objects, jobSet, spec: jobSet.spec, jobs });
      const read = [...Object.values({ ...objects, Job: others }).flat(), ...jobs];
      return reconcile(createSnapshot(read, { kinds: "all" }), jobSet, context);
    });
}

/**
 * The controller reads other values than exist.
 *
 * @param path - from a {@link View}
 * @param change - returns the value that the controller reads
 */
function misread(path: string, change: Misread): CreateController {
  return misreadCluster((view) =>
    edit(view, path, (value, parent) => change(value, { ...view, parent })),
  );
}

/** The controller ignores values that exist: all, or some. */
function ignore(path: string, isIgnored: Misread = () => true): CreateController {
  return misread(path, (value, view) => (isIgnored(value, view) ? undefined : value));
}

function crashIf(hasCause: (view: View) => boolean): CreateController {
  return misreadCluster((view) => {
    if (hasCause(view)) throw new TypeError("a pass crashes");
  });
}

function withQuirk(quirk: Quirk): CreateController {
  return () =>
    createPlanController((snapshot, jobSet, context) =>
      reconcile(snapshot, jobSet, { ...context, quirks: new Set([quirk]) }),
    );
}

const RULES = "spec.failurePolicy.rules";
const MAX_RESTARTS = "spec.failurePolicy.maxRestarts";
const TARGETS = "spec.successPolicy.targetReplicatedJobs";
const DEPENDENCIES = "spec.replicatedJobs.*.dependsOn";
const TTL = "spec.ttlSecondsAfterFinished";

const keepFirst = (all: Untyped) => all?.slice(0, 1);
const hasFailed = (job: Untyped) => jobState(job) === "failed";
const hasSucceeded = (job: Untyped) => jobState(job) === "successful";
const getReplicatedJob = (job: Untyped) => getLabel(job, REPLICATED_JOB_NAME_KEY);
const getAttempt = (job: Untyped) => Number(getLabel(job, RESTART_ATTEMPT_KEY));
const getCurrentAttempt = ({ jobSet }: View) => getRestarts(jobSet);
const isOfEarlierAttempt = (job: Untyped, view: View) => getAttempt(job) < getCurrentAttempt(view);
const isTerminal = ({ type }: Untyped) => type === "Completed" || type === "Failed";

/** The controller treats some Jobs as Jobs of another attempt. */
const misreadAttempt = (
  isMisread: (job: Untyped, view: View) => boolean,
  attempt = getCurrentAttempt,
) =>
  misreadCluster((view) => {
    for (const job of view.jobs)
      if (isMisread(job, view)) job.metadata.labels[RESTART_ATTEMPT_KEY] = `${attempt(view)}`;
  });

/** The controller accepts an owner with the name of the JobSet and another UID. */
const compareOwnersByName: Misread = (owners, { jobSet: { metadata } }) =>
  owners?.map((owner: Untyped) =>
    owner.controller && owner.name === metadata.name ? { ...owner, uid: metadata.uid } : owner,
  );

const ignoreNamespaces = (kind: string) =>
  misread(`${kind}.*.metadata.namespace`, (_, { jobSet }) => jobSet.metadata.namespace);

/** The controller misreads when Jobs failed. `rank` is the position of the Job's name. */
const misreadFailureTimes = (change: (time: number, rank: number) => number) =>
  misreadCluster(({ jobs }) => {
    const names = jobs.map(({ metadata }) => metadata.name).sort();
    for (const { metadata, status } of jobs) {
      const condition: Untyped = findCondition<Untyped>(status?.conditions, "Failed");
      const time = Date.parse(condition?.lastTransitionTime);
      const read = change(time, names.indexOf(metadata.name));
      if (!Number.isNaN(time)) condition.lastTransitionTime = new Date(read).toISOString();
    }
  });

const misreadFinishTime = (getTime: (jobSet: Untyped) => string | undefined) =>
  misread("jobSet.status.conditions.*.lastTransitionTime", (time, { parent, jobSet }) =>
    isTerminal(parent) ? (getTime(jobSet) ?? time) : time,
  );

const defects: DefectsByLaw<CreateController> = {
  unmanagedJobSetsAreLeftAlone: {
    "B23 reconciles a JobSet that is being deleted": ignore("jobSet.metadata.deletionTimestamp"),
  },
  requestsAreValid: {
    "B20 recreates a Job while the Job of the earlier attempt exists": ignore(
      "jobs.*",
      isOfEarlierAttempt,
    ),
  },
  childJobsAreCounted: {
    "B24a finds Jobs by their owner's name": misread(
      "Job.*.metadata.ownerReferences",
      compareOwnersByName,
    ),
    "B24b crashes on a Job of an unknown ReplicatedJob": crashIf(({ jobs, jobSet }) => {
      const names = getReplicatedJobs(jobSet).map(({ name }) => name);
      return jobs.some((job) => !names.includes(getReplicatedJob(job)));
    }),
    "B30 treats Jobs without an owner as its own": misread("Job.*.metadata", (metadata, view) => {
      const job = { metadata };
      const isNamesake = getLabel(job, JOBSET_NAME_KEY) === view.jobSet.metadata.name;
      if (!isNamesake || getControllerOf(job)) return metadata;
      return { ...metadata, ownerReferences: [createOwnerReference(view.jobSet)] };
    }),
    "B60 crashes without a success policy": crashIf(({ spec }) => !spec.successPolicy),
    "B67 treats an absent managedBy as another controller": misread(
      "spec.managedBy",
      (name = "acme.com/other") => name,
    ),
    "counts Jobs of earlier attempts as failed": misreadAttempt(
      (job, view) => hasFailed(job) && isOfEarlierAttempt(job, view),
    ),
    "counts Jobs of earlier attempts as succeeded": misreadAttempt(
      (job, view) => hasSucceeded(job) && isOfEarlierAttempt(job, view),
    ),
    "treats Jobs of another namespace as its own": misread("Job.*.metadata", (metadata, view) => ({
      ...metadata,
      namespace: view.jobSet.metadata.namespace,
      ownerReferences: compareOwnersByName(metadata.ownerReferences, view),
    })),
    "treats a condition Failed with any status as a failure": misread(
      "jobs.*.status.conditions.*.status",
      (status, { parent }) => (parent.type === "Failed" ? "True" : status),
    ),
    "treats a condition Suspended with any status as a suspension": misread("jobs.*", (job) =>
      findCondition<Untyped>(job.status?.conditions, "Suspended")
        ? { ...job, spec: { ...job.spec, suspend: true } }
        : job,
    ),
    "counts Jobs without Pods as active": misread("jobs.*.status", (status, { parent: job }) =>
      jobState(job) === "active" ? { active: 1, ...status } : status,
    ),
    "expects as many ready Pods as the parallelism": ignore("jobs.*.spec.completions"),
  },
  restartsAreCounted: {
    "B35 crashes if a Job has failed and there are rules": crashIf(
      ({ jobs, spec }) => spec.failurePolicy?.rules?.length > 0 && jobs.some(hasFailed),
    ),
    "allows one restart too many": misread(MAX_RESTARTS, (limit = 0) => limit + 1),
    "treats a limit of 0 as no limit": misread(MAX_RESTARTS, (limit) => limit || 1e9),
  },
  jobsAreDeletedWhenDue: {
    "B36 crashes on a rule that cannot be applied": () =>
      createPlanController((...input) => {
        const plan = reconcile(...input);
        if (plan.error?.phase === "failure-policy") throw new TypeError("a pass crashes");
        return plan;
      }),
    "B83 lets Jobs of a finished JobSet run": ignore(
      "jobs.*",
      (job, { jobSet }) => isFinished(jobSet) && jobState(job) === "active",
    ),
    "treats Jobs of a later attempt as Jobs of an earlier one": misreadAttempt(
      (job, view) => getAttempt(job) > getCurrentAttempt(view),
      () => -1,
    ),
    "treats any owner as the controller": misread("Job.*.metadata.ownerReferences", (owners) =>
      owners?.map((owner: object, index: number) => ({ ...owner, controller: index === 0 })),
    ),
    "treats a terminal condition with any status as the end of the JobSet": misread(
      "jobSet.status.conditions.*.status",
      (status, { parent }) => (isTerminal(parent) ? "True" : status),
    ),
  },
  singleRestartsAreCounted: {
    "B38 chooses the last of several Jobs that failed in the same second": misreadFailureTimes(
      (time, rank) => time - rank,
    ),
    "chooses the Job that failed last": misreadFailureTimes((time) => 4e12 - time),
    "chooses the failed Job with the first name": misreadFailureTimes(() => 1.7e12),
  },
  restartsCountTowardsTheLimit: {
    "counts each restart towards the limit": misread(`${RULES}.*.action`, (action) =>
      action === "RestartJobSetAndIgnoreMaxRestarts" ? "RestartJobSet" : action,
    ),
    "chooses the last rule that matches": misread(RULES, (rules) => rules?.toReversed()),
    "applies rules to all ReplicatedJobs": ignore(`${RULES}.*.targetReplicatedJobs`),
    "applies rules without matching the message": ignore(`${RULES}.*.onJobFailureMessagePatterns`),
    "matches only the first message pattern": misread(
      `${RULES}.*.onJobFailureMessagePatterns`,
      keepFirst,
    ),
    "matches only the first reason": misread(`${RULES}.*.onJobFailureReasons`, keepFirst),
  },
  resumedJobsFollowTheirTemplate: {
    "B47 adds the tolerations again on resume": withQuirk("ResumeMergesTemplate"),
  },
  jobsAreCreatedWhenDue: { "B59 crashes without a network": crashIf(({ spec }) => !spec.network) },
  claimsAreCreatedWhenDue: {
    "B74 crashes without whenDeleted": crashIf(({ spec }) =>
      asArray<Untyped>(spec.volumeClaimPolicies).some((one) => !one?.retentionPolicy?.whenDeleted),
    ),
    "treats a PVC of another namespace as its own": ignoreNamespaces("PersistentVolumeClaim"),
  },
  servicesAreCreatedWhenDue: {
    "treats a Service of another namespace as its own": ignoreNamespaces("Service"),
  },
  jobSetsCompleteWhenTheirPolicySays: {
    "B80 counts ReplicatedJobs for completion instead of their Jobs": misread(
      "spec.successPolicy.operator",
      (operator, { parent: policy, jobs, jobSet }) => {
        const targets: unknown[] = policy.targetReplicatedJobs?.length
          ? policy.targetReplicatedJobs
          : getReplicatedJobs(jobSet).map(({ name }) => name);
        const done = jobs.filter(
          (job) => hasSucceeded(job) && targets.includes(getReplicatedJob(job)),
        );
        return done.length >= targets.length ? "Any" : operator;
      },
    ),
    "counts all Jobs for completion": ignore(TARGETS),
    "counts only the first target of the success policy": misread(TARGETS, keepFirst),
    "treats the operator Any as All": misread("spec.successPolicy.operator", () => "All"),
  },
  jobSetsFailWhenTheirPolicySays: {
    "ignores restarts of init containers": ignore("Pod.*.status.initContainerStatuses"),
  },
  conditionTimesFollowTheStatus: {
    "B87 keeps the transition time of a startup condition that becomes False": withQuirk(
      "StartupConditionKeepsTime",
    ),
  },
  inPlaceAttemptsAreCounted: {
    "B95 counts Pods of a deleted JobSet of the same name": withQuirk("PodsOfDeletedJobSetCount"),
    "waits for failed Pods before it releases the barrier": misread(
      "Pod.*.status.phase",
      (phase) => (phase === "Failed" ? "Running" : phase),
    ),
  },
  servicesFindTheJobSetsPods: {
    "publishes addresses of unready Pods only if the field is set": misread(
      "spec.network.publishNotReadyAddresses",
      (value = false) => value,
    ),
  },
  createdObjectsBelongToTheJobSet: {
    "owns retained PersistentVolumeClaims": misread(
      "spec.volumeClaimPolicies.*.retentionPolicy",
      () => ({ whenDeleted: "Delete" }),
    ),
  },
  jobsWaitForEarlierOnes: {
    "does not wait for Jobs of earlier attempts": misread(
      "spec.failurePolicy.restartStrategy",
      () => "Recreate",
    ),
  },
  jobsWaitForDependencies: {
    "ignores dependencies": ignore(DEPENDENCIES),
    "ignores dependencies of a suspended JobSet": ignore(
      DEPENDENCIES,
      (_, { spec }) => spec.suspend,
    ),
    "ignores dependencies of ReplicatedJobs that have Jobs": ignore(
      DEPENDENCIES,
      (_, { parent, jobs }) => jobs.some((job) => getReplicatedJob(job) === parent.name),
    ),
    "waits only for the first dependency": misread(DEPENDENCIES, keepFirst),
    "waits only for the last dependency": misread(DEPENDENCIES, (all) => all?.slice(-1)),
    "treats a ready dependency as complete": misread(`${DEPENDENCIES}.*.status`, () => "Ready"),
  },
  jobsWaitForStartupOrder: {
    "starts ReplicatedJobs in any order": ignore("spec.startupPolicy.startupPolicyOrder"),
  },
  finishedJobSetsAreDeletedInTime: {
    "deletes a JobSet a second too early": misread(TTL, (ttl) => ttl && Math.max(0, ttl - 1)),
    "treats a TTL of 0 as no TTL": misread(TTL, (ttl) => ttl || undefined),
    "starts the TTL at the time of the first condition": misreadFinishTime(
      ({ status }) => status.conditions[0]?.lastTransitionTime,
    ),
    "starts the TTL at the creation of the JobSet": misreadFinishTime(
      ({ metadata }) => metadata.creationTimestamp,
    ),
  },
};

export const wrongReads = createWrongSubjects("passes", defects, (create) => create());
