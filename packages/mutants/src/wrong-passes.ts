// Controllers that see something else than there is, or change what they request.
import { type Context, createSnapshot, type Quirk, reconcile } from "@jobset-ts/core";
import { createPlanController } from "@jobset-ts/testing/reconcile";
import {
  current,
  isStatusOfJobSet,
  type Loose,
  making,
  ofKind,
  rewriting,
  withStatus,
} from "./wrapped-controllers.ts";
import { subjectsByLaw, type WrongPasses } from "./wrong-subject.ts";

const ATTEMPT = "jobset.sigs.k8s.io/restart-attempt";
const JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";
const REPLICATED_JOB_NAME = "jobset.sigs.k8s.io/replicatedjob-name";
const JOB_KEY = "jobset.sigs.k8s.io/job-key";

const READ_KINDS = ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Node"];

/** What a controller sees: copies, which may be changed. */
interface View {
  readonly jobSet: Loose;
  readonly spec: Loose;
  readonly objects: Loose[];
  /** The objects of a kind. */
  readonly all: (kind: string) => Loose[];
  /** The Jobs of the JobSet. */
  readonly jobs: Loose[];
}

/** Ours, which reconciles what it sees after a change. */
function seeing(change: (view: View) => unknown, quirks: readonly Quirk[] = []) {
  return () =>
    createPlanController((snapshot, { metadata }, context) => {
      const objects: Loose[] = structuredClone(
        READ_KINDS.flatMap((kind) => snapshot.objects(kind)),
      );
      const all = (kind: string) => objects.filter((one) => one.kind === kind);
      const jobSet = all("JobSet").find((one) => one.metadata.uid === metadata?.uid);
      const jobs = all("Job").filter((job) => controllerIn(job)?.uid === metadata?.uid);
      change({ jobSet, spec: jobSet.spec, objects, all, jobs });
      const seen: Context = quirks.length > 0 ? { ...context, quirks: new Set(quirks) } : context;
      return reconcile(createSnapshot(objects, { kinds: "all" }), jobSet, seen);
    });
}

/** Ours with quirks. */
const odd = (...quirks: readonly Quirk[]) => seeing(() => {}, quirks);

/** Ours, which throws if it sees something. */
function crashing(when: (view: View) => boolean) {
  return seeing((view) => {
    if (when(view)) throw new TypeError("a pass crashes");
  });
}

/** Ours, with another status. */
function telling(change: (status: Loose, stored: Loose) => Loose) {
  return () =>
    rewriting(async (request, client) => {
      if (!isStatusOfJobSet(request)) return [request];
      const stored: Loose = await current(request, client);
      return [withStatus(request, (status) => change(status, stored?.status ?? {}))];
    });
}

/** Ours, with other updates of Jobs. */
function updating(change: (next: Loose, stored: Loose) => Loose | undefined) {
  return () =>
    rewriting(async (request, client) => {
      const { verb, object, subresource } = request;
      if (verb !== "update" || object.kind !== "Job" || subresource) return [request];
      const next = change(structuredClone(object), await current(request, client));
      return next === undefined ? [] : [{ ...request, object: next }];
    });
}

const inJobs = (change: (job: Loose) => Loose) => () => making(ofKind("Job", change));
const inServices = (change: (service: Loose) => Loose) => () => making(ofKind("Service", change));
/** Jobs are created with another Pod template. */
const inPods = (change: (pod: Loose, template: Loose) => unknown) =>
  inJobs((job) => {
    const made = structuredClone(job);
    change(made.spec.template.spec, made.spec.template);
    return made;
  });
const inConditions = (change: (one: Loose, before: Loose) => Loose) =>
  telling((status, stored) => ({
    ...status,
    conditions: list(status.conditions).map((one) => change(one, ofType(stored, one.type))),
  }));
/** Only the first elements of a list of the JobSet's policies count. */
const first = (object: Loose, name: string) => {
  if (object?.[name]) object[name] = object[name].slice(0, 1);
};

const list = (value: Loose): Loose[] => (Array.isArray(value) ? value : []);
const ofType = (status: Loose, type: string): Loose =>
  list(status?.conditions).find((one) => one?.type === type);
