import type { Condition } from "@jobset-ts/api/kubernetes";
import type { Effect, Step } from "@jobset-ts/core";
import { describe } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import type { SimController } from "../jobset-controller/pass-run.ts";
import {
  testFoundOutInTypical,
  type WrongInTypical,
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
function keeping(type: string): SimController {
  return withStatus((status, jobSet) => {
    const before = (jobSet.status?.conditions ?? []) as readonly Condition[];
    const kept = before.find((one) => one.type === type && one.status === "True");
    if (kept === undefined || status.terminalState !== undefined) return status;
    const conditions = status.conditions ?? [];
    return { ...status, conditions: conditions.map((one) => (one.type === type ? kept : one)) };
  });
}

const wrong: WrongInTypical = {
  "writes its counters in the order that they do not have (H8)": [
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
    ["countsAreInOrder", "writesAreCausedByChanges"],
    ["limit"],
  ],
  "counts each restart twice": [
    withStatus((status) => ({ ...status, restarts: status.restarts * 2 })),
    [
      "eachRestartHasItsFailure",
      "failuresAreAnsweredByThePolicy",
      "noWriteIsInvalid",
      "restartsRiseByOne",
    ],
    ["restartThatRunsOn"],
  ],
  "counts restarts of nothing": [
    withStatus((status, jobSet) =>
      (jobSet.status?.restarts ?? 0) === 0 && jobSet.status?.conditions != null
        ? { ...status, restarts: 1 }
        : status,
    ),
    [
      "eachRestartHasItsFailure",
      "failuresAreAnsweredByThePolicy",
      "restartsLeaveNothingBehind",
      "theEndIsFinal",
    ],
    ["restartThatRunsOn", "anyJobSuffices"],
  ],
  "completes with the first status": [
    withCondition("Completed", "AllJobsCompleted"),
    ["completionIsEarned", "theEndIsFinal"],
    ["failure"],
  ],
  "fails with the first status": [
    withCondition("Failed", "FailedJobs"),
    [
      "eventsSayWhatIsWritten",
      "failureIsEarned",
      "failuresAreAnsweredByThePolicy",
      "theEndIsFinal",
    ],
    ["restartThatRunsOn"],
  ],
  "says at once that startup is complete": [
    withCondition("StartupPolicyCompleted", "InOrderStartupPolicyCompleted"),
    [
      "conditionsAreWellFormed",
      "eachWriteIsToldOnce",
      "noWriteIsInVain",
      "nothingIsLeftToDo",
      "startupIsOverWhenItSays",
    ],
    ["lostChild"],
  ],
  "keeps saying that it is suspended": [
    keeping("Suspended"),
    [
      "conditionsComeTrue",
      "eachWriteIsToldOnce",
      "eventsFollowTheirWrites",
      "noWriteIsInVain",
      "nothingIsLeftToDo",
    ],
    ["resumption"],
  ],
  "keeps saying that it restarts": [
    keeping("RestartingJobSet"),
    [
      "conditionsComeTrue",
      "eachWriteIsToldOnce",
      "eventsFollowTheirWrites",
      "noWriteIsInVain",
      "nothingIsLeftToDo",
    ],
    ["restartThatRunsOn"],
  ],
  "never says that startup is complete": [
    withStatus((status) => ({
      ...status,
      conditions: (status.conditions ?? []).filter(({ type }) => type !== "StartupPolicyCompleted"),
    })),
    [
      "conditionsComeTrue",
      "eachWriteIsToldOnce",
      "eventsFollowTheirWrites",
      "noWriteIsInVain",
      "nothingIsLeftToDo",
    ],
    ["lostChild"],
  ],
  "forgets what is True no longer": [
    withStatus((status) => ({
      ...status,
      conditions: (status.conditions ?? []).filter((one) => one.status === "True"),
    })),
    ["conditionsAreWellFormed", "eachWriteIsToldOnce", "eventsFollowTheirWrites"],
    ["resumption"],
  ],
  "renews the times of its conditions": [
    withStatus((status) => ({
      ...status,
      conditions: (status.conditions ?? []).map((one) => ({
        ...one,
        lastTransitionTime: `2026-01-01T00:00:${10 + ((status.restarts + (status.replicatedJobsStatus?.[0]?.active ?? 0)) % 40)}Z`,
      })),
    })),
    ["conditionsAreWellFormed", "theEndIsFinal"],
    ["failure"],
  ],
  "counts a Job too many": [
    withStatus(({ replicatedJobsStatus = [], ...status }) => ({
      ...status,
      replicatedJobsStatus: replicatedJobsStatus.map((one) => ({ ...one, failed: one.failed + 1 })),
    })),
    [
      "countsAreWhatIsSeen",
      "countsComeTrue",
      "countsFitTheJobSet",
      "noWriteIsInVain",
      "nothingIsLeftToDo",
    ],
    ["rule"],
  ],
  "never writes how many Jobs are ready": [
    withStatus(({ replicatedJobsStatus = [], ...status }) => ({
      ...status,
      replicatedJobsStatus: replicatedJobsStatus.map((one) => ({ ...one, ready: 0 })),
    })),
    ["countsAreWhatIsSeen", "countsComeTrue", "noWriteIsInVain", "nothingIsLeftToDo"],
    ["lostChild"],
  ],
  "loses count of attempts in place": [
    withStatus((status) => ({
      ...status,
      previousInPlaceRestartAttempt: 5 - (status.replicatedJobsStatus?.[0]?.ready ?? 0),
    })),
    ["attemptsInPlaceAreReachedByAll", "attemptsInPlaceNeverFall"],
    ["rule"],
  ],
  "says other things in Events than in conditions": [
    withPlans((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: event.message.slice(0, -1) })),
    })),
    ["eventsSayWhatIsWritten"],
    ["anyJobSuffices"],
  ],
  "tells of an end that has not come": [
    withPlans((plan) => ({
      ...plan,
      events: [...plan.events, { type: "Normal", reason: "AllJobsCompleted", message: "done" }],
    })),
    ["eachWriteIsToldOnce", "eventsFollowTheirWrites", "eventsSayWhatIsWritten"],
    ["deletion"],
  ],
  "tells more than an Event can hold": [
    withPlans((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: event.message.padEnd(2_000, "é") })),
    })),
    ["eventsAreTaken", "eventsSayWhatIsWritten"],
    ["lostChild"],
  ],
  "keeps to itself that Jobs cannot be created": [
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
      "childrenAreAsTheirJobSetAsks",
      "jobsStartWhenItIsTheirTurn",
      "refusedCreationsAreNamed",
      "refusedCreationsAreTold",
      "suspendedJobsAreMade",
      "waitingHasAReason",
      "whatIsLetInCanBeMade",
    ],
    ["restartThatRunsOn", "suspension"],
  ],
};

describe("a controller", () => {
  // The long tier plays all scenarios.
  testFoundOutInTypical(wrong, runs(0, 1) === 1);
});
