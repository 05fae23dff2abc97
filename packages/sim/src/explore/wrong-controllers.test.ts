import { formatTime, type JobSet, type JobSetStatus, type Observed } from "@jobset-ts/api";

import {
  JOB_GLOBAL_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import {
  type Condition,
  type Job,
  labelOf,
  type ObjectMeta,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import {
  type DeleteEffect,
  type Effect,
  type Plan,
  type PlannedEvent,
  reconcile,
  type Step,
} from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { describe, expect, it } from "vitest";
import type { RequestedObject } from "../api-server/api-request.ts";
import { isTrue } from "../api-server/conditions.ts";
import { type Controller, controllerOfPlans } from "../manager/pass-run.ts";
import { isRelabelled } from "../oracles/jobset-facts.ts";
import { isFollower } from "../oracles/pod-roles.ts";
import type { Fault } from "../scenario/fault.ts";
import { play } from "../scenario/play.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { restartingInPlace, typicalScenarios } from "../testing/typical-scenarios.ts";
import {
  aboutAnother,
  findersIn,
  withCreatedJobs,
  withEffects,
  withPlans,
  withStatus,
  withStatusOf,
} from "../testing/wrong-controller.ts";
import { chanceOf } from "./chance.ts";
import { randomScenario } from "./random-scenario.ts";
import {
  EXCLUSIVE,
  firstReplicatedJob,
  jobSetOf,
  patched,
  withAnnotations,
  withClaim,
  withEach,
  withJobSet,
  withJobSpec,
  withPodSpec,
  withSpec,
} from "./scenario-edits.ts";
import { situations } from "./situations.ts";

const isEnded = ({ status }: { status?: { terminalState?: unknown } | null }) =>
  (status?.terminalState ?? undefined) !== undefined;

const IDLE: Partial<Plan> = { steps: [], events: [], metrics: [], decisions: [] };

/** Without what a plan does, and without the status that it would write. */
function idle({ status: _, ...plan }: Plan): Plan {
  return { ...plan, ...IDLE };
}

/** Each time it plans, the effects of its steps come in another order. */
function shuffling(): Controller {
  let count = 0;
  return withPlans((plan) => {
    count += 1;
    const steps = plan.steps.map((step) =>
      count % 2 === 0 ? ({ ...step, effects: step.effects.toReversed() } as Step) : step,
    );
    return { ...plan, steps };
  });
}

/** It waits for all Jobs, whatever the success policy says. */
const thorough = aboutAnother(({ spec, ...jobSet }) => {
  const { successPolicy: _, ...others } = spec;
  return { ...jobSet, spec: others };
});

const wrong: Readonly<
  Record<string, readonly [controller: Controller, finders: readonly string[]]>
> = {
  "plans by the restart count before (H1)": [
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        const { restarts = 0 } = jobSet.status ?? {};
        if (restarts === 0) return reconcile(snapshot, jobSet, context);
        const stale = { ...jobSet, status: { ...jobSet.status, restarts: restarts - 1 } };
        return reconcile(snapshot, stale as typeof jobSet, context);
      },
    }),
    [
      "eachWriteIsToldOnce",
      "eventsSayWhatIsWritten",
      "failuresAreAnsweredByThePolicy",
      "restartsRiseByOne",
    ],
  ],
  "leaves Jobs of a JobSet that has ended (H5)": [
    withPlans((plan, _, jobSet) =>
      isEnded(jobSet)
        ? { ...plan, steps: plan.steps.filter(({ effects }) => effects[0]?.target.kind !== "Job") }
        : plan,
    ),
    ["endedJobSetsRunNothing", "nothingIsLeftToDo", "theEndEndsAllJobs"],
  ],
  "forgets that it wants to look again (H6)": [
    withPlans(({ requeueAfterSeconds: _, ...plan }) => plan),
    ["nothingIsLeftToDo", "theTtlIsKept"],
  ],
  "plans in an order of chance (H8)": [shuffling(), ["equalViewsGetEqualPlans"]],
  "deletes in the background": [
    withEffects((effect) => [
      effect.verb === "delete" ? { ...effect, propagationPolicy: "Background" } : effect,
    ]),
    ["deletionsWaitAndAreDue", "finishedJobSetsAreKeptForTheirTime", "podsOfOneAttemptAtATime"],
  ],
  "restarts once more than it may": [
    aboutAnother(({ spec, ...jobSet }) => ({
      ...jobSet,
      spec: {
        ...spec,
        ...(spec.failurePolicy && {
          failurePolicy: {
            ...spec.failurePolicy,
            maxRestarts: (spec.failurePolicy.maxRestarts ?? 0) + 1,
          },
        }),
      },
    })),
    ["countedRestartsStayWithinTheLimit", "failuresAreAnsweredByThePolicy"],
  ],
  "knows no rules of failure policies": [
    aboutAnother(({ spec, ...jobSet }) => ({
      ...jobSet,
      spec: {
        ...spec,
        ...(spec.failurePolicy && { failurePolicy: { ...spec.failurePolicy, rules: [] } }),
      },
    })),
    ["eventsSayWhatIsWritten", "failuresAreAnsweredByThePolicy"],
  ],
  "does not wait for Jobs to go under BlockingRecreate": [
    aboutAnother(({ spec, ...jobSet }) => ({
      ...jobSet,
      spec: {
        ...spec,
        ...(spec.failurePolicy && {
          failurePolicy: { ...spec.failurePolicy, restartStrategy: "Recreate" },
        }),
      },
    })),
    ["restartsWaitForAllJobsToGo"],
  ],
  "does nothing about failed Jobs": [
    withPlans((plan) =>
      plan.decisions.some(({ phase }) => phase === "failure-policy") ? idle(plan) : plan,
    ),
    ["countsComeTrue", "failuresHaveConsequences", "nothingIsLeftToDo", "waitingHasAReason"],
  ],
  "never completes": [
    withPlans((plan) => (plan.status?.terminalState === "Completed" ? idle(plan) : plan)),
    ["countsComeTrue", "nothingIsLeftToDo", "successHasConsequences", "waitingHasAReason"],
  ],
  "waits for all Jobs, whatever the success policy says": [
    thorough,
    ["nothingIsLeftToDo", "successHasConsequences"],
  ],
  "waits for nothing at startup": [
    aboutAnother(({ spec, ...jobSet }) => {
      const { startupPolicy: _, ...others } = spec;
      const replicatedJobs = (spec.replicatedJobs ?? []).map(({ dependsOn: _, ...one }) => one);
      return { ...jobSet, spec: { ...others, replicatedJobs } };
    }),
    ["conditionsComeTrue", "nothingIsLeftToDo", "startupWaitsItsTurn"],
  ],
  "says every ten minutes that it is alive": [
    withPlans((plan, _, jobSet, { now }) => {
      const { status } = jobSet as JobSet;
      if (plan.steps.length > 0 || status?.replicatedJobsStatus === undefined) return plan;
      if (isEnded(jobSet as JobSet) || jobSet.metadata?.deletionTimestamp) return plan;
      const message = String(Math.floor(now / 600_000));
      const own = { type: "example.com/Alive", status: "True", reason: "Alive", message } as const;
      const before = status.conditions?.find(({ type }) => type === own.type);
      if (before?.message === message) return { ...plan, requeueAfterSeconds: 600 };
      const { lastTransitionTime = "2026-01-01T00:00:00Z" } = before ?? {};
      const others = (status.conditions ?? []).filter((one) => one !== before);
      const conditions = [...others, { ...own, lastTransitionTime }];
      return {
        ...saying(plan, jobSet as JobSet, { ...status, conditions }),
        requeueAfterSeconds: 600,
      };
    }),
    ["writesAreCausedByChanges"],
  ],
  "looks again at once, for ever": [
    withPlans((plan) => ({ ...plan, requeueAfterSeconds: 0.001 })),
    ["passesAreSpacedOut"],
  ],
  "throws at the sight of a suspended JobSet": [
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        if (jobSet.spec?.suspend === true) throw new Error("it is suspended");
        return reconcile(snapshot, jobSet, context);
      },
    }),
    ["passesComeToAnAnswer", "suspensionTakesEffect"],
  ],
  "changes what it sees": [
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        (jobSet.metadata as { labels?: object }).labels = {};
        return reconcile(snapshot, jobSet, context);
      },
    }),
    [
      "jobsStartWhenItIsTheirTurn",
      "passesComeToAnAnswer",
      "servicesAndClaimsAreThere",
      "suspendedJobsAreMade",
      "suspensionTakesEffect",
      "waitingHasAReason",
    ],
  ],
  "starts the Jobs of a suspended JobSet": [
    withCreatedJobs((job) => ({ ...job, spec: { ...job.spec, suspend: false } })),
    ["suspendedJobSetsStartNothing", "suspensionIsSaidWhenItIsSo"],
  ],
  "creates all Jobs suspended": [
    withCreatedJobs((job) => ({ ...job, spec: { ...job.spec, suspend: true } })),
    ["runningJobSetsHoldNothingBack"],
  ],
  "never suspends a Job that runs": [
    withEffects((effect) =>
      effect.verb === "update" && effect.object.spec.suspend === true ? [] : [effect],
    ),
    [
      "nothingIsLeftToDo",
      "suspensionIsComplete",
      "suspensionIsSaidWhenItIsSo",
      "suspensionReachesAllJobs",
      "suspensionTakesEffect",
    ],
  ],
  "never resumes a Job": [
    withEffects((effect) =>
      effect.verb === "update" && effect.object.spec.suspend === false ? [] : [effect],
    ),
    ["jobsStartWhenItIsTheirTurn", "nothingIsLeftToDo", "suspensionIsSaidWhenItIsSo"],
  ],
  "says of Jobs that they are of the next attempt, and of their Pods that they are not": [
    withCreatedJobs((job) => withLabel(job, RESTART_ATTEMPT_KEY, "1")),
    [
      "childrenAreAsTheirJobSetAsks",
      "childrenAreNamedAfterTheirPlace",
      "jobsAreOfTheCurrentAttempt",
      "jobsCarryAttemptsThatWereWritten",
      "restartsWaitForAllJobsToGo",
    ],
  ],
  "takes the Jobs of the attempt before for its own": [
    withEffects((effect) =>
      effect.verb === "delete" && effect.target.kind === "Job"
        ? [
            {
              verb: "patch",
              target: effect.target,
              patch: { metadata: { labels: { [RESTART_ATTEMPT_KEY]: "1" } } },
            } as Effect,
          ]
        : [effect],
    ),
    [
      "childrenAreNamedAfterTheirPlace",
      "endedJobSetsRunNothing",
      "jobsStartWhenItIsTheirTurn",
      "noWriteIsInVain",
      "nothingIsLeftToDo",
      "restartsLeaveNothingBehind",
      "theEndEndsAllJobs",
      "waitingHasAReason",
    ],
  ],
  "creates Jobs of the next attempt": [
    withCreatedJobs((job) => {
      const template = withLabel(job.spec.template as never, RESTART_ATTEMPT_KEY, "1") as never;
      return withLabel({ ...job, spec: { ...job.spec, template } }, RESTART_ATTEMPT_KEY, "1");
    }),
    [
      "childrenAreAsTheirJobSetAsks",
      "completionIsEarned",
      "eachRestartHasItsFailure",
      "failureIsEarned",
      "jobsAreOfTheCurrentAttempt",
      "jobsCarryAttemptsThatWereWritten",
      "jobsStartWhenItIsTheirTurn",
    ],
  ],
  "gives Jobs another index": [
    withCreatedJobs((job) => withLabel(job, JOB_INDEX_KEY, "7")),
    ["childrenAreAsTheirJobSetAsks", "childrenAreNamedAfterTheirPlace"],
  ],
  "gives Jobs another place among all": [
    withCreatedJobs((job) => withLabel(job, JOB_GLOBAL_INDEX_KEY, "7")),
    ["childrenAreAsTheirJobSetAsks"],
  ],
  "gives Pods a restart count that nobody keeps": [
    withCreatedJobs((job) => ({
      ...job,
      spec: {
        ...job.spec,
        template: withLabel(job.spec.template as never, JOB_RESTART_ATTEMPT_KEY, "5") as never,
      },
    })),
    ["childrenAreAsTheirJobSetAsks"],
  ],
  "makes Services that no JobSet controls": [
    withCreated("Service", ({ ownerReferences: _, ...metadata }) => metadata),
    ["childrenAreAsTheirJobSetAsks"],
  ],
  "makes claims that go with nobody": [
    withCreated("PersistentVolumeClaim", ({ ownerReferences: _, ...metadata }) => metadata),
    ["childrenAreAsTheirJobSetAsks"],
  ],
  "gives Jobs the UID of another JobSet": [
    withCreatedJobs(({ metadata, ...job }) => ({
      ...job,
      metadata: {
        ...metadata,
        ownerReferences: (metadata.ownerReferences ?? []).map((one) => ({ ...one, uid: "x" })),
      },
    })),
    ["childrenAreAsTheirJobSetAsks"],
  ],
  "creates no second Job of a ReplicatedJob": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.name.endsWith("-1") ? [] : [effect],
    ),
    [
      "jobsStartWhenItIsTheirTurn",
      "nothingIsLeftToDo",
      "suspendedJobsAreMade",
      "waitingHasAReason",
    ],
  ],
  "creates no Service": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.kind === "Service" ? [] : [effect],
    ),
    ["nothingIsLeftToDo", "servicesAndClaimsAreThere"],
  ],
  "creates no volume claim": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.kind === "PersistentVolumeClaim" ? [] : [effect],
    ),
    ["nothingIsLeftToDo", "servicesAndClaimsAreThere"],
  ],
  "creates each Job twice": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.kind === "Job" ? [effect, effect] : [effect],
    ),
    ["namesInUseAreNotCreated"],
  ],
  "goes on after the end, and after a deletion": [
    aboutAnother(({ metadata, status, ...jobSet }) => {
      const { deletionTimestamp: _, ...kept } = metadata;
      const { terminalState: _ended, conditions = [], ...others } = status ?? { restarts: 0 };
      const open = conditions.filter(({ type }) => type !== "Completed" && type !== "Failed");
      return { ...jobSet, metadata: kept, status: { ...others, conditions: open } };
    }),
    [
      "conditionsAreWellFormed",
      "deletedAndForeignJobSetsAreLeftAlone",
      "eachWriteIsToldOnce",
      "endedJobSetsRunNothing",
      "noWriteIsInVain",
      "nothingIsLeftToDo",
      "theEndEndsAllJobs",
      "theEndIsFinal",
      "theTtlIsKept",
    ],
  ],
  "makes a Service for a JobSet that has ended": [
    withPlans((plan, _, jobSet) => {
      if (!isEnded(jobSet)) return plan;
      const { namespace = "", name = "", uid } = plan.jobSet;
      const ownerReferences = [{ kind: "JobSet", name, uid, controller: true }];
      const metadata = { namespace, name: `${name}-after`, ownerReferences };
      const effect = {
        verb: "create",
        target: { apiVersion: "v1", kind: "Service", namespace, name: metadata.name },
        object: { apiVersion: "v1", kind: "Service", metadata, spec: {} },
        whenExists: "Succeed",
      } as unknown as Effect;
      const step = { phase: "service", effects: [effect], concurrency: 1 } as unknown as Step;
      return { ...plan, steps: [...plan.steps, step] };
    }),
    ["deletedAndForeignJobSetsAreLeftAlone", "nothingIsCreatedAfterTheEnd"],
  ],
  "deletes a JobSet as soon as it has ended": [
    aboutAnother(({ spec, ...jobSet }) => ({
      ...jobSet,
      spec: { ...spec, ...(isEnded(jobSet as never) && { ttlSecondsAfterFinished: 0 }) },
    })),
    ["finishedJobSetsAreKeptForTheirTime"],
  ],
  "never deletes what has to go": [
    withEffects((effect) => (effect.verb === "delete" ? [] : [effect])),
    [
      "endedJobSetsRunNothing",
      "jobsStartWhenItIsTheirTurn",
      "nothingIsLeftToDo",
      "restartsLeaveNothingBehind",
      "theEndEndsAllJobs",
      "waitingHasAReason",
    ],
  ],
  "deletes the Jobs of the current attempt": [
    withEffects((effect) =>
      effect.verb === "update" && effect.target.kind === "Job"
        ? [
            effect,
            foreground(deletionOf({ ...effect.target, uid: effect.object.metadata.uid ?? "" })),
          ]
        : [effect],
    ),
    ["deletionsWaitAndAreDue"],
  ],
  "deletes once more in the background what is being deleted": [
    withPlans((plan, ...seen) => alsoDoing(plan, deletionsAgain(...seen))),
    ["deletionsWaitAndAreDue", "podsOfOneAttemptAtATime"],
  ],
  "deletes once more what is being deleted": [
    withPlans((plan, ...seen) => alsoDoing(plan, deletionsAgain(...seen).map(foreground))),
    ["deletionsWaitAndAreDue"],
  ],
  "deletes whatever has a name": [
    withEffects((effect) =>
      effect.verb === "delete" ? [deletionOf(effect.target)].map(foreground) : [effect],
    ),
    ["deletionsNameWhatWasSeen"],
  ],
  "plans each deletion twice": [
    withEffects((effect) => (effect.verb === "delete" ? [effect, effect] : [effect])),
    ["deletionsWaitAndAreDue"],
  ],
  "writes the spec of its JobSet": [
    withPlans((plan) => {
      const { uid: _, ...target } = plan.jobSet;
      return alsoDoing(plan, [{ verb: "patch", target, patch: { spec: { suspend: false } } }]);
    }),
    ["foreignObjectsAreLeftAlone", "noWriteIsInVain"],
  ],
  "deletes nodes": [
    withPlans((plan, snapshot) => {
      const { uid } = snapshot.node("node-0")?.metadata ?? {};
      if (uid === undefined) return plan;
      const target = { apiVersion: "v1", kind: "Node", namespace: "", name: "node-0", uid };
      return alsoDoing(plan, [deletionOf(target)]);
    }),
    ["foreignObjectsAreLeftAlone"],
  ],
  "writes what is invalid": [
    withEffects((effect) =>
      effect.verb === "update"
        ? [{ ...effect, object: withCompletions(effect.object, 9) as typeof effect.object }]
        : [effect],
    ),
    ["jobsStartWhenItIsTheirTurn", "noWriteIsInvalid"],
  ],
};