const isTrue = (object: Loose, ...types: readonly string[]): boolean =>
  list(object?.status?.conditions).some(
    (one) => types.includes(one?.type) && one.status === "True",
  );
const hasFinished = (object: Loose) => isTrue(object, "Completed", "Failed", "Complete");
const controllerIn = (object: Loose): Loose =>
  list(object.metadata.ownerReferences).find(({ controller }) => controller);
const attemptOf = (object: Loose) => Number(object.metadata.labels?.[ATTEMPT]);
const replicatedJobOf = (job: Loose) => job.metadata.labels?.[REPLICATED_JOB_NAME];
const rulesOf = ({ spec }: View): Loose[] => list(spec.failurePolicy?.rules);
const jobsIn = ({ spec }: View): Loose[] => list(spec.replicatedJobs);
const sum = (values: readonly Loose[]): number => values.reduce((all, one) => all + one, 0);
const restartsIn = (status: Loose) =>
  sum(list(status?.replicatedJobsStatus).flatMap(({ jobRestarts }) => list(jobRestarts)));

/** The Jobs of a view hold other times of failure, by their rank. */
const failingAt = (timeOf: (time: number, rank: number) => number) =>
  seeing(({ jobs }) => {
    for (const [rank, job] of jobs.toSorted(byName).entries()) {
      for (const one of list(job.status?.conditions)) {
        const time = Date.parse(one?.lastTransitionTime);
        if (one?.type !== "Failed" || Number.isNaN(time)) continue;
        one.lastTransitionTime = new Date(timeOf(time, rank)).toISOString();
      }
    }
  });
const byName = (one: Loose, other: Loose) => (one.metadata.name < other.metadata.name ? -1 : 1);

/** The JobSet of a view has finished at another time. */
const finishedAt = (timeOf: (jobSet: Loose) => string | undefined) =>
  seeing(({ jobSet }) => {
    const time = timeOf(jobSet);
    for (const one of list(jobSet.status?.conditions))
      if (["Completed", "Failed"].includes(one?.type) && time) one.lastTransitionTime = time;
  });

/** Objects of other namespaces count, too. */
const inAnyNamespace = (kind: string) =>
  seeing(({ all, jobSet: { metadata } }) =>
    all(kind).map((one) => set(one.metadata, "namespace", metadata.namespace)),
  );

const inSpec = (change: (spec: Loose, view: View) => unknown) =>
  seeing((view) => change(view.spec, view));
const inReplicatedJobs = (change: (job: Loose, view: View) => unknown) =>
  seeing((view) => jobsIn(view).map((one) => change(one, view)));
const inRules = (change: (rule: Loose) => unknown) =>
  seeing((view) => rulesOf(view).map((rule) => change(rule)));
/** The JobSet's Jobs, with the attempt that the JobSet is in. */
const inChildren = (change: (job: Loose, attempt: number, view: View) => unknown) =>
  seeing((view) => view.jobs.map((job) => change(job, view.jobSet.status?.restarts ?? 0, view)));
const inPodStatus = (change: (status: Loose) => unknown) =>
  seeing(({ all }) => all("Pod").map(({ status }) => status && change(status)));
/** The controller does not see some of the JobSet's Jobs. */
const hiding = (isHidden: (job: Loose, attempt: number, view: View) => boolean) =>
  inChildren((job, attempt, view) => {
    if (isHidden(job, attempt, view)) view.objects.splice(view.objects.indexOf(job), 1);
  });
/** Jobs of earlier attempts that have finished in one way count as Jobs of this one. */
const ofThisAttempt = (type: string) =>
  inChildren((job, attempt) => {
    if (isTrue(job, type) && attemptOf(job) < attempt)
      set(job.metadata.labels, ATTEMPT, `${attempt}`);
  });
const believing = (object: Loose, ...types: readonly string[]) =>
  list(object?.status?.conditions).map(
    (one) => types.includes(one?.type) && set(one, "status", "True"),
  );
const inPodSpecOfUpdates = (change: (pod: Loose, stored: Loose) => unknown) =>
  updating((next, stored) => {
    change(next.spec.template.spec, stored.spec.template.spec);
    return next;
  });
