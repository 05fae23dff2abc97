import type { Quirks } from "@jobset-ts/core";
import type { StructuralSchema } from "@jobset-ts/crd";
import type { SimController } from "../jobset-controller/pass-run.ts";
import type { StepResult } from "../kernel/advance.ts";
import type { SafetyLaw, SteadyStateLaw } from "../laws/law.ts";
import type { LivenessLaw } from "../laws/liveness-law.ts";

/** The behavior of JobSet in a simulation: its controller, its webhooks and its CustomResourceDefinition. */
interface JobSetBehavior {
  /** The upstream defects and the behaviors of a release to reproduce. Default: none. */
  readonly quirks?: Quirks;
  /** The schema of the CustomResourceDefinition. Default: that of upstream's main branch. */
  readonly schema?: StructuralSchema;
}

/** The replacement of JobSet by another version during a run. */
export interface SimulatedUpgrade extends JobSetBehavior {
  /** When the CustomResourceDefinition changes and the controller restarts, in milliseconds since the start. */
  readonly at: number;
  /** The new version, for people. */
  readonly version: string;
}

/** The settings of a simulation. */
export interface SimulationOptions extends JobSetBehavior {
  /** The controller of JobSets. Default: the production code. */
  readonly controller?: SimController;
  /** Replaces JobSet during the run. Default: no replacement. */
  readonly upgrade?: SimulatedUpgrade;
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
  /** Called after each turn, with the cluster and the events of the turn. */
  readonly onTurn?: (turn: StepResult) => void;
}
