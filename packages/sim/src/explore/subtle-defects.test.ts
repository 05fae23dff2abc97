import { formatTime, type JobSetStatus } from "@jobset-ts/api";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { type PlannedEvent, reconcile } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { describe, expect, it } from "vitest";
import { isConditionTrue } from "../api-server/conditions.ts";
import { createSimController, type SimController } from "../jobset-controller/pass-run.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { getTypicalScenario } from "../testing/typical-scenarios.ts";
import {
  findDetectingLaws,
  isEnded,
  withCounts,
  withPlans,
  withReplacedJobSet,
  withStatus,
} from "../testing/wrong-controller.ts";
import { replaceStatus } from "../testing/wrong-plan.ts";
import { withJobSet, withSpec } from "./scenario-edits.ts";

/** Controllers with subtle defects, with the scenarios that show them and all laws that report them. */
const subtlyWrongControllers: Readonly<
  Record<
    string,
    readonly [controller: SimController, scenarios: readonly Scenario[], finders: readonly string[]]
  >
> = {
  "completes although it sees a failed Job": [
    createSimController({
      reconcile: (snapshot, jobSet, context) => {
        const plan = reconcile(snapshot, jobSet, context);
        const failed = snapshot.childJobs(jobSet).filter((job) => jobState(job) === "failed");
        const other = reconcile(snapshot.with({ remove: failed }), jobSet, context);
        if (isEnded(jobSet) || failed.length === 0 || other.status?.terminalState !== "Completed")
          return plan;
        const { replicatedJobsStatus = [] } = plan.status ?? {};
        return replaceStatus(other, { ...other.status, replicatedJobsStatus });
      },
    }),
    [endSeenAtOnce()],
    ["failuresFollowTheFailurePolicy"],
  ],
  "reports a restart in its first status": [
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
    [getTypicalScenario("limit")],
    ["conditionsAreWellFormed", "eventsMatchWrites"],
  ],
  "changes the time of the restart condition with each restart": [
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
  "keeps the time of a condition that changes twice within seconds": [
    withStatus((status, jobSet) =>
      withTimes(status, ({ type, lastTransitionTime }) => {
        const before = (jobSet.status?.conditions ?? []).find((one) => one.type === type);
        const own = String(before?.lastTransitionTime ?? lastTransitionTime);
        const isSoon = Date.parse(String(lastTransitionTime)) - Date.parse(own) <= 4_000;
        return isSoon ? own : lastTransitionTime;
      }),
    ),
    [getTypicalScenario("restart"), getTypicalScenario("lostChild")],
    ["conditionsAreWellFormed"],
  ],
  "deletes a JobSet two seconds before its TTL expires": [
    withReplacedJobSet(({ spec, ...jobSet }) => {
      const { ttlSecondsAfterFinished: ttl } = spec;
      return {
        ...jobSet,
        spec: { ...spec, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl - 2 }) },
      };
    }),
    [getTypicalScenario("restart")],
    ["finishedJobSetsAreKeptUntilTheirTTL"],
  ],
  "reports that a JobSet is resumed before any of its Jobs is": [
    withPlans((plan, _, jobSet) => {
      const [was, is] = [jobSet.status?.conditions, plan.status?.conditions].map((conditions) =>
        isConditionTrue(conditions as readonly Condition[] | undefined, "Suspended"),
      );
      return was && !is && plan.status !== undefined
        ? { ...plan, steps: plan.steps.filter(({ phase }) => phase !== "resume") }
        : plan;
    }),
    [getTypicalScenario("suspension")],
    ["suspendedConditionMatchesTheJobs"],
  ],
  "reports that a JobSet is resumed when only the first Jobs in startup order are": [
    withPlans((plan, _, __, { now }) => {
      const { status } = plan;
      const isBegun = plan.steps.some(({ phase }) => phase === "resume");
      if (!isBegun || status === undefined || !isConditionTrue(status.conditions, "Suspended"))
        return plan;
      const words = { reason: "ResumeJobs", message: "jobset is resumed" };
      const ended = { ...words, status: "False", lastTransitionTime: formatTime(now) } as const;
      const conditions = status.conditions?.map((one) =>
        one.type === "Suspended" ? { ...one, ...ended } : one,
      );
      const events = [{ ...words, type: "Normal" } as const, ...plan.events];
      return { ...replaceStatus(plan, { ...status, conditions }), events };
    }),
    [
      withJobSet(getTypicalScenario("suspension"), (jobSet) =>
        withSpec(jobSet, { startupPolicy: { startupPolicyOrder: "InOrder" } }),
      ),
    ],
    ["suspendedConditionMatchesTheJobs"],
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
        [getTypicalScenario("limit")],
        ["countsMatchObservedJobs"],
      ] as const,
    ]),
  ),
  "lists its counters in reverse order": [
    createSimController({
      reconcile: (snapshot, jobSet, context) => {
        const plan = reconcile(snapshot, jobSet, context);
        if (plan.status === undefined) return plan;
        const { replicatedJobsStatus = [] } = plan.status;
        return replaceStatus(plan, {
          ...plan.status,
          replicatedJobsStatus: replicatedJobsStatus.toReversed(),
        });
      },
    }),
    [getTypicalScenario("limit")],
    ["countsAreOrdered"],
  ],
  "names the wrong Job in the message about a restart": [
    withMessages("RestartingJobSet", (message) => message.replace(/job: .*\)/, "job: other)")),
    [getTypicalScenario("limit")],
    ["eventsMatchWrites", "failuresFollowTheFailurePolicy"],
  ],
  "names a Job with a longer name in the message about a failure": [
    withMessages("Failed", (message) => message.replace(/job: (.*)\)/, "job: $10)")),
    [getTypicalScenario("failure"), getTypicalScenario("limit"), getTypicalScenario("rule")],
    ["eventsMatchWrites", "failuresFollowTheFailurePolicy"],
  ],
  "reports its failure with another message": [
    withMessages("Failed", (message) => message.replace(/.*job: (.*)\)/, "$1 broke")),
    [getTypicalScenario("failure"), getTypicalScenario("limit"), getTypicalScenario("rule")],
    ["eventsMatchWrites"],
  ],
  "names another Job in the Events about restarts": [
    withEvents((event) => [
      event.reason.startsWith("RestartJob")
        ? { ...event, message: event.message.replace(/job: .*\)/, "job: other)") }
        : event,
    ]),
    [getTypicalScenario("limit")],
    ["eventsMatchWrites"],
  ],
  "sends two Events for suspension, resumption and startup": [
    withEvents((event) =>
      ["SuspendedJobs", "ResumeJobs"].includes(event.reason) || event.reason.startsWith("InOrder")
        ? [event, event]
        : [event],
    ),
    [getTypicalScenario("resumption"), getTypicalScenario("lostChild")],
    ["eachWriteHasOneEvent"],
  ],
  "sends an Event for a suspension that does not exist": [
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
    [getTypicalScenario("limit")],
    ["eachWriteHasOneEvent", "eventsFollowTheirWrites"],
  ],
  "sends Events of type Normal for restarts": [
    withEvents((event) => [{ ...event, type: "Normal" }]),
    [getTypicalScenario("limit")],
    ["eventsMatchWrites"],
  ],
};

