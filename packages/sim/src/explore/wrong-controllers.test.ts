import type { JobSet } from "@jobset-ts/api";
import {
  JOB_GLOBAL_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { ObjectMeta } from "@jobset-ts/api/kubernetes";
import { type DeleteEffect, type Effect, type Plan, reconcile, type Step } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { createSimController, type SimController } from "../jobset-controller/pass-run.ts";
import { simulate } from "../scenario/simulate.ts";
import { getTypicalScenario, typicalScenarios } from "../testing/typical-scenarios.ts";
import {
  findDetectingLaws,
  isEnded,
  testDetectionInTypicalScenarios,
  type WrongInTypicalScenarios,
  withCreatedJobs,
  withEffects,
  withPlans,
  withReplacedJobSet,
} from "../testing/wrong-controller.ts";
import {
  changeMetadata,
  createDeletion,
  withCompletions,
  withForegroundDeletion,
  withoutActions,
  withStatusOnly,
} from "../testing/wrong-plan.ts";
import { randomScenario } from "./random-scenario.ts";

/** Waits for all Jobs, regardless of the success policy. */
const successPolicyIgnoringController = withReplacedJobSet(({ spec, ...jobSet }) => {
  const { successPolicy: _, ...others } = spec;
  return { ...jobSet, spec: others };
});

const wrongControllers: WrongInTypicalScenarios = {
  "plans with the previous restart count (H1)": [
    createSimController({
      reconcile: (snapshot, jobSet, context) => {
        const { restarts = 0 } = jobSet.status ?? {};
        if (restarts === 0) return reconcile(snapshot, jobSet, context);
        const stale = { ...jobSet, status: { ...jobSet.status, restarts: restarts - 1 } };
        return reconcile(snapshot, stale as typeof jobSet, context);
      },
    }),
    [
      "eachWriteHasOneEvent",
      "eventsMatchWrites",
      "failuresFollowTheFailurePolicy",
      "restartsIncreaseByOne",
    ],
    ["restartThatRunsOn", "limit"],
  ],
  "does not delete the Jobs of a finished JobSet (H5)": [
    withPlans((plan, _, jobSet) =>
      isEnded(jobSet)
        ? { ...plan, steps: plan.steps.filter(({ effects }) => effects[0]?.target.kind !== "Job") }
        : plan,
    ),
    [
      "finishedJobSetsHaveNoActiveJobs",
      "finishedJobSetsRunNoPods",
      "idleControllersHaveEmptyPlans",
    ],
    ["rule"],
  ],
  "does not requeue (H6)": [
    withPlans(({ requeueAfterSeconds: _, ...plan }) => plan),
    ["idleControllersHaveEmptyPlans", "ttlIsRespected"],
    ["restart"],
  ],
  "plans in random order (H8)": [shufflesEffects(), ["equalViewsGetEqualPlans"], ["deletion"]],
  "deletes in the background": [
    withEffects((effect) => [
      effect.verb === "delete" ? { ...effect, propagationPolicy: "Background" } : effect,
    ]),
    [
      "deletionsAreForegroundAndNeeded",
      "finishedJobSetsAreKeptUntilTheirTTL",
      "podsBelongToOneAttemptAtATime",
    ],
    ["restart"],
  ],
  "exceeds maxRestarts by one": [
    withReplacedJobSet(({ spec, ...jobSet }) => ({
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
    ["countedRestartsStayWithinTheLimit", "failuresFollowTheFailurePolicy"],
    ["limit"],
  ],
  "ignores the rules of failure policies": [
    withReplacedJobSet(({ spec, ...jobSet }) => ({
      ...jobSet,
      spec: {
        ...spec,
        ...(spec.failurePolicy && { failurePolicy: { ...spec.failurePolicy, rules: [] } }),
      },
    })),
    ["eventsMatchWrites", "failuresFollowTheFailurePolicy"],
    ["rule"],
  ],
  "does not wait for deleted Jobs under BlockingRecreate": [
    withReplacedJobSet(({ spec, ...jobSet }) => ({
      ...jobSet,
      spec: {
        ...spec,
        ...(spec.failurePolicy && {
          failurePolicy: { ...spec.failurePolicy, restartStrategy: "Recreate" },
        }),
      },
    })),
    ["restartsWaitForDeletedJobs"],
    ["restart"],
  ],
  "ignores failed Jobs": [
    withPlans((plan) =>
      plan.decisions.some(({ phase }) => phase === "failure-policy") ? withoutActions(plan) : plan,
    ),
    [
      "countsConverge",
      "failuresHaveConsequences",
      "idleControllersHaveEmptyPlans",
      "waitingHasAReason",
    ],
    ["restart"],
  ],
  "never completes": [
    withPlans((plan) => (plan.status?.terminalState === "Completed" ? withoutActions(plan) : plan)),
    [
      "countsConverge",
      "idleControllersHaveEmptyPlans",
      "successHasConsequences",
      "waitingHasAReason",
    ],
    ["restart", "anyJobSuffices"],
  ],
  "waits for all Jobs and ignores the success policy": [
    successPolicyIgnoringController,
    ["idleControllersHaveEmptyPlans", "successHasConsequences"],
    ["anyJobSuffices"],
  ],
  "ignores the startup order": [
    withReplacedJobSet(({ spec, ...jobSet }) => {
      const { startupPolicy: _, ...others } = spec;
      const replicatedJobs = (spec.replicatedJobs ?? []).map(({ dependsOn: _, ...one }) => one);
      return { ...jobSet, spec: { ...others, replicatedJobs } };
    }),
    ["conditionsAreSetInTime", "idleControllersHaveEmptyPlans", "startupFollowsTheOrder"],
    ["lostChild"],
  ],
  "sends an Event every ten minutes": [
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
        ...withStatusOnly(plan, jobSet as JobSet, { ...status, conditions }),
        requeueAfterSeconds: 600,
      };
    }),
    ["writesAreCausedByChanges"],
    ["resumption"],
  ],
  "requeues at once without end": [
    withPlans((plan) => ({ ...plan, requeueAfterSeconds: 0.001 })),
    ["passesDoNotHotLoop"],
    ["rule"],
  ],
  "throws if a JobSet is suspended": [
    createSimController({
      reconcile: (snapshot, jobSet, context) => {
        if (jobSet.spec?.suspend === true) throw new Error("it is suspended");
        return reconcile(snapshot, jobSet, context);
      },
    }),
    ["reconcileNeverThrows", "suspensionTakesEffect"],
    ["suspension"],
  ],
  "modifies its input": [
    createSimController({
      reconcile: (snapshot, jobSet, context) => {
        (jobSet.metadata as { labels?: object }).labels = {};
        return reconcile(snapshot, jobSet, context);
      },
    }),
    [
      "jobsStartInOrder",
      "reconcileNeverThrows",
      "servicesAndClaimsExist",
      "suspendedJobsAreCreated",
      "suspensionTakesEffect",
      "waitingHasAReason",
    ],
    ["limit", "suspension"],
  ],
  "starts the Jobs of a suspended JobSet": [
    withCreatedJobs((job) => ({ ...job, spec: { ...job.spec, suspend: false } })),
    ["suspendedConditionMatchesTheJobs", "suspendedJobSetsStartNothing"],
    ["resumption"],
  ],
  "creates all Jobs suspended": [
    withCreatedJobs((job) => ({ ...job, spec: { ...job.spec, suspend: true } })),
    ["runningJobSetsSuspendNoJob"],
    ["deletion"],
  ],
  "never suspends a running Job": [
    withEffects((effect) =>
      effect.verb === "update" && effect.object.spec.suspend === true ? [] : [effect],
    ),
    [
      "idleControllersHaveEmptyPlans",
      "suspendedConditionMatchesTheJobs",
      "suspensionIsComplete",
      "suspensionReachesAllJobs",
      "suspensionTakesEffect",
    ],
    ["suspension"],
  ],
  "never resumes a Job": [
    withEffects((effect) =>
      effect.verb === "update" && effect.object.spec.suspend === false ? [] : [effect],
    ),
    ["idleControllersHaveEmptyPlans", "jobsStartInOrder", "suspendedConditionMatchesTheJobs"],
    ["resumption"],
  ],
  "labels Jobs, but not their Pods, with the next attempt": [
    withCreatedJobs((job) => withLabel(job, RESTART_ATTEMPT_KEY, "1")),
    [
      "childObjectsHaveDeterministicNames",
      "childObjectsMatchTheirJobSet",
      "jobsBelongToCurrentAttempt",
      "jobsHaveRecordedAttempts",
      "restartsWaitForDeletedJobs",
    ],
    ["restart", "deletion"],
  ],
  "treats Jobs of the previous attempt as current": [
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
      "childObjectsHaveDeterministicNames",
      "finishedJobSetsHaveNoActiveJobs",
      "finishedJobSetsRunNoPods",
      "idleControllersHaveEmptyPlans",
      "jobsStartInOrder",
      "noWriteIsWithoutEffect",
      "restartsDeleteOldJobs",
      "waitingHasAReason",
    ],
    ["restart", "anyJobSuffices"],
  ],
  "creates Jobs of the next attempt": [
    withCreatedJobs((job) => {
      const template = withLabel(job.spec.template as never, RESTART_ATTEMPT_KEY, "1") as never;
      return withLabel({ ...job, spec: { ...job.spec, template } }, RESTART_ATTEMPT_KEY, "1");
    }),
    [
      "childObjectsMatchTheirJobSet",
      "completionFollowsSuccessPolicy",
      "eachRestartHasAFailure",
      "failureFollowsFailurePolicy",
      "jobsBelongToCurrentAttempt",
      "jobsHaveRecordedAttempts",
      "jobsStartInOrder",
    ],
    ["restartThatRunsOn", "anyJobSuffices", "limit", "failure"],
  ],
  "gives Jobs a wrong index": [
    withCreatedJobs((job) => withLabel(job, JOB_INDEX_KEY, "7")),
    ["childObjectsHaveDeterministicNames", "childObjectsMatchTheirJobSet"],
    ["failure"],
  ],
  "gives Jobs a wrong global index": [
    withCreatedJobs((job) => withLabel(job, JOB_GLOBAL_INDEX_KEY, "7")),
    ["childObjectsMatchTheirJobSet"],
    ["deletion"],
  ],
  "gives Pods a wrong restart count": [
    withCreatedJobs((job) => ({
      ...job,
      spec: {
        ...job.spec,
        template: withLabel(job.spec.template as never, JOB_RESTART_ATTEMPT_KEY, "5") as never,
      },
    })),
    ["childObjectsMatchTheirJobSet"],
    ["restartThatRunsOn"],
  ],
  "creates Services without an owner": [
    withCreated("Service", ({ ownerReferences: _, ...metadata }) => metadata),
    ["childObjectsMatchTheirJobSet"],
    ["deletion"],
  ],
  "creates PersistentVolumeClaims without an owner": [
    withCreated("PersistentVolumeClaim", ({ ownerReferences: _, ...metadata }) => metadata),
    ["childObjectsMatchTheirJobSet"],
    ["resumption"],
  ],
  "gives Jobs the UID of another JobSet": [
    withCreatedJobs(({ metadata, ...job }) => ({
      ...job,
      metadata: {
        ...metadata,
        ownerReferences: (metadata.ownerReferences ?? []).map((one) => ({ ...one, uid: "x" })),
      },
    })),
    ["childObjectsMatchTheirJobSet"],
    ["deletion"],
  ],
  "creates no second Job of a ReplicatedJob": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.name.endsWith("-1") ? [] : [effect],
    ),
    [
      "idleControllersHaveEmptyPlans",
      "jobsStartInOrder",
      "suspendedJobsAreCreated",
      "waitingHasAReason",
    ],
    ["restart", "suspension"],
  ],
  "creates no Service": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.kind === "Service" ? [] : [effect],
    ),
    ["idleControllersHaveEmptyPlans", "servicesAndClaimsExist"],
    ["resumption"],
  ],
  "creates no PersistentVolumeClaim": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.kind === "PersistentVolumeClaim" ? [] : [effect],
    ),
    ["idleControllersHaveEmptyPlans", "servicesAndClaimsExist"],
    ["resumption"],
  ],
  "creates each Job twice": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.kind === "Job" ? [effect, effect] : [effect],
    ),
    ["namesInUseAreNotCreated"],
    ["deletion"],
  ],
  "continues after the end and after a deletion": [
    withReplacedJobSet(({ metadata, status, ...jobSet }) => {
      const { deletionTimestamp: _, ...kept } = metadata;
      const { terminalState: _ended, conditions = [], ...others } = status ?? { restarts: 0 };
      const open = conditions.filter(({ type }) => type !== "Completed" && type !== "Failed");
      return { ...jobSet, metadata: kept, status: { ...others, conditions: open } };
    }),
    [
      "conditionsAreWellFormed",
      "deletedAndForeignJobSetsAreLeftAlone",
      "eachWriteHasOneEvent",
      "finishedJobSetsHaveNoActiveJobs",
      "finishedJobSetsRunNoPods",
      "idleControllersHaveEmptyPlans",
      "noWriteIsWithoutEffect",
      "terminalStateIsFinal",
      "ttlIsRespected",
    ],
    ["restart", "limit", "failure", "deletion"],
  ],
  "creates a Service for a finished JobSet": [
    withPlans((plan, _, jobSet) => {
      if (!isEnded(jobSet)) return plan;
      const { namespace = "", name = "", uid } = plan.jobSet;
      const ownerReferences = [{ kind: "JobSet", name, uid, controller: true }];
      const metadata = { namespace, name: `${name}-after`, ownerReferences };
      const effect = {
        verb: "create",
        target: { apiVersion: "v1", kind: "Service", namespace, name: metadata.name },
        object: { apiVersion: "v1", kind: "Service", metadata, spec: {} },
        onExists: "Succeed",
      } as unknown as Effect;
      const step = { phase: "service", effects: [effect], concurrency: 1 } as unknown as Step;
      return { ...plan, steps: [...plan.steps, step] };
    }),
    ["deletedAndForeignJobSetsAreLeftAlone", "finishedJobSetsGetNoNewObjects"],
    ["restart", "failure"],
  ],
  "deletes a JobSet as soon as it has finished": [
    withReplacedJobSet(({ spec, ...jobSet }) => ({
      ...jobSet,
      spec: { ...spec, ...(isEnded(jobSet as never) && { ttlSecondsAfterFinished: 0 }) },
    })),
    ["finishedJobSetsAreKeptUntilTheirTTL"],
    ["rule"],
  ],
  "never deletes Jobs": [
    withEffects((effect) => (effect.verb === "delete" ? [] : [effect])),
    [
      "finishedJobSetsHaveNoActiveJobs",
      "finishedJobSetsRunNoPods",
      "idleControllersHaveEmptyPlans",
      "jobsStartInOrder",
      "restartsDeleteOldJobs",
      "waitingHasAReason",
    ],
    ["restart", "anyJobSuffices", "limit"],
  ],
  "deletes the Jobs of the current attempt": [
    withEffects((effect) =>
      effect.verb === "update" && effect.target.kind === "Job"
        ? [
            effect,
            withForegroundDeletion(
              createDeletion({ ...effect.target, uid: effect.object.metadata.uid ?? "" }),
            ),
          ]
        : [effect],
    ),
    ["deletionsAreForegroundAndNeeded"],
    ["resumption"],
  ],
  "deletes objects in the background that are being deleted": [
    withPlans((plan, ...seen) => addEffects(plan, deletionsAgain(...seen))),
    ["deletionsAreForegroundAndNeeded", "podsBelongToOneAttemptAtATime"],
    ["limit"],
  ],
  "deletes objects that are being deleted": [
    withPlans((plan, ...seen) =>
      addEffects(plan, deletionsAgain(...seen).map(withForegroundDeletion)),
    ),
    ["deletionsAreForegroundAndNeeded"],
    ["limit"],
  ],
  "deletes all objects with a name": [
    withEffects((effect) =>
      effect.verb === "delete"
        ? [createDeletion(effect.target)].map(withForegroundDeletion)
        : [effect],
    ),
    ["deletionsHavePreconditions"],
    ["failure"],
  ],
  "plans each deletion twice": [
    withEffects((effect) => (effect.verb === "delete" ? [effect, effect] : [effect])),
    ["deletionsAreForegroundAndNeeded"],
    ["failure"],
  ],
  "writes the spec of its JobSet": [
    withPlans((plan) => {
      const { uid: _, ...target } = plan.jobSet;
      return addEffects(plan, [{ verb: "patch", target, patch: { spec: { suspend: false } } }]);
    }),
    ["foreignObjectsAreLeftAlone", "noWriteIsWithoutEffect"],
    ["failure"],
  ],
  "deletes nodes": [
    withPlans((plan, snapshot) => {
      const { uid } = snapshot.node("node-0")?.metadata ?? {};
      if (uid === undefined) return plan;
      const target = { apiVersion: "v1", kind: "Node", namespace: "", name: "node-0", uid };
      return addEffects(plan, [createDeletion(target)]);
    }),
    ["foreignObjectsAreLeftAlone"],
    ["lostChild"],
  ],
  "sends invalid objects": [
    withEffects((effect) =>
      effect.verb === "update"
        ? [{ ...effect, object: withCompletions(effect.object, 9) as typeof effect.object }]
        : [effect],
    ),
    ["jobsStartInOrder", "noWriteIsInvalid"],
    ["resumption"],
  ],
};

