import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { getLabel, type Job, type ObjectMeta, type Pod } from "@jobset-ts/api/kubernetes";
import { type Effect, type Plan, reconcile, type Step } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { describe, expect, it } from "vitest";
import type { RequestedObject } from "../api-server/api-request.ts";
import { createSimController, type SimController } from "../jobset-controller/pass-run.ts";
import { isFollower } from "../laws/pod-roles.ts";
import type { Fault } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import {
  createObjectRef,
  createSingleFailureScenario,
  getTypicalScenario,
  restartingInPlace,
} from "../testing/typical-scenarios.ts";
import {
  findDetectingLaws,
  isEnded,
  testDetection,
  testRightControllerPasses,
  type WrongControllers,
  withCounts,
  withCreatedJobs,
  withPlans,
  withReplacedJobSet,
  withStatus,
} from "../testing/wrong-controller.ts";
import {
  changeMetadata,
  createDeletion,
  replaceStatus,
  withoutActions,
} from "../testing/wrong-plan.ts";
import { randomScenario } from "./random-scenario.ts";
import { situations } from "./rare-situations.ts";
import {
  createPatch,
  EXCLUSIVE,
  firstReplicatedJob,
  getJobSet,
  withAnnotations,
  withClaim,
  withEach,
  withJobSet,
  withJobSpec,
  withSpec,
} from "./scenario-edits.ts";
import { createSeededRandom } from "./seeded-random.ts";

/** Restarts the controller. */
const RESTART: Fault = { fault: "TimeTravel", kind: "Service", at: 15_000, backMs: 1, forMs: 0 };

