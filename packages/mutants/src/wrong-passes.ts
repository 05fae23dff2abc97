// Controllers that see something else than there is, or change what they request.
import { type Context, type Quirk, reconcile, snapshotOf } from "@jobset-ts/core";
import {
  type ApiClient,
  type ApiRequest,
  controllerOfPlans,
  type ReconcileLawName,
} from "@jobset-ts/testing/reconcile";
import {
  current,
  isStatusOfJobSet,
  type Loose,
  making,
  ofKind,
  rewriting,
  withStatus,
} from "./wrapped-controllers.ts";
import type { WrongSubject } from "./wrong-subject.ts";

const ATTEMPT = "jobset.sigs.k8s.io/restart-attempt";
const JOBSET_NAME = "jobset.sigs.k8s.io/jobset-name";
const REPLICATED_JOB_NAME = "jobset.sigs.k8s.io/replicatedjob-name";
const TOPOLOGY = "alpha.jobset.sigs.k8s.io/exclusive-topology";

const READ_KINDS = ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Node"];

/** What a controller sees: copies, which may be changed. */
interface View {
  readonly jobSet: Loose;
  readonly spec: Loose;
  readonly objects: Loose[];
  readonly features: readonly string[];
  /** The objects of a kind. */
  readonly all: (kind: string) => Loose[];
  /** The Jobs of the JobSet. */
  readonly jobs: Loose[];
}

type Wrong = readonly [what: string, by: ReconcileLawName, make: WrongSubject["subject"]];