/** Three Jobs run for ever, and a user gives one of them another label. */
function relabelled(key: string, value: string): Scenario {
  const object = named("Job", "train-workers-1");
  const metadata = { ...object.metadata, labels: { [key]: value } };
  return {
    ...(typicalScenarios.failure as Scenario),
    workload: [{ stopMs: 500 }],
    actions: [
      {
        at: 10_000,
        request: { verb: "patch", object: { ...object, metadata } as RequestedObject },
      },
    ],
  };
}

function named(kind: string, name: string): RequestedObject {
  return { kind, metadata: { namespace: "ml", name } } as RequestedObject;
}

/** A Job of somebody else has the name of one that the JobSet asks for, and nothing comes to an end. */
function withTakenName(): Scenario {
  const scenario = typicalScenarios.deletion as Scenario;
  const { template } = firstReplicatedJob(jobSetOf(scenario));
  const job = { ...named("Job", "train-workers-0"), apiVersion: "batch/v1", ...template };
  const [node, jobSet] = scenario.objects;
  return { ...scenario, objects: [node, job, jobSet] as Scenario["objects"], actions: [] };
}

/** A user takes a Job from its JobSet, of which another Job ends later. */
function withTakenJob(): Scenario {
  const metadata = { ...named("Job", "train-workers-1").metadata, ownerReferences: null };
  const object = { kind: "Job", metadata } as unknown as RequestedObject;
  return {
    ...(typicalScenarios.failure as Scenario),
    workload: [{ replicatedJob: "leader", runMs: 60_000 }, { stopMs: 500 }],
    actions: [{ at: 10_000, request: { verb: "patch", object } }],
  };
}