/** One Job succeeds, which is enough, and the others fail. The controller sees both at once. */
function endSeenAtOnce(): Scenario {
  return {
    ...getTypicalScenario("anyJobSuffices"),
    workload: [
      { replicatedJob: "leader", runMs: 3_000 },
      { runMs: 3_000, exitCode: 1 },
    ],
    faults: [{ fault: "HoldBack", kind: "Job", from: 2_000, until: 30_000 }],
  };
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

/** The Jobs fail again before they are ready. */
function restartTwice(): Scenario {
  const limit = getTypicalScenario("limit");
  return withJobSet(limit, (jobSet) => withSpec(jobSet, { failurePolicy: { maxRestarts: 2 } }));
}

/** Returns a controller with another message in a condition and its Events. */
function withMessages(type: string, change: (message: string) => string): SimController {
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
    return { ...replaceStatus(plan, { ...plan.status, conditions }), events };
  });
}

function withEvents(change: (event: PlannedEvent) => readonly PlannedEvent[]): SimController {
  return withPlans((plan) => ({ ...plan, events: plan.events.flatMap(change) }));
}

describe("a wrong controller", () => {
  it.each(Object.entries(subtlyWrongControllers))(
    "the laws report a controller that %s",
    (_, [controller, scenarios, finders]) => {
      expect(findDetectingLaws(scenarios)).toEqual([]);
      expect(findDetectingLaws(scenarios, { controller })).toEqual(finders);
    },
  );
});