/** Reconciles Jobs as its own whose owner has the JobSet's name. */
const adopt = (job: Loose, { metadata }: Loose) => {
  const owner = controllerIn(job);
  if (owner?.name === metadata.name) set(owner, "uid", metadata.uid);
};
const limit = (change: (limit: number) => number) =>
  inSpec(({ failurePolicy: one }) => one && set(one, "maxRestarts", change(one.maxRestarts ?? 0)));
const timeToLive = (change: (seconds: number) => number | undefined) =>
  inSpec((spec) => {
    const seconds = spec.ttlSecondsAfterFinished;
    if (seconds !== undefined) set(spec, "ttlSecondsAfterFinished", change(seconds));
  });
/** The success policy of a view counts Jobs by ReplicatedJob. */
function countingReplicatedJobs(spec: Loose, view: View) {
  const targets = list(spec.successPolicy?.targetReplicatedJobs);
  const isTarget = (name: string) => targets.length === 0 || targets.includes(name);
  const done = view.jobs.filter((job) => isTrue(job, "Complete") && isTarget(replicatedJobOf(job)));
  const wanted = jobsIn(view).filter(({ name }) => isTarget(name)).length;
  if (done.length > 0 && done.length >= wanted)
    spec.successPolicy = { ...spec.successPolicy, operator: "Any" };
}

function set(object: Loose, name: string, value: Loose): void {
  object[name] = value;
}

function drop(object: Loose, name: string): void {
  if (object) delete object[name];
}

const NOW = "2026-02-07T10:00:00Z";

