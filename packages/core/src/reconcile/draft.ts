import type { JobSet, JobSetStatus, ReplicatedJobStatus, Unvalidated } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  jobSetMessages,
  jobSetReasons,
} from "@jobset-ts/api/conditions";
import { JOBSET_KIND } from "@jobset-ts/api/keys";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { getExecutionAttempts, withExecutionAttempts } from "../desired/execution-attempts.ts";
import {
  asArray,
  asInteger,
  asString,
  getName,
  getNamespace,
  getRestarts,
  getUid,
  isObject,
} from "../jobset-members.ts";
import { jobSetStatusEffect, jobSetTarget } from "../plan/effects.ts";
import type { Decision, Plan, PlanError, PlannedEvent, PlannedMetric, Step } from "../plan/plan.ts";
import { toWire } from "../plan/wire-form.ts";
import type { ChildJob } from "../snapshot/child-job.ts";
import type { ChildJobs } from "../snapshot/child-jobs.ts";
import { type ConditionChange, setCondition } from "../status/set-condition.ts";
import type { End, Facts, Next } from "./phase.ts";

/** The decisions of a pass up to some phase. */
interface DraftState {
  readonly steps: readonly Step[];
  readonly decisions: readonly Decision[];
  readonly warnings: readonly string[];
  readonly events: readonly PlannedEvent[];
  readonly metrics: readonly PlannedMetric[];
  /** The counters of this pass. */
  readonly counters: readonly ReplicatedJobStatus[];
  /** The counters that dependencies and in-order startup use. */
  readonly gateCounters: readonly ReplicatedJobStatus[];
  /** The active Jobs after the steps so far. */
  readonly active: ChildJobs;
  readonly conditions: readonly Unvalidated<Condition>[];
  /** The other status members that change. */
  readonly changes: Partial<JobSetStatus>;
  /** Whether the status has to be written. */
  readonly writesStatus: boolean;
  /** The decisions before the first step. */
  readonly beforeSteps?: DraftState;
}

/**
 * The draft of a pass. Immutable: each phase creates the next draft. Only this class turns decisions into the next
 * status.
 */
export class Draft {
  readonly #facts: Facts;
  readonly #decided: DraftState;

  private constructor(facts: Facts, decided: DraftState) {
    this.#facts = facts;
    this.#decided = decided;
  }

  /** Creates the draft without decisions. */
  static of(facts: Facts): Draft {
    return new Draft(facts, {
      steps: [],
      decisions: [],
      warnings: facts.jobs.warnings,
      events: [],
      metrics: [],
      counters: [],
      gateCounters: [],
      active: facts.jobs.active,
      conditions: asArray(facts.jobSet.status?.conditions),
      changes: {},
      writesStatus: false,
    });
  }

  get counters(): readonly ReplicatedJobStatus[] {
    return this.#decided.counters;
  }

  get gateCounters(): readonly ReplicatedJobStatus[] {
    return this.#decided.gateCounters;
  }

  get active(): ChildJobs {
    return this.#decided.active;
  }