/** Ours, which reconciles what it sees after a change. */
function seeing(change: (view: View) => void, quirks: readonly Quirk[] = []) {
  return () =>
    controllerOfPlans((snapshot, { metadata }, context) => {
      const objects: Loose[] = structuredClone(
        READ_KINDS.flatMap((kind) => snapshot.objects(kind)),
      );
      const all = (kind: string) => objects.filter((one) => one.kind === kind);
      const jobSet = all("JobSet").find((one) => one.metadata.uid === metadata?.uid);
      const jobs = all("Job").filter((job) => controllerIn(job)?.uid === metadata?.uid);
      const features = [...context.features];
      change({ jobSet, spec: jobSet.spec, objects, features, all, jobs });
      const seen: Context = quirks.length > 0 ? { ...context, quirks: new Set(quirks) } : context;
      return reconcile(snapshotOf(objects, { kinds: "all" }), jobSet, seen);
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
function telling(change: (status: Loose, stored: Loose, jobSet: Loose) => Loose) {
  return () =>
    rewriting(async (request, client) => {
      if (!isStatusOfJobSet(request)) return [request];
      const stored: Loose = await current(request, client);
      return [withStatus(request, (status) => change(status, stored?.status ?? {}, stored))];
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

/** Ours, without some requests. */
function without(isMeant: (request: ApiRequest, client: ApiClient) => boolean) {
  return () => rewriting((request, client) => (isMeant(request, client) ? [] : [request]));
}

const inJobs = (change: (job: Loose) => Loose) => () => making(ofKind("Job", change));
const inServices = (change: (service: Loose) => Loose) => () => making(ofKind("Service", change));
/** Jobs are created with another Pod template. */
const inPods = (change: (pod: Loose, template: Loose) => void) =>
  inJobs((job) => {
    const made = structuredClone(job);
    change(made.spec.template.spec, made.spec.template);
    return made;
  });
const inConditions = (
  change: (one: Loose, before: Loose, status: Loose) => Loose,
  isKept: (one: Loose) => boolean = () => true,
) =>
  telling((status, stored) => ({
    ...status,
    conditions: list(status.conditions)
      .map((one) => change(one, ofType(stored, one.type), status))
      .filter(isKept),
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
  seeing(({ all, jobSet }) => {
    for (const { metadata } of all(kind)) metadata.namespace = jobSet.metadata.namespace;
  });

const passes: readonly Wrong[] = [
  [
    "creates Job keys without the namespace",
    "madeObjectsHaveJobSetsKeys",
    inJobs((job) => ({
      ...job,
      metadata: {
        ...job.metadata,
        labels: { ...job.metadata.labels, "jobset.sigs.k8s.io/job-key": job.metadata.name },
      },
    })),
  ],
  [
    "creates a Job again while that of the earlier attempt exists",
    "requestsAreNotRefused",
    seeing(({ objects, jobs, jobSet }) => {
      for (const job of jobs)
        if (attemptOf(job) < (jobSet.status?.restarts ?? 0))
          objects.splice(objects.indexOf(job), 1);
    }),
  ],
  [
    "deletes Jobs in the background",
    "deletionsWaitForPods",
    () =>
      rewriting((one) => [
        one.verb === "delete" ? { ...one, propagationPolicy: "Background" } : one,
      ]),
  ],
  [
    "reconciles a JobSet that is being deleted",
    "anothersJobSetIsLeftAlone",
    seeing(({ jobSet }) => {
      delete jobSet.metadata.deletionTimestamp;
    }),
  ],
  [
    "finds Jobs by their owner's name",
    "childrenAreCounted",
    seeing(({ all, jobSet }) => {
      for (const job of all("Job")) {
        const owner = controllerIn(job);
        if (owner?.name === jobSet.metadata.name) owner.uid = jobSet.metadata.uid;
      }
    }),
  ],
  [
    "crashes on a Job of an unknown ReplicatedJob",
    "childrenAreCounted",
    crashing((view) =>
      view.jobs.some((job) => jobsIn(view).every(({ name }) => name !== replicatedJobOf(job))),
    ),
  ],
  [
    "treats Jobs without an owner as its own",
    "childrenAreCounted",
    seeing(({ all, jobSet }) => {
      const {
        apiVersion,
        kind,
        metadata: { name, uid },
      } = jobSet;
      for (const { metadata } of all("Job"))
        if (
          metadata.labels?.[JOBSET_NAME] === name &&
          !list(metadata.ownerReferences).some(({ controller }) => controller)
        )
          metadata.ownerReferences = [{ apiVersion, kind, name, uid, controller: true }];
    }),
  ],
  [
    "crashes if a Job has failed and there are rules",
    "restartsAreCounted",
    crashing((view) => rulesOf(view).length > 0 && view.jobs.some((job) => isTrue(job, "Failed"))),
  ],
  [
    "crashes on a rule that cannot be applied",
    "jobsAreDeletedWhenDue",
    () =>
      controllerOfPlans((...args) => {
        const plan = reconcile(...args);
        if (plan.error?.phase === "failure-policy") throw new TypeError("a pass crashes");
        return plan;
      }),
  ],
  [
    "treats the last of Jobs that failed in one second as the first",
    "singleRestartsAreCounted",
    failingAt((time, rank) => time - rank),
  ],
  [
    "counts restarts of single Jobs towards the limit",
    "restartsCountTowardsTheLimit",
    telling((status, stored) =>
      restartsIn(status) > restartsIn(stored)
        ? { ...status, restartsCountTowardsMax: (status.restartsCountTowardsMax ?? 0) + 1 }
        : status,
    ),
  ],
  [
    "copies only the node selector on resume",
    "resumedJobsFollowTheirTemplate",
    updating((next, stored) => {
      const { nodeSelector } = next.spec.template.spec;
      const template = structuredClone(stored.spec.template);
      return {
        ...next,
        spec: { ...next.spec, template: { ...template, spec: { ...template.spec, nodeSelector } } },
      };
    }),
  ],
  [
    "drops scheduling gates on resume",
    "resumedJobsFollowTheirTemplate",
    updating((next, stored) => {
      next.spec.template.spec.schedulingGates = stored.spec.template.spec.schedulingGates;
      return next;
    }),
  ],
  [
    "adds the tolerations again on resume",
    "resumedJobsFollowTheirTemplate",
    odd("ResumeMergesTemplate"),
  ],
  [
    "keeps old entries of the node selector on resume",
    "resumedJobsFollowTheirTemplate",
    updating((next, stored) => {
      const pod = next.spec.template.spec;
      pod.nodeSelector = { ...stored.spec.template.spec.nodeSelector, ...pod.nodeSelector };
      return next;
    }),
  ],
  [
    "keeps old limits of resources on resume",
    "resumedJobsFollowTheirTemplate",
    updating((next, stored) => {
      for (const [index, one] of list(next.spec.template.spec.containers).entries())
        if (one.resources)
          one.resources.limits = stored.spec.template.spec.containers?.[index]?.resources?.limits;
      return next;
    }),
  ],
  [
    "creates Pods without a default subdomain",
    "madePodsFindTheirService",
    inPods((pod, template) => {
      if (pod.subdomain === template.metadata.labels[JOBSET_NAME]) delete pod.subdomain;
    }),
  ],
  [
    "creates Pods whose subdomain is the name of the JobSet",
    "madePodsFindTheirService",
    inPods((pod, template) => {
      if (pod.subdomain) pod.subdomain = template.metadata.labels[JOBSET_NAME];
    }),
  ],
  ["crashes without a network", "jobsAreMadeWhenDue", crashing(({ spec }) => !spec.network)],
  [
    "crashes without a success policy",
    "childrenAreCounted",
    crashing(({ spec }) => !spec.successPolicy),
  ],
  [
    "crashes without whenDeleted",
    "claimsAreMadeWhenDue",
    crashing(({ spec }) =>
      list(spec.volumeClaimPolicies).some((one) => !one?.retentionPolicy?.whenDeleted),
    ),
  ],
  [
    "treats an absent managedBy as another controller",
    "childrenAreCounted",
    seeing(({ spec }) => {
      spec.managedBy ??= "acme.com/other";
    }),
  ],
  [
    "counts ReplicatedJobs for completion instead of their Jobs",
    "jobSetsCompleteWhenTheirPolicySays",
    seeing((view) => {
      const { spec, jobs } = view;
      const targets = list(spec.successPolicy?.targetReplicatedJobs);
      const isTarget = (name: string) => targets.length === 0 || targets.includes(name);
      const done = jobs.filter((job) => isTrue(job, "Complete") && isTarget(replicatedJobOf(job)));
      if (
        done.length > 0 &&
        done.length >= jobsIn(view).filter(({ name }) => isTarget(name)).length
      )
        spec.successPolicy = { ...spec.successPolicy, operator: "Any" };
    }),
  ],
  [
    "lets Jobs of a finished JobSet run",
    "jobsAreDeletedWhenDue",
    seeing(({ jobSet, jobs, objects }) => {
      if (hasFinished(jobSet))
        for (const job of jobs) if (!hasFinished(job)) objects.splice(objects.indexOf(job), 1);
    }),
  ],
  [
    "keeps the time of a startup condition that turns False",
    "conditionTimesFollowTheStatus",
    odd("StartupConditionKeepsTime"),
  ],
  [
    "counts Pods of a deleted JobSet of the same name",
    "attemptsInPlaceAreCounted",
    odd("PodsOfDeletedJobSetCount"),
  ],
  [
    "creates Services that select other Pods",
    "servicesFindTheJobSetsPods",
    inServices((one) => ({
      ...one,
      spec: { ...one.spec, selector: { "jobset-name": one.metadata.name } },
    })),
  ],
  [
    "creates Services that select by their own name",
    "servicesFindTheJobSetsPods",
    inServices((one) => ({
      ...one,
      spec: { ...one.spec, selector: { [JOBSET_NAME]: one.metadata.name } },
    })),
  ],
  [
    "creates Services without an owner",
    "madeObjectsBelongToTheJobSet",
    inServices(({ metadata: { ownerReferences: _, ...metadata }, ...one }) => ({
      ...one,
      metadata,
    })),
  ],
  [
    "does not wait for Jobs of earlier attempts",
    "jobsWaitForEarlierOnes",
    seeing(({ spec }) => {
      if (spec.failurePolicy) spec.failurePolicy.restartStrategy = "Recreate";
    }),
  ],
  [
    "ignores dependencies",
    "jobsWaitForWhatTheyDependOn",
    seeing((view) => {
      for (const one of jobsIn(view)) delete one.dependsOn;
    }),
  ],
  [
    "ignores dependencies of a suspended JobSet",
    "jobsWaitForWhatTheyDependOn",
    seeing((view) => {
      if (view.spec.suspend) for (const one of jobsIn(view)) delete one.dependsOn;
    }),
  ],
  [
    "ignores dependencies of ReplicatedJobs that have Jobs",
    "jobsWaitForWhatTheyDependOn",
    seeing((view) => {
      for (const one of jobsIn(view))
        if (view.jobs.some((job) => replicatedJobOf(job) === one.name)) delete one.dependsOn;
    }),
  ],
  [
    "waits for the first dependency only",
    "jobsWaitForWhatTheyDependOn",
    seeing((view) => {
      for (const one of jobsIn(view)) first(one, "dependsOn");
    }),
  ],
  [
    "waits for the last dependency only",
    "jobsWaitForWhatTheyDependOn",
    seeing((view) => {
      for (const one of jobsIn(view)) one.dependsOn = one.dependsOn?.slice(-1);
    }),
  ],
  [
    "treats a ready dependency as complete",
    "jobsWaitForWhatTheyDependOn",
    seeing((view) => {
      for (const one of jobsIn(view).flatMap(({ dependsOn }) => list(dependsOn)))
        one.status = "Ready";
    }),
  ],
  [
    "starts ReplicatedJobs in any order",
    "jobsWaitForTheirTurn",
    seeing(({ spec }) => {
      if (spec.startupPolicy) spec.startupPolicy.startupPolicyOrder = "AnyOrder";
    }),
  ],
  [
    "does not suspend Jobs without a ready Pod",
    "jobsAreSuspendedAndResumed",
    updating((next, stored) => (next.spec.suspend && !stored.status?.ready ? undefined : next)),
  ],
  [
    "does not reset the start time of a Job",
    "requestsAreNotRefused",
    without(({ object, subresource }) => object.kind === "Job" && subresource === "status"),
  ],
  [
    "follows a completions that differs from parallelism",
    "elasticJobsFollowTheirTemplate",
    seeing((view) => {
      for (const { template } of jobsIn(view))
        template.spec.completions = template.spec.parallelism;
    }),
  ],
  [
    "counts a restart of a single Job for the first one",
    "singleRestartsAreCounted",
    telling((status) => ({
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
  ],
  [
    "counts each restart towards the limit",
    "restartsCountTowardsTheLimit",
    seeing((view) => {
      for (const rule of rulesOf(view))
        if (rule.action === "RestartJobSetAndIgnoreMaxRestarts") rule.action = "RestartJobSet";
    }),
  ],
  [
    "allows one restart more",
    "restartsAreCounted",
    seeing(({ spec }) => {
      if (spec.failurePolicy)
        spec.failurePolicy.maxRestarts = (spec.failurePolicy.maxRestarts ?? 0) + 1;
    }),
  ],
  [
    "treats a limit of 0 as no limit",
    "restartsAreCounted",
    seeing(({ spec }) => {
      if (spec.failurePolicy) spec.failurePolicy.maxRestarts ||= 1e9;
    }),
  ],
  [
    "chooses the last rule that matches",
    "restartsCountTowardsTheLimit",
    seeing((view) => {
      rulesOf(view).reverse();
    }),
  ],
  [
    "applies rules to all ReplicatedJobs",
    "restartsCountTowardsTheLimit",
    seeing((view) => {
      for (const rule of rulesOf(view)) delete rule.targetReplicatedJobs;
    }),
  ],
  [
    "applies rules whatever the message",
    "restartsCountTowardsTheLimit",
    seeing((view) => {
      for (const rule of rulesOf(view)) delete rule.onJobFailureMessagePatterns;
    }),
  ],
  [
    "searches for the first message pattern only",
    "restartsCountTowardsTheLimit",
    seeing((view) => {
      for (const rule of rulesOf(view)) first(rule, "onJobFailureMessagePatterns");
    }),
  ],
  [
    "compares the first reason only",
    "restartsCountTowardsTheLimit",
    seeing((view) => {
      for (const rule of rulesOf(view)) first(rule, "onJobFailureReasons");
    }),
  ],
  ["decides by the latest failure", "singleRestartsAreCounted", failingAt((time) => 4e12 - time)],
  ["decides by the first failed Job by name", "singleRestartsAreCounted", failingAt(() => 1.7e12)],
  [
    "counts all Jobs for completion",
    "jobSetsCompleteWhenTheirPolicySays",
    seeing(({ spec }) => {
      delete spec.successPolicy?.targetReplicatedJobs;
    }),
  ],
  [
    "counts the first target of the success policy only",
    "jobSetsCompleteWhenTheirPolicySays",
    seeing(({ spec }) => {
      first(spec.successPolicy, "targetReplicatedJobs");
    }),
  ],
  [
    "treats the operator Any as All",
    "jobSetsCompleteWhenTheirPolicySays",
    seeing(({ spec }) => {
      if (spec.successPolicy) spec.successPolicy.operator = "All";
    }),
  ],
  [
    "counts successes of earlier attempts",
    "jobSetsCompleteWhenTheirPolicySays",
    seeing(({ jobs, jobSet }) => {
      for (const job of jobs)
        if (isTrue(job, "Complete") && attemptOf(job) < jobSet.status?.restarts)
          job.metadata.labels[ATTEMPT] = `${jobSet.status.restarts}`;
    }),
  ],
  [
    "counts Jobs of earlier attempts as failed",
    "childrenAreCounted",
    seeing(({ jobs, jobSet }) => {
      for (const job of jobs)
        if (isTrue(job, "Failed") && attemptOf(job) < jobSet.status?.restarts)
          job.metadata.labels[ATTEMPT] = `${jobSet.status.restarts}`;
    }),
  ],
  [
    "treats Jobs of a later attempt as earlier ones",
    "jobsAreDeletedWhenDue",
    seeing(({ jobs, jobSet }) => {
      for (const job of jobs)
        if (attemptOf(job) > (jobSet.status?.restarts ?? 0)) job.metadata.labels[ATTEMPT] = "-1";
    }),
  ],
  [
    "deletes a JobSet a second too early",
    "finishedJobSetsAreDeletedInTime",
    seeing(({ spec }) => {
      if (spec.ttlSecondsAfterFinished > 0) spec.ttlSecondsAfterFinished -= 1;
    }),
  ],
  [
    "treats the time to live as milliseconds",
    "finishedJobSetsAreDeletedInTime",
    seeing(({ spec }) => {
      if (spec.ttlSecondsAfterFinished)
        spec.ttlSecondsAfterFinished = Math.ceil(spec.ttlSecondsAfterFinished / 1000);
    }),
  ],
  [
    "treats a time to live of 0 as none",
    "finishedJobSetsAreDeletedInTime",
    seeing(({ spec }) => {
      if (spec.ttlSecondsAfterFinished === 0) delete spec.ttlSecondsAfterFinished;
    }),
  ],
  [
    "starts the time to live with the first condition",
    "finishedJobSetsAreDeletedInTime",
    finishedAt(({ status }) => status?.conditions?.[0]?.lastTransitionTime),
  ],
  [
    "starts the time to live with the JobSet",
    "finishedJobSetsAreDeletedInTime",
    finishedAt(({ metadata }) => metadata.creationTimestamp),
  ],
  [
    "waits for failed Pods before it opens the barrier",
    "attemptsInPlaceAreCounted",
    seeing(({ all }) => {
      for (const { status } of all("Pod")) if (status?.phase === "Failed") status.phase = "Running";
    }),
  ],
  [
    "ignores restarts of init containers",
    "jobSetsFailWhenTheirPolicySays",
    seeing(({ all }) => {
      for (const { status } of all("Pod")) delete status?.initContainerStatuses;
    }),
  ],
  [
    "counts one execution too many",
    "executionsAreCounted",
    telling((status) =>
      "executionAttempts" in status
        ? { ...status, executionAttempts: status.executionAttempts + 1 }
        : status,
    ),
  ],
  [
    "keeps the number of executions",
    "executionsAreCounted",
    telling((status, { executionAttempts }) =>
      executionAttempts === undefined ? status : { ...status, executionAttempts },
    ),
  ],
  [
    "creates running Jobs for a suspended JobSet",
    "jobsOfASuspendedJobSetAreMadeSuspended",
    inJobs((job) => ({ ...job, spec: { ...job.spec, suspend: false } })),
  ],
  [
    "creates Pods without containers",
    "madeJobsHoldTheirPodTemplate",
    inPods((pod) => {
      pod.containers = [];
    }),
  ],
  [
    "creates Pods without volumes of the template",
    "madeJobsHoldTheirPodTemplate",
    inPods((pod) => {
      pod.volumes = pod.volumes?.filter((one: Loose) => one.persistentVolumeClaim);
    }),
  ],
  [
    "creates Pods without tolerations",
    "madeJobsHoldTheirPodTemplate",
    inPods((pod) => {
      delete pod.tolerations;
    }),
  ],
  [
    "makes the first Pod of a Job the coordinator",
    "madeObjectsHaveJobSetsKeys",
    seeing(({ spec }) => {
      if (spec.coordinator) spec.coordinator.podIndex = 0;
    }),
  ],
  [
    "prefers the JobSet's topology to the template's",
    "madeObjectsHaveJobSetsKeys",
    seeing((view) => {
      const own = view.jobSet.metadata.annotations?.[TOPOLOGY];
      if (own)
        for (const { template } of jobsIn(view))
          if (template.metadata?.annotations?.[TOPOLOGY])
            template.metadata.annotations[TOPOLOGY] = own;
    }),
  ],
  [
    "owns retained PersistentVolumeClaims",
    "madeObjectsBelongToTheJobSet",
    seeing(({ spec }) => {
      for (const one of list(spec.volumeClaimPolicies))
        one.retentionPolicy = { whenDeleted: "Delete" };
    }),
  ],
  [
    "publishes addresses of unready Pods on request only",
    "servicesFindTheJobSetsPods",
    seeing(({ spec }) => {
      if (spec.network) spec.network.publishNotReadyAddresses ??= false;
    }),
  ],
  [
    "treats a Service of another namespace as its own",
    "servicesAreMadeWhenDue",
    inAnyNamespace("Service"),
  ],
  [
    "treats a claim of another namespace as its own",
    "claimsAreMadeWhenDue",
    inAnyNamespace("PersistentVolumeClaim"),
  ],
  [
    "treats Jobs of another namespace as its own",
    "childrenAreCounted",
    seeing(({ all, jobSet }) => {
      for (const job of all("Job")) {
        const owner = controllerIn(job);
        if (owner?.name !== jobSet.metadata.name) continue;
        owner.uid = jobSet.metadata.uid;
        job.metadata.namespace = jobSet.metadata.namespace;
      }
    }),
  ],
  [
    "treats any owner as the controller",
    "jobsAreDeletedWhenDue",
    seeing(({ all }) => {
      for (const job of all("Job"))
        for (const [index, one] of list(job.metadata.ownerReferences).entries())
          one.controller = index === 0;
    }),
  ],
  [
    "treats any condition of a failure as a failure",
    "childrenAreCounted",
    seeing(({ jobs }) => {
      for (const job of jobs) {
        const one = ofType(job.status, "Failed");
        if (one) one.status = "True";
      }
    }),
  ],
  [
    "treats any condition of a suspension as one",
    "childrenAreCounted",
    seeing(({ jobs }) => {
      for (const job of jobs) if (ofType(job.status, "Suspended")) job.spec.suspend = true;
    }),
  ],
  [
    "treats any condition of its end as the end",
    "jobsAreDeletedWhenDue",
    seeing(({ jobSet }) => {
      for (const one of list(jobSet.status?.conditions))
        if (["Completed", "Failed"].includes(one?.type)) one.status = "True";
    }),
  ],
  [
    "counts Jobs without Pods as active",
    "childrenAreCounted",
    seeing(({ jobs }) => {
      for (const job of jobs) if (!hasFinished(job)) job.status = { active: 1, ...job.status };
    }),
  ],
  [
    "expects as many ready Pods as run at a time",
    "childrenAreCounted",
    seeing(({ jobs }) => {
      for (const { spec } of jobs) delete spec.completions;
    }),
  ],
  [
    "forgets the restarts of single Jobs",
    "singleRestartsAreCounted",
    telling((status) => ({
      ...status,
      replicatedJobsStatus: list(status.replicatedJobsStatus).map(
        ({ jobRestarts: _, ...one }) => one,
      ),
    })),
  ],
  [
    "keeps the time of a condition whose status changes",
    "conditionTimesFollowTheStatus",
    inConditions((one, before) =>
      before && before.status !== one.status
        ? { ...one, lastTransitionTime: before.lastTransitionTime }
        : one,
    ),
  ],
  [
    "changes the time of a condition with its reason",
    "conditionTimesFollowTheStatus",
    inConditions((one, before) =>
      before && before.status === one.status && before.reason !== one.reason
        ? { ...one, lastTransitionTime: "2026-02-07T10:00:00Z" }
        : one,
    ),
  ],
  [
    "sets both startup conditions to True",
    "conditionsTellTheState",
    inConditions((one) =>
      one.type.startsWith("StartupPolicy") ? { ...one, status: "True" } : one,
    ),
  ],
  [
    "removes conditions that are False",
    "conditionsTellTheState",
    inConditions(
      (one) => one,
      ({ status }) => status !== "False",
    ),
  ],
  [
    "adds a condition that is False",
    "conditionsTellTheState",
    telling((status) =>
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
                message: "jobset is resumed",
                lastTransitionTime: "2026-02-07T10:00:00Z",
              },
            ],
          },
    ),
  ],
  [
    "shows a restart in no condition",
    "restartsShowInTheirCondition",
    inConditions(
      (one) => one,
      ({ type }) => type !== "RestartingJobSet",
    ),
  ],
  [
    "reports a failure as Normal",
    "eventTypesAreRight",
    () =>
      making(
        (one) => one,
        (event) => ({ ...event, type: "Normal" }),
      ),
  ],
  [
    "does not write terminalState",
    "jobSetsFailWhenTheirPolicySays",
    telling(({ terminalState: _, ...status }) => status),
  ],
];

export const wrongPasses: readonly WrongSubject[] = passes.map(([what, by, subject]) => ({
  what,
  laws: "passes",
  by,
  subject,
}));
