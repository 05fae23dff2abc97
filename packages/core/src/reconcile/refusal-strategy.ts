import type { Step } from "../plan/plan.ts";
import type { Quirks } from "../quirks.ts";

/** How a pass deals with a request that the API server refuses. */
export interface RefusalStrategy {
  /**
   * Whether Jobs are suspended before anything is created, and resumed before Jobs are. Then a refused creation does not keep a
   * suspended JobSet from returning its quota.
   */
  readonly changesJobsFirst: boolean;
  /** Whether a failed pass writes the part of the status that was decided before its first step. */
  readonly writesStatusOfFailedPass: boolean;
  /** What follows in a step whose requests do not depend on each other, once one of them is refused. */
  readonly onError: Step["onError"];
  /** Which refused changes of a Job no Event reports, as a member of a step. */
  readonly unreported: Pick<Step, "ignoredErrorReasons">;
  /** Returns the step with all earlier steps that it needs. */
  readonly needing: (step: Step, previous: Step | undefined) => Step;
  /**
   * Returns the members of a step that report a refused change of a Job as an Event.
   *
   * @param errorText - as in a step
   */
  readonly reporting: (failureEventReason: string, errorText?: string) => Partial<Step>;
}

/** The Job has changed since the pass read it, or is gone. The next pass reads it again, so no Event reports this. */
const staleReasons = { ignoredErrorReasons: ["Conflict", "NotFound"] } as const;

/** A refused request keeps back only what depends on it. */
const carryOn: RefusalStrategy = {
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
const endPass: RefusalStrategy = {
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

export function refusalStrategy(quirks: Quirks): RefusalStrategy {
  return quirks.has("RefusalEndsPass") ? endPass : carryOn;
}