/** Somebody writes to a Service that nobody controls, right before the controller tries to create it. */
function withTouchedService(): Scenario {
  const { objects, ...scenario } = withJobSet(typicalScenarios.deletion as Scenario, (jobSet) =>
    withSpec(jobSet, { network: { enableDNSHostnames: true } }),
  );
  const service = { ...named("Service", "train"), spec: { clusterIP: "None" } } as RequestedObject;
  return {
    ...scenario,
    objects: [service, ...objects],
    actions: [],
    faults: [
      { fault: "HoldBack", kind: "Service", from: 0, until: 20_000 },
      { fault: "Race", request: 1 },
    ],
  };
}

/** Users set the time after which a JobSet is to go that has ended, each at their second. */
function withTtls(ttls: readonly (readonly [at: number, seconds: number | null])[]): Scenario {
  const scenario = typicalScenarios.failure as Scenario;
  const actions = ttls.map(([at, ttlSecondsAfterFinished]) =>
    patched(at * 1_000, scenario, { ttlSecondsAfterFinished }),
  );
  return { ...scenario, actions };
}

/** A user deletes a Job that has a rack for itself, and leaves its Pods where they are. */
function withOrphanedPods(): Scenario {
  const request = { verb: "delete", object: named("Job", "train-workers-1") } as const;
  return {
    ...inRacks([]),
    actions: [{ at: 10_000, request: { ...request, propagationPolicy: "Orphan" } }],
  };
}

/** A user scales Jobs, and leaves out that the containers ask for no resources. */
function scaled(): Scenario {
  const scenario = typicalScenarios.deletion as Scenario;
  const { replicatedJobs } = withEach(jobSetOf(scenario), (one) =>
    withJobSpec(
      { ...one, groupName: "default" },
      { completionMode: "Indexed", parallelism: 3, completions: 3 },
    ),
  ).spec;
  return {
    ...scenario,
    features: { ElasticJobSet: true },
    actions: [patched(10_000, scenario, { replicatedJobs })],
  };
}

/** A user says of the second worker that it is of a later attempt. */
function withALaterAttempt(scenario: Scenario, at = 10_000): Scenario {
  const { actions } = relabelled(RESTART_ATTEMPT_KEY, "7");
  return { ...scenario, actions: [...scenario.actions, ...actions.map((one) => ({ ...one, at }))] };
}

/** A user leaves the Jobs of a suspended JobSet behind, and makes it anew. */
function orphanedAndMadeAnew(): Scenario {
  const scenario = typicalScenarios.suspension as Scenario;
  const object = jobSetOf(scenario) as unknown as RequestedObject;
  return {
    ...scenario,
    actions: [
      { at: 3_000, request: { verb: "delete", object, propagationPolicy: "Orphan" } },
      { at: 10_000, request: { verb: "create", object } },
    ],
  };
}

/** A user scales Jobs of which the JobSet does not say how many Pods they have. */
function scaledFromNothing(): Scenario {
  const scenario = scaled();
  const counts = { parallelism: undefined, completions: undefined };
  return withJobSet(scenario, (jobSet) => withEach(jobSet, (one) => withJobSpec(one, counts)));
}

/** The Pods of a Job are asked to go, at once or in their time, and their labels are edited. */
function withHandledPods(gracePeriodSeconds?: number): Scenario {
  const selector = { "batch.kubernetes.io/job-name": "train-workers-1" };
  const object: RequestedObject = { kind: "Pod", metadata: { namespace: "ml" } };
  const labels = { [JOBSET_NAME_KEY]: null } as never;
  const edited = { kind: "Pod", metadata: { namespace: "ml", labels } };
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  return {
    ...(typicalScenarios.restartThatRunsOn as Scenario),
    workload: [{ stopMs: 500 }],
    actions: [
      { at: 10_000, selector, request: { verb: "patch", object: edited } },
      { at: 20_000, selector, request: { verb: "delete", object, ...grace } },
    ],
  };
}

/** A user gives a worker the label of a later ReplicatedJob, of other Pods, before the JobSet is resumed in order. */
function resumedUnderAnotherName(): Scenario {
  const scenario = withJobSet(slowWorkers(), (jobSet) =>
    withSpec(
      withEach(jobSet, (one) => {
        const { template } = one.template.spec;
        const labelled = { ...template, metadata: { labels: { team: one.name } } };
        return withPodSpec(withJobSpec(one, { template: labelled }), {
          tolerations: [{ key: one.name, operator: "Exists" }],
        });
      }),
      { suspend: true },
    ),
  );
  const [edit] = relabelled(REPLICATED_JOB_NAME_KEY, "store").actions;
  const actions = [
    { ...edit, at: 3_000 },
    patched(5_000, scenario, { suspend: false }),
  ] as Scenario["actions"];
  return { ...scenario, actions };
}

