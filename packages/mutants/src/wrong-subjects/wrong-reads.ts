// Controllers that misread the objects in the cluster, or crash because of them.
import { getReplicatedJobs, getRestarts } from "@jobset-ts/api";
import { JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { asArray, findCondition, getControllerOf, getLabel } from "@jobset-ts/api/kubernetes";
import { createSnapshot, reconcile, SNAPSHOT_KINDS, type Snapshot } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { createOwnerReference } from "@jobset-ts/core/desired";
import { isFinished } from "@jobset-ts/core/policies";
import { createPlanController } from "@jobset-ts/testing/reconcile";
import { edit, get, type Untyped } from "../edit.ts";
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
  return Object.fromEntries(
    kinds.map((kind) => [kind, structuredClone([...snapshot.objects(kind)])]),
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
export function ignore(path: string, isIgnored: Misread = () => true): CreateController {
  return misread(path, (value, view) => (isIgnored(value, view) ? undefined : value));
}

function crashIf(hasCause: (view: View) => boolean): CreateController {
  return misreadCluster((view) => {
    if (hasCause(view)) throw new TypeError("a pass crashes");
  });
}

const RULES = "spec.failurePolicy.rules";
const PATTERNS = `${RULES}.*.onJobFailureMessagePatterns`;
const MAX_RESTARTS = "spec.failurePolicy.maxRestarts";
const TARGETS = "spec.successPolicy.targetReplicatedJobs";
const DEPENDENCIES = "spec.replicatedJobs.*.dependsOn";
const CLAIM_POLICY = "spec.volumeClaimPolicies.*";
const OWNERS = "Job.*.metadata.ownerReferences";
const TTL = "spec.ttlSecondsAfterFinished";

const keepFirst = (all: Untyped) => all?.slice(0, 1);
const hasFailed = (job: Untyped) => jobState(job) === "failed";
const hasSucceeded = (job: Untyped) => jobState(job) === "successful";
const getReplicatedJob = (job: Untyped) => getLabel(job, REPLICATED_JOB_NAME_KEY);
const getAttempt = (job: Untyped) => Number(getLabel(job, RESTART_ATTEMPT_KEY));
const isOfEarlierAttempt = (job: Untyped, { jobSet }: View) =>
  getAttempt(job) < getRestarts(jobSet);

/** The controller reads another attempt from some Jobs. */
const misreadAttempts = (
  isMisread: (job: Untyped, view: View) => boolean,
  getRead: (view: View) => number,
) =>
  misread("jobs.*", (job, view) => {
    if (isMisread(job, view)) job.metadata.labels[RESTART_ATTEMPT_KEY] = `${getRead(view)}`;
    return job;
  });
const countEarlierJobs = (isCounted: (job: Untyped) => boolean) =>
  misreadAttempts(
    (job, view) => isCounted(job) && isOfEarlierAttempt(job, view),
    ({ jobSet }) => getRestarts(jobSet),
  );

/** The controller treats conditions of some types as True. */
const ignoreStatus = (path: "jobSet" | "jobs.*", ...types: readonly string[]) =>
  misread(`${path}.status.conditions.*.status`, (status, { parent }) =>
    types.includes(parent.type) ? "True" : status,
  );

/** The controller accepts an owner with the name of the JobSet and another UID. */
const compareOwnersByName: Misread = (owners, { jobSet: { metadata } }) =>
  owners?.map((owner: Untyped) =>
    owner.controller && owner.name === metadata.name ? { ...owner, uid: metadata.uid } : owner,
  );

const ignoreNamespaces = (kind: string) =>
  misread(`${kind}.*.metadata.namespace`, (_, { jobSet }) => jobSet.metadata.namespace);

/** The controller misreads when Jobs failed. `rank` is the position of the Job's name. */
const misreadFailures = (change: (time: number, rank: number) => number) =>
  misreadCluster(({ jobs }) => {
    const names = jobs.map(({ metadata }) => metadata.name).sort();
    for (const { metadata, status } of jobs) {
      const condition: Untyped = findCondition<Untyped>(status?.conditions, "Failed");
      const time = Date.parse(condition?.lastTransitionTime);
      const read = change(time, names.indexOf(metadata.name));
      if (!Number.isNaN(time)) condition.lastTransitionTime = new Date(read).toISOString();
    }
  });

const misreadFinishTime = (path: string) =>
  misread("jobSet.status.conditions.*.lastTransitionTime", (time, { parent, jobSet }) =>
    ["Completed", "Failed"].includes(parent.type) ? (get(jobSet, path) ?? time) : time,
  );

const defects: DefectsByLaw<CreateController> = {
  unmanagedJobSetsAreLeftAlone: {
    "B23 reconciles a JobSet that is being deleted": ignore("jobSet.metadata.deletionTimestamp"),
  },
  requestsAreValid: {
    "B20 recreates a Job before the old one is gone": ignore("jobs.*", isOfEarlierAttempt),
  },
  childJobsAreCounted: {
    "B24b crashes on a Job of an unknown ReplicatedJob": crashIf(({ jobs, jobSet }) => {
      const names = getReplicatedJobs(jobSet).map(({ name }) => name);
      return jobs.some((job) => !names.includes(getReplicatedJob(job)));
    }),
    "B30 treats Jobs without an owner as its own": misread("Job.*.metadata", (metadata, view) => {
      const isNamesake = metadata.labels?.[JOBSET_NAME_KEY] === view.jobSet.metadata.name;
      if (!isNamesake || getControllerOf({ metadata })) return metadata;
      return { ...metadata, ownerReferences: [createOwnerReference(view.jobSet)] };
    }),
    "B60 crashes without a success policy": crashIf(({ spec }) => !spec.successPolicy),
    "B67 requires managedBy": misread("spec.managedBy", (name = "acme.com/other") => name),
    "counts Jobs of earlier attempts as failed": countEarlierJobs(hasFailed),
    "counts Jobs of earlier attempts as succeeded": countEarlierJobs(hasSucceeded),
    "treats Jobs of another namespace as its own": misread("Job.*.metadata", (metadata, view) => ({
      ...metadata,
      namespace: view.jobSet.metadata.namespace,
      ownerReferences: compareOwnersByName(metadata.ownerReferences, view),
    })),
    "ignores the status of the condition Failed": ignoreStatus("jobs.*", "Failed"),
    "ignores the status of the condition Suspended": misread("jobs.*", (job) =>
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
    "B35 crashes on a failed Job if there are rules": crashIf(
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
    "treats Jobs of a later attempt as Jobs of an earlier one": misreadAttempts(
      (job, { jobSet }) => getAttempt(job) > getRestarts(jobSet),
      () => -1,
    ),
    "treats any owner as the controller": misread(OWNERS, (owners) =>
      owners?.map((owner: object, index: number) => ({ ...owner, controller: index === 0 })),
    ),
    "ignores the status of terminal conditions": ignoreStatus("jobSet", "Completed", "Failed"),
  },
  singleRestartsAreCounted: {
    "B38 chooses the last of Jobs that failed at once": misreadFailures(
      (time, rank) => time - rank,
    ),
    "chooses the Job that failed last": misreadFailures((time) => 4e12 - time),
    "chooses the failed Job with the first name": misreadFailures(() => 1.7e12),
  },
  restartsCountTowardsTheLimit: {
    "counts each restart towards the limit": misread(`${RULES}.*.action`, (action) =>
      action === "RestartJobSetAndIgnoreMaxRestarts" ? "RestartJobSet" : action,
    ),
    "chooses the last rule that matches": misread(RULES, (rules) => rules?.toReversed()),
    "applies rules to all ReplicatedJobs": ignore(`${RULES}.*.targetReplicatedJobs`),
    "applies rules without matching the message": ignore(PATTERNS),
    "matches only the first message pattern": misread(PATTERNS, keepFirst),
    "matches only the first reason": misread(`${RULES}.*.onJobFailureReasons`, keepFirst),
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
    "B80 expects one succeeded Job for each ReplicatedJob": misread(
      "spec.successPolicy.operator",
      (operator, { parent: policy, jobs, jobSet }) => {
        const names = getReplicatedJobs(jobSet).map(({ name }) => name);
        const targets = policy.targetReplicatedJobs?.length ? policy.targetReplicatedJobs : names;
        const succeeded = jobs.filter(hasSucceeded).map(getReplicatedJob);
        const counted = succeeded.filter((name) => targets.includes(name));
        return counted.length >= targets.length ? "Any" : operator;
      },
    ),
    "counts all Jobs for completion": ignore(TARGETS),
    "counts only the first target of the success policy": misread(TARGETS, keepFirst),
    "treats the operator Any as All": misread("spec.successPolicy.operator", () => "All"),
  },
  jobSetsFailWhenTheirPolicySays: {
    "ignores restarts of init containers": ignore("Pod.*.status.initContainerStatuses"),
  },
  servicesFindTheJobSetsPods: {
    "publishes addresses of unready Pods only if the field is set": misread(
      "spec.network.publishNotReadyAddresses",
      (value = false) => value,
    ),
  },
  createdObjectsBelongToTheJobSet: {
    "owns retained PVCs": misread(`${CLAIM_POLICY}.retentionPolicy`, () => ({
      whenDeleted: "Delete",
    })),
  },
  jobsWaitForEarlierOnes: {
    "does not wait for Jobs of earlier attempts": ignore("spec.failurePolicy.restartStrategy"),
  },
  jobsWaitForDependencies: {
    "ignores dependencies": ignore(DEPENDENCIES),
    "ignores dependencies while suspended": ignore(DEPENDENCIES, (_, { spec }) => spec.suspend),
    "ignores dependencies of ReplicatedJobs that have Jobs": ignore(
      DEPENDENCIES,
      (_, { parent, jobs }) => jobs.some((job) => getReplicatedJob(job) === parent.name),
    ),
    "waits only for the last dependency": misread(DEPENDENCIES, (all) => all?.slice(-1)),
    "treats a ready dependency as complete": misread(`${DEPENDENCIES}.*.status`, () => "Ready"),
  },
  jobsWaitForStartupOrder: {
    "starts ReplicatedJobs in any order": ignore("spec.startupPolicy.startupPolicyOrder"),
  },
  finishedJobSetsAreDeletedInTime: {
    "deletes a JobSet a second too early": misread(TTL, (ttl) => ttl && Math.max(0, ttl - 1)),
    "treats a TTL of 0 as no TTL": misread(TTL, (ttl) => ttl || undefined),
    "starts the TTL at the first condition": misreadFinishTime(
      "status.conditions.0.lastTransitionTime",
    ),
    "starts the TTL at the creation of the JobSet": misreadFinishTime("metadata.creationTimestamp"),
  },
};

export const wrongReads = createWrongSubjects("passes", defects, (create) => create());
