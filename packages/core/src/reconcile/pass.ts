import {
  JOBSET_KIND,
  type JobSet,
  type JobSetStatus,
  type Observed,
  type ReplicatedJobStatus,
  type TerminalState,
} from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  MESSAGE_COMPLETED,
  MESSAGE_JOBSET_FAILED,
  METRIC_COMPLETED,
  METRIC_FAILED,
  REASON_ALL_JOBS_COMPLETED,
  REASON_JOBSET_COMPLETED,
  REASON_JOBSET_FAILED,
} from "@jobset-ts/api/conditions";
import type { Condition } from "@jobset-ts/api/kubernetes";
import type { Context } from "../context.ts";
import { executionAttemptsOf, withExecutionAttempts } from "../desired/execution-attempts.ts";
import {
  integerOf,
  isObject,
  listOf,
  nameOf,
  namespaceOf,
  restartsOf,
  textOf,
  uidOf,
} from "../jobset-members.ts";
import { jobSetTarget } from "../plan/effects.ts";
import type {
  Decision,
  Phase,
  Plan,
  PlanError,
  PlannedEvent,
  PlannedMetric,
  Step,
} from "../plan/plan.ts";
import { toWire } from "../plan/wire-form.ts";

import { type ConditionChange, setCondition } from "../status/set-condition.ts";

/**
 * One pass in the making: what has been decided so far. Outcomes of policies are folded into the next status here
 * and nowhere else.
 */
export class Pass {
  readonly jobSet: Observed<JobSet>;
  readonly context: Context;
  readonly #steps: Step[] = [];
  readonly #events: PlannedEvent[] = [];
  readonly #metrics: PlannedMetric[] = [];
  readonly #decisions: Decision[] = [];
  readonly #warnings: string[] = [];
  #conditions: readonly Observed<Condition>[];
  #statuses: readonly ReplicatedJobStatus[] = [];
  #changes: Partial<JobSetStatus> = {};
  #dirty = false;

  constructor(jobSet: Observed<JobSet>, context: Context) {
    this.jobSet = jobSet;
    this.context = context;
    this.#conditions = listOf(jobSet.status?.conditions);
  }

  /** The JobSet, as decisions name it. */
  get self(): Decision["object"] {
    return { kind: JOBSET_KIND, name: nameOf(this.jobSet) };
  }

  /** The count of executions, as changed so far. */
  get executionAttempts(): number | undefined {
    return this.#changes.executionAttempts ?? executionAttemptsOf(this.jobSet);
  }

  /** The JobSet with that count: Jobs created or resumed in this pass belong to its last execution. */
  get jobSetAsCounted(): Observed<JobSet> {
    return withExecutionAttempts(this.jobSet, this.executionAttempts);
  }

  /** The counters of this pass. */
  get statuses(): readonly ReplicatedJobStatus[] {
    return this.#statuses;
  }

  /** Says why something is done, or not done, without anything else. */
  decide(decision: Decision): Decision {
    this.#decisions.push(decision);
    return decision;
  }

  /** Adds effects and why they are to be carried out; no effects, no step. */
  step(step: Step): void {
    if (step.effects.length === 0) return;
    this.decide(step.decision);
    this.#steps.push(step);
  }

  warn(warning: string): void {
    this.#warnings.push(warning);
  }

  /** The counters, which are written when they differ from the stored ones. */
  count(statuses: readonly ReplicatedJobStatus[], differ: boolean): void {
    this.#statuses = statuses;
    if (differ) this.#dirty = true;
  }

  /** Changes members of the status that are no conditions. */
  change(changes: Partial<JobSetStatus>): void {
    this.#changes = { ...this.#changes, ...changes };
    this.#dirty = true;
  }

  /** Sets a condition; when that changes anything, an Event says so. */
  condition(type: PlannedEvent["type"], change: ConditionChange): void {
    const next = setCondition(this.#conditions, change, this.context.now);
    if (next === this.#conditions) return;
    this.#conditions = next;
    this.#dirty = true;
    this.event({ type, reason: change.reason, message: change.message });
  }

  /** Emits an Event once the status is written. */
  event(event: PlannedEvent): void {
    this.#events.push(event);
  }

  /** The JobSet has failed. */
  fail(reason: string, message: string): void {
    this.condition("Warning", { type: CONDITION_FAILED, status: "True", reason, message });
    this.#end("Failed", METRIC_FAILED, REASON_JOBSET_FAILED, MESSAGE_JOBSET_FAILED);
  }

  /** The JobSet has completed. */
  complete(): void {
    this.condition("Normal", {
      type: CONDITION_COMPLETED,
      status: "True",
      reason: REASON_ALL_JOBS_COMPLETED,
      message: MESSAGE_COMPLETED,
    });
    this.#end("Completed", METRIC_COMPLETED, REASON_JOBSET_COMPLETED, MESSAGE_COMPLETED);
  }

  /** No longer restarting, for this reason; nothing where it never was. */
  endRestart(reason: string, message: string): void {
    this.condition("Normal", { type: CONDITION_RESTARTING, status: "False", reason, message });
  }

  #end(state: TerminalState, metric: string, reason: string, message: string): void {
    this.endRestart(reason, message);
    // Not dirty by itself: it goes with whatever else is written.
    this.#changes = { ...this.#changes, terminalState: state };
    const labels = { jobset_name: nameOf(this.jobSet), namespace: namespaceOf(this.jobSet) };
    this.#metrics.push({ name: metric, labels });
  }

  /** The plan of a pass that came to its end. */
  plan(requeueAfterSeconds?: number): Plan {
    return {
      ...this.#planned(),
      ...(this.#dirty && { status: this.#status() }),
      events: this.#events,
      metrics: this.#metrics,
      ...(requeueAfterSeconds !== undefined && { requeueAfterSeconds }),
    };
  }

  /** The plan of a pass that cannot be planned further: what was decided before is carried out, then it fails. */
  refuse(phase: Phase, message: string, object: PlanError["object"]): Plan {
    this.decide({ phase, rule: "Refused", object, message });
    return { ...this.#planned(), events: [], metrics: [], error: { phase, message, object } };
  }

  #planned(): Pick<Plan, "jobSet" | "steps" | "decisions" | "warnings"> {
    const uid = uidOf(this.jobSet);
    const resourceVersion = textOf(this.jobSet.metadata?.resourceVersion);
    return {
      jobSet: {
        ...jobSetTarget(this.jobSet),
        ...(uid !== "" && { uid }),
        ...(resourceVersion !== "" && { resourceVersion }),
      },
      steps: this.#steps,
      decisions: this.#decisions,
      warnings: this.#warnings,
    };
  }

  /** The complete next status. Members that we do not know are carried over. */
  #status(): JobSetStatus {
    const stored: Observed<JobSetStatus> = isObject(this.jobSet.status) ? this.jobSet.status : {};
    const { conditions, restarts, restartsCountTowardsMax, replicatedJobsStatus, ...others } =
      stored;
    const counted = integerOf(this.#changes.restartsCountTowardsMax ?? restartsCountTowardsMax, 0);
    return toWire({
      ...others,
      ...this.#changes,
      conditions: this.#conditions.length > 0 ? this.#conditions : undefined,
      restarts: this.#changes.restarts ?? restartsOf(this.jobSet),
      restartsCountTowardsMax: counted === 0 ? undefined : counted,
      replicatedJobsStatus: this.#statuses.length > 0 ? this.#statuses : undefined,
    });
  }
}