/** A user makes the attempt of a Job unreadable whose Pods restart in place. */
function lostInPlace(): Scenario {
  const metadata = {
    ...named("Job", "train-leader-0").metadata,
    labels: { [RESTART_ATTEMPT_KEY]: "none" },
  };
  const request = { verb: "patch", object: { kind: "Job", metadata } } as const;
  return { ...failingAlone(), actions: [{ at: 25_000, request }] as never };
}

/** What a right controller can do nothing about. */
const rightIn: Readonly<Record<string, Scenario>> = {
  "somebody else has the name of a Job": withTakenName(),
  "a user takes a Job from its JobSet": withTakenJob(),
  "somebody writes to what nobody controls": withTouchedService(),
  "a user scales Jobs": scaled(),
  "a user sets the time to live after the end, and takes it back": withTtls([
    [100, 600],
    [300, null],
  ]),
  "a user prolongs the time to live after the end": withTtls([
    [100, 600],
    [300, 7_200],
  ]),
  "a user orphans Pods that have a rack for themselves": withOrphanedPods(),
  "users edit labels of Jobs": relabelled(RESTART_ATTEMPT_KEY, "none"),
  "a user leaves the Jobs of a suspended JobSet behind, and makes it anew": orphanedAndMadeAnew(),
  "a user scales Jobs whose number of Pods was left open": scaledFromNothing(),
  "a user resumes a Job that is labelled as another": resumedUnderAnotherName(),
  "a user makes the attempt of a Job unreadable whose Pods restart in place": lostInPlace(),
  "a user deletes Pods": withHandledPods(),
  "a user deletes Pods by force": withHandledPods(0),
};

/** It deletes the Jobs of the attempt that is not over of which something is so. */
function deleting(isOdd: (job: Observed<Job>, jobSet: Observed<JobSet>) => boolean): Controller {
  return withPlans((plan, snapshot, jobSet) => {
    const odd = snapshot
      .childJobs(jobSet)
      .filter((job) => job.metadata?.deletionTimestamp === undefined && isOdd(job, jobSet))
      .map(({ metadata: { namespace = "", name = "", uid = "" } = {} }) =>
        foreground(deletionOf({ apiVersion: "batch/v1", kind: "Job", namespace, name, uid })),
      );
    return odd.length === 0 ? plan : { ...plan, steps: [...plan.steps, stepOf(odd)] };
  });
}

/** A suspended JobSet gets another label and annotation for its Pods, and is resumed. */
function resumedAfterAnEdit(): Scenario {
  const scenario = typicalScenarios.resumption as Scenario;
  const { replicatedJobs } = withEach(jobSetOf(scenario), (one) => {
    const { template } = one.template.spec;
    const metadata = { labels: { team: "ml" }, annotations: { cost: "7" } };
    // An update gets no defaults, so those of the creation stand in it.
    const spec = { completionMode: "Indexed", template: { ...template, metadata } };
    return withJobSpec({ ...one, groupName: "default" }, spec);
  }).spec;
  return {
    ...scenario,
    actions: [patched(3_000, scenario, { replicatedJobs }), ...scenario.actions],
  };
}

/** It resumes Jobs with other metadata of their Pods than ours does. */
function withResumed(
  change: (metadata: ObjectMeta, before: Observed<ObjectMeta> | undefined) => object,
): Controller {
  return withPlans((plan, snapshot) => {
    const resumed = (effect: Effect): Effect => {
      if (effect.verb !== "update" || effect.object.spec.suspend !== false) return effect;
      const before = snapshot.job(effect.target.namespace, effect.target.name);
      const { template } = effect.object.spec;
      const own = before?.spec?.template?.metadata;
      const metadata = change(template.metadata ?? {}, own) as ObjectMeta;
      const changes = effect.changes.filter(({ path }) => path[2] !== "metadata");
      const path = ["spec", "template", "metadata"];
      const spec = { ...effect.object.spec, template: { ...template, metadata } };
      return {
        ...effect,
        object: { ...effect.object, spec },
        changes: [...changes, { path, value: metadata }],
      };
    };
    const steps = plan.steps.map(
      (step) => ({ ...step, effects: step.effects.map(resumed) }) as Step,
    );
    return { ...plan, steps };
  });
}

/** A Pod of two fails each time, and may once; the agents restart both. */
function failingAlone(): Scenario {
  return {
    ...restartingInPlace(1),
    workload: [{ index: 0, runMs: 3_000, exitCode: 1 }, { runMs: 100_000 }],
  };
}

/** A Job fails twice, and is restarted alone each time. */
function restartingAlone(): Scenario {
  const rules = [{ name: "alone", action: "RestartJob" }];
  return {
    ...withJobSet(typical("limit"), (jobSet) =>
      withSpec(jobSet, { failurePolicy: { maxRestarts: 3, rules } }),
    ),
    features: { RestartJob: true },
  };
}

/** Some Jobs restart alone, others with all, by the number of a random scenario. */
function restartingInTwoWays(seed: number): Scenario {
  return situations.singleRestarts(randomScenario(seed), chanceOf(seed));
}

/** The API server refuses a Job for a while, and nothing comes to an end. */
function refusing(name: string): Scenario {
  const refused = { kind: "Job", name, from: 0, until: 60_000 };
  const scenario = typical("deletion");
  return { ...scenario, actions: [], faults: [{ fault: "RefuseObject", ...refused }] };
}

/** It plans to create Jobs so often, and no more. */
function givingUp(): Controller {
  let plans = 0;
  return withPlans((plan) => {
    if (plan.steps.every(({ phase }) => phase !== "create-jobs")) return plan;
    plans += 1;
    return plans > 6 ? idle(plan) : plan;
  });
}

/** It says once that a Job cannot be created, and then is silent. */
function tellingOnce(): Controller {
  let isTold = false;
  return withPlans((plan) => {
    if (isTold) return withoutFailureEvents(plan);
    isTold = plan.steps.some(({ phase }) => phase === "create-jobs");
    return plan;
  });
}

function withoutFailureEvents(plan: Plan): Plan {
  const steps = plan.steps.map(({ failureEventReason: _, ...step }) => step as Step);
  return { ...plan, steps };
}

/** A user says only after the end how long a JobSet is kept. */
function keptForAWhile(): Scenario {
  const failure = typical("failure");
  return { ...failure, actions: [patched(60_000, failure, { ttlSecondsAfterFinished: 60 })] };
}

/** The API server refuses for a while to delete a JobSet whose time is over. */
function keptForLonger(): Scenario {
  const scenario = withJobSet(typical("failure"), (jobSet) =>
    withSpec(jobSet, { ttlSecondsAfterFinished: 60 }),
  );
  const refused = { kind: "JobSet", name: "train", from: 50_000, until: 80_000 };
  return { ...scenario, faults: [{ fault: "RefuseObject", ...refused }] };
}

/** It sees the first end of a JobSet alone, as if nothing of its spec changed behind that. */
function deafAfterTheEnd(): Controller {
  let end: JobSet | undefined;
  return aboutAnother((jobSet) => {
    if (isEnded(jobSet)) end ??= jobSet;
    return isEnded(jobSet) && end !== undefined ? { ...jobSet, spec: end.spec } : jobSet;
  });
}

/** It asks for the deletion of a JobSet once, whatever becomes of that. */
function deletingOnce(): Controller {
  let isAsked = false;
  return withPlans((plan) => {
    const isDeletion = plan.steps.some(({ effects }) =>
      effects.some(({ verb, target }) => verb === "delete" && target.kind === "JobSet"),
    );
    if (isDeletion && isAsked) return idle(plan);
    isAsked ||= isDeletion;
    return plan;
  });
}

/** Three Jobs with a rack for each. */
function inRacks(faults: readonly Fault[]): Scenario {
  const { objects, ...scenario } = typicalScenarios.deletion as Scenario;
  const [node] = objects;
  const nodes = ["r0", "r1", "r2"].map((rack, at) => ({
    ...node,
    metadata: { name: `node-${at}`, labels: { rack } },
  }));
  const jobSet = withAnnotations(jobSetOf({ objects, ...scenario }), EXCLUSIVE);
  return {
    ...scenario,
    objects: [...nodes, jobSet] as Scenario["objects"],
    actions: [],
    faults,
  };
}

