import type { Condition } from "@jobset-ts/api/kubernetes";
import type { Effect, Step } from "@jobset-ts/core";
import { describe } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import type { SimController } from "../jobset-controller/pass-run.ts";
import {
  testDetectionInTypicalScenarios,
  type WrongInTypicalScenarios,
  withPlans,
  withStatus,
} from "../testing/wrong-controller.ts";
import { withCompletions } from "../testing/wrong-plan.ts";

/** Returns a controller that adds a True condition to the status. */
function withCondition(type: string, reason: string): SimController {
  return withStatus((status) => ({
    ...status,
    conditions: [
      ...(status.conditions ?? []).filter((one) => one.type !== type),
      {
        type,
        status: "True",
        reason,
        message: "so it is",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ],
  }));
}

/** Returns a controller that keeps a condition True until the JobSet finishes. */
function createConditionKeepingController(type: string): SimController {
  return withStatus((status, jobSet) => {
    const before = (jobSet.status?.conditions ?? []) as readonly Condition[];
    const kept = before.find((one) => one.type === type && one.status === "True");
    if (kept === undefined || status.terminalState !== undefined) return status;
    const conditions = status.conditions ?? [];
    return { ...status, conditions: conditions.map((one) => (one.type === type ? kept : one)) };
  });
}

const wrongControllers: WrongInTypicalScenarios = {
  "writes its counters in the wrong order (H8)": [
    withPlans((plan, _, jobSet) => {
      const stored = jobSet.status?.replicatedJobsStatus;
      if (plan.steps.length > 0 || stored == null || stored.length < 2) return plan;
      const status = { ...jobSet.status, replicatedJobsStatus: stored.toReversed() };
      const { metadata, apiVersion, kind } = jobSet;
      const effect = {
        verb: "updateStatus",
        target: plan.jobSet,
        object: { apiVersion, kind, metadata, status },
        changes: [{ path: ["status"], value: status }],
      } as unknown as Effect;
      const step = { phase: "write-status", effects: [effect], concurrency: 1 } as unknown as Step;
      return { ...plan, steps: [step] };
    }),
    ["countsAreOrdered", "writesAreCausedByChanges"],
    ["limit"],
  ],
  "counts each restart twice": [
    withStatus((status) => ({ ...status, restarts: status.restarts * 2 })),
    [
      "eachRestartHasAFailure",
      "failuresFollowTheFailurePolicy",
      "noWriteIsInvalid",
      "restartsIncreaseByOne",
    ],
    ["restartThatRunsOn"],
  ],
  "counts restarts that did not happen": [
    withStatus((status, jobSet) =>
      (jobSet.status?.restarts ?? 0) === 0 && jobSet.status?.conditions != null
        ? { ...status, restarts: 1 }
        : status,
    ),
    [
      "eachRestartHasAFailure",
      "failuresFollowTheFailurePolicy",
      "restartsDeleteOldJobs",
      "terminalStateIsFinal",
    ],
    ["restartThatRunsOn", "anyJobSuffices"],
  ],
  "reports completion in its first status": [
    withCondition("Completed", "AllJobsCompleted"),
    ["completionFollowsSuccessPolicy", "terminalStateIsFinal"],
    ["failure"],
  ],
  "reports failure in its first status": [
    withCondition("Failed", "FailedJobs"),
    [
      "eventsMatchWrites",
      "failureFollowsFailurePolicy",
      "failuresFollowTheFailurePolicy",
      "terminalStateIsFinal",
    ],
    ["restartThatRunsOn"],
  ],
  "reports at once that startup is complete": [
    withCondition("StartupPolicyCompleted", "InOrderStartupPolicyCompleted"),
    [
      "conditionsAreWellFormed",
      "eachWriteHasOneEvent",
      "idleControllersHaveEmptyPlans",
      "noWriteIsWithoutEffect",
      "startupIsCompleteWhenReported",
    ],
    ["lostChild"],
  ],
  "keeps the Suspended condition after a resume": [
    createConditionKeepingController("Suspended"),
    [
      "conditionsAreSetInTime",
      "eachWriteHasOneEvent",
      "eventsFollowTheirWrites",
      "idleControllersHaveEmptyPlans",
      "noWriteIsWithoutEffect",
    ],
    ["resumption"],
  ],
  "keeps the restart condition after a restart": [
    createConditionKeepingController("RestartingJobSet"),
    [
      "conditionsAreSetInTime",
      "eachWriteHasOneEvent",
      "eventsFollowTheirWrites",
      "idleControllersHaveEmptyPlans",
      "noWriteIsWithoutEffect",
    ],
    ["restartThatRunsOn"],
  ],
  "never reports that startup is complete": [
    withStatus((status) => ({
      ...status,
      conditions: (status.conditions ?? []).filter(({ type }) => type !== "StartupPolicyCompleted"),
    })),
    [
      "conditionsAreSetInTime",
      "eachWriteHasOneEvent",
      "eventsFollowTheirWrites",
      "idleControllersHaveEmptyPlans",
      "noWriteIsWithoutEffect",
    ],
    ["lostChild"],
  ],
  "removes conditions that become False": [
    withStatus((status) => ({
      ...status,
      conditions: (status.conditions ?? []).filter((one) => one.status === "True"),
    })),
    ["conditionsAreWellFormed", "eachWriteHasOneEvent", "eventsFollowTheirWrites"],
    ["resumption"],
  ],
  "changes the times of unchanged conditions": [
    withStatus((status) => ({
      ...status,
      conditions: (status.conditions ?? []).map((one) => ({
        ...one,
        lastTransitionTime: `2026-01-01T00:00:${10 + ((status.restarts + (status.replicatedJobsStatus?.[0]?.active ?? 0)) % 40)}Z`,
      })),
    })),
    ["conditionsAreWellFormed", "terminalStateIsFinal"],
    ["failure"],
  ],
  "counts one Job too many": [
    withStatus(({ replicatedJobsStatus = [], ...status }) => ({
      ...status,
      replicatedJobsStatus: replicatedJobsStatus.map((one) => ({ ...one, failed: one.failed + 1 })),
    })),
    [
      "countsConverge",
      "countsFitTheJobSet",
      "countsMatchObservedJobs",
      "idleControllersHaveEmptyPlans",
      "noWriteIsWithoutEffect",
    ],
    ["rule"],
  ],
  "never writes the number of ready Jobs": [
    withStatus(({ replicatedJobsStatus = [], ...status }) => ({
      ...status,
      replicatedJobsStatus: replicatedJobsStatus.map((one) => ({ ...one, ready: 0 })),
    })),
    [
      "countsConverge",
      "countsMatchObservedJobs",
      "idleControllersHaveEmptyPlans",
      "noWriteIsWithoutEffect",
    ],
    ["lostChild"],
  ],
  "loses the count of in-place attempts": [
    withStatus((status) => ({
      ...status,
      previousInPlaceRestartAttempt: 5 - (status.replicatedJobsStatus?.[0]?.ready ?? 0),
    })),
    ["inPlaceAttemptsNeverDecrease", "inPlaceAttemptsReachAllPods"],
    ["rule"],
  ],
  "reports different messages in Events and conditions": [
    withPlans((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: event.message.slice(0, -1) })),
    })),
    ["eventsMatchWrites"],
    ["anyJobSuffices"],
  ],
  "sends an Event for an end that has not happened": [
    withPlans((plan) => ({
      ...plan,
      events: [...plan.events, { type: "Normal", reason: "AllJobsCompleted", message: "done" }],
    })),
    ["eachWriteHasOneEvent", "eventsFollowTheirWrites", "eventsMatchWrites"],
    ["deletion"],
  ],
  "sends Events with messages that are too long": [
    withPlans((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: event.message.padEnd(2_000, "é") })),
    })),
    ["eventsAreValid", "eventsMatchWrites"],
    ["lostChild"],
  ],
  "does not report that Jobs cannot be created": [
    withPlans((plan) => ({
      ...plan,
      steps: plan.steps.map(({ failureEventReason: _, ...step }) => ({
        ...step,
        effects: step.effects.map((effect) =>
          effect.verb === "create" && effect.target.kind === "Job"
            ? ({ ...effect, object: withCompletions(effect.object, -1) } as unknown as Effect)
            : effect,
        ),
      })),
    })),
    [
      "admittedJobSetsCanBeCreated",
      "childObjectsMatchTheirJobSet",
      "jobsStartInOrder",
      "rejectedCreationEventsNameTheObject",
      "rejectedCreationsHaveEvents",
      "suspendedJobsAreCreated",
      "waitingHasAReason",
    ],
    ["restartThatRunsOn", "suspension"],
  ],
};

describe("a controller", () => {
  // The long tier simulates all scenarios.
  testDetectionInTypicalScenarios(wrongControllers, runs(0, 1) === 1);
});
