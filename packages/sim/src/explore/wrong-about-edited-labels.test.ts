import { formatTime, type JobSet, type Unvalidated } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import { type Plan, reconcile } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import type { RequestedObject } from "../api-server/api-request.ts";
import { createSimController, type SimController } from "../jobset-controller/pass-run.ts";
import { isRelabelled } from "../laws/relabelled-jobs.ts";
import type { Scenario } from "../scenario/scenario.ts";
import {
  createObjectRef,
  createSingleFailureScenario,
  getTypicalScenario,
  typicalScenarios,
} from "../testing/typical-scenarios.ts";
import {
  findDetectingLaws,
  testDetection,
  testRightControllerPasses,
  type WrongControllers,
  withCounts,
  withEffects,
  withPlans,
} from "../testing/wrong-controller.ts";
import {
  createDeletion,
  getStep,
  withForegroundDeletion,
  withoutActions,
  withStatusOnly,
} from "../testing/wrong-plan.ts";
import {
  createPatch,
  firstReplicatedJob,
  withEach,
  withJobSet,
  withJobSpec,
  withPodSpec,
  withSpec,
} from "./scenario-edits.ts";

/** Wrong controllers that show when a user edits a label of a Job. */
const wrongControllers: WrongControllers = {
  "ignores the startup order once a label is edited": [
    slowWorkers(),
    createControllerAfterRelabel((snapshot, jobSet, context) => {
      const { startupPolicy: _, ...spec } = (jobSet as JobSet).spec;
      return reconcile(snapshot, { ...jobSet, spec } as typeof jobSet, context);
    }),
    ["idleControllersHaveEmptyPlans", "startupFollowsTheOrder"],
  ],
  "reports that startup is complete once a label is edited": [
    slowWorkers(),
    createControllerAfterRelabel((...seen) => {
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
      return withStatusOnly(plan, seen[1] as JobSet, {
        ...status,
        conditions: [...conditions, own],
      });
    }),
    ["conditionsAreWellFormed", "startupIsCompleteWhenReported"],
  ],
  "completes because of a single Job with an edited label": [
    createRelabelledSuccess(),
    createControllerAfterRelabel((snapshot, jobSet, context) => {
      const { successPolicy: _, ...spec } = (jobSet as JobSet).spec;
      const any = { ...spec, successPolicy: { operator: "Any" } };
      return reconcile(snapshot, { ...jobSet, spec: any } as typeof jobSet, context);
    }),
    ["completionFollowsSuccessPolicy"],
  ],
  "never completes once a label is edited": [
    withALaterAttempt({
      ...getTypicalScenario("failure"),
      workload: [{ runMs: 20_000 }],
    }),
    createControllerAfterRelabel((...seen) => {
      const plan = reconcile(...seen);
      return plan.status?.terminalState === "Completed" ? withoutActions(plan) : plan;
    }),
    [
      "countsConverge",
      "idleControllersHaveEmptyPlans",
      "successHasConsequences",
      "waitingHasAReason",
    ],
  ],
  "reports that all Jobs are suspended once a label is edited": [
    withALaterAttempt({
      ...getTypicalScenario("failure"),
      workload: [{ stopMs: 500 }],
    }),
    createControllerAfterRelabel((...seen) => {
      const { status } = seen[1] as JobSet;
      const plan = reconcile(...seen);
      const isSaid = status?.replicatedJobsStatus?.every(({ suspended }) => suspended > 0) ?? true;
      if (status == null || isSaid) return withoutActions(plan);
      const all = withCounts(status, (one) => ({ ...one, suspended: one.active }));
      return withStatusOnly(plan, seen[1] as JobSet, all);
    }),
    ["countsConverge", "countsMatchObservedJobs", "idleControllersHaveEmptyPlans"],
  ],
  "does nothing once a label is edited": [
    withALaterAttempt({
      ...getTypicalScenario("failure"),
      workload: [{ replicatedJob: "leader", runMs: 30_000, exitCode: 1 }, { stopMs: 500 }],
    }),
    createControllerAfterRelabel((...seen) => withoutActions(reconcile(...seen))),
    ["countsConverge", "failuresHaveConsequences", "idleControllersHaveEmptyPlans"],
  ],
  "restarts once a label is edited": [
    withALaterAttempt({
      ...getTypicalScenario("limit"),
      workload: [{ stopMs: 500 }],
    }),
    createControllerAfterRelabel((...seen) => {
      const { status } = seen[1] as JobSet;
      const plan = reconcile(...seen);
      return status == null || status.restarts > 0
        ? plan
        : withStatusOnly(plan, seen[1] as JobSet, {
            ...status,
            restarts: 1,
            restartsCountTowardsMax: 1,
          });
    }),
    ["eachRestartHasAFailure", "failuresFollowTheFailurePolicy"],
  ],
  "does not suspend a Job with an edited label": [
    withALaterAttempt(getTypicalScenario("suspension")),
    withEffects((effect) =>
      effect.verb === "update" &&
      effect.object.spec.suspend === true &&
      isRelabelled(effect.object as never)
        ? []
        : [effect],
    ),
    [
      "idleControllersHaveEmptyPlans",
      "suspendedConditionMatchesTheJobs",
      "suspensionIsComplete",
      "suspensionReachesAllJobs",
      "suspensionTakesEffect",
    ],
  ],
  "deletes a Job of an unknown ReplicatedJob": [
    createRelabellingScenario(REPLICATED_JOB_NAME_KEY, "x"),
    createDeletingController(({ metadata }) => metadata?.labels?.[REPLICATED_JOB_NAME_KEY] === "x"),
    ["deletionsAreForegroundAndNeeded"],
  ],
};

