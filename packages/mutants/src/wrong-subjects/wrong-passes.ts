// Controllers that see other objects than exist, or send other requests.
import { reconcile } from "@jobset-ts/core";
import { type ControllerSubject, createPlanController } from "@jobset-ts/testing/reconcile";
import { type Loose, list } from "../edit.ts";
import { current, describeRequest, rewriting } from "../wrapped-controllers.ts";
import {
  controllerIn,
  crashing,
  odd,
  ofType,
  seeing,
  sees,
  sends,
  tells,
  type View,
} from "./wrong-pass.ts";
import { type SubjectsByLaw, subjectsByLaw } from "./wrong-subject.ts";

const ATTEMPT = "jobset.sigs.k8s.io/restart-attempt";
const JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";
const REPLICATED_JOB_NAME = "jobset.sigs.k8s.io/replicatedjob-name";
const JOB_KEY = "jobset.sigs.k8s.io/job-key";
const NOW = "2026-02-07T10:00:00Z";

const first = (value: Loose) => value?.slice(0, 1);
const sum = (values: readonly Loose[]): number => values.reduce((all, one) => all + one, 0);
const isTrue = (object: Loose, ...types: readonly string[]): boolean =>
  list(object?.status?.conditions).some(
    (one) => types.includes(one?.type) && one.status === "True",
  );
const hasFinished = (object: Loose) => isTrue(object, "Completed", "Failed", "Complete");
const getAttempt = ({ metadata }: Loose) => Number(metadata.labels?.[ATTEMPT]);
const getReplicatedJobName = (job: Loose) => job.metadata.labels?.[REPLICATED_JOB_NAME];
const rulesIn = ({ spec }: View): Loose[] => list(spec.failurePolicy?.rules);
const jobsIn = ({ spec }: View): Loose[] => list(spec.replicatedJobs);
const restartsIn = (status: Loose) =>
  sum(list(status?.replicatedJobsStatus).flatMap(({ jobRestarts }) => list(jobRestarts)));

const inRules = (path: string, change?: (value: Loose) => Loose) =>
  sees(`spec.failurePolicy.rules.*.${path}`, change);
const inReplicatedJobs = (
  path: string,
  change?: (value: Loose, owner: Loose, view: View) => Loose,
) => sees(`spec.replicatedJobs.*.${path}`, change);
const inChildren = (change: (job: Loose, view: View) => unknown) =>
  seeing((view) => view.jobs.map((job) => change(job, view)));
/** Jobs whose attempt is another one count as Jobs of the given attempt. */
const inAttempt = (
  isMeant: (job: Loose, view: View) => boolean,
  attempt = ({ attempt }: View) => attempt,
) =>
  inChildren((job, view) => {
    if (isMeant(job, view)) job.metadata.labels[ATTEMPT] = `${attempt(view)}`;
  });
/** The controller does not see some of the JobSet's Jobs. */
const hiding = (isHidden: (job: Loose, view: View) => boolean) =>
  sees("Job.*", (job, _, view) =>
    view.jobs.includes(job) && isHidden(job, view) ? undefined : job,
  );
/** Conditions of some types are true, whatever their status. */
const believing = (path: string, ...types: readonly string[]) =>
  sees(`${path}.status.conditions.*`, (one) =>
    types.includes(one?.type) ? { ...one, status: "True" } : one,
  );
/** Jobs whose controller has the JobSet's name are its own. */
const adoptingNamesakes = ({ Job, jobSet: { metadata } }: View, namespace?: string) => {
  for (const job of Job) {
    const owner = controllerIn(job);
    if (owner?.name === metadata.name) owner.uid = metadata.uid;
    if (namespace) job.metadata.namespace = namespace;
  }
};
/** Objects of other namespaces count, too. */
const inAnyNamespace = (kind: string) =>
  sees(`${kind}.*.metadata.namespace`, (_, __, { jobSet }) => jobSet.metadata.namespace);
/** The Jobs failed at other times, by their rank. */
const failingAt = (timeOf: (time: number, rank: number) => number) =>
  seeing(({ jobs }) => {
    const names = jobs.map(({ metadata }) => metadata.name).sort();
    for (const { metadata, status } of jobs) {
      const failed = ofType(status, "Failed");
      const time = Date.parse(failed?.lastTransitionTime);
      const other = timeOf(time, names.indexOf(metadata.name));
      if (!Number.isNaN(time)) failed.lastTransitionTime = new Date(other).toISOString();
    }
  });
