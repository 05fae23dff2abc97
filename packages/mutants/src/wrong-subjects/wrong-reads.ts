// Controllers that misread the objects in the cluster, or crash because of them, in passes and in repairs.
import { getReplicatedJobs, getRestarts } from "@jobset-ts/api";
import { JOBSET_NAME_KEY, REPLICATED_JOB_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { getControllerOf, getLabel } from "@jobset-ts/api/kubernetes";
import { reconcile } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { createOwnerReference } from "@jobset-ts/core/desired";
import { isFinished } from "@jobset-ts/core/policies";
import { createPlanController } from "@jobset-ts/testing/reconcile";
import { edit, type Untyped } from "../edit.ts";
import { passes, repairs } from "../law-sets.ts";
import { crashIf, ignore, misread, type View } from "./misread-cluster.ts";
import { createWrongSubjects } from "./wrong-subject.ts";

const FAILURE_POLICY = "jobSet.spec.failurePolicy";
const RULES = `${FAILURE_POLICY}.rules`;
const PATTERNS = `${RULES}.*.onJobFailureMessagePatterns`;
const DEPENDENCIES = "jobSet.spec.replicatedJobs.*.dependsOn";
const TTL = "jobSet.spec.ttlSecondsAfterFinished";

const keepFirst = (all: Untyped) => all?.slice(0, 1);
const hasFailed = (job: Untyped) => jobState(job) === "failed";
const getReplicatedJob = (job: Untyped) => getLabel(job, REPLICATED_JOB_NAME_KEY);
const getAttempt = (job: Untyped) => Number(getLabel(job, RESTART_ATTEMPT_KEY));
const setAttempt = ({ metadata, ...job }: Untyped, attempt: number) => {
  const labels = { ...metadata.labels, [RESTART_ATTEMPT_KEY]: `${attempt}` };
  return { ...job, metadata: { ...metadata, labels } };
};

/** Selects the terminal conditions of Jobs and JobSets. */
const isTerminal = ({ type }: Untyped) => /^(Completed?|Failed)$/.test(type);
/** The controller treats all terminal conditions as True. */
const ignoreStatus = (path: "jobSet" | "jobs.*") =>
  misread(`${path}.status.conditions.*.status`, (status, { owner }) =>
    isTerminal(owner) ? "True" : status,
  );

/** The controller misreads when Jobs failed. `rank` is the position of the Job's name. */
const misreadFailures = (change: (time: number, rank: number) => number) =>
  misread("jobs.*", (job, { jobs }) => {
    const rank = jobs.filter(({ metadata }) => metadata.name < job.metadata.name).length;
    edit(job, "status.conditions.*.lastTransitionTime", (time, { owner }) =>
      owner.type === "Failed" && time
        ? new Date(change(Date.parse(time), rank)).toISOString()
        : time,
    );
    return job;
  });

/** The node label of the topology domains in all cases of the laws. */
const TOPOLOGY_KEY = "rack";

/** Returns the domain of a Pod's node. */
function getDomain({ spec }: Untyped, { nodes }: View): string | undefined {
  const node = nodes.find(({ metadata }) => metadata.name === spec.nodeName);
  return node && getLabel(node, TOPOLOGY_KEY);
}

export const wrongReads = createWrongSubjects(passes, {
  unmanagedJobSetsAreLeftAlone: {
    "B23 reconciles a JobSet that is being deleted": ignore("jobSet.metadata.deletionTimestamp"),
  },
  requestsAreValid: {
    "B20 recreates a Job before the old one is gone": ignore(
      "jobs.*",
      (job, { jobSet }) => getAttempt(job) < getRestarts(jobSet),
    ),
  },
  childJobsAreCounted: {
    "B24b crashes on a Job of an unknown ReplicatedJob": crashIf(({ jobs, jobSet }) => {
      const names = getReplicatedJobs(jobSet).map(({ name }) => name);
      return jobs.some((job) => !names.includes(getReplicatedJob(job)));
    }),
    "B30 treats Jobs without an owner as its own": misread(
      "otherJobs.*.metadata",
      (metadata, { jobSet }) => {
        const isNamesake = metadata.labels?.[JOBSET_NAME_KEY] === jobSet.metadata.name;
        if (!isNamesake || getControllerOf({ metadata })) return metadata;
        return { ...metadata, ownerReferences: [createOwnerReference(jobSet)] };
      },
    ),
    "B60 crashes without a success policy": crashIf(({ jobSet }) => !jobSet.spec.successPolicy),
    "B67 requires managedBy": misread("jobSet.spec.managedBy", (name = "acme.com/mine") => name),
    "counts failed Jobs of earlier attempts": misread("jobs.*", (job, { jobSet }) =>
      hasFailed(job) ? setAttempt(job, getRestarts(jobSet)) : job,
    ),
    "ignores the status of terminal conditions of Jobs": ignoreStatus("jobs.*"),
    "counts Jobs without Pods as active": misread("jobs.*.status", (status, { owner: job }) =>
      jobState(job) === "active" ? { active: 1, ...status } : status,
    ),
    "expects as many ready Pods as the parallelism": ignore("jobs.*.spec.completions"),
  },
  inPlaceAttemptsAreCounted: {
    "ignores terminating Pods": ignore("pods.*", ({ metadata }) => metadata.deletionTimestamp),
    "ignores succeeded Pods": ignore("pods.*", ({ status }) => status?.phase === "Succeeded"),
  },
  restartsAreCounted: {
    "B35 crashes on a failed Job if there are rules": crashIf(
      ({ jobs, jobSet }) => jobSet.spec.failurePolicy?.rules?.length > 0 && jobs.some(hasFailed),
    ),
    "allows one restart too many": misread(
      `${FAILURE_POLICY}.maxRestarts`,
      (limit = 0) => limit + 1,
    ),
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
    "treats Jobs of a later attempt as Jobs of an earlier one": misread(
      "jobs.*",
      (job, { jobSet }) => (getAttempt(job) > getRestarts(jobSet) ? setAttempt(job, -1) : job),
    ),
    "treats any owner as the controller": misread(
      "otherJobs.*.metadata.ownerReferences.*.controller",
      (_, { index }) => index === 0,
    ),
    "ignores the status of terminal conditions of the JobSet": ignoreStatus("jobSet"),
  },
  singleRestartsAreCounted: {
    "B38 chooses the last of Jobs that failed at once": misreadFailures(
      (time, rank) => time - rank,
    ),
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
  jobsAreCreatedWhenDue: {
    "B59 crashes without a network": crashIf(({ jobSet }) => !jobSet.spec.network),
  },
  claimsAreCreatedWhenDue: {
    "B74 crashes without whenDeleted": crashIf(({ jobSet }) =>
      jobSet.spec.volumeClaimPolicies?.some((one: Untyped) => !one.retentionPolicy?.whenDeleted),
    ),
  },
  servicesAreCreatedWhenDue: {
    "treats a Service of another namespace as its own": misread(
      "services.*.metadata.namespace",
      (_, { jobSet }) => jobSet.metadata.namespace,
    ),
  },
  jobSetsCompleteWhenTheirPolicySays: {
    "B80 expects one succeeded Job for each ReplicatedJob": misread(
      "jobSet.spec.successPolicy",
      (policy, { jobs, jobSet }) => {
        const names = getReplicatedJobs(jobSet).map(({ name }) => name);
        const targets = policy.targetReplicatedJobs?.length ? policy.targetReplicatedJobs : names;
        const succeeded = jobs.filter((job) => jobState(job) === "successful");
        const counted = succeeded.map(getReplicatedJob).filter((name) => targets.includes(name));
        return counted.length >= targets.length ? { ...policy, operator: "Any" } : policy;
      },
    ),
    "counts all Jobs for completion": ignore("jobSet.spec.successPolicy.targetReplicatedJobs"),
    "treats the operator Any as All": misread("jobSet.spec.successPolicy.operator", () => "All"),
  },
  jobSetsFailWhenTheirPolicySays: {
    "ignores restarts of init containers": ignore("pods.*.status.initContainerStatuses"),
  },
  servicesFindTheJobSetsPods: {
    "publishes addresses of unready Pods only if the field is set": misread(
      "jobSet.spec.network.publishNotReadyAddresses",
      (value = false) => value,
    ),
  },
  createdObjectsBelongToTheJobSet: {
    "owns retained PVCs": ignore("jobSet.spec.volumeClaimPolicies.*.retentionPolicy"),
  },
  jobsWaitForEarlierOnes: {
    "does not wait for Jobs of earlier attempts": ignore(`${FAILURE_POLICY}.restartStrategy`),
  },
  jobsWaitForDependencies: {
    "ignores dependencies while suspended": ignore(
      DEPENDENCIES,
      (_, { jobSet }) => jobSet.spec.suspend,
    ),
    "ignores dependencies of ReplicatedJobs that have Jobs": ignore(
      DEPENDENCIES,
      (_, { owner, jobs }) => jobs.some((job) => getReplicatedJob(job) === owner.name),
    ),
    "treats a ready dependency as complete": misread(`${DEPENDENCIES}.*.status`, () => "Ready"),
  },
  jobsWaitForStartupOrder: {
    "starts ReplicatedJobs in any order": ignore("jobSet.spec.startupPolicy.startupPolicyOrder"),
  },
  finishedJobSetsAreDeletedInTime: {
    "deletes a JobSet a second too early": misread(TTL, (ttl) => ttl && Math.max(0, ttl - 1)),
    "treats a TTL of 0 as no TTL": misread(TTL, (ttl) => ttl || undefined),
    "starts the TTL at the first condition": misread(
      "jobSet.status.conditions.*.lastTransitionTime",
      (time, { owner, jobSet }) =>
        isTerminal(owner) ? jobSet.status.conditions[0].lastTransitionTime : time,
    ),
  },
});

export const wrongRepairs = createWrongSubjects(repairs, {
  misplacedFollowersAreDeletedTogether: {
    "B01 never deletes followers": () => () => undefined,
    "finds followers of any Job": misread(
      "pods.*.metadata.ownerReferences",
      (_, { leader }) => leader.metadata.ownerReferences,
    ),
    "deletes only misplaced followers": ignore(
      "pods.*",
      ({ spec }, view) => spec.nodeSelector?.[TOPOLOGY_KEY] === getDomain(view.leader, view),
    ),
  },
  followersGetAConditionBeforeDeletion: {
    "decides by the node of a follower instead of its node selector": misread(
      "pods.*.spec",
      (spec, view) => {
        const domain = getDomain({ spec }, view);
        return domain ? { ...spec, nodeSelector: { [TOPOLOGY_KEY]: domain } } : spec;
      },
    ),
  },
  otherPodsAreLeftAlone: {
    "deletes Pods of other namespaces": misread(
      "pods.*.metadata.namespace",
      (_, { leader }) => leader.metadata.namespace,
    ),
  },
});