/**
 * Workers wait for a leader, and a third ReplicatedJob waits for the workers. The workers become ready after a user
 * edits a label.
 */
function slowWorkers(): Scenario {
  const scenario = withJobSet(getTypicalScenario("lostChild"), (jobSet) => {
    const store = { ...firstReplicatedJob(jobSet), name: "store" };
    return withSpec(jobSet, { replicatedJobs: [...jobSet.spec.replicatedJobs, store] });
  });
  const workload = [{ replicatedJob: "workers", readyMs: 60_000 }, { stopMs: 500 }];
  return withALaterAttempt({ ...scenario, workload, actions: [] });
}

/** A user labels the second worker with a later attempt. */
function withALaterAttempt(scenario: Scenario): Scenario {
  const { actions } = createRelabellingScenario(RESTART_ATTEMPT_KEY, "7");
  return { ...scenario, actions: [...scenario.actions, ...actions] };
}

/** Three Jobs run forever, and a user changes a label of one of them. */
function createRelabellingScenario(key: string, value: string): Scenario {
  const object = createObjectRef("Job", "train-workers-1");
  const metadata = { ...object.metadata, labels: { [key]: value } };
  return {
    ...getTypicalScenario("failure"),
    workload: [{ stopMs: 500 }],
    actions: [
      {
        at: 10_000,
        request: { verb: "patch", object: { ...object, metadata } as RequestedObject },
      },
    ],
  };
}

/** Returns a controller with another plan while it sees a Job that a user labelled with a later attempt. */
function createControllerAfterRelabel(
  change: (...seen: Parameters<typeof reconcile>) => Plan,
): SimController {
  return createSimController({
    reconcile: (snapshot, jobSet, context) => {
      const isSeen = snapshot.childJobs(jobSet).some((job) => isRelabelled(job as Job));
      return isSeen ? change(snapshot, jobSet, context) : reconcile(snapshot, jobSet, context);
    },
  });
}

/** A worker with an edited label succeeds, and no other Job finishes. */
function createRelabelledSuccess(): Scenario {
  const workload = [{ job: "train-workers-1", runMs: 20_000 }, { stopMs: 500 }];
  return withALaterAttempt({ ...getTypicalScenario("failure"), workload });
}

/** Returns a controller that deletes matching Jobs of the current attempt. */
function createDeletingController(isOdd: (job: Unvalidated<Job>) => boolean): SimController {
  return withPlans((plan, snapshot, jobSet) => {
    const relabelledJob = snapshot
      .childJobs(jobSet)
      .filter((job) => job.metadata?.deletionTimestamp === undefined && isOdd(job))
      .map(({ metadata: { namespace = "", name = "", uid = "" } = {} }) =>
        withForegroundDeletion(
          createDeletion({ apiVersion: "batch/v1", kind: "Job", namespace, name, uid }),
        ),
      );
    return relabelledJob.length === 0
      ? plan
      : { ...plan, steps: [...plan.steps, getStep(relabelledJob)] };
  });
}