const passes: WrongPasses = {
  anothersJobSetIsLeftAlone: {
    "reconciles a JobSet that is being deleted": seeing(({ jobSet }) =>
      drop(jobSet.metadata, "deletionTimestamp"),
    ),
  },
  deletionsWaitForPods: {
    "deletes Jobs in the background": () =>
      rewriting((one) => [
        one.verb === "delete" ? { ...one, propagationPolicy: "Background" } : one,
      ]),
  },
  requestsAreNotRefused: {
    "creates a Job again while that of the earlier attempt exists": hiding(
      (job, attempt) => attemptOf(job) < attempt,
    ),
  },
  childrenAreCounted: {
    "finds Jobs by their owner's name": seeing(({ all, jobSet }) =>
      all("Job").map((job) => adopt(job, jobSet)),
    ),
    "crashes on a Job of an unknown ReplicatedJob": crashing((view) =>
      view.jobs.some((job) => jobsIn(view).every(({ name }) => name !== replicatedJobOf(job))),
    ),
    "treats Jobs without an owner as its own": seeing(({ all, jobSet }) => {
      const {
        apiVersion,
        kind,
        metadata: { name, uid },
      } = jobSet;
      for (const job of all("Job"))
        if (job.metadata.labels?.[JOBSET_NAME] === name && !controllerIn(job))
          job.metadata.ownerReferences = [{ apiVersion, kind, name, uid, controller: true }];
    }),
    "crashes without a success policy": crashing(({ spec }) => !spec.successPolicy),
    "treats an absent managedBy as another controller": inSpec((spec) =>
      set(spec, "managedBy", spec.managedBy ?? "acme.com/other"),
    ),
    "counts Jobs of earlier attempts as failed": ofThisAttempt("Failed"),
    "counts Jobs of earlier attempts as succeeded": ofThisAttempt("Complete"),
    "treats Jobs of another namespace as its own": seeing(({ all, jobSet }) =>
      all("Job").forEach((job) => {
        adopt(job, jobSet);
        set(job.metadata, "namespace", jobSet.metadata.namespace);
      }),
    ),
    "treats any condition of a failure as a failure": inChildren((job) => believing(job, "Failed")),
    "treats any condition of a suspension as one": inChildren(
      (job) => ofType(job.status, "Suspended") && set(job.spec, "suspend", true),
    ),
    "counts Jobs without Pods as active": inChildren(
      (job) => !hasFinished(job) && set(job, "status", { active: 1, ...job.status }),
    ),
    "expects as many ready Pods as run at a time": inChildren(({ spec }) =>
      drop(spec, "completions"),
    ),
  },
  restartsAreCounted: {
    "crashes if a Job has failed and there are rules": crashing(
      (view) => rulesOf(view).length > 0 && view.jobs.some((job) => isTrue(job, "Failed")),
    ),
    "allows one restart more": limit((one) => one + 1),
    "treats a limit of 0 as no limit": limit((one) => one || 1e9),
  },
  jobsAreDeletedWhenDue: {
    "crashes on a rule that cannot be applied": () =>
      createPlanController((...args) => {
        const plan = reconcile(...args);
        if (plan.error?.phase === "failure-policy") throw new TypeError("a pass crashes");
        return plan;
      }),
    "lets Jobs of a finished JobSet run": hiding(
      (job, _, { jobSet }) => hasFinished(jobSet) && !hasFinished(job),
    ),
    "treats Jobs of a later attempt as earlier ones": inChildren(
      (job, attempt) => attemptOf(job) > attempt && set(job.metadata.labels, ATTEMPT, "-1"),
    ),
    "treats any owner as the controller": seeing(({ all }) =>
      all("Job").map(({ metadata }) =>
        list(metadata.ownerReferences).map((one, index) => set(one, "controller", index === 0)),
      ),
    ),
    "treats any condition of its end as the end": seeing(({ jobSet }) =>
      believing(jobSet, "Completed", "Failed"),
    ),
  },
  singleRestartsAreCounted: {
    "treats the last of Jobs that failed in one second as the first": failingAt(
      (time, rank) => time - rank,
    ),
    "decides by the latest failure": failingAt((time) => 4e12 - time),
    "decides by the first failed Job by name": failingAt(() => 1.7e12),
    "counts a restart of a single Job for the first one": telling((status) => ({
      ...status,
      replicatedJobsStatus: list(status.replicatedJobsStatus).map((one) =>
        one.jobRestarts
          ? {
              ...one,
              jobRestarts: one.jobRestarts.map((_: number, index: number) =>
                index === 0 ? sum(one.jobRestarts) : 0,
              ),
            }
          : one,
      ),
    })),
  },
  restartsCountTowardsTheLimit: {
    "counts restarts of single Jobs towards the limit": telling((status, stored) =>
      restartsIn(status) > restartsIn(stored)
        ? { ...status, restartsCountTowardsMax: (status.restartsCountTowardsMax ?? 0) + 1 }
        : status,
    ),
    "counts each restart towards the limit": inRules(
      (rule) =>
        rule.action === "RestartJobSetAndIgnoreMaxRestarts" && set(rule, "action", "RestartJobSet"),
    ),
    "chooses the last rule that matches": seeing((view) => rulesOf(view).reverse()),
    "applies rules to all ReplicatedJobs": inRules((rule) => drop(rule, "targetReplicatedJobs")),
    "applies rules whatever the message": inRules((rule) =>
      drop(rule, "onJobFailureMessagePatterns"),
    ),
    "searches for the first message pattern only": inRules((rule) =>
      first(rule, "onJobFailureMessagePatterns"),
    ),
    "compares the first reason only": inRules((rule) => first(rule, "onJobFailureReasons")),
  },
  resumedJobsFollowTheirTemplate: {
    "copies only the node selector on resume": updating((next, stored) => {
      const { nodeSelector } = next.spec.template.spec;
      const { template } = structuredClone(stored.spec);
      set(template.spec, "nodeSelector", nodeSelector);
      return { ...next, spec: { ...next.spec, template } };
    }),
    "drops scheduling gates on resume": inPodSpecOfUpdates((pod, stored) =>
      set(pod, "schedulingGates", stored.schedulingGates),
    ),
    "adds the tolerations again on resume": odd("ResumeMergesTemplate"),
    "keeps old limits of resources on resume": inPodSpecOfUpdates((pod, stored) =>
      list(pod.containers).map(
        ({ resources }, index) =>
          resources && set(resources, "limits", stored.containers?.[index]?.resources?.limits),
      ),
    ),
  },
  madePodsFindTheirService: {
    "creates Pods without a default subdomain": inPods(
      (pod, template) =>
        pod.subdomain === template.metadata.labels[JOBSET_NAME] && drop(pod, "subdomain"),
    ),
    "creates Pods whose subdomain is the name of the JobSet": inPods(
      (pod, template) =>
        pod.subdomain && set(pod, "subdomain", template.metadata.labels[JOBSET_NAME]),
    ),
  },
  jobsAreMadeWhenDue: { "crashes without a network": crashing(({ spec }) => !spec.network) },
  claimsAreMadeWhenDue: {
    "crashes without whenDeleted": crashing(({ spec }) =>
      list(spec.volumeClaimPolicies).some((one) => !one?.retentionPolicy?.whenDeleted),
    ),
    "treats a claim of another namespace as its own": inAnyNamespace("PersistentVolumeClaim"),
  },
  servicesAreMadeWhenDue: {
    "treats a Service of another namespace as its own": inAnyNamespace("Service"),
  },
  jobSetsCompleteWhenTheirPolicySays: {
    "counts ReplicatedJobs for completion instead of their Jobs": inSpec(countingReplicatedJobs),
    "counts all Jobs for completion": inSpec(({ successPolicy }) =>
      drop(successPolicy, "targetReplicatedJobs"),
    ),
    "counts the first target of the success policy only": inSpec(({ successPolicy }) =>
      first(successPolicy, "targetReplicatedJobs"),
    ),
    "treats the operator Any as All": inSpec(
      ({ successPolicy }) => successPolicy && set(successPolicy, "operator", "All"),
    ),
  },
  jobSetsFailWhenTheirPolicySays: {
    "does not write terminalState": telling(({ terminalState: _, ...status }) => status),
    "ignores restarts of init containers": inPodStatus((status) =>
      drop(status, "initContainerStatuses"),
    ),
  },
  conditionTimesFollowTheStatus: {
    "keeps the time of a startup condition that turns False": odd("StartupConditionKeepsTime"),
    "keeps the time of a condition whose status changes": inConditions((one, before) =>
      before && before.status !== one.status
        ? { ...one, lastTransitionTime: before.lastTransitionTime }
        : one,
    ),
    "changes the time of a condition with its reason": inConditions((one, before) =>
      before && before.status === one.status && before.reason !== one.reason
        ? { ...one, lastTransitionTime: NOW }
        : one,
    ),
  },
  conditionsTellTheState: {
    "sets both startup conditions to True": inConditions((one) =>
      one.type.startsWith("StartupPolicy") ? { ...one, status: "True" } : one,
    ),
    "removes conditions that are False": telling((status) => ({
      ...status,
      conditions: list(status.conditions).filter((one) => one.status !== "False"),
    })),
    "adds a condition that is False": telling((status) =>
      ofType(status, "Suspended")
        ? status
        : {
            ...status,
            conditions: [
              ...list(status.conditions),
              {
                type: "Suspended",
                status: "False",
                reason: "ResumeJobs",
                message: "",
                lastTransitionTime: NOW,
              },
            ],
          },
    ),
  },
  attemptsInPlaceAreCounted: {
    "counts Pods of a deleted JobSet of the same name": odd("PodsOfDeletedJobSetCount"),
    "waits for failed Pods before it opens the barrier": inPodStatus(
      (status) => status.phase === "Failed" && set(status, "phase", "Running"),
    ),
  },
  executionsAreCounted: {
    "keeps the number of executions": telling((status, { executionAttempts }) =>
      executionAttempts === undefined ? status : { ...status, executionAttempts },
    ),
  },
  servicesFindTheJobSetsPods: {
    "creates Services that select other Pods": inServices((one) => ({
      ...one,
      spec: { ...one.spec, selector: { "jobset-name": one.metadata.name } },
    })),
    "creates Services that select by their own name": inServices((one) => ({
      ...one,
      spec: { ...one.spec, selector: { [JOBSET_NAME]: one.metadata.name } },
    })),
    "publishes addresses of unready Pods on request only": inSpec(
      ({ network }) =>
        network &&
        set(network, "publishNotReadyAddresses", network.publishNotReadyAddresses ?? false),
    ),
  },
  madeObjectsBelongToTheJobSet: {
    "creates Services without an owner": inServices(
      ({ metadata: { ownerReferences: _, ...metadata }, ...one }) => ({ ...one, metadata }),
    ),
    "owns retained PersistentVolumeClaims": inSpec((spec) =>
      list(spec.volumeClaimPolicies).map((one) =>
        set(one, "retentionPolicy", { whenDeleted: "Delete" }),
      ),
    ),
  },
  madeObjectsHaveJobSetsKeys: {
    "creates Job keys without the namespace": inJobs(({ metadata, ...job }) => ({
      ...job,
      metadata: { ...metadata, labels: { ...metadata.labels, [JOB_KEY]: metadata.name } },
    })),
    "makes the first Pod of a Job the coordinator": inSpec(
      ({ coordinator }) => coordinator && set(coordinator, "podIndex", 0),
    ),
  },
  madeJobsHoldTheirPodTemplate: {
    "creates Pods without tolerations": inPods((pod) => drop(pod, "tolerations")),
  },
  jobsOfASuspendedJobSetAreMadeSuspended: {
    "creates running Jobs for a suspended JobSet": inJobs((job) => ({
      ...job,
      spec: { ...job.spec, suspend: false },
    })),
  },
  madeJobsKeepTheUsersKeys: {
    "creates Jobs without the annotations of their template": inReplicatedJobs(({ template }) =>
      drop(template.metadata, "annotations"),
    ),
  },
  restartsShowInTheirCondition: {
    "shows a restart in no condition": telling((status) => ({
      ...status,
      conditions: list(status.conditions).filter(({ type }) => type !== "RestartingJobSet"),
    })),
  },
  eventTypesAreRight: {
    "reports a failure as Normal": () =>
      making(
        (one) => one,
        (event) => ({ ...event, type: "Normal" }),
      ),
  },
  jobsWaitForEarlierOnes: {
    "does not wait for Jobs of earlier attempts": inSpec(
      ({ failurePolicy }) => failurePolicy && set(failurePolicy, "restartStrategy", "Recreate"),
    ),
  },
  jobsWaitForWhatTheyDependOn: {
    "ignores dependencies": inReplicatedJobs((one) => drop(one, "dependsOn")),
    "ignores dependencies of a suspended JobSet": inReplicatedJobs(
      (one, { spec }) => spec.suspend && drop(one, "dependsOn"),
    ),
    "ignores dependencies of ReplicatedJobs that have Jobs": inReplicatedJobs(
      (one, { jobs }) =>
        jobs.some((job) => replicatedJobOf(job) === one.name) && drop(one, "dependsOn"),
    ),
    "waits for the first dependency only": inReplicatedJobs((one) => first(one, "dependsOn")),
    "waits for the last dependency only": inReplicatedJobs((one) =>
      set(one, "dependsOn", one.dependsOn?.slice(-1)),
    ),
    "treats a ready dependency as complete": inReplicatedJobs(({ dependsOn }) =>
      list(dependsOn).map((one) => set(one, "status", "Ready")),
    ),
  },
  jobsWaitForTheirTurn: {
    "starts ReplicatedJobs in any order": inSpec(({ startupPolicy }) =>
      drop(startupPolicy, "startupPolicyOrder"),
    ),
  },
  jobsAreSuspendedAndResumed: {
    "does not suspend Jobs without a ready Pod": updating((next, stored) =>
      next.spec.suspend && !stored.status?.ready ? undefined : next,
    ),
  },
  elasticJobsFollowTheirTemplate: {
    "follows a completions that differs from parallelism": inReplicatedJobs(
      ({ template: { spec } }) => set(spec, "completions", spec.parallelism),
    ),
  },
  finishedJobSetsAreDeletedInTime: {
    "deletes a JobSet a second too early": timeToLive((seconds) => Math.max(0, seconds - 1)),
    "treats a time to live of 0 as none": timeToLive((seconds) => seconds || undefined),
    "starts the time to live with the first condition": finishedAt(
      ({ status }) => status?.conditions?.[0]?.lastTransitionTime,
    ),
    "starts the time to live with the JobSet": finishedAt(
      ({ metadata }) => metadata.creationTimestamp,
    ),
  },
};

export const wrongPasses = subjectsByLaw("passes", passes);
