import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { NODE_SELECTOR_STRATEGY_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { getLabel, type Job, type ObjectMeta, type Pod } from "@jobset-ts/api/kubernetes";
import { type Effect, type Plan, reconcile, type Step } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import { describe, expect, it } from "vitest";
import { createSimController, type SimController } from "../jobset-controller/pass-run.ts";
import { isFollower } from "../laws/pod-roles.ts";
import type { Fault } from "../scenario/fault.ts";
import {
  createMixedRestartScenario,
  createRaisedTtlScenario,
  createResumeAfterEdit,
  createScalingScenario,
  createSingleRestartScenario,
  createSuspensionScenario,
  createTtlScenario,
  inRacks,
  scenarioWithRejections,
} from "../testing/rare-scenarios.ts";
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
import { EXCLUSIVE, withAnnotations, withClaim, withJobSet, withSpec } from "./scenario-edits.ts";

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

/** Returns a controller that ignores changes of a JobSet's spec after it has finished. */
function ignoresChangesAfterFinish(): SimController {
  let end: JobSet | undefined;
  return withReplacedJobSet((jobSet) => {
    if (isEnded(jobSet)) end ??= jobSet;
    return isEnded(jobSet) && end !== undefined ? { ...jobSet, spec: end.spec } : jobSet;
  });
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