  /** The active Jobs and the unclaimed ones, by name. */
  get activeOrUnclaimed(): readonly ChildJob[] {
    return withOthers(this.active.list(), this.#facts.jobs.unclaimed);
  }

  /** All running Jobs, including those of earlier attempts, by name. */
  get unfinished(): readonly ChildJob[] {
    const { jobs, context } = this.#facts;
    return context.quirks.has("EndSparesEarlierAttempts")
      ? this.activeOrUnclaimed
      : withOthers(this.activeOrUnclaimed, jobs.previous);
  }

  /** The count of execution attempts, with changes so far. */
  get executionAttempts(): number | undefined {
    return this.#decided.changes.executionAttempts ?? getExecutionAttempts(this.#facts.jobSet);
  }

  /** The JobSet with that count: Jobs created or resumed in this pass belong to its last execution attempt. */
  get jobSetWithExecutionAttempts(): Unvalidated<JobSet> {
    return withExecutionAttempts(this.#facts.jobSet, this.executionAttempts);
  }

  /** Adds a decision without an effect. */
  decide(decision: Decision): Draft {
    return this.#copyWith({ decisions: [...this.#decided.decisions, decision] });
  }

  /** Adds effects with their decision. Without effects there is no step. */
  step(step: Step): Draft {
    if (step.effects.length === 0) return this;
    const { steps, beforeSteps = this.#decided } = this.#decided;
    const added = this.#facts.onRejection.needing(step, steps.at(-1));
    return this.decide(getDecision(step)).#copyWith({ steps: [...steps, added], beforeSteps });
  }

  warn(...warnings: readonly string[]): Draft {
    if (warnings.length === 0) return this;
    return this.#copyWith({ warnings: [...this.#decided.warnings, ...warnings] });
  }

  /** Sets the counters, which are written if they differ from the stored ones. */
  count(counters: readonly ReplicatedJobStatus[], differ: boolean): Draft {
    return this.#copyWith({ counters, writesStatus: this.#decided.writesStatus || differ });
  }

  /** Sets the counters that dependencies and in-order startup use. */
  withGateCounters(gateCounters: readonly ReplicatedJobStatus[]): Draft {
    return this.#copyWith({ gateCounters });
  }

  /** Sets the active Jobs for later phases. */
  withActive(active: ChildJobs): Draft {
    return this.#copyWith({ active });
  }

  /** Changes status members that are neither conditions nor counters. */
  change(changes: Partial<JobSetStatus>): Draft {
    return this.#copyWith({
      changes: { ...this.#decided.changes, ...changes },
      writesStatus: true,
    });
  }

  /** Sets a condition, with an Event if that changes anything. */
  condition(type: PlannedEvent["type"], change: ConditionChange): Draft {
    const { context } = this.#facts;
    if (change.type === CONDITION_RESTARTING && context.quirks.has("RestartConditionAbsent")) {
      return this;
    }
    const conditions = setCondition(this.#decided.conditions, change, context);
    if (conditions === this.#decided.conditions) return this;
    const { reason, message } = change;
    return this.#copyWith({ conditions, writesStatus: true }).event({ type, reason, message });
  }

  /** Emits an Event after the status write. */
  event(event: PlannedEvent): Draft {
    return this.#copyWith({ events: [...this.#decided.events, event] });
  }

  /** Marks the JobSet as failed. */
  fail(reason: string, message: string): Draft {
    return this.condition("Warning", {
      type: CONDITION_FAILED,
      status: "True",
      reason,
      message,
    }).#end("Failed", "jobset_failed_total", {
      reason: jobSetReasons.JobSetFailed,
      message: jobSetMessages.JobSetFailed,
    });
  }

  /** Marks the JobSet as completed. */
  complete(): Draft {
    const message = jobSetMessages.Completed;
    const reason = jobSetReasons.AllJobsCompleted;
    return this.condition("Normal", {
      type: CONDITION_COMPLETED,
      status: "True",
      reason,
      message,
    }).#end("Completed", "jobset_completed_total", {
      reason: jobSetReasons.JobSetCompleted,
      message,
    });
  }

  /** Ends the condition `RestartingJobSet` with this reason. Does nothing if it was never set. */
  endRestart(reason: { readonly reason: string; readonly message: string }): Draft {
    return this.condition("Normal", { type: CONDITION_RESTARTING, status: "False", ...reason });
  }