/** The controller begins anew. */
const RESTART: Fault = { fault: "TimeTravel", kind: "Service", at: 15_000, backMs: 1, forMs: 0 };

/** What goes wrong in a scenario of its own. */
const wrongIn: Readonly<
  Record<string, readonly [Scenario, controller: Controller, finders: readonly string[]]>
> = {
  "gives retained claims an owner": [
    withJobSet(typicalScenarios.deletion as Scenario, (one) => withClaim(one, "data", "Retain")),
    withPlans((plan) => {
      const { apiVersion, kind, name, uid } = plan.jobSet;
      const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
      const owning = (effect: Effect) =>
        effect.verb === "create" && effect.target.kind === "PersistentVolumeClaim"
          ? madeWith(effect, (metadata) => ({ ...metadata, ownerReferences: [owner as never] }))
          : effect;
      const steps = plan.steps.map((one) => ({ ...one, effects: one.effects.map(owning) }) as Step);
      return { ...plan, steps };
    }),
    ["childrenAreAsTheirJobSetAsks"],
  ],
  "resumes Jobs with the labels and annotations that they had": [
    resumedAfterAnEdit(),
    withResumed((metadata, before) => before ?? metadata),
    ["resumedJobsAreLabelledAnew"],
  ],
  "resumes Jobs with a label of its own": [
    resumedAfterAnEdit(),
    withResumed((metadata) => ({ ...metadata, labels: { ...metadata.labels, resumed: "yes" } })),
    ["resumedJobsAreLabelledAnew"],
  ],
  "makes no Job as long as its JobSet is suspended": [
    { ...typical("suspension"), actions: [] },
    withPlans((plan, _, jobSet) =>
      jobSet.spec?.suspend === true
        ? { ...plan, steps: plan.steps.filter(({ phase }) => phase !== "create-jobs") }
        : plan,
    ),
    ["nothingIsLeftToDo", "suspendedJobsAreMade"],
  ],
  "holds Jobs back in order that are made suspended": [
    withJobSet({ ...typical("suspension"), actions: [] }, (jobSet) =>
      withSpec(jobSet, { startupPolicy: { startupPolicyOrder: "InOrder" } }),
    ),
    withPlans((plan, _, jobSet) => {
      if (jobSet.spec?.suspend !== true) return plan;
      const isLater = (one: Step) => one.phase === "create-jobs" && one.object.name !== "leader";
      return { ...plan, steps: plan.steps.filter((one) => !isLater(one)) };
    }),
    ["nothingIsLeftToDo", "suspendedJobsAreMade"],
  ],
  "scales no Job": [
    scaled(),
    withPlans((plan) => ({
      ...plan,
      steps: plan.steps.filter(({ phase }) => phase !== "scale"),
    })),
    ["nothingIsLeftToDo", "scaledJobsFollowTheirJobSet"],
  ],
  "counts no more once a JobSet has ended": [
    typical("anyJobSuffices"),
    withPlans((plan, _, jobSet) =>
      isEnded(jobSet as JobSet)
        ? { ...plan, steps: plan.steps.filter(({ phase }) => phase !== "write-status") }
        : plan,
    ),
    ["countsComeTrue", "nothingIsLeftToDo"],
  ],
  "forgets the restarts of single Jobs when all restart": [
    restartingInTwoWays(0),
    withStatus((status, jobSet) =>
      status.restarts > (jobSet.status?.restarts ?? 0)
        ? withCounts(
            status,
            ({ jobRestarts: _, jobRestartsCountTowardsMax: _counted, ...one }) => one,
          )
        : status,
    ),
    ["eachWriteIsToldOnce", "restartsOfJobsKeepTheirPlaces", "restartsRiseByOne"],
  ],
  "takes restarts that do not count for such that do": [
    restartingInTwoWays(33),
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        const { restarts = 0 } = jobSet.status ?? {};
        const counted = { ...jobSet.status, restartsCountTowardsMax: restarts };
        const plan = reconcile(snapshot, { ...jobSet, status: counted } as typeof jobSet, context);
        if (plan.status?.terminalState !== "Failed") return reconcile(snapshot, jobSet, context);
        const { restartsCountTowardsMax = 0 } = jobSet.status ?? {};
        return withStatusOf(plan, { ...plan.status, restartsCountTowardsMax });
      },
    }),
    ["eventsSayWhatIsWritten", "failuresAreAnsweredByThePolicy"],
  ],
  "waits under BlockingRecreate for no Job that restarts alone": [
    restartingInTwoWays(28),
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        const { spec, status } = jobSet as JobSet;
        const isLate = snapshot
          .childJobs(jobSet)
          .some((job) => Number(labelOf(job, RESTART_ATTEMPT_KEY)) < (status?.restarts ?? 0));
        const failurePolicy = { ...spec.failurePolicy, restartStrategy: "Recreate" };
        const other = { ...jobSet, spec: { ...spec, ...(!isLate && { failurePolicy }) } };
        return reconcile(snapshot, other as typeof jobSet, context);
      },
    }),
    ["restartsWaitForAllJobsToGo"],
  ],
  "makes a Service only once": [
    withJobSet(
      {
        ...(typicalScenarios.deletion as Scenario),
        actions: [
          { at: 3_000_000, request: { verb: "delete", object: named("Service", "train") } },
        ],
      },
      (jobSet) => withSpec(jobSet, { network: { enableDNSHostnames: true } }),
    ),
    withPlans((plan, _, jobSet) => ({
      ...plan,
      steps: plan.steps.filter(
        ({ phase }) => phase !== "service" || jobSet.status?.replicatedJobsStatus === undefined,
      ),
    })),
    ["nothingIsLeftToDo", "servicesAndClaimsAreThere"],
  ],
  "knows no limit of restarts in place": [
    failingAlone(),
    aboutAnother(({ spec, ...jobSet }) => {
      const failurePolicy = { ...spec.failurePolicy, maxRestarts: 1_000 };
      return { ...jobSet, spec: { ...spec, failurePolicy } };
    }),
    ["nothingIsLeftToDo", "restartsInPlaceHaveAnEnd"],
  ],
  "tells nobody that a Job is refused": [
    refusing("train-leader-0"),
    withPlans(withoutFailureEvents),
    ["refusedCreationsAreTold"],
  ],
  "gives a Job up that is refused": [
    refusing("train-leader-0"),
    givingUp(),
    ["countsComeTrue", "jobsStartWhenItIsTheirTurn", "nothingIsLeftToDo"],
  ],
  "makes no Job behind one that is refused": [
    refusing("train-workers-0"),
    withPlans((plan) => ({
      ...plan,
      steps: plan.steps.map(
        (one) => ({ ...one, concurrency: 1, afterFailure: "SkipOthers" }) as Step,
      ),
    })),
    ["oneRefusalKeepsNoOtherJobBack"],
  ],
  "leaves followers where the node of their leader was": [
    {
      ...inRacks([
        {
          fault: "Relabel",
          node: "node-1",
          label: "rack",
          value: "r9",
          from: 1,
          until: 12_000,
        },
      ]),
      workload: [{ readyMs: 20_000, stopMs: 500 }],
    },
    controllerOfPlans({
      reconcilePlacement: (...asked) => ({ ...reconcilePlacement(...asked), steps: [] }),
    }),
    ["followersJoinTheirLeader"],
  ],
  "lets nobody go on who restarts in place": [
    failingAlone(),
    withStatus(({ currentInPlaceRestartAttempt: _, ...status }) => status),
    ["barriersAreLifted", "noWriteIsInVain", "nothingIsLeftToDo"],
  ],
  "ends one attempt in place too few": [
    restartingInPlace(4),
    withStatus((status, jobSet) => {
      const { previousInPlaceRestartAttempt: previous = 0, ...others } = status;
      if (previous === jobSet.status?.previousInPlaceRestartAttempt) return status;
      return previous === 0 ? others : { ...others, previousInPlaceRestartAttempt: previous - 1 };
    }),
    ["attemptsInPlaceAreReachedByAll", "noWriteIsInVain"],
  ],
  "counts a Job that there is not": [
    restartingAlone(),
    withStatus((status, jobSet) =>
      withCounts(status, ({ jobRestarts, ...one }) => {
        const stored = jobSet.status?.replicatedJobsStatus?.find(({ name }) => name === one.name);
        if (jobRestarts === undefined) return one;
        return { ...one, jobRestarts: stored?.jobRestarts ? [...jobRestarts, 0] : jobRestarts };
      }),
    ),
    ["restartsOfJobsKeepTheirPlaces"],
  ],
  "does not hear after the end how long a JobSet is kept": [
    keptForAWhile(),
    deafAfterTheEnd(),
    ["nothingIsLeftToDo", "theTtlIsKept"],
  ],
  "asks only once for the deletion of a JobSet": [
    keptForLonger(),
    deletingOnce(),
    ["equalViewsGetEqualPlans", "nothingIsLeftToDo", "theTtlIsKept"],
  ],
  "lets Pods placed by node labels run anywhere": [
    withJobSet(typicalScenarios.deletion as Scenario, (one) =>
      withAnnotations(one, { ...EXCLUSIVE, [NODE_SELECTOR_STRATEGY_KEY]: "true" }),
    ),
    withCreatedJobs(({ spec, ...job }) => {
      const { nodeSelector: _, ...podSpec } = spec.template.spec ?? { containers: [] };
      return { ...job, spec: { ...spec, template: { ...spec.template, spec: podSpec } } } as Job;
    }),
    ["childrenAreAsTheirJobSetAsks"],
  ],
  "takes a leader whose node is gone to be elsewhere": [
    inRacks([
      { fault: "LoseDomain", label: "rack", value: "r1", from: 10_000, until: 30_000 },
      RESTART,
    ]),
    controllerOfPlans({
      reconcilePlacement: (snapshot, leader, context) => {
        const name = snapshot.pod("ml", leader.metadata?.name ?? "")?.spec?.nodeName ?? "";
        const gone = { apiVersion: "v1", kind: "Node", metadata: { name, labels: { rack: "x" } } };
        const seen = snapshot.node(name) ? snapshot : snapshot.with({ put: [gone as never] });
        return reconcilePlacement(seen, leader, context);
      },
    }),
    ["repairsFollowALivingLeader"],
  ],
  "deletes the followers of all leaders when those of one are elsewhere": [
    inRacks([
      {
        fault: "Relabel",
        node: "node-1",
        label: "rack",
        value: "r9",
        from: 10_000,
        until: 3_000_000,
      },
      RESTART,
    ]),
    controllerOfPlans({
      reconcilePlacement: (snapshot, leader, context) => {
        const plan = reconcilePlacement(snapshot, leader, context);
        const all = snapshot
          .objects("Pod")
          .filter((pod) => isFollower(pod as Pod))
          .map(({ metadata: { namespace = "", name = "", uid = "" } = {} }) =>
            deletionOf({ apiVersion: "v1", kind: "Pod", namespace, name, uid }),
          );
        return { ...plan, steps: plan.steps.map((step) => ({ ...step, effects: all }) as Step) };
      },
    }),
    ["onlyMisplacedFollowersAreDeleted", "repairsFollowALivingLeader"],
  ],
  "waits for nothing at startup once a label is edited": [
    slowWorkers(),
    onceRelabelled((snapshot, jobSet, context) => {
      const { startupPolicy: _, ...spec } = (jobSet as JobSet).spec;
      return reconcile(snapshot, { ...jobSet, spec } as typeof jobSet, context);
    }),
    ["nothingIsLeftToDo", "startupWaitsItsTurn"],
  ],
  "says that startup is complete once a label is edited": [
    slowWorkers(),
    onceRelabelled((...seen) => {
      const plan = reconcile(...seen);
      const { status } = seen[1] as JobSet;
      const conditions = (status?.conditions ?? []).filter(
        ({ type }) => type !== "StartupPolicyInProgress",
      );
      if (status == null || conditions.some(({ type }) => type === "StartupPolicyCompleted"))
        return plan;
      const own = {
        type: "StartupPolicyCompleted",
        status: "True",
        reason: "AllReplicatedJobsStarted",
        message: "all replicated jobs have started",
        lastTransitionTime: formatTime(seen[2].now),
      } as const;
      return saying(plan, seen[1] as JobSet, { ...status, conditions: [...conditions, own] });
    }),
    ["conditionsAreWellFormed", "startupIsOverWhenItSays"],
  ],
  "completes by a Job of which a label is edited alone": [
    relabelledSuccess(),
    onceRelabelled((snapshot, jobSet, context) => {
      const { successPolicy: _, ...spec } = (jobSet as JobSet).spec;
      const any = { ...spec, successPolicy: { operator: "Any" } };
      return reconcile(snapshot, { ...jobSet, spec: any } as typeof jobSet, context);
    }),
    ["completionIsEarned"],
  ],
  "never completes once a label is edited": [
    withALaterAttempt({
      ...(typicalScenarios.failure as Scenario),
      workload: [{ runMs: 20_000 }],
    }),
    onceRelabelled((...seen) => {
      const plan = reconcile(...seen);
      return plan.status?.terminalState === "Completed" ? idle(plan) : plan;
    }),
    ["countsComeTrue", "nothingIsLeftToDo", "successHasConsequences", "waitingHasAReason"],
  ],
  "says that all Jobs are suspended once a label is edited": [
    withALaterAttempt({
      ...(typicalScenarios.failure as Scenario),
      workload: [{ stopMs: 500 }],
    }),
    onceRelabelled((...seen) => {
      const { status } = seen[1] as JobSet;
      const plan = reconcile(...seen);
      const isSaid = status?.replicatedJobsStatus?.every(({ suspended }) => suspended > 0) ?? true;
      if (status == null || isSaid) return idle(plan);
      const all = withCounts(status, (one) => ({ ...one, suspended: one.active }));
      return saying(plan, seen[1] as JobSet, all);
    }),
    ["countsAreWhatIsSeen", "countsComeTrue", "nothingIsLeftToDo"],
  ],
  "does nothing once a label is edited": [
    withALaterAttempt({
      ...(typicalScenarios.failure as Scenario),
      workload: [{ replicatedJob: "leader", runMs: 30_000, exitCode: 1 }, { stopMs: 500 }],
    }),
    onceRelabelled((...seen) => idle(reconcile(...seen))),
    ["countsComeTrue", "failuresHaveConsequences", "nothingIsLeftToDo"],
  ],
  "restarts once a label is edited": [
    withALaterAttempt({
      ...(typicalScenarios.limit as Scenario),
      workload: [{ stopMs: 500 }],
    }),
    onceRelabelled((...seen) => {
      const { status } = seen[1] as JobSet;
      const plan = reconcile(...seen);
      return status == null || status.restarts > 0
        ? plan
        : saying(plan, seen[1] as JobSet, { ...status, restarts: 1, restartsCountTowardsMax: 1 });
    }),
    ["eachRestartHasItsFailure", "failuresAreAnsweredByThePolicy"],
  ],
  "lets a Job run of which a label is edited": [
    withALaterAttempt(typicalScenarios.suspension as Scenario),
    withEffects((effect) =>
      effect.verb === "update" &&
      effect.object.spec.suspend === true &&
      isRelabelled(effect.object as never)
        ? []
        : [effect],
    ),
    [
      "nothingIsLeftToDo",
      "suspensionIsComplete",
      "suspensionIsSaidWhenItIsSo",
      "suspensionReachesAllJobs",
      "suspensionTakesEffect",
    ],
  ],
  "deletes a Job of a ReplicatedJob that it does not know": [
    relabelled(REPLICATED_JOB_NAME_KEY, "x"),
    deleting(({ metadata }) => metadata?.labels?.[REPLICATED_JOB_NAME_KEY] === "x"),
    ["deletionsWaitAndAreDue"],
  ],
};

