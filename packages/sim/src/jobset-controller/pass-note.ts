import type { EpochMillis } from "@jobset-ts/api";
import type { Context, Effect, Plan, Snapshot } from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import type { ServerRequest } from "../api-server/api-request.ts";
import type { RejectedRequest, StepResult } from "../kernel/advance.ts";
import type { Process } from "../kernel/component.ts";
import type { Caches } from "./caches.ts";
import type { PassKey } from "./pass-run.ts";

/** The notes of a manager about its passes, for observers. */
export type PassNote = PlanNote | RequestNote | FailedPassNote | LateRequestNote | FaultNote;

/** The plan of a pass and its inputs. */
export interface PlanNote {
  readonly kind: "PlanNote";
  readonly plan: Plan | PlacementPlan;
  readonly snapshot: Snapshot;
  readonly revisions: Caches["revisions"];
  readonly context: Context;
  /** Computes the plan again from the same inputs. */
  readonly recompute: () => unknown;
}

/** A request that a pass is about to send, and the pass's view of the cluster. */
export interface RequestNote {
  readonly kind: "RequestNote";
  readonly request: ServerRequest;
  /** The effect of the plan behind the request. Absent without a plan. */
  readonly effect: Effect | undefined;
  readonly pass: PassKey;
  readonly snapshot: Snapshot;
  readonly context: Context;
}

/** A pass without a decision, because the controller threw. */
export interface FailedPassNote {
  readonly kind: "FailedPassNote";
  readonly error: unknown;
}

/** A request of a controller that has crashed since. The restarted controller cannot know about it. */
export interface LateRequestNote {
  readonly kind: "LateRequestNote";
}

/** A request that a fault rejects or delays, whose reply is lost, or that crashes the controller. */
export interface FaultNote {
  readonly kind: "FaultNote";
  /** When the fault ends, if it lasts. */
  readonly until?: EpochMillis;
  /** Undefined if the reply is lost. */
  readonly rejectedRequest?: RejectedRequest;
}

export function addNote(process: Pick<Process<unknown>, "note">, about: PassNote): void {
  process.note(about);
}

/** Returns the pass notes of a turn. Only managers write notes. */
export function getPassNotes({ notes }: Pick<StepResult, "notes">): readonly PassNote[] {
  return notes as readonly PassNote[];
}