/** Returns a controller whose plans have the effects of each step in another order each time. */
function shufflesEffects(): SimController {
  let count = 0;
  return withPlans((plan) => {
    count += 1;
    const steps = plan.steps.map((step) =>
      count % 2 === 0 ? ({ ...step, effects: step.effects.toReversed() } as Step) : step,
    );
    return { ...plan, steps };
  });
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

/** A correct controller, except that it sets other metadata on one kind. */
function withCreated(kind: string, change: (metadata: ObjectMeta) => ObjectMeta): SimController {
  return withEffects((effect) =>
    effect.verb === "create" && effect.target.kind === kind
      ? [changeMetadata(effect, change)]
      : [effect],
  );
}

/** Returns a plan with additional effects in a last step. An empty plan remains empty. */
function addEffects(plan: Plan, effects: readonly Effect[]): Plan {
  if (effects.length === 0) return plan;
  const steps = plan.steps.slice(0, 1).map((step) => ({ ...step, effects }) as Step);
  return { ...plan, steps: [...plan.steps, ...steps] };
}

/** Returns effects that delete again the Jobs that are being deleted. */
function deletionsAgain(
  ...[snapshot, jobSet]: Parameters<typeof reconcile>
): readonly DeleteEffect[] {
  return snapshot
    .childJobs(jobSet)
    .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined)
    .map(({ metadata }) => {
      const { namespace = "", name = "", uid = "" } = metadata ?? {};
      return createDeletion({ apiVersion: "batch/v1", kind: "Job", namespace, name, uid });
    });
}

describe("a wrong controller", () => {
  // The long tier simulates all scenarios.
  testDetectionInTypicalScenarios(wrongControllers, runs(0, 1) === 1);

  it("at least one of forty random scenarios detects a controller that waits for all Jobs", () => {
    let found = 0;
    // The two seeds that detect it come first. The others run only after a change of the generator.
    for (const seed of new Set([2, 20, ...Array(40).keys()])) {
      const { violations } = simulate(randomScenario(seed), {
        controller: successPolicyIgnoringController,
      });
      if (violations.length > 0) found += 1;
      if (found === 2) break;
    }
    expect(found).toBe(2);
  });

  it("a controller that patches is distinguished from one that updates", () => {
    const controller = withEffects((effect) =>
      effect.verb === "update" && effect.object.spec.suspend === true
        ? [{ verb: "patch", target: effect.target, patch: { spec: { suspend: true } } }]
        : [effect],
    );
    expect(findDetectingLaws([getTypicalScenario("suspension")], { controller })).toEqual([]);
  });

  it("the wrong controller is detected", () => {
    expect(findDetectingLaws(Object.values(typicalScenarios))).toEqual([]);
  });
});