/** It does something else as long as it sees a Job that a user has labelled as of a later attempt. */
function onceRelabelled(change: (...seen: Parameters<typeof reconcile>) => Plan): Controller {
  return controllerOfPlans({
    reconcile: (snapshot, jobSet, context) => {
      const isSeen = snapshot.childJobs(jobSet).some((job) => isRelabelled(job as Job));
      return isSeen ? change(snapshot, jobSet, context) : reconcile(snapshot, jobSet, context);
    },
  });
}

/** Workers wait for a leader, and a third ReplicatedJob for the workers, which are ready later than a user edits a label. */
function slowWorkers(): Scenario {
  const scenario = withJobSet(typicalScenarios.lostChild as Scenario, (jobSet) => {
    const store = { ...firstReplicatedJob(jobSet), name: "store" };
    return withSpec(jobSet, { replicatedJobs: [...jobSet.spec.replicatedJobs, store] });
  });
  const workload = [{ replicatedJob: "workers", readyMs: 60_000 }, { stopMs: 500 }];
  return withALaterAttempt({ ...scenario, workload, actions: [] });
}

/** One worker succeeds of which a user has edited a label, and nothing else ends. */
function relabelledSuccess(): Scenario {
  const workload = [{ job: "train-workers-1", runMs: 20_000 }, { stopMs: 500 }];
  return withALaterAttempt({ ...(typicalScenarios.failure as Scenario), workload });
}

