import type { EpochMillis } from "@jobset-ts/api";
import type { Context, Effect, Plan, Snapshot } from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import type { ServerRequest } from "../api-server/api-request.ts";
import type { RejectedRequest, StepResult } from "../kernel/advance.ts";
import type { Process } from "../kernel/component.ts";
import type { Caches } from "./caches.ts";
import type { PassKey } from "./pass-run.ts";

/** What a manager notes of its passes for those who look on. */
export type PassNote = PlanNote | RequestNote | FailedPassNote | LateRequestNote | FaultNote;

/** One plan, and what it was made from: of each pass. */
export interface PlanNote {
  readonly kind: "Planned";
  readonly plan: Plan | PlacementPlan;
  readonly snapshot: Snapshot;
  readonly revisions: Caches["revisions"];
  readonly context: Context;
  /** Plans once more from the same. */
  readonly again: () => unknown;
}

/** A request that a pass is about to send, and what it has seen: of each request. */
export interface RequestNote {
  readonly kind: "RequestNote";
  readonly asked: ServerRequest;
  /** The effect of the plan behind the request. Absent without a plan. */
  readonly effect: Effect | undefined;
  readonly pass: PassKey;
  readonly snapshot: Snapshot;
  readonly context: Context;
}

/** A pass that never came to decide, since the controller threw. */
export interface FailedPassNote {
  readonly kind: "FailedPassNote";
  readonly error: unknown;
}

/** A request of a controller that has crashed since. Its successor could not know of it. */
export interface LateRequestNote {
  readonly kind: "LateRequestNote";
}

/** A request that a fault has refused or delays, whose answer it has let get lost, or at which the controller has died. */
export interface FaultNote {
  readonly kind: "FaultNote";
  /** When that is over, where it lasts. */
  readonly until?: EpochMillis;
  /** Absent where the answer is lost. */
  readonly refused?: RejectedRequest;
}

export function addNote(process: Pick<Process<unknown>, "note">, about: PassNote): void {
  process.note(about);
}

/** Returns the notes of a turn. Only managers write notes. */
export function getPassNotes({ notes }: Pick<StepResult, "notes">): readonly PassNote[] {
  return notes as readonly PassNote[];
}
