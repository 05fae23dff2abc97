import type { Quirks } from "@jobset-ts/core";
import type { SimController } from "../jobset-controller/pass-run.ts";
import type { StepResult } from "../kernel/advance.ts";
import type { SafetyLaw, SteadyStateLaw } from "../laws/law.ts";
import type { LivenessLaw } from "../laws/liveness-law.ts";

/** The settings of a simulation. */
export interface SimulationOptions {
  /** The controller of JobSets. Default: the production code. */
  readonly controller?: SimController;
  /** The upstream defects to reproduce. */
  readonly quirks?: Quirks;
  /** The laws for every turn. Default: all. */
  readonly safetyLaws?: readonly SafetyLaw[];
  /** The laws for the idle cluster. Default: all. */
  readonly steadyStateLaws?: readonly SteadyStateLaw[];
  /** The laws about what must happen in time. Default: all. */
  readonly livenessLaws?: readonly LivenessLaw[];
  /** Whether the run continues after a violation. */
  readonly continueAfterViolation?: boolean;
  /**
   * The maximum number of turns. Default: 5,000 plus 200 for each object, Job and Pod that the scenario requests, up to
   * 2,000,000. If the cluster grows beyond these objects, the default is lower.
   */
  readonly maxTurns?: number;
  /** Called after each turn, with the cluster and what happened. */
  readonly onTurn?: (turn: StepResult) => void;
}
