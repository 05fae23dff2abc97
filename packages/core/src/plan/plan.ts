import type { JobSetStatus } from "@jobset-ts/api";
import type { DecisionRule, Phase } from "./decision-rules.ts";
import type { Effect, ObjectKey } from "./effects.ts";

/** The reason for an action or for its absence: the rule that decided, and the object. */
export interface Decision {
  readonly phase: Phase;
  /** The rule for programs. `decisionRules` says when it applies. */
  readonly rule: DecisionRule;
  /** The object of the rule: one of the JobSet's objects, or `ReplicatedJob` for a part of its spec. */
  readonly object: { readonly kind: string; readonly name: string };
  /** A sentence for people. */
  readonly message: string;
}

/**
 * Effects that run together, and the decision behind them: one rule, applied to the effect's object or to the named
 * one.
 *
 * Effects on the same object run one after the other, whatever the concurrency. After a failed effect, later effects on
 * the same object are skipped, in later steps as well, unless the failed effect was a creation.
 */
export interface Step extends Decision {
  readonly effects: readonly Effect[];
  /** The maximum number of concurrent effects. 1 means in order. */
  readonly concurrency: number;
  /**
   * Whether the remaining effects run after a failure. `Ignore` is for the status write of some releases: the pass
   * succeeds without Events, unless the failure is a conflict.
   */
  readonly onError: "Continue" | "Stop" | "Ignore";
  /** The phases on which this step depends. The step is skipped if a step of one of them has failed. */
  readonly dependsOn: readonly Phase[];
  /** The template of error messages. `<name>` is the object's name, `<error>` the API server's message. */
  readonly errorText?: string;
  /**
   * The reason of the Warning Event to emit at once if effects of this step fail. Its message is their errors, one per
   * line.
   */
  readonly failureEventReason?: string;
  /** The template of that Event's message. Default: only the errors. */
  readonly failureEventText?: string;
  /** Error reasons that the Event omits, because the next pass reads newer state and may not meet them again. */
  readonly ignoredErrorReasons?: readonly string[];
}

/** An Event about the JobSet. */
export interface PlannedEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** A counter to increment. */
export interface PlannedMetric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Why a pass could not be planned completely. */
export interface PlanError {
  readonly phase: Phase;
  readonly message: string;
  /** The object that prevents it. */
  readonly object: { readonly kind: string; readonly name: string };
}

/** The common part of all plans. Plain data, to execute, print, compare or send. */
interface PlannedPass {
  readonly steps: readonly Step[];
  /**
   * The reasons for each step except the status write, for each change of the status, and for each omitted action,
   * in order.
   */
  readonly decisions: readonly Decision[];
  /** Unusual objects that do not prevent the plan. */
  readonly warnings: readonly string[];
  /**
   * The error with which the pass fails after its steps. Then no status is written, and no Event or metric is emitted.
   */
  readonly error?: PlanError;
}

/**
 * The next actions of a controller for one JobSet.
 *
 * The steps run in order. If an effect fails, the pass fails: only later steps that do not depend on it run, the status
 * of `onFailure` replaces that of the last step, no other Event is emitted, and the pass is retried with back-off. The
 * last step writes the status. Its phase is `write-status`.
 */
export interface Plan extends PlannedPass {
  /** The observed JobSet. */
  readonly jobSet: ObjectKey & { readonly uid?: string; readonly resourceVersion?: string };
  /**
   * The complete status that the last step writes, provided that the JobSet still has the observed resourceVersion.
   * Absent if nothing has to be written.
   */
  readonly status?: JobSetStatus;
  /** The Events to emit in this order, once all steps have succeeded. */
  readonly events: readonly PlannedEvent[];
  /** The metrics to count once all steps have succeeded, or all except the status write. */
  readonly metrics: readonly PlannedMetric[];
  /**
   * The part that was decided before the first step and does not depend on the result of the steps. If a step fails,
   * this step writes its status in place of the last step. Absent if nothing has to be written.
   */
  readonly onFailure?: {
    readonly step: Step;
    /** The Events to emit in this order, once the step has succeeded. */
    readonly events: readonly PlannedEvent[];
    /** The metrics to count once the step has succeeded. */
    readonly metrics: readonly PlannedMetric[];
  };
  /** When to reconcile again without a change, in seconds, with fractions. */
  readonly requeueAfterSeconds?: number;
}

/**
 * The next actions of a controller for the followers of one leader Pod. It has neither a status nor Events, and is
 * retried with back-off if it fails.
 */
export interface PlacementPlan extends PlannedPass {
  /** The observed leader. */
  readonly leader: ObjectKey;
}