/** Scenarios in which a correct controller is also blocked. */
const correctScenarios: Readonly<Record<string, Scenario>> = {
  "users edit labels of Jobs": createRelabellingScenario(RESTART_ATTEMPT_KEY, "none"),
  "a user resumes a Job that is labelled as another": createRenamedResume(),
  "a user makes the attempt of a Job with in-place restart unreadable": createLostPodScenario(),
};

/**
 * A user labels a worker as part of a later ReplicatedJob with other Pods. Then the JobSet is resumed with startup
 * order.
 */
function createRenamedResume(): Scenario {
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
  const [edit] = createRelabellingScenario(REPLICATED_JOB_NAME_KEY, "store").actions;
  const actions = [
    { ...edit, at: 3_000 },
    createPatch(5_000, scenario, { suspend: false }),
  ] as Scenario["actions"];
  return { ...scenario, actions };
}

/** A user sets an invalid attempt in the label of a Job whose Pods use in-place restart. */
function createLostPodScenario(): Scenario {
  const metadata = {
    ...createObjectRef("Job", "train-leader-0").metadata,
    labels: { [RESTART_ATTEMPT_KEY]: "none" },
  };
  const request = { verb: "patch", object: { kind: "Job", metadata } } as const;
  return { ...createSingleFailureScenario(), actions: [{ at: 25_000, request }] as never };
}

describe("a wrong controller", () => {
  testDetection(wrongControllers);

  testRightControllerPasses(correctScenarios);

  it.each(["replicatedjob-name", "job-index"])(
    "a wrong controller is detected when a user changes the label %s of a Job",
    (label) => {
      const failure = getTypicalScenario("failure");
      const labels = { [`jobset.sigs.k8s.io/${label}`]: "other" };
      const metadata = { namespace: "ml", name: "train-workers-1", labels };
      const request = { verb: "patch", object: { kind: "Job", metadata } } as const;
      const scenario = {
        ...failure,
        actions: [...failure.actions, { at: 1_000, request }],
      };
      expect(findDetectingLaws([scenario], { livenessLaws: [], steadyStateLaws: [] })).toEqual([]);
    },
  );

  const edits = [
    [RESTART_ATTEMPT_KEY, ["7", "-1", "none", null]],
    [REPLICATED_JOB_NAME_KEY, ["leader", "other", null]],
    [JOB_INDEX_KEY, ["0", "7", null]],
    [JOB_RESTART_ATTEMPT_KEY, ["1", "-1", null]],
    [JOBSET_NAME_KEY, ["other", null]],
  ] as const;

  it.each(edits)(
    "a wrong controller is detected in every scenario in which users edit the label %s",
    (key, values) => {
      const job = { ...createObjectRef("Job", "train-workers-1"), apiVersion: "batch/v1" };
      // A third of the scenarios for each value. The long tier uses all of them.
      const step = runs(3, 1);
      const scenarios = Object.values(typicalScenarios).flatMap((scenario, index) =>
        values.flatMap((value, place): readonly Scenario[] => {
          if ((index + place) % step !== 0) return [];
          // Half of the edits come early and half late.
          const isLate = (index + place) % 2 === 1;
          const metadata = { ...job.metadata, labels: { [key]: value } } as never;
          const request = { verb: "patch", object: { ...job, metadata } } as const;
          const action = { at: isLate ? 10_000 : 4_000, request };
          const features = { RestartJob: isLate };
          return [{ ...scenario, features, actions: [...scenario.actions, action] }];
        }),
      );
      expect(findDetectingLaws(scenarios)).toEqual([]);
      // A controller that trusts labels, as upstream does, treats such a Job as another one.
      const some = scenarios.filter((_, at) => at % 4 === 0);
      expect(findDetectingLaws(some, { quirks: new Set(["UnclaimedJobsCount"]) })).toEqual([]);
    },
  );
});
