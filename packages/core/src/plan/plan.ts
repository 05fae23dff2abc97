import type { JobSetStatus } from "@jobset-ts/api";
import type { DecisionRule, Phase } from "./decision-rules.ts";
import type { Effect, ObjectKey } from "./effects.ts";

/** Why something is done, or is not: which rule decided, and about which object. */
export interface Decision {
  readonly phase: Phase;
  /** One word for programs; `decisionRules` says when it applies. */
  readonly rule: DecisionRule;
  /** The object that the rule looked at: of the JobSet, or `ReplicatedJob` for a part of its spec. */
  readonly object: { readonly kind: string; readonly name: string };
  /** A sentence for a person. */
  readonly message: string;
}

/**
 * Effects that are carried out together, and the decision that they follow from: the same rule for each, on the effect's
 * own object or the one named.
 *
 * Effects on the same object are carried out one after the other whatever the concurrency, and what follows a
 * failed one on its object is left out; in later steps, too, unless it was a creation that failed.
 */
export interface Step extends Decision {
  readonly effects: readonly Effect[];
  /** How many may be under way at once; 1 means in their order. */
  readonly concurrency: number;
  /** Whether the effects behind a failed one are still tried. */
  readonly onError: "Continue" | "Stop";
  /** The phases that this step builds on: it is left out when a step of one of them has failed. */
  readonly dependsOn: readonly Phase[];
  /** What each error's text is put into; `<name>` is the object's and `<error>` the API server's. */
  readonly errorText?: string;
  /** The Warning to emit at once when effects of this step failed; its message is their errors, a line each. */
  readonly failureEventReason?: string;
  /** What the message of that Warning is put into, where it is not the errors alone. */
  readonly failureEventText?: string;
  /** Errors with these reasons are not in that Warning: what the next pass, which sees more, may not meet again. */
  readonly ignoredErrorReasons?: readonly string[];
}

/** An Event about the JobSet. */
export interface PlannedEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** A counter to increase by one. */
export interface PlannedMetric {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Why a pass could not be planned to its end. */
export interface PlanError {
  readonly phase: Phase;
  readonly message: string;
  /** The object that is in the way. */
  readonly object: { readonly kind: string; readonly name: string };
}

/** What every plan says: plain data, to be carried out, printed, compared or sent. */
interface PlannedPass {
  readonly steps: readonly Step[];
  /** Why each step is there but the write of the status, each change of the status, and what is left undone, in order. */
  readonly decisions: readonly Decision[];
  /** What looks wrong but stops nothing. */
  readonly warnings: readonly string[];
  /** The steps are to be carried out, then the pass fails with this. No status is written then, nor is there an event or metric. */
  readonly error?: PlanError;
}

/**
 * What a controller is to do next about one JobSet.
 *
 * The steps are carried out in order. When an effect fails, so does the pass: of the steps behind it only those are carried out
 * that do not need it, the status of `regardless` is written in place of the last step's, no other event is emitted, and the pass
 * is tried again later with back-off. The last step writes the status; its phase is `write-status`.
 */
export interface Plan extends PlannedPass {
  /** The JobSet as it was observed. */
  readonly jobSet: ObjectKey & { readonly uid?: string; readonly resourceVersion?: string };
  /**
   * The complete status that the last step writes, on condition that the JobSet has the resourceVersion it was observed
   * with. Absent when there is nothing to write.
   */
  readonly status?: JobSetStatus;
  /** To be emitted in this order, once all steps have succeeded. */
  readonly events: readonly PlannedEvent[];
  /** To be counted once all steps have succeeded, or all but the write of the status. */
  readonly metrics: readonly PlannedMetric[];
  /**
   * What was decided before the first step, and is so whatever becomes of the steps. When one of them fails, this step writes
   * its status in place of the last step. Absent when there is nothing to write.
   */
  readonly onFailure?: {
    readonly step: Step;
    /** To be emitted in this order, once the step has succeeded. */
    readonly events: readonly PlannedEvent[];
    /** To be counted once the step has succeeded. */
    readonly metrics: readonly PlannedMetric[];
  };
  /** When to look again although nothing changed, in seconds, fractions included. */
  readonly requeueAfterSeconds?: number;
}

/**
 * What a controller is to do next about the followers of one leader Pod. It has neither a status nor Events, and
 * is tried again later with back-off when it fails.
 */
export interface PlacementPlan extends PlannedPass {
  /** The leader as it was observed. */
  readonly leader: ObjectKey;
}