  #end(
    terminalState: NonNullable<JobSetStatus["terminalState"]>,
    metric: string,
    reason: { readonly reason: string; readonly message: string },
  ): Draft {
    const { jobSet } = this.#facts;
    const labels = { jobset_name: getName(jobSet), namespace: getNamespace(jobSet) };
    return this.endRestart(reason).#copyWith({
      // Does not cause a write, but is written with other changes.
      changes: { ...this.#decided.changes, terminalState },
      metrics: [...this.#decided.metrics, { name: metric, labels }],
    });
  }

  /** Continues with the next phase. */
  continue(): Next {
    return { action: "Continue", draft: this };
  }

  /** The pass ends here without a problem. */
  end(requeueAfterSeconds?: number): End {
    const { steps, decisions, warnings, events, metrics, writesStatus } = this.#decided;
    const status = writesStatus ? getStatus(this.#facts, this.#decided) : undefined;
    const onFailure = this.#createStatusOnFailure(status);
    const plan = {
      jobSet: getJobSetKey(this.#facts.jobSet),
      steps: status === undefined ? steps : [...steps, lastStep(this.#facts, status, steps)],
      decisions,
      warnings,
      events,
      metrics,
      ...(status !== undefined && { status }),
      ...(onFailure !== undefined && { onFailure }),
      ...(requeueAfterSeconds !== undefined && { requeueAfterSeconds }),
    };
    return { action: "End", plan };
  }

  /** Returns the part that was decided before the first step. In most passes the steps do not change the status. */
  #createStatusOnFailure(status: JobSetStatus | undefined): Plan["onFailure"] {
    const { beforeSteps: before } = this.#decided;
    if (!this.#facts.onRejection.writesStatusOfFailedPass || !before?.writesStatus)
      return undefined;
    const isSame = status !== undefined && isSameStatus(before, this.#decided);
    const step = statusStep(this.#facts, isSame ? status : getStatus(this.#facts, before), []);
    return { step, events: before.events, metrics: before.metrics };
  }

  /** Ends the pass because it cannot be planned further. Earlier decisions are executed, then the pass fails. */
  abort(error: PlanError): End {
    const { steps, decisions, warnings } = this.#decided;
    return {
      action: "End",
      plan: createAbortedPlan(this.#facts.jobSet, error, { steps, decisions, warnings }),
    };
  }

  #copyWith(decided: Partial<DraftState>): Draft {
    return new Draft(this.#facts, Object.assign(copyState(this.#decided), decided));
  }
}

/** A literal, because V8 copies it ten times as fast as a spread of a spread or a list of members. */
function copyState(state: DraftState): DraftState {
  const { steps, decisions, warnings, events, metrics, counters, gateCounters, active } = state;
  const { conditions, changes, writesStatus, beforeSteps } = state;
  return {
    steps,
    decisions,
    warnings,
    events,
    metrics,
    counters,
    gateCounters,
    active,
    conditions,
    changes,
    writesStatus,
    beforeSteps,
  };
}

/** Reports whether the status is the same in both. */
function isSameStatus(before: DraftState, after: DraftState): boolean {
  return (
    before.changes === after.changes &&
    before.conditions === after.conditions &&
    before.counters === after.counters
  );
}

/** Returns the complete next status. Unknown members are kept. */
function getStatus({ jobSet, context }: Facts, decided: DraftState): JobSetStatus {
  const { changes, conditions: next, counters } = decided;
  const stored: Unvalidated<JobSetStatus> = isObject(jobSet.status) ? jobSet.status : {};
  const { conditions, restarts, restartsCountTowardsMax, replicatedJobsStatus, ...others } = stored;
  const counted = asInteger(changes.restartsCountTowardsMax ?? restartsCountTowardsMax, 0);
  const restarted = changes.restarts ?? getRestarts(jobSet);
  const isOmitted = restarted === 0 && context.quirks.has("ZeroRestartsOmitted");
  return toWire({
    ...others,
    ...changes,
    conditions: next.length > 0 ? next : undefined,
    restarts: isOmitted ? undefined : restarted,
    restartsCountTowardsMax: counted === 0 ? undefined : counted,
    replicatedJobsStatus: counters.length > 0 ? counters : undefined,
  });
}

/** Returns the plan of a pass that cannot be planned further. */
export function createAbortedPlan(
  jobSet: Unvalidated<JobSet>,
  error: PlanError,
  before: Pick<Plan, "steps" | "decisions" | "warnings"> = noPlan,
): Plan {
  const decisions = [...before.decisions, { ...error, rule: "Refused" } as const];
  return { ...before, jobSet: getJobSetKey(jobSet), decisions, events: [], metrics: [], error };
}

const noPlan = { steps: [], decisions: [], warnings: [] };

/** Returns the empty plan, for a JobSet that this controller does not manage. */
export function createEmptyPlan(jobSet: Unvalidated<JobSet>): Plan {
  return { ...noPlan, jobSet: getJobSetKey(jobSet), events: [], metrics: [] };
}

function getJobSetKey(jobSet: Unvalidated<JobSet>): Plan["jobSet"] {
  const uid = getUid(jobSet);
  const resourceVersion = asString(jobSet.metadata?.resourceVersion);
  const key: { -readonly [Member in keyof Plan["jobSet"]]: Plan["jobSet"][Member] } =
    jobSetTarget(jobSet);
  if (uid !== "") key.uid = uid;
  if (resourceVersion !== "") key.resourceVersion = resourceVersion;
  return key;
}

/** Returns the last step, which writes the status after all others have succeeded. */
function lastStep(facts: Facts, status: JobSetStatus, steps: readonly Step[]): Step {
  return statusStep(facts, status, [...new Set(steps.map(({ phase }) => phase))]);
}

function statusStep(
  { jobSet, context }: Facts,
  status: JobSetStatus,
  needs: Step["dependsOn"],
): Step {
  return {
    phase: "write-status",
    rule: "StatusChanged",
    object: { kind: JOBSET_KIND, name: getName(jobSet) },
    message: "the status changes",
    effects: [jobSetStatusEffect(getJobSetKey(jobSet), status)],
    concurrency: 1,
    onError: context.quirks.has("StatusErrorsIgnored") ? "Ignore" : "Stop",
    dependsOn: needs,
  };
}

function getDecision({ phase, rule, object, message }: Step): Decision {
  return { phase, rule, object, message };
}

/** Returns the active Jobs together with other active ones, by name. */
function withOthers(active: readonly ChildJob[], others: ChildJobs): readonly ChildJob[] {
  const more = others.filter(({ traits }) => traits.state === "active").list();
  return more.length === 0
    ? active
    : [...active, ...more].sort((one, other) => compareBytes(getName(one.job), getName(other.job)));
}