/** The JobSet finished at another time. */
const changeFinishTime = (timeOf: (jobSet: Loose) => string | undefined) =>
  sees("jobSet.status.conditions.*", (one, _, { jobSet }) => {
    const time = timeOf(jobSet);
    return ["Completed", "Failed"].includes(one?.type) && time
      ? { ...one, lastTransitionTime: time }
      : one;
  });
const limit = (change: (limit: number) => number) =>
  sees("spec.failurePolicy.maxRestarts", (one = 0) => change(one));
const timeToLive = (change: (seconds: number) => number | undefined) =>
  sees("spec.ttlSecondsAfterFinished", (one) => (one === undefined ? one : change(one)));
const POD = "spec.template.spec";

/** By the law that catches them. */
const passes: SubjectsByLaw<() => ControllerSubject> = {
  unmanagedJobSetsAreLeftAlone: {
    "B23 reconciles a JobSet that is being deleted": sees("jobSet.metadata.deletionTimestamp"),
  },
  deletionsWaitForPods: {
    "B21 deletes Jobs in the background": () =>
      rewriting((one) => [
        one.verb === "delete" ? { ...one, propagationPolicy: "Background" } : one,
      ]),
  },
  requestsAreValid: {
    "B20 recreates a Job while the Job of the earlier attempt exists": hiding(
      (job, { attempt }) => getAttempt(job) < attempt,
    ),
  },
  childJobsAreCounted: {
    "B24a finds Jobs by their owner's name": seeing((view) => adoptingNamesakes(view)),
    "B24b crashes on a Job of an unknown ReplicatedJob": crashing((view) =>
      view.jobs.some((job) => jobsIn(view).every(({ name }) => name !== getReplicatedJobName(job))),
    ),
    "B30 treats Jobs without an owner as its own": seeing(({ Job, jobSet }) => {
      const { apiVersion, kind, metadata } = jobSet;
      const { name, uid } = metadata;
      for (const job of Job)
        if (job.metadata.labels?.[JOBSET_NAME] === name && !controllerIn(job))
          job.metadata.ownerReferences = [{ apiVersion, kind, name, uid, controller: true }];
    }),
    "B60 crashes without a success policy": crashing(({ spec }) => !spec.successPolicy),
    "B67 treats an absent managedBy as another controller": sees(
      "spec.managedBy",
      (one = "acme.com/other") => one,
    ),
    "counts Jobs of earlier attempts as failed": inAttempt(
      (job, { attempt }) => isTrue(job, "Failed") && getAttempt(job) < attempt,
    ),
    "counts Jobs of earlier attempts as succeeded": inAttempt(
      (job, { attempt }) => isTrue(job, "Complete") && getAttempt(job) < attempt,
    ),
    "treats Jobs of another namespace as its own": seeing((view) =>
      adoptingNamesakes(view, view.jobSet.metadata.namespace),
    ),
    "treats a condition Failed with any status as a failure": believing("jobs.*", "Failed"),
    "treats a condition Suspended with any status as a suspension": inChildren(
      ({ spec, status }) => {
        if (ofType(status, "Suspended")) spec.suspend = true;
      },
    ),
    "counts Jobs without Pods as active": inChildren((job) => {
      if (!hasFinished(job)) job.status = { active: 1, ...job.status };
    }),
    "expects as many ready Pods as the parallelism": sees("jobs.*.spec.completions"),
  },
  restartsAreCounted: {
    "B35 crashes if a Job has failed and there are rules": crashing(
      (view) => rulesIn(view).length > 0 && view.jobs.some((job) => isTrue(job, "Failed")),
    ),
    "allows one restart too many": limit((one) => one + 1),
    "treats a limit of 0 as no limit": limit((one) => one || 1e9),
  },
  jobsAreDeletedWhenDue: {
    "B36 crashes on a rule that cannot be applied": () =>
      createPlanController((...args) => {
        const plan = reconcile(...args);
        if (plan.error?.phase === "failure-policy") throw new TypeError("a pass crashes");
        return plan;
      }),
    "B83 lets Jobs of a finished JobSet run": hiding(
      (job, { jobSet }) => hasFinished(jobSet) && !hasFinished(job),
    ),
    "treats Jobs of a later attempt as Jobs of an earlier one": inAttempt(
      (job, { attempt }) => getAttempt(job) > attempt,
      () => -1,
    ),
    "treats any owner as the controller": seeing(({ Job }) => {
      for (const { metadata } of Job)
        for (const [index, owner] of list(metadata.ownerReferences).entries())
          owner.controller = index === 0;
    }),
    "treats a terminal condition with any status as the end of the JobSet": believing(
      "jobSet",
      "Completed",
      "Failed",
    ),
  },
  singleRestartsAreCounted: {
    "B38 chooses the last of several Jobs that failed in the same second": failingAt(
      (time, rank) => time - rank,
    ),
    "chooses the Job that failed last": failingAt((time) => 4e12 - time),
    "chooses the failed Job with the first name": failingAt(() => 1.7e12),
    "counts the restart of a single Job for the first Job": tells(
      "replicatedJobsStatus.*.jobRestarts",
      (counts) => counts?.map((_: number, index: number) => (index === 0 ? sum(counts) : 0)),
    ),
  },
  restartsCountTowardsTheLimit: {
    "B39 counts restarts of single Jobs towards the limit": tells("", (status, stored) =>
      restartsIn(status) > restartsIn(stored)
        ? { ...status, restartsCountTowardsMax: (status.restartsCountTowardsMax ?? 0) + 1 }
        : status,
    ),
    "counts each restart towards the limit": inRules("action", (action) =>
      action === "RestartJobSetAndIgnoreMaxRestarts" ? "RestartJobSet" : action,
    ),
    "chooses the last rule that matches": seeing((view) => rulesIn(view).reverse()),
    "applies rules to all ReplicatedJobs": inRules("targetReplicatedJobs"),
    "applies rules without matching the message": inRules("onJobFailureMessagePatterns"),
    "matches only the first message pattern": inRules("onJobFailureMessagePatterns", first),
    "matches only the first reason": inRules("onJobFailureReasons", first),
  },
  resumedJobsFollowTheirTemplate: {
    "B43 copies only the node selector on resume": sends(
      "update Job",
      "spec.template",
      (next, _, stored) => {
        const { template } = stored.spec;
        const { nodeSelector } = next.spec;
        return { ...template, spec: { ...template.spec, nodeSelector } };
      },
    ),
    "B44 drops scheduling gates on resume": sends(
      "update Job",
      `${POD}.schedulingGates`,
      (_, __, { spec }) => spec.template.spec.schedulingGates,
    ),
    "B47 adds the tolerations again on resume": odd("ResumeMergesTemplate"),
  },
  createdPodsUseTheirService: {
    "B54 creates Pods without a default subdomain": sends(
      "create Job",
      "spec.template",
      (template) => {
        const { subdomain, ...spec } = template.spec;
        return subdomain === template.metadata.labels[JOBSET_NAME]
          ? { ...template, spec }
          : template;
      },
    ),
    "B90b creates Pods whose subdomain is the name of the JobSet": sends(
      "create Job",
      "spec.template",
      ({ metadata, spec }) => ({
        metadata,
        spec: { ...spec, subdomain: spec.subdomain && metadata.labels[JOBSET_NAME] },
      }),
    ),
  },
  jobsAreCreatedWhenDue: { "B59 crashes without a network": crashing(({ spec }) => !spec.network) },
  claimsAreCreatedWhenDue: {
    "B74 crashes without whenDeleted": crashing(({ spec }) =>
      list(spec.volumeClaimPolicies).some((one) => !one?.retentionPolicy?.whenDeleted),
    ),
    "treats a PVC of another namespace as its own": inAnyNamespace("PersistentVolumeClaim"),
  },
  servicesAreCreatedWhenDue: {
    "treats a Service of another namespace as its own": inAnyNamespace("Service"),
  },
  jobSetsCompleteWhenTheirPolicySays: {
    "B80 counts ReplicatedJobs for completion instead of their Jobs": sees(
      "spec.successPolicy",
      (policy, _, view) => {
        const targets = list(policy?.targetReplicatedJobs);
        const isTarget = (name: string) => targets.length === 0 || targets.includes(name);
        const done = view.jobs.filter(
          (job) => isTrue(job, "Complete") && isTarget(getReplicatedJobName(job)),
        );
        const targetCount = jobsIn(view).filter(({ name }) => isTarget(name)).length;
        return done.length > 0 && done.length >= targetCount
          ? { ...policy, operator: "Any" }
          : policy;
      },
    ),
    "counts all Jobs for completion": sees("spec.successPolicy.targetReplicatedJobs"),
    "counts only the first target of the success policy": sees(
      "spec.successPolicy.targetReplicatedJobs",
      first,
    ),
    "treats the operator Any as All": sees("spec.successPolicy.operator", () => "All"),
  },
  jobSetsFailWhenTheirPolicySays: {
    "ignores restarts of init containers": sees("Pod.*.status.initContainerStatuses"),
  },
  conditionTimesFollowTheStatus: {
    "B87 keeps the transition time of a startup condition that becomes False": odd(
      "StartupConditionKeepsTime",
    ),
  },
  conditionsMatchTheState: {
    "adds a condition that is False": tells("conditions", (all) => {
      const condition = { type: "Suspended", status: "False", reason: "ResumeJobs", message: "" };
      return list(all).some(({ type }) => type === "Suspended")
        ? all
        : [...list(all), { ...condition, lastTransitionTime: NOW }];
    }),
  },
  inPlaceAttemptsAreCounted: {
    "B95 counts Pods of a deleted JobSet of the same name": odd("PodsOfDeletedJobSetCount"),
    "waits for failed Pods before it releases the barrier": sees("Pod.*.status.phase", (one) =>
      one === "Failed" ? "Running" : one,
    ),
  },
  servicesFindTheJobSetsPods: {
    "B90a creates Services that select other Pods": sends(
      "create Service",
      "spec.selector",
      (selector) => ({ "jobset-name": selector[JOBSET_NAME] }),
    ),
    "publishes addresses of unready Pods only if the field is set": sees(
      "spec.network.publishNotReadyAddresses",
      (one = false) => one,
    ),
  },
  createdObjectsBelongToTheJobSet: {
    "B91 creates Services without an owner": sends("create Service", "metadata.ownerReferences"),
    "owns retained PersistentVolumeClaims": sees(
      "spec.volumeClaimPolicies.*.retentionPolicy",
      () => ({ whenDeleted: "Delete" }),
    ),
  },
  createdObjectsHaveJobSetLabels: {
    "B11 creates Job keys without the namespace": sends(
      "create Job",
      "metadata.labels",
      (labels, { name }) => ({
        ...labels,
        [JOB_KEY]: name,
      }),
    ),
  },
  jobsWaitForEarlierOnes: {
    "does not wait for Jobs of earlier attempts": sees(
      "spec.failurePolicy.restartStrategy",
      () => "Recreate",
    ),
  },
  jobsWaitForDependencies: {
    "ignores dependencies": inReplicatedJobs("dependsOn"),
    "ignores dependencies of a suspended JobSet": inReplicatedJobs(
      "dependsOn",
      (all, _, { spec }) => (spec.suspend ? undefined : all),
    ),
    "ignores dependencies of ReplicatedJobs that have Jobs": inReplicatedJobs(
      "dependsOn",
      (all, { name }, { jobs }) =>
        jobs.some((job) => getReplicatedJobName(job) === name) ? undefined : all,
    ),
    "waits only for the first dependency": inReplicatedJobs("dependsOn", first),
    "waits only for the last dependency": inReplicatedJobs("dependsOn", (all) => all?.slice(-1)),
    "treats a ready dependency as complete": inReplicatedJobs("dependsOn.*.status", () => "Ready"),
  },
  jobsWaitForStartupOrder: {
    "starts ReplicatedJobs in any order": sees("spec.startupPolicy.startupPolicyOrder"),
  },
  jobsAreSuspendedAndResumed: {
    "does not suspend Jobs without a ready Pod": () =>
      rewriting(async (one, client) => {
        const isSuspended =
          describeRequest(one) === "update Job" && (one.object as Loose).spec.suspend;
        const stored: Loose = isSuspended && (await current(one, client));
        return isSuspended && !stored.status?.ready ? [] : [one];
      }),
  },
  finishedJobSetsAreDeletedInTime: {
    "deletes a JobSet a second too early": timeToLive((seconds) => Math.max(0, seconds - 1)),
    "treats a TTL of 0 as no TTL": timeToLive((seconds) => seconds || undefined),
    "starts the TTL at the time of the first condition": changeFinishTime(
      ({ status }) => status?.conditions?.[0]?.lastTransitionTime,
    ),
    "starts the TTL at the creation of the JobSet": changeFinishTime(
      ({ metadata }) => metadata.creationTimestamp,
    ),
  },
};

export const wrongPasses = subjectsByLaw("passes", passes, (make) => make());