/** A plan that does more, if it does anything, in a step behind the others. */
function alsoDoing(plan: Plan, effects: readonly Effect[]): Plan {
  if (effects.length === 0) return plan;
  const steps = plan.steps.slice(0, 1).map((step) => ({ ...step, effects }) as Step);
  return { ...plan, steps: [...plan.steps, ...steps] };
}

/** A controller that is right but for what it makes of a kind, which gets other metadata. */
function withCreated(kind: string, change: (metadata: ObjectMeta) => ObjectMeta): Controller {
  return withEffects((effect) =>
    effect.verb === "create" && effect.target.kind === kind ? [madeWith(effect, change)] : [effect],
  );
}

function madeWith(
  effect: Effect & { verb: "create" },
  change: (metadata: ObjectMeta) => ObjectMeta,
): Effect {
  const { object } = effect;
  return { ...effect, object: { ...object, metadata: change(object.metadata) } as typeof object };
}

function stepOf(effects: readonly Effect[]): Step {
  return {
    phase: "delete-previous",
    rule: "EarlierRestartAttempt",
    object: { kind: "JobSet", name: "train" },
    message: "",
    effects,
    concurrency: 1,
    afterFailure: "TryOthers",
    finishPhase: false,
  };
}

/** A plan that does nothing but write a status. */
function saying(plan: Plan, { metadata }: JobSet, status: JobSetStatus): Plan {
  const { apiVersion, kind, namespace, name } = plan.jobSet;
  const effect = {
    verb: "updateStatus",
    target: { apiVersion, kind, namespace, name },
    object: { apiVersion, kind, metadata, status },
    changes: [{ path: ["status"], value: status }],
  } as Effect;
  return { ...plan, status, steps: [{ ...stepOf([effect]), phase: "write-status" } as Step] };
}

/** What deletes the Jobs that are being deleted once more. */
function deletionsAgain(
  ...[snapshot, jobSet]: Parameters<typeof reconcile>
): readonly DeleteEffect[] {
  return snapshot
    .childJobs(jobSet)
    .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined)
    .map(({ metadata }) => {
      const { namespace = "", name = "", uid = "" } = metadata ?? {};
      return deletionOf({ apiVersion: "batch/v1", kind: "Job", namespace, name, uid });
    });
}

function deletionOf({ uid, ...target }: Effect["target"] & { uid?: string }): DeleteEffect {
  return {
    verb: "delete",
    target,
    propagationPolicy: "Background",
    whenGone: "Succeed",
    ...(uid !== undefined && { uid }),
  };
}

function foreground(effect: DeleteEffect): DeleteEffect {
  return { ...effect, propagationPolicy: "Foreground" };
}

function withCompletions(object: object, completions: number): object {
  return { ...object, spec: { ...(object as { spec: object }).spec, completions } };
}

function withLabel<Item extends { metadata: { labels?: Record<string, string> } }>(
  job: Item,
  key: string,
  value: string,
): Item {
  return {
    ...job,
    metadata: { ...job.metadata, labels: { ...job.metadata.labels, [key]: value } },
  };
}

/** What only a closer look finds, each with the scenarios in which it shows and all that find it. */
const slightlyWrong: Readonly<
  Record<
    string,
    readonly [controller: Controller, scenarios: readonly Scenario[], finders: readonly string[]]
  >
> = {
  "completes although it sees a failed Job": [
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        const plan = reconcile(snapshot, jobSet, context);
        const failed = snapshot.childJobs(jobSet).filter((job) => jobState(job) === "failed");
        const other = reconcile(snapshot.with({ remove: failed }), jobSet, context);
        if (isEnded(jobSet) || failed.length === 0 || other.status?.terminalState !== "Completed")
          return plan;
        const { replicatedJobsStatus = [] } = plan.status ?? {};
        return withStatusOf(other, { ...other.status, replicatedJobsStatus });
      },
    }),
    [endSeenAtOnce()],
    ["failuresAreAnsweredByThePolicy"],
  ],
  "says at first that it restarts": [
    withStatus((status, jobSet, { now }) =>
      jobSet.status?.replicatedJobsStatus == null && status.terminalState === undefined
        ? {
            ...status,
            conditions: [
              ...(status.conditions ?? []),
              {
                type: "RestartingJobSet",
                status: "True",
                reason: "DefaultFailurePolicy",
                message: "at first",
                lastTransitionTime: formatTime(now),
              },
            ],
          }
        : status,
    ),
    [typical("limit")],
    ["conditionsAreWellFormed", "eventsSayWhatIsWritten"],
  ],
  "renews the time at which it restarts with each restart": [
    withStatus((status, jobSet, { now }) =>
      status.restarts > (jobSet.status?.restarts ?? 0)
        ? withTimes(status, ({ type, lastTransitionTime }) =>
            type === "RestartingJobSet" ? formatTime(now) : lastTransitionTime,
          )
        : status,
    ),
    [restartTwice()],
    ["conditionsAreWellFormed"],
  ],
  "keeps the time of what turns within seconds": [
    withStatus((status, jobSet) =>
      withTimes(status, ({ type, lastTransitionTime }) => {
        const before = (jobSet.status?.conditions ?? []).find((one) => one.type === type);
        const own = String(before?.lastTransitionTime ?? lastTransitionTime);
        const isSoon = Date.parse(String(lastTransitionTime)) - Date.parse(own) <= 4_000;
        return isSoon ? own : lastTransitionTime;
      }),
    ),
    [typical("restart"), typical("lostChild")],
    ["conditionsAreWellFormed"],
  ],
  "deletes two seconds before the time of a JobSet is over": [
    aboutAnother(({ spec, ...jobSet }) => {
      const { ttlSecondsAfterFinished: ttl } = spec;
      return {
        ...jobSet,
        spec: { ...spec, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl - 2 }) },
      };
    }),
    [typical("restart")],
    ["finishedJobSetsAreKeptForTheirTime"],
  ],
  "says that a JobSet is resumed before any Job is": [
    withPlans((plan, _, jobSet) => {
      const [was, is] = [jobSet.status?.conditions, plan.status?.conditions].map((conditions) =>
        isTrue(conditions as readonly Condition[] | undefined, "Suspended"),
      );
      return was && !is && plan.status !== undefined
        ? { ...plan, steps: plan.steps.filter(({ phase }) => phase !== "resume") }
        : plan;
    }),
    [typical("suspension")],
    ["suspensionIsSaidWhenItIsSo"],
  ],
  ...Object.fromEntries(
    (["ready", "active", "suspended"] as const).map((counter) => [
      `says with its first status that all Jobs are ${counter}`,
      [
        withStatus((status, jobSet) =>
          jobSet.status?.replicatedJobsStatus == null
            ? withCounts(status, (one) => ({
                ...one,
                [counter]: jobSet.spec?.replicatedJobs?.find(({ name }) => name === one.name)
                  ?.replicas,
              }))
            : status,
        ),
        [typical("limit")],
        ["countsAreWhatIsSeen"],
      ] as const,
    ]),
  ),
  "lists its counts the other way round": [
    controllerOfPlans({
      reconcile: (snapshot, jobSet, context) => {
        const plan = reconcile(snapshot, jobSet, context);
        if (plan.status === undefined) return plan;
        const { replicatedJobsStatus = [] } = plan.status;
        return withStatusOf(plan, {
          ...plan.status,
          replicatedJobsStatus: replicatedJobsStatus.toReversed(),
        });
      },
    }),
    [typical("limit")],
    ["countsAreInOrder"],
  ],
  "names another Job in what it says of a restart": [
    withMessages("RestartingJobSet", (message) => message.replace(/job: .*\)/, "job: nobody)")),
    [typical("limit")],
    ["eventsSayWhatIsWritten", "failuresAreAnsweredByThePolicy"],
  ],
  "names a longer Job in what it says of a failure": [
    withMessages("Failed", (message) => message.replace(/job: (.*)\)/, "job: $10)")),
    [typical("failure"), typical("limit"), typical("rule")],
    ["eventsSayWhatIsWritten", "failuresAreAnsweredByThePolicy"],
  ],
  "says in words of its own why it failed": [
    withMessages("Failed", (message) => message.replace(/.*job: (.*)\)/, "$1 broke")),
    [typical("failure"), typical("limit"), typical("rule")],
    ["eventsSayWhatIsWritten"],
  ],
  "names another Job in the Events about restarts": [
    withEvents((event) => [
      event.reason.startsWith("RestartJob")
        ? { ...event, message: event.message.replace(/job: .*\)/, "job: nobody)") }
        : event,
    ]),
    [typical("limit")],
    ["eventsSayWhatIsWritten"],
  ],
  "tells of suspension, resumption and startup twice": [
    withEvents((event) =>
      ["SuspendedJobs", "ResumeJobs"].includes(event.reason) || event.reason.startsWith("InOrder")
        ? [event, event]
        : [event],
    ),
    [typical("resumption"), typical("lostChild")],
    ["eachWriteIsToldOnce"],
  ],
  "tells of a suspension that there is not": [
    withPlans((plan) =>
      plan.steps.some(({ phase }) => phase === "create-jobs")
        ? {
            ...plan,
            events: [
              ...plan.events,
              { type: "Normal", reason: "SuspendedJobs", message: "jobset is suspended" },
            ],
          }
        : plan,
    ),
    [typical("limit")],
    ["eachWriteIsToldOnce", "eventsFollowTheirWrites"],
  ],
  "tells of restarts as if they were normal": [
    withEvents((event) => [{ ...event, type: "Normal" }]),
    [typical("limit")],
    ["eventsSayWhatIsWritten"],
  ],
};

