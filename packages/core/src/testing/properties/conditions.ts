import type { JobSetStatus } from "@jobset-ts/api";
import { CONDITION_RESTARTING, jobSetReasons } from "@jobset-ts/api/conditions";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import { runPass } from "./pass-over.ts";
import type { Reconcile } from "./subject.ts";

/** The API server accepts the status: each type has one condition, and each condition has a time. */
export function conditionsAreInOrder(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters(), (cluster) => {
    const { jobSet } = cluster;
    const { status } = runPass(subject, cluster).plan;
    const conditions = status?.conditions ?? [];
    const types = conditions.map(({ type }) => type);
    claim(new Set(types).size === types.length, "a condition is there twice", types);
    for (const { type, lastTransitionTime = "" } of conditions) {
      const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(lastTransitionTime);
      claim(isTime, `${type} has no time of whole seconds`, lastTransitionTime);
    }
    // Both startup conditions are True only if they were True before the pass and have not changed.
    claim(!startupIsBoth(status) || startupIsBoth(jobSet.status), "startup is under way and over");
  });
}

function startupIsBoth(status: JobSetStatus | undefined): boolean {
  const holding = (status?.conditions ?? []).filter((one) => one.status === "True");
  return ["StartupPolicyInProgress", "StartupPolicyCompleted"].every((type) =>
    holding.some((one) => one.type === type),
  );
}

/** Every condition that changes has exactly one Event, except a startup condition that the other one replaces. */
export function eventsReportConditions(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false }), (cluster) => {
    const { jobSet } = cluster;
    const { status, events } = runPass(subject, cluster).plan;
    const stored = jobSet.status?.conditions ?? [];
    const conditionEvents = events.filter(
      ({ reason }) =>
        !reason.endsWith("FailurePolicyAction") && reason !== jobSetReasons.ServiceConflict,
    );
    const changed = (status?.conditions ?? []).filter((next) => {
      const old = stored.find(({ type }) => type === next.type);
      const isSame = sameText(next, old) && old?.status === next.status;
      return !isSame && !(isStartup(next) && sameText(next, old));
    });
    // In one pass, the JobSet may end a restart and then finish, or start a restart and then be suspended. That is
    // one condition with two Events.
    const isOverwritten = (reason: string) =>
      (endsOfRestarts.has(reason) || (jobSet.spec.suspend === true && beginsRestart(reason))) &&
      changed.some(({ type }) => type === CONDITION_RESTARTING);
    const reasons = changed.map(({ reason }) => reason);
    for (const reason of reasons) {
      if (reason.endsWith("FailurePolicyAction")) continue;
      claim(
        conditionEvents.some((event) => event.reason === reason),
        `no Event tells of ${reason}`,
        conditionEvents,
      );
    }
    for (const { reason } of conditionEvents) {
      const tells = reasons.includes(reason) || isOverwritten(reason);
      claim(tells, `an Event tells of ${reason}, which has not changed`, reasons);
    }
  });
}

/** Why a restart has ended, other than because the JobSet finished. */
const endsOfRestarts: ReadonlySet<string> = new Set([
  jobSetReasons.JobsReady,
  jobSetReasons.JobSetSuspended,
]);

/** Whether a condition has this reason and says that the JobSet restarts. */
function beginsRestart(reason: string): boolean {
  return (
    reason === jobSetReasons.DefaultFailurePolicy ||
    reason.startsWith(jobSetReasons.FailurePolicyRulePrefix)
  );
}

function isStartup({ type }: Condition): boolean {
  return type.startsWith("StartupPolicy");
}

function sameText(next: Condition, old: Condition | undefined): boolean {
  return next.reason === old?.reason && next.message === old?.message;
}

/**
 * A restart ends when all Jobs are ready or have succeeded, unless the JobSet finishes, is suspended or restarts again.
 */
export function restartEndsWhenAllAreReady(subject: Reconcile): fc.IProperty<unknown> {
  const restarting = clusters({ foreign: false, finished: false }).map((cluster) => {
    const { jobSet } = cluster;
    const condition = {
      type: "RestartingJobSet",
      status: "True",
      reason: "Reason",
      message: "message",
      lastTransitionTime: "2026-02-07T09:59:58Z",
    } as const;
    const others = (jobSet.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
    const status = { restarts: 0, ...jobSet.status, conditions: [...others, condition] };
    return { ...cluster, jobSet: { ...jobSet, spec: { ...jobSet.spec, suspend: false }, status } };
  });
  return fc.property(restarting, (cluster) => {
    const { jobSet } = cluster;
    const { plan, goesOn, counters } = runPass(subject, cluster);
    fc.pre(goesOn && plan.error === undefined && plan.status?.terminalState === undefined);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
    const desired = sum((jobSet.spec.replicatedJobs ?? []).map(({ replicas = 1 }) => replicas));
    const isOver = sum(counters.map(({ ready, succeeded }) => ready + succeeded)) === desired;
    const { conditions } = plan.status ?? jobSet.status;
    const condition = conditions?.find(({ type }) => type === "RestartingJobSet");
    const expected = isOver ? ["False", "JobsReady"] : ["True", "Reason"];
    claimSame([condition?.status, condition?.reason], expected, "the restart ends otherwise");
  });
}

/**
 * A suspended JobSet has the condition Suspended and is not restarting. After all Jobs of a JobSet that is not
 * suspended have started, its condition Suspended is not True.
 */
export function suspensionMatchesCondition(subject: Reconcile): fc.IProperty<unknown> {
  return fc.property(clusters({ foreign: false, finished: false }), (cluster) => {
    const { jobSet } = cluster;
    const { plan, reachesJobs } = runPass(subject, cluster);
    fc.pre(reachesJobs && plan.error === undefined && plan.status?.terminalState === undefined);
    const { conditions = [] } = plan.status ?? jobSet.status ?? {};
    const isTrue = (type: string) =>
      conditions.some((one) => one.type === type && one.status === "True");
    if (jobSet.spec.suspend === true) {
      claim(isTrue("Suspended"), "it does not say that it is suspended", conditions);
      claim(!isTrue("RestartingJobSet"), "it is restarting all the same", conditions);
    } else if (jobSet.spec.startupPolicy?.startupPolicyOrder !== "InOrder") {
      claim(!isTrue("Suspended"), "it says that it is suspended", conditions);
    }
  });
}
