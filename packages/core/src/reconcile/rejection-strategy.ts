import type { Step } from "../plan/plan.ts";
import type { Quirks } from "../quirks.ts";

/** How a pass handles a request that the API server rejects. */
export interface RejectionStrategy {
  /**
   * Whether Jobs are suspended before anything is created, and resumed before Jobs are created. So a suspended
   * JobSet releases its quota even if a creation is rejected.
   */
  readonly changesJobsFirst: boolean;
  /** Whether a failed pass writes the part of the status that was decided before its first step. */
  readonly writesStatusOfFailedPass: boolean;
  /** How a step of independent requests continues after one of them is rejected. */
  readonly onError: Step["onError"];
  /** The error reasons of Job updates that no Event reports, as a member of a step. */
  readonly unreported: Pick<Step, "ignoredErrorReasons">;
  /** Returns the step with all earlier steps that it needs. */
  readonly needing: (step: Step, previous: Step | undefined) => Step;
  /**
   * Returns the members of a step that report a rejected change of a Job as an Event.
   *
   * @param errorText - as in a step
   */
  readonly reporting: (failureEventReason: string, errorText?: string) => Partial<Step>;
}

/** The Job has changed since the pass read it, or is gone. The next pass reads it again, so no Event reports this. */
const staleReasons = { ignoredErrorReasons: ["Conflict", "NotFound"] } as const;

/** A rejected request blocks only what depends on it. */
const continuePass: RejectionStrategy = {
  changesJobsFirst: true,
  writesStatusOfFailedPass: true,
  onError: "Continue",
  unreported: staleReasons,
  needing: (step) => step,
  reporting: (failureEventReason, errorText) => ({
    failureEventReason,
    ...staleReasons,
    ...(errorText !== undefined && { errorText }),
  }),
};

/**
 * The quirk `RefusalEndsPass`: the first rejected request ends the pass, except that requests for
 * PersistentVolumeClaims are all sent.
 */
const endPass: RejectionStrategy = {
  changesJobsFirst: false,
  writesStatusOfFailedPass: false,
  onError: "Stop",
  unreported: {},
  needing: (step, previous) => {
    const before =
      previous === undefined ? [] : [...new Set([...previous.dependsOn, previous.phase])];
    const needs = before.filter((phase) => phase !== "volume-claims" || phase !== step.phase);
    return { ...step, dependsOn: needs };
  },
  reporting: () => ({}),
};

export function rejectionStrategy(quirks: Quirks): RejectionStrategy {
  return quirks.has("RefusalEndsPass") ? endPass : continuePass;
}
