import { mutateJobSet, mutatePod, validateJobSet, validatePod } from "@jobset-ts/admission";
import type { JobSet } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  type Context,
  createContext,
  createSnapshot,
  PlanExecution,
  type ReleaseBehavior,
  reconcile,
  releaseBehaviors,
} from "@jobset-ts/core";
import { createOwnerReference, desiredJobs } from "@jobset-ts/core/desired";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { type APod, aJob, aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { expect, it } from "vitest";

interface Example {
  /** Returns a decision under a context. */
  readonly decide: (context: Context) => unknown;
  /** The decision with the behavior. */
  readonly inRelease: unknown;
  /** The decision without quirks. */
  readonly byDefault: unknown;
  readonly features?: Readonly<Record<string, boolean>>;
}

const now = "2026-11-28T00:00:00Z";
const zone = "topology.kubernetes.io/zone";
const emptySnapshot = createSnapshot([], { kinds: "all" });

const train = aJobSet("train").withReplicatedJob("workers", { replicas: 2 });
const failedJob = aJob("train-workers-0").failed();
const restartingJobSet = train.withSpec({ failurePolicy: { maxRestarts: 3 } });

const node = aNode("node-a").withLabels({ [zone]: "zone-a" });
const jobSetPod = (name: string) =>
  aPod(name).withAnnotations({ "jobset.sigs.k8s.io/jobset-name": "train" });
const leader = jobSetPod("train-workers-0-0-aaaaa").exclusive(zone).onNode("node-a");
const follower = jobSetPod("train-workers-0-1-bbbbb").exclusive(zone);

function validate(jobSet: unknown, context: Context, oldObject?: unknown) {
  const request = oldObject
    ? ({ operation: "UPDATE", object: jobSet, oldObject } as const)
    : ({ operation: "CREATE", object: jobSet } as const);
  const answer = validateJobSet(request, emptySnapshot, context);
  return answer.allowed ? [] : answer.denial.roots.map(({ id }) => id);
}

function planFor(jobSet: JobSet, context: Context, ...others: readonly KubernetesObject[]) {
  return reconcile(createSnapshot([jobSet, ...others], { kinds: "all" }), jobSet, context);
}

function conditions(jobSet: JobSet, context: Context, ...others: readonly KubernetesObject[]) {
  const { status } = planFor(jobSet, context, ...others);
  return status?.conditions?.map(({ type, reason }) => [type, reason]);
}

/** Returns the node selector of the follower, or the message of a denial, after the mutating webhook. */
function getSelector(context: Context, ...objects: readonly KubernetesObject[]) {
  const snapshot = createSnapshot(objects, { kinds: "all" });
  const answer = mutatePod({ operation: "CREATE", object: follower }, snapshot, context);
  return answer.allowed ? answer.object.spec?.nodeSelector : answer.denial.status.message;
}

function repair(context: Context, ...pods: readonly APod[]) {
  const snapshot = createSnapshot([leader, node, ...pods], { kinds: "all" });
  const { steps, error } = reconcilePlacement(snapshot, leader, context);
  return error?.message ?? steps.flatMap(({ effects }) => effects.map(({ target }) => target.name));
}

/** Executes a plan with one failed request, and returns the outcome and the Events before it. */
function executeWithFailure(context: Context, verb: string) {
  const run = new PlanExecution(planFor(train, context));
  const events: string[] = [];
  for (let next = run.next(); ; next = run.next()) {
    if (next.action === "Done") return [next.outcome.ok, events];
    if (next.action === "Emit") events.push(next.event.reason);
    if (next.action !== "Perform") continue;
    const { id, effect } = next.request;
    const isFailing = effect.verb === verb && effect.target.kind !== "Service";
    run.settle(id, isFailing ? { ok: false, error: { message: "no" } } : { ok: true });
  }
}

function labels(context: Context) {
  const [job] = desiredJobs(train, context);
  const added = Object.keys(job?.metadata.labels ?? {}).map((key) => key.split("/")[1]);
  return added.filter((key) => /^(jobset-uid|group-|job-group)/.test(key ?? ""));
}

const restartJobRule = { name: "r", action: "RestartJob" as const };
const withRestartJob = train.withSpec({ failurePolicy: { rules: [restartJobRule] } });
const twoDependencies = aJobSet("train")
  .withReplicatedJob("a")
  .withReplicatedJob("b")
  .withReplicatedJob("c", { dependsOn: ["a", "b"].map((name) => ({ name, status: "Ready" })) });
const longCoordinator = aJobSet("a".repeat(20))
  .withReplicatedJob("w".repeat(20), {
    template: { spec: { completions: 1, completionMode: "Indexed", template: { spec: {} } } },
  } as never)
  .withSpec({ coordinator: { replicatedJob: "w".repeat(20), jobIndex: 0, podIndex: 0 } });

const reasonChange = {
  type: "Suspended",
  status: "True" as const,
  reason: "Other",
  message: "other",
  lastTransitionTime: now,
};

const examples: Readonly<Record<ReleaseBehavior, Example>> = {
  GeneratedNamesRejected: {
    decide: (context) => {
      const { name: _, ...metadata } = train.metadata;
      return validate({ ...train, metadata: { ...metadata, generateName: "t-" } }, context);
    },
    inRelease: ["job-name-valid"],
    byDefault: [],
  },
  FinishedLeadersFound: {
    decide: (context) => getSelector(context, leader.withStatus({ phase: "Failed" }), node),
    inRelease: { [zone]: "zone-a" },
    byDefault: undefined,
  },
  RepairDeletesNothing: {
    decide: (context) => repair(context, follower),
    inRelease: "pod train-workers-0-1-bbbbb nodeSelector is nil",
    byDefault: ["train-workers-0-1-bbbbb", "train-workers-0-1-bbbbb"],
  },
  DenialsForbidden: {
    decide: (context) => {
      const spec = {
        ...train.spec,
        successPolicy: { operator: "All", targetReplicatedJobs: ["x"] },
      };
      const request = { operation: "CREATE", object: { ...train, spec } } as const;
      const answer = validateJobSet(request, emptySnapshot, context);
      return answer.allowed || [answer.denial.status.code, answer.denial.status.details];
    },
    inRelease: [403, undefined],
    byDefault: [422, expect.objectContaining({ causes: expect.any(Array) })],
  },
  JobSetsAlwaysSerialized: {
    decide: (context) => {
      const object = mutate(train, byDefault);
      const answer = mutateJobSet({ operation: "CREATE", object }, emptySnapshot, context);
      return answer.allowed && answer.changed;
    },
    inRelease: true,
    byDefault: false,
  },
  RestartJobUnchecked: {
    decide: (context) => validate(withRestartJob, context),
    inRelease: [],
    byDefault: ["restart-job-enabled"],
  },
  RestartJobUnknown: {
    decide: (context) => planFor(withRestartJob, context, failedJob).error?.message,
    inRelease: expect.stringContaining("failed to find a corresponding action"),
    byDefault: expect.stringContaining("feature gate RestartJob is disabled"),
  },
  ReplicatedJobsComparedByIndex: {
    decide: (context) => {
      const labelled = (name: string, value: string) => ({
        name,
        template: { spec: { template: { metadata: { labels: { l: value } }, spec: {} } } },
      });
      const jobSetWith = (...replicatedJobs: object[]) => ({
        ...train,
        spec: { suspend: true, replicatedJobs },
      });
      const old = jobSetWith(labelled("a", "1"), labelled("a", "2"));
      return validate(jobSetWith(labelled("a", "3"), labelled("a", "2")), context, old);
    },
    inRelease: [],
    byDefault: ["replicated-jobs-immutable"],
  },
  RestartConditionAbsent: {
    decide: (context) => conditions(restartingJobSet, context, failedJob),
    inRelease: undefined,
    byDefault: [["RestartingJobSet", "DefaultFailurePolicy"]],
  },
  ConditionTextsKept: {
    decide: (context) => {
      const suspended = train.suspended().withStatus({ conditions: [reasonChange] });
      return conditions(suspended, context, aJob("train-workers-0").suspended());
    },
    inRelease: [["Suspended", "Other"]],
    byDefault: [["Suspended", "SuspendedJobs"]],
  },
  StatusErrorsIgnored: {
    decide: (context) => executeWithFailure(context, "updateStatus")[0],
    inRelease: true,
    byDefault: false,
  },
  FailedPodsRestartInPlace: {
    features: { InPlaceRestart: true },
    decide: (context) => {
      const template = {
        spec: { parallelism: 1, completions: 1, backoffLimit: 2147483647, template: { spec: {} } },
      };
      const jobSet = aJobSet("train")
        .withReplicatedJob("workers", { template } as never)
        .withSpec({
          failurePolicy: { restartStrategy: "InPlaceRestart", maxRestarts: 9 },
        } as never);
      const job = aJob("train-workers-0");
      const pod = jobSetPod("train-workers-0-0-aaaaa")
        .withAnnotations({ "jobset.sigs.k8s.io/in-place-restart-attempt": "1" })
        .withLabels({ "jobset.sigs.k8s.io/jobset-name": "train" })
        .controlledBy(job)
        .withStatus({ phase: "Failed" });
      return planFor(jobSet, context, job, pod).status?.currentInPlaceRestartAttempt;
    },
    inRelease: 1,
    byDefault: undefined,
  },
  ForeignFollowersFound: {
    decide: (context) => {
      const foreign = follower.controlledBy(aJob("other-workers-0")).withSpec({ nodeSelector: {} });
      return repair(context, foreign);
    },
    inRelease: ["train-workers-0-1-bbbbb", "train-workers-0-1-bbbbb"],
    byDefault: [],
  },
  JobsListedByOwnerName: {
    decide: (context) => {
      const owner = { ...createOwnerReference(train), uid: "deleted" };
      const job = aJob("train-workers-0").withStatus({ active: 1 });
      const old = { ...job, metadata: { ...job.metadata, ownerReferences: [owner] } };
      return planFor(train, context, old).status?.replicatedJobsStatus?.[0]?.active;
    },
    inRelease: 1,
    byDefault: 0,
  },
  InPlaceRestartUngated: {
    decide: (context) => {
      const failurePolicy = { restartStrategy: "InPlaceRestart" as const };
      return validate(train.withSpec({ failurePolicy } as never), context);
    },
    inRelease: [],
    byDefault: ["in-place-restart-enabled"],
  },
  CoordinatorValueUnchecked: {
    decide: (context) => validate(longCoordinator, context),
    inRelease: [],
    byDefault: ["coordinator-label-valid"],
  },
  JobCreationFailuresUnreported: {
    decide: (context) => executeWithFailure(context, "create")[1],
    inRelease: [],
    byDefault: ["JobCreationFailed"],
  },
  OnlyExclusivePodsMutated: {
    decide: (context) => {
      const object = jobSetPod("train-workers-0-0-aaaaa").withSpec({ priority: 7 });
      const answer = mutatePod({ operation: "CREATE", object }, emptySnapshot, context);
      return answer.allowed && answer.changed;
    },
    inRelease: false,
    byDefault: true,
  },
  MissingNodeSelectsEmptyDomain: {
    decide: (context) => getSelector(context, leader),
    inRelease: { [zone]: "" },
    byDefault: 'nodes "node-a" not found',
  },
  ValuesInGoSyntax: {
    decide: (context) => {
      const old = { ...train, spec: { ...train.spec, managedBy: "example.com/x" } };
      const request = { operation: "UPDATE", object: train, oldObject: old } as const;
      const answer = validateJobSet(request, emptySnapshot, context);
      return answer.allowed || /value: (.*?):/.exec(answer.denial.status.message)?.[1];
    },
    inRelease: '"null"',
    byDefault: "null",
  },
  GroupNameUnchecked: {
    decide: (context) => validate(train.withReplicatedJob("b", { groupName: "-" }), context),
    inRelease: [],
    byDefault: ["group-name-valid"],
  },
  GroupLabelsAbsent: {
    decide: labels,
    inRelease: ["jobset-uid"],
    byDefault: ["jobset-uid", "group-name", "group-replicas", "job-group-index"],
  },
  UidLabelAbsent: {
    decide: labels,
    inRelease: ["group-name", "group-replicas", "job-group-index"],
    byDefault: ["jobset-uid", "group-name", "group-replicas", "job-group-index"],
  },
  ZeroRestartsOmitted: {
    decide: (context) => planFor(train, context).status?.restarts,
    inRelease: undefined,
    byDefault: 0,
  },
  OneDependencyChecked: {
    decide: (context) => {
      const dependsOn = ["a", "x"].map((name) => ({ name, status: "Ready" as const }));
      const jobSet = aJobSet("train").withReplicatedJob("a").withReplicatedJob("b", { dependsOn });
      return validate(jobSet, context);
    },
    inRelease: [],
    byDefault: ["dependency-listed-before"],
  },
  OneDependencyAwaited: {
    decide: (context) => {
      const ready = aJob("train-a-0").withStatus({ ready: 1, active: 1 });
      const { steps } = planFor(twoDependencies, context, ready);
      return steps
        .flatMap(({ effects }) => effects.map(({ target }) => target.name))
        .includes("train-c-0");
    },
    inRelease: true,
    byDefault: false,
  },
  TerminatingLeadersFound: {
    decide: (context) => {
      const snapshot = createSnapshot([leader.beingDeleted(), node], { kinds: "all" });
      const object = follower.withSpec({ nodeSelector: { [zone]: "zone-a" } });
      return validatePod({ operation: "CREATE", object }, snapshot, context).allowed;
    },
    inRelease: true,
    byDefault: false,
  },
};

const byDefault = createContext({ now });

function mutate(object: unknown, context: Context): unknown {
  const answer = mutateJobSet({ operation: "CREATE", object }, emptySnapshot, context);
  return answer.allowed ? answer.object : undefined;
}

it.each(releaseBehaviors)("the quirk %s reproduces the release, and is off by default", (name) => {
  const { decide, inRelease, byDefault, features } = examples[name];
  expect(decide(createContext({ now, features, quirks: [name] }))).toEqual(inRelease);
  expect(decide(createContext({ now, features }))).toEqual(byDefault);
});
