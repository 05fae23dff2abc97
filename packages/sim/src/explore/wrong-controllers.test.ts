import { formatTime, type JobSetStatus } from "@jobset-ts/api";
import { JOB_INDEX_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { type Effect, type Plan, type PlannedEvent, reconcile, type Step } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import { describe, expect, it } from "vitest";
import { isTrue } from "../api-server/conditions.ts";
import { type Controller, controllerOfPlans } from "../manager/pass-run.ts";
import { play } from "../scenario/play.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import {
  aboutAnother,
  findersIn,
  withCreatedJobs,
  withEffects,
  withPlans,
  withStatus,
  withStatusOf,
} from "../testing/wrong-controller.ts";
import { randomScenario } from "./random-scenario.ts";
import { withJobSet, withSpec } from "./scenario-edits.ts";

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
  "creates Jobs of the next attempt": [
    withCreatedJobs((job) => withLabel(job, RESTART_ATTEMPT_KEY, "1")),
    [
      "childrenAreNamedAfterTheirPlace",
      "completionIsEarned",
      "eachRestartHasItsFailure",
      "failureIsEarned",
      "jobsAreOfTheCurrentAttempt",
      "jobsCarryAttemptsThatWereWritten",
      "jobsStartWhenItIsTheirTurn",
      "restartsWaitForAllJobsToGo",
    ],
  ],
  "gives Jobs another index": [
    withCreatedJobs((job) => withLabel(job, JOB_INDEX_KEY, "7")),
    ["childrenAreNamedAfterTheirPlace"],
  ],
  "creates no second Job of a ReplicatedJob": [
    withEffects((effect) =>
      effect.verb === "create" && effect.target.name.endsWith("-1") ? [] : [effect],
    ),
    ["jobsStartWhenItIsTheirTurn", "nothingIsLeftToDo", "waitingHasAReason"],
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
            {
              verb: "delete",
              target: effect.target,
              propagationPolicy: "Foreground",
              whenGone: "Succeed",
            },
          ]
        : [effect],
    ),
    ["deletionsWaitAndAreDue"],
  ],
  "deletes once more in the background what is being deleted": [
    withPlans((plan, snapshot, jobSet) => {
      const left = snapshot
        .childJobs(jobSet)
        .filter(({ metadata }) => metadata?.deletionTimestamp !== undefined)
        .map(({ metadata }) => {
          const { namespace = "", name = "" } = metadata ?? {};
          return deletionOf({ apiVersion: "batch/v1", kind: "Job", namespace, name });
        });
      return alsoDoing(plan, left);
    }),
    ["deletionsWaitAndAreDue", "podsOfOneAttemptAtATime"],
  ],
  "writes the spec of its JobSet": [
    withPlans((plan) => {
      const { uid: _, ...target } = plan.jobSet;
      return alsoDoing(plan, [{ verb: "patch", target, patch: { spec: { suspend: false } } }]);
    }),
    ["foreignObjectsAreLeftAlone", "noWriteIsInVain"],
  ],
  "deletes nodes": [
    withPlans((plan) => {
      const target = { apiVersion: "v1", kind: "Node", namespace: "", name: "node-0" };
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

/** A plan that does more, if it does anything, in a step behind the others. */
function alsoDoing(plan: Plan, effects: readonly Effect[]): Plan {
  if (effects.length === 0) return plan;
  const steps = plan.steps.slice(0, 1).map((step) => ({ ...step, effects }) as Step);
  return { ...plan, steps: [...plan.steps, ...steps] };
}

function deletionOf(target: Effect["target"]): Effect {
  return { verb: "delete", target, propagationPolicy: "Background", whenGone: "Succeed" };
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
  "tells of a Job that it could not create when it could": [
    withPlans((plan) =>
      plan.steps.some(({ phase }) => phase === "create-jobs")
        ? {
            ...plan,
            events: [
              ...plan.events,
              { type: "Warning", reason: "JobCreationFailed", message: 'job "x" creation failed' },
            ],
          }
        : plan,
    ),
    [typical("limit")],
    ["failedCreationsAreNotInvented"],
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
      { replicatedJob: "leader", runMillis: 3_000 },
      { runMillis: 3_000, exitCode: 1 },
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

  it("that waits for all Jobs is found by some of a hundred random schedules", () => {
    const found = Array.from({ length: 100 }, (_, seed) => randomScenario(seed)).filter(
      (scenario) => play(scenario, { controller: thorough }).violations.length > 0,
    );
    expect(found.length).toBeGreaterThanOrEqual(5);
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

  it("is told from the right one", () => {
    expect(findersIn(Object.values(typicalScenarios))).toEqual([]);
  });
});