/** A wrong controller with its own scenario. */
const wrongControllers: WrongControllers = {
  "gives retained PersistentVolumeClaims an owner": [
    withJobSet(getTypicalScenario("deletion"), (one) => withClaim(one, "data", "Retain")),
    withPlans((plan) => {
      const { apiVersion, kind, name, uid } = plan.jobSet;
      const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
      const withOwner = (effect: Effect) =>
        effect.verb === "create" && effect.target.kind === "PersistentVolumeClaim"
          ? changeMetadata(effect, (metadata) => ({
              ...metadata,
              ownerReferences: [owner as never],
            }))
          : effect;
      const steps = plan.steps.map(
        (one) => ({ ...one, effects: one.effects.map(withOwner) }) as Step,
      );
      return { ...plan, steps };
    }),
    ["childObjectsMatchTheirJobSet"],
  ],
  "resumes Jobs with their old labels and annotations": [
    createResumeAfterEdit(),
    withResumed((metadata, before) => before ?? metadata),
    ["resumedJobsGetCurrentLabels"],
  ],
  "resumes Jobs with an additional label": [
    createResumeAfterEdit(),
    withResumed((metadata) => ({ ...metadata, labels: { ...metadata.labels, resumed: "yes" } })),
    ["resumedJobsGetCurrentLabels"],
  ],
  "creates no Jobs while the JobSet is suspended": [
    { ...getTypicalScenario("suspension"), actions: [] },
    withPlans((plan, _, jobSet) =>
      jobSet.spec?.suspend === true
        ? { ...plan, steps: plan.steps.filter(({ phase }) => phase !== "create-jobs") }
        : plan,
    ),
    ["idleControllersHaveEmptyPlans", "suspendedJobsAreCreated"],
  ],
  "delays suspended Jobs because of the startup order": [
    withJobSet({ ...getTypicalScenario("suspension"), actions: [] }, (jobSet) =>
      withSpec(jobSet, { startupPolicy: { startupPolicyOrder: "InOrder" } }),
    ),
    withPlans((plan, _, jobSet) => {
      if (jobSet.spec?.suspend !== true) return plan;
      const isLater = (one: Step) => one.phase === "create-jobs" && one.object.name !== "leader";
      return { ...plan, steps: plan.steps.filter((one) => !isLater(one)) };
    }),
    ["idleControllersHaveEmptyPlans", "suspendedJobsAreCreated"],
  ],
  "does not scale Jobs": [
    createScalingScenario(),
    withPlans((plan) => ({
      ...plan,
      steps: plan.steps.filter(({ phase }) => phase !== "scale"),
    })),
    ["idleControllersHaveEmptyPlans", "scaledJobsFollowTheirJobSet"],
  ],
  "does not update the counters of a finished JobSet": [
    getTypicalScenario("anyJobSuffices"),
    withPlans((plan, _, jobSet) =>
      isEnded(jobSet as JobSet)
        ? { ...plan, steps: plan.steps.filter(({ phase }) => phase !== "write-status") }
        : plan,
    ),
    ["countsConverge", "idleControllersHaveEmptyPlans"],
  ],
  "forgets the restarts of single Jobs when the JobSet restarts": [
    createMixedRestartScenario(0),
    withStatus((status, jobSet) =>
      status.restarts > (jobSet.status?.restarts ?? 0)
        ? withCounts(
            status,
            ({ jobRestarts: _, jobRestartsCountTowardsMax: _counted, ...one }) => one,
          )
        : status,
    ),
    ["eachWriteHasOneEvent", "jobRestartsKeepTheirOrder", "restartsIncreaseByOne"],
  ],
  "counts restarts that do not count towards maxRestarts": [
    createMixedRestartScenario(33),
    createSimController({
      reconcile: (snapshot, jobSet, context) => {
        const { restarts = 0 } = jobSet.status ?? {};
        const counted = { ...jobSet.status, restartsCountTowardsMax: restarts };
        const plan = reconcile(snapshot, { ...jobSet, status: counted } as typeof jobSet, context);
        if (plan.status?.terminalState !== "Failed") return reconcile(snapshot, jobSet, context);
        const { restartsCountTowardsMax = 0 } = jobSet.status ?? {};
        return replaceStatus(plan, { ...plan.status, restartsCountTowardsMax });
      },
    }),
    ["eventsMatchWrites", "failuresFollowTheFailurePolicy"],
  ],
  "does not wait for a single restarted Job under BlockingRecreate": [
    createMixedRestartScenario(28),
    createSimController({
      reconcile: (snapshot, jobSet, context) => {
        const { spec, status } = jobSet as JobSet;
        const isLate = snapshot
          .childJobs(jobSet)
          .some((job) => Number(getLabel(job, RESTART_ATTEMPT_KEY)) < (status?.restarts ?? 0));
        const failurePolicy = { ...spec.failurePolicy, restartStrategy: "Recreate" };
        const other = { ...jobSet, spec: { ...spec, ...(!isLate && { failurePolicy }) } };
        return reconcile(snapshot, other as typeof jobSet, context);
      },
    }),
    ["restartsWaitForDeletedJobs"],
  ],
  "does not recreate a Service": [
    withJobSet(
      {
        ...getTypicalScenario("deletion"),
        actions: [
          {
            at: 3_000_000,
            request: { verb: "delete", object: createObjectRef("Service", "train") },
          },
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
    ["idleControllersHaveEmptyPlans", "servicesAndClaimsExist"],
  ],
  "ignores the limit of in-place restarts": [
    createSingleFailureScenario(),
    withReplacedJobSet(({ spec, ...jobSet }) => {
      const failurePolicy = { ...spec.failurePolicy, maxRestarts: 1_000 };
      return { ...jobSet, spec: { ...spec, failurePolicy } };
    }),
    ["idleControllersHaveEmptyPlans", "inPlaceRestartsComplete"],
  ],
  "does not report that a Job is rejected": [
    scenarioWithRejections("train-leader-0"),
    withPlans(withoutFailureEvents),
    ["rejectedCreationEventsNameTheObject", "rejectedCreationsHaveEvents"],
  ],
  "reports a rejected Job without its name": [
    scenarioWithRejections("train-leader-0"),
    withPlans((plan) => ({
      ...plan,
      steps: plan.steps.map((step) => ({ ...step, failureEventText: "an object is missing" })),
    })),
    ["rejectedCreationEventsNameTheObject"],
  ],
  "does not report that a Job cannot be suspended": [
    createSuspensionScenario("train-leader-0"),
    withPlans(withoutFailureEvents),
    ["rejectedUpdatesHaveEvents"],
  ],
  "does not retry a rejected Job": [
    scenarioWithRejections("train-leader-0"),
    givesUpOnce(),
    ["countsConverge", "idleControllersHaveEmptyPlans", "jobsStartInOrder"],
  ],
  "creates no Job after a rejected one": [
    scenarioWithRejections("train-workers-0"),
    withPlans((plan) => ({
      ...plan,
      steps: plan.steps.map((one) => ({ ...one, concurrency: 1, onError: "Stop" }) as Step),
    })),
    ["rejectedJobsDoNotBlockOthers"],
  ],
  "keeps followers in the domain of their leader's deleted node": [
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
    createSimController({
      reconcilePlacement: (...args) => ({ ...reconcilePlacement(...args), steps: [] }),
    }),
    ["followersJoinTheirLeader"],
  ],
  "never completes an in-place restart": [
    createSingleFailureScenario(),
    withStatus(({ currentInPlaceRestartAttempt: _, ...status }) => status),
    ["barriersAreReleased", "idleControllersHaveEmptyPlans", "noWriteIsWithoutEffect"],
  ],
  "completes one in-place restart too few": [
    restartingInPlace(4),
    withStatus((status, jobSet) => {
      const { previousInPlaceRestartAttempt: previous = 0, ...others } = status;
      if (previous === jobSet.status?.previousInPlaceRestartAttempt) return status;
      return previous === 0 ? others : { ...others, previousInPlaceRestartAttempt: previous - 1 };
    }),
    ["inPlaceAttemptsReachAllPods", "noWriteIsWithoutEffect"],
  ],
  "counts a Job that does not exist": [
    createSingleRestartScenario(),
    withStatus((status, jobSet) =>
      withCounts(status, ({ jobRestarts, ...one }) => {
        const stored = jobSet.status?.replicatedJobsStatus?.find(({ name }) => name === one.name);
        if (jobRestarts === undefined) return one;
        return { ...one, jobRestarts: stored?.jobRestarts ? [...jobRestarts, 0] : jobRestarts };
      }),
    ),
    ["jobRestartsKeepTheirOrder"],
  ],
  "ignores a TTL that changes after the JobSet has finished": [
    createTtlScenario(),
    ignoresChangesAfterFinish(),
    ["idleControllersHaveEmptyPlans", "ttlIsRespected"],
  ],
  "does not retry the deletion of a JobSet": [
    createRaisedTtlScenario(),
    createDeletingController(),
    ["equalViewsGetEqualPlans", "idleControllersHaveEmptyPlans", "ttlIsRespected"],
  ],
  "ignores node labels in the placement of Pods": [
    withJobSet(getTypicalScenario("deletion"), (one) =>
      withAnnotations(one, { ...EXCLUSIVE, [NODE_SELECTOR_STRATEGY_KEY]: "true" }),
    ),
    withCreatedJobs(({ spec, ...job }) => {
      const { nodeSelector: _, ...podSpec } = spec.template.spec ?? { containers: [] };
      return { ...job, spec: { ...spec, template: { ...spec.template, spec: podSpec } } } as Job;
    }),
    ["childObjectsMatchTheirJobSet"],
  ],
  "treats a leader without a node as misplaced": [
    inRacks([
      { fault: "LoseDomain", label: "rack", value: "r1", from: 10_000, until: 30_000 },
      RESTART,
    ]),
    createSimController({
      reconcilePlacement: (snapshot, leader, context) => {
        const name = snapshot.pod("ml", leader.metadata?.name ?? "")?.spec?.nodeName ?? "";
        const removed = {
          apiVersion: "v1",
          kind: "Node",
          metadata: { name, labels: { rack: "x" } },
        };
        const seen = snapshot.node(name) ? snapshot : snapshot.with({ put: [removed as never] });
        return reconcilePlacement(seen, leader, context);
      },
    }),
    ["placementRepairsHaveALeader"],
  ],
  "deletes the followers of all leaders when those of one are misplaced": [
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
    createSimController({
      reconcilePlacement: (snapshot, leader, context) => {
        const plan = reconcilePlacement(snapshot, leader, context);
        const all = snapshot
          .objects("Pod")
          .filter((pod) => isFollower(pod as Pod))
          .map(({ metadata: { namespace = "", name = "", uid = "" } = {} }) =>
            createDeletion({ apiVersion: "v1", kind: "Pod", namespace, name, uid }),
          );
        return { ...plan, steps: plan.steps.map((step) => ({ ...step, effects: all }) as Step) };
      },
    }),
    ["onlyMisplacedFollowersAreDeleted", "placementRepairsHaveALeader"],
  ],
};

/** A suspended JobSet gets another Pod label and annotation, and is resumed. */
function createResumeAfterEdit(): Scenario {
  const scenario = getTypicalScenario("resumption");
  const { replicatedJobs } = withEach(getJobSet(scenario), (one) => {
    const { template } = one.template.spec;
    const metadata = { labels: { team: "ml" }, annotations: { cost: "7" } };
    // An update gets no defaults, so the spec includes those of the creation.
    const spec = { completionMode: "Indexed", template: { ...template, metadata } };
    return withJobSpec({ ...one, groupName: "default" }, spec);
  }).spec;
  return {
    ...scenario,
    actions: [createPatch(3_000, scenario, { replicatedJobs }), ...scenario.actions],
  };
}

/** Returns a controller that resumes Jobs with other Pod metadata. */
function withResumed(
  change: (metadata: ObjectMeta, before: Unvalidated<ObjectMeta> | undefined) => object,
): SimController {
  return withPlans((plan, snapshot) => {
    const resumeEffect = (effect: Effect): Effect => {
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
      (step) => ({ ...step, effects: step.effects.map(resumeEffect) }) as Step,
    );
    return { ...plan, steps };
  });
}

/** A user scales Jobs and omits the empty resource requests of the containers. */
function createScalingScenario(): Scenario {
  const scenario = getTypicalScenario("deletion");
  const { replicatedJobs } = withEach(getJobSet(scenario), (one) =>
    withJobSpec(
      { ...one, groupName: "default" },
      { completionMode: "Indexed", parallelism: 3, completions: 3 },
    ),
  ).spec;
  return {
    ...scenario,
    features: { ElasticJobSet: true },
    actions: [createPatch(10_000, scenario, { replicatedJobs })],
  };
}

/** Some Jobs restart individually and others with all Jobs, as in the random scenario of a seed. */
function createMixedRestartScenario(seed: number): Scenario {
  return situations.singleRestarts(randomScenario(seed), createSeededRandom(seed));
}

/** The API server rejects a Job for a while, and nothing finishes. */
function scenarioWithRejections(name: string): Scenario {
  const rejected = { kind: "Job", name, from: 0, until: 60_000 };
  const scenario = getTypicalScenario("deletion");
  return { ...scenario, actions: [], faults: [{ fault: "RefuseObject", ...rejected }] };
}

function withoutFailureEvents(plan: Plan): Plan {
  const steps = plan.steps.map(({ failureEventReason: _, ...step }) => step as Step);
  return { ...plan, steps };
}

/** Returns a controller that plans a limited number of Job creations. */
function givesUpOnce(): SimController {
  let plans = 0;
  return withPlans((plan) => {
    if (plan.steps.every(({ phase }) => phase !== "create-jobs")) return plan;
    plans += 1;
    return plans > 6 ? withoutActions(plan) : plan;
  });
}

/** Three Jobs with a rack each. */
function inRacks(faults: readonly Fault[]): Scenario {
  const { objects, ...scenario } = getTypicalScenario("deletion");
  const [node] = objects;
  const nodes = ["r0", "r1", "r2"].map((rack, at) => ({
    ...node,
    metadata: { name: `node-${at}`, labels: { rack } },
  }));
  const jobSet = withAnnotations(getJobSet({ objects, ...scenario }), EXCLUSIVE);
  return {
    ...scenario,
    objects: [...nodes, jobSet] as Scenario["objects"],
    actions: [],
    faults,
  };
}

/** A Job fails twice and is restarted alone each time. */
function createSingleRestartScenario(): Scenario {
  const rules = [{ name: "alone", action: "RestartJob" }];
  return {
    ...withJobSet(getTypicalScenario("limit"), (jobSet) =>
      withSpec(jobSet, { failurePolicy: { maxRestarts: 3, rules } }),
    ),
    features: { RestartJob: true },
  };
}

/** A user sets the TTL after the JobSet has finished. */
function createTtlScenario(): Scenario {
  const failure = getTypicalScenario("failure");
  return { ...failure, actions: [createPatch(60_000, failure, { ttlSecondsAfterFinished: 60 })] };
}

/** Returns a controller that ignores changes of a JobSet's spec after it has finished. */
function ignoresChangesAfterFinish(): SimController {
  let end: JobSet | undefined;
  return withReplacedJobSet((jobSet) => {
    if (isEnded(jobSet)) end ??= jobSet;
    return isEnded(jobSet) && end !== undefined ? { ...jobSet, spec: end.spec } : jobSet;
  });
}

/** A user suspends a JobSet, and for a while the API server rejects changes of one of its Jobs. */
function createSuspensionScenario(name: string): Scenario {
  const scenario = getTypicalScenario("deletion");
  const rejected = { kind: "Job", name, from: 9_000, until: 70_000 };
  return {
    ...scenario,
    actions: [createPatch(10_000, scenario, { suspend: true })],
    faults: [{ fault: "RefuseObject", ...rejected }],
  };
}

/** For a while, the API server rejects the deletion of a JobSet whose TTL has passed. */
function createRaisedTtlScenario(): Scenario {
  const scenario = withJobSet(getTypicalScenario("failure"), (jobSet) =>
    withSpec(jobSet, { ttlSecondsAfterFinished: 60 }),
  );
  const rejected = { kind: "JobSet", name: "train", from: 50_000, until: 80_000 };
  return { ...scenario, faults: [{ fault: "RefuseObject", ...rejected }] };
}

/** Returns a controller that requests the deletion of a JobSet only once. */
function createDeletingController(): SimController {
  let isAsked = false;
  return withPlans((plan) => {
    const isDeletion = plan.steps.some(({ effects }) =>
      effects.some(({ verb, target }) => verb === "delete" && target.kind === "JobSet"),
    );
    if (isDeletion && isAsked) return withoutActions(plan);
    isAsked ||= isDeletion;
    return plan;
  });
}

/** Scenarios in which a correct controller is also blocked. */
const correctScenarios: Readonly<Record<string, Scenario>> = {
  "another object has the name of a Job": withTakenName(),
  "a user orphans a Job": createTakenJobScenario(),
  "a client writes to an object without a controller": withTouchedService(),
  "a user scales Jobs": createScalingScenario(),
  "a user sets and removes the TTL of a finished JobSet": withTtls([
    [100, 600],
    [300, null],
  ]),
  "a user increases the TTL of a finished JobSet": withTtls([
    [100, 600],
    [300, 7_200],
  ]),
  "a user orphans Pods with exclusive placement": withOrphanedPods(),
  "a user orphans the Jobs of a suspended JobSet and recreates it": createOrphanScenario(),
  "a user scales Jobs without parallelism": createScalingFromZero(),
  "a user deletes Pods": withHandledPods(),
  "a user deletes Pods by force": withHandledPods(0),
};

/** A foreign Job has the name of a Job of the JobSet, and nothing finishes. */
function withTakenName(): Scenario {
  const scenario = getTypicalScenario("deletion");
  const { template } = firstReplicatedJob(getJobSet(scenario));
  const job = { ...createObjectRef("Job", "train-workers-0"), apiVersion: "batch/v1", ...template };
  const [node, jobSet] = scenario.objects;
  return { ...scenario, objects: [node, job, jobSet] as Scenario["objects"], actions: [] };
}

/** A user orphans a Job of a JobSet, and another Job of that JobSet finishes later. */
function createTakenJobScenario(): Scenario {
  const metadata = { ...createObjectRef("Job", "train-workers-1").metadata, ownerReferences: null };
  const object = { kind: "Job", metadata } as unknown as RequestedObject;
  return {
    ...getTypicalScenario("failure"),
    workload: [{ replicatedJob: "leader", runMs: 60_000 }, { stopMs: 500 }],
    actions: [{ at: 10_000, request: { verb: "patch", object } }],
  };
}

/** Another client writes to a Service without owner right before the controller tries to create it. */
function withTouchedService(): Scenario {
  const { objects, ...scenario } = withJobSet(getTypicalScenario("deletion"), (jobSet) =>
    withSpec(jobSet, { network: { enableDNSHostnames: true } }),
  );
  const service = {
    ...createObjectRef("Service", "train"),
    spec: { clusterIP: "None" },
  } as RequestedObject;
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

/** Users set the TTL of a finished JobSet at different times. */
function withTtls(ttls: readonly (readonly [at: number, seconds: number | null])[]): Scenario {
  const scenario = getTypicalScenario("failure");
  const actions = ttls.map(([at, ttlSecondsAfterFinished]) =>
    createPatch(at * 1_000, scenario, { ttlSecondsAfterFinished }),
  );
  return { ...scenario, actions };
}

/** A user deletes a Job with its own rack and orphans its Pods. */
function withOrphanedPods(): Scenario {
  const request = { verb: "delete", object: createObjectRef("Job", "train-workers-1") } as const;
  return {
    ...inRacks([]),
    actions: [{ at: 10_000, request: { ...request, propagationPolicy: "Orphan" } }],
  };
}

/** A user orphans the Jobs of a suspended JobSet and recreates it. */
function createOrphanScenario(): Scenario {
  const scenario = getTypicalScenario("suspension");
  const object = getJobSet(scenario) as unknown as RequestedObject;
  return {
    ...scenario,
    actions: [
      { at: 3_000, request: { verb: "delete", object, propagationPolicy: "Orphan" } },
      { at: 10_000, request: { verb: "create", object } },
    ],
  };
}

/** A user scales Jobs whose number of Pods the JobSet does not set. */
function createScalingFromZero(): Scenario {
  const scenario = createScalingScenario();
  const counts = { parallelism: undefined, completions: undefined };
  return withJobSet(scenario, (jobSet) => withEach(jobSet, (one) => withJobSpec(one, counts)));
}

/** The Pods of a Job are deleted, at once or with a grace period, and their labels are edited. */
function withHandledPods(gracePeriodSeconds?: number): Scenario {
  const selector = { "batch.kubernetes.io/job-name": "train-workers-1" };
  const object: RequestedObject = { kind: "Pod", metadata: { namespace: "ml" } };
  const labels = { [JOBSET_NAME_KEY]: null } as never;
  const edited = { kind: "Pod", metadata: { namespace: "ml", labels } };
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  return {
    ...getTypicalScenario("restartThatRunsOn"),
    workload: [{ stopMs: 500 }],
    actions: [
      { at: 10_000, selector, request: { verb: "patch", object: edited } },
      { at: 20_000, selector, request: { verb: "delete", object, ...grace } },
    ],
  };
}

/** Returns a controller that reports only once that a Job cannot be created. */
function reportsOnce(): SimController {
  let isReported = false;
  return withPlans((plan) => {
    if (isReported) return withoutFailureEvents(plan);
    isReported = plan.steps.some(({ phase }) => phase === "create-jobs");
    return plan;
  });
}

describe("a wrong controller", () => {
  testDetection(wrongControllers);

  testRightControllerPasses(correctScenarios);

  it("a controller that reports each rejected Job once is distinguished from one that repeats it", () => {
    const controller = reportsOnce();
    const safety = { livenessLaws: [], steadyStateLaws: [] };
    const found = findDetectingLaws([scenarioWithRejections("train-leader-0")], {
      controller,
      ...safety,
    });
    expect(found).toEqual(["equalViewsGetEqualPlans"]);
  });
});
