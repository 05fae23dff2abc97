import type { Condition } from "@jobset-ts/api/kubernetes";
import type { Effect, Step } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import type { Controller } from "../manager/pass-run.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { findersIn, withPlans, withStatus } from "../testing/wrong-controller.ts";
import { withCompletions } from "../testing/wrong-plan.ts";

/** A status as it was, with a condition that is True beside the others. */
function withCondition(type: string, reason: string): Controller {
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

/** A status as it was, where a condition that is True stays as it is until the JobSet ends. */
function keeping(type: string): Controller {
  return withStatus((status, jobSet) => {
    const before = (jobSet.status?.conditions ?? []) as readonly Condition[];
    const kept = before.find((one) => one.type === type && one.status === "True");
    if (kept === undefined || status.terminalState !== undefined) return status;
    const conditions = status.conditions ?? [];
    return { ...status, conditions: conditions.map((one) => (one.type === type ? kept : one)) };
  });
}

const wrong: Readonly<
  Record<string, readonly [controller: Controller, finders: readonly string[]]>
> = {
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
  ],
  "counts each restart twice": [
    withStatus((status) => ({ ...status, restarts: status.restarts * 2 })),
    [
      "eachRestartHasItsFailure",
      "failuresAreAnsweredByThePolicy",
      "noWriteIsInvalid",
      "restartsRiseByOne",
    ],
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
  ],
  "completes with the first status": [
    withCondition("Completed", "AllJobsCompleted"),
    ["completionIsEarned", "theEndIsFinal"],
  ],
  "fails with the first status": [
    withCondition("Failed", "FailedJobs"),
    [
      "eventsSayWhatIsWritten",
      "failureIsEarned",
      "failuresAreAnsweredByThePolicy",
      "theEndIsFinal",
    ],
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
  ],
  "forgets what is True no longer": [
    withStatus((status) => ({
      ...status,
      conditions: (status.conditions ?? []).filter((one) => one.status === "True"),
    })),
    ["conditionsAreWellFormed", "eachWriteIsToldOnce", "eventsFollowTheirWrites"],
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
  ],
  "never writes how many Jobs are ready": [
    withStatus(({ replicatedJobsStatus = [], ...status }) => ({
      ...status,
      replicatedJobsStatus: replicatedJobsStatus.map((one) => ({ ...one, ready: 0 })),
    })),
    ["countsAreWhatIsSeen", "countsComeTrue", "noWriteIsInVain", "nothingIsLeftToDo"],
  ],
  "loses count of attempts in place": [
    withStatus((status) => ({
      ...status,
      previousInPlaceRestartAttempt: 5 - (status.replicatedJobsStatus?.[0]?.ready ?? 0),
    })),
    ["attemptsInPlaceAreReachedByAll", "attemptsInPlaceNeverFall"],
  ],
  "says other things in Events than in conditions": [
    withPlans((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: event.message.slice(0, -1) })),
    })),
    ["eventsSayWhatIsWritten"],
  ],
  "tells of an end that has not come": [
    withPlans((plan) => ({
      ...plan,
      events: [...plan.events, { type: "Normal", reason: "AllJobsCompleted", message: "done" }],
    })),
    ["eachWriteIsToldOnce", "eventsFollowTheirWrites", "eventsSayWhatIsWritten"],
  ],
  "tells more than an Event can hold": [
    withPlans((plan) => ({
      ...plan,
      events: plan.events.map((event) => ({ ...event, message: event.message.padEnd(2_000, "é") })),
    })),
    ["eventsAreTaken", "eventsSayWhatIsWritten"],
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
  ],
};

describe("a controller", () => {
  it.each(Object.entries(wrong))("that %s is found out", (_, [controller, finders]) => {
    expect(findersIn(Object.values(typicalScenarios), { controller })).toEqual(finders);
  });
});