function withEvents(change: (event: PlannedEvent) => readonly PlannedEvent[]): Controller {
  return withPlans((plan) => ({ ...plan, events: plan.events.flatMap(change) }));
}

/** It says something else in a condition and in the Events that say the same. */
function withMessages(type: string, change: (message: string) => string): Controller {
  return withPlans((plan, _, { status: before }) => {
    if (plan.status === undefined) return plan;
    const changed = new Set<string>();
    const conditions = (plan.status.conditions ?? []).map((one) => {
      const isOld = before?.conditions?.some(({ message }) => message === one.message);
      if (one.type !== type || one.status !== "True" || isOld) return one;
      changed.add(one.message);
      return { ...one, message: change(one.message) };
    });
    const events = plan.events.map((event) =>
      changed.has(event.message) ? { ...event, message: change(event.message) } : event,
    );
    return { ...withStatusOf(plan, { ...plan.status, conditions }), events };
  });
}

function withCounts(
  status: JobSetStatus,
  change: (
    one: NonNullable<JobSetStatus["replicatedJobsStatus"]>[number],
  ) => NonNullable<JobSetStatus["replicatedJobsStatus"]>[number],
): JobSetStatus {
  return { ...status, replicatedJobsStatus: (status.replicatedJobsStatus ?? []).map(change) };
}

function typical(name: string): Scenario {
  return typicalScenarios[name] as Scenario;
}

/** The Jobs fail again before they are ready. */
function restartTwice(): Scenario {
  const limit = typical("limit");
  return withJobSet(limit, (jobSet) => withSpec(jobSet, { failurePolicy: { maxRestarts: 2 } }));
}

function withTimes(
  status: JobSetStatus,
  timeOf: (condition: NonNullable<JobSetStatus["conditions"]>[number]) => string | undefined,
): JobSetStatus {
  const conditions = (status.conditions ?? []).map((one) => ({
    ...one,
    lastTransitionTime: timeOf(one),
  }));
  return { ...status, conditions } as JobSetStatus;
}

/** One Job succeeds, which is enough, and the others fail; the controller hears of both at once. */
function endSeenAtOnce(): Scenario {
  return {
    ...typical("anyJobSuffices"),
    workload: [
      { replicatedJob: "leader", runMs: 3_000 },
      { runMs: 3_000, exitCode: 1 },
    ],
    faults: [{ fault: "HoldBack", kind: "Job", from: 2_000, until: 30_000 }],
  };
}

describe("a wrong controller", () => {
  it.each(Object.entries(slightlyWrong))(
    "that %s is found out by a closer look",
    (_, [controller, scenarios, finders]) => {
      expect(findersIn(scenarios)).toEqual([]);
      expect(findersIn(scenarios, { controller })).toEqual(finders);
    },
  );

  it.each(Object.entries(wrong))("that %s is found out", (_, [controller, finders]) => {
    expect(findersIn(Object.values(typicalScenarios), { controller })).toEqual(finders);
  });

  it.each(Object.entries(wrongIn))(
    "that %s is found out where that happens",
    (_, [scenario, controller, finders]) => {
      expect(findersIn([scenario])).toEqual([]);
      expect(findersIn([scenario], { controller })).toEqual(finders);
    },
  );

  it("that waits for all Jobs is found by some of forty random scenarios", () => {
    const found = Array.from({ length: 40 }, (_, seed) => randomScenario(seed)).filter(
      (scenario) => play(scenario, { controller: thorough }).violations.length > 0,
    );
    expect(found.length).toBeGreaterThanOrEqual(2);
  });

  it("is told from one that patches where others update", () => {
    const controller = withEffects((effect) =>
      effect.verb === "update" && effect.object.spec.suspend === true
        ? [{ verb: "patch", target: effect.target, patch: { spec: { suspend: true } } }]
        : [effect],
    );
    expect(findersIn([typical("suspension")], { controller })).toEqual([]);
  });

  it.each(["replicatedjob-name", "job-index"])(
    "is told from the right one where a user changes the label %s of a Job",
    (label) => {
      const failure = typical("failure");
      const labels = { [`jobset.sigs.k8s.io/${label}`]: "other" };
      const metadata = { namespace: "ml", name: "train-workers-1", labels };
      const request = { verb: "patch", object: { kind: "Job", metadata } } as const;
      const scenario = {
        ...failure,
        actions: [...failure.actions, { at: 1_000, request }],
      };
      expect(findersIn([scenario], { livenessOracles: [], restOracles: [] })).toEqual([]);
    },
  );

  it("is told from one that tells once that a Job is refused", () => {
    const controller = tellingOnce();
    const safety = { livenessOracles: [], restOracles: [] };
    const found = findersIn([refusing("train-leader-0")], { controller, ...safety });
    expect(found).toEqual(["equalViewsGetEqualPlans"]);
  });

  it.each(Object.entries(rightIn))("is told from the right one where %s", (_, scenario) => {
    expect(findersIn([scenario])).toEqual([]);
  });

  const edits = [
    [RESTART_ATTEMPT_KEY, ["7", "-1", "none", null]],
    [REPLICATED_JOB_NAME_KEY, ["leader", "other", null]],
    [JOB_INDEX_KEY, ["0", "7", null]],
    [JOB_RESTART_ATTEMPT_KEY, ["1", "-1", null]],
    [JOBSET_NAME_KEY, ["other", null]],
  ] as const;

  it.each(edits)("is told from the right one whenever users edit the label %s", (key, values) => {
    const job = { ...named("Job", "train-workers-1"), apiVersion: "batch/v1" };
    const scenarios = Object.values(typicalScenarios).flatMap((scenario, index) =>
      values.map((value, place): Scenario => {
        // Half of them early, and half of them late.
        const isLate = (index + place) % 2 === 1;
        const metadata = { ...job.metadata, labels: { [key]: value } } as never;
        const request = { verb: "patch", object: { ...job, metadata } } as const;
        const action = { at: isLate ? 10_000 : 4_000, request };
        const features = { RestartJob: isLate };
        return { ...scenario, features, actions: [...scenario.actions, action] };
      }),
    );
    expect(findersIn(scenarios)).toEqual([]);
    // Whoever goes by labels, as upstream does, takes such a Job for another.
    const some = scenarios.filter((_, at) => at % 6 === 0);
    expect(findersIn(some, { quirks: new Set(["UnclaimedJobsCount"]) })).toEqual([]);
  });

  it("is told from the right one", () => {
    expect(findersIn(Object.values(typicalScenarios))).toEqual([]);
  });
});
