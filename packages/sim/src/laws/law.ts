import type { Context } from "@jobset-ts/core";
import type { Objects } from "../api-server/objects.ts";
import type { FailedPassNote, PlanNote, RequestNote } from "../jobset-controller/pass-note.ts";
import type { RecordedEvent, RejectedRequest } from "../kernel/advance.ts";
import type { Change } from "../kernel/component.ts";

/** What every law states about itself. */
export interface LawStatement {
  readonly name: string;
  /** What holds, in one sentence. */
  readonly sentence: string;
  /**
   * The controllers that the law binds, by default every one. `BuiltInController`: only ours, together with its webhooks, its
   * repairs of placement, Kueue and the API server, or with the texts that it writes. Another controller has no part in these.
   */
  readonly appliesTo?: "EveryController" | "BuiltInController";
}

/**
 * The faults under which a law holds.
 *
 * - `Always`: under all faults.
 * - `FreshCaches`: while one controller is alive whose caches are no older than its own writes. A controller whose caches
 *   lagged has to undo its mistakes.
 * - `NodesKeepLabels`: while nodes keep their labels.
 * - `NodeLabelsArrive`: while nodes keep their labels, or no watch of nodes is delayed.
 * - `WebhooksAgree`: while all replicas of a webhook have the same configuration.
 * - `EventsArrive`: while Events are neither lost nor delayed.
 */
export type FaultCondition =
  | "Always"
  | "FreshCaches"
  | "NodesKeepLabels"
  | "NodeLabelsArrive"
  | "WebhooksAgree"
  | "EventsArrive";

/**
 * A law that holds at every turn of a history. It reads what its handlers take; `kinds` narrows the changes. Its memory of
 * the past is a value that never changes in place.
 */
export interface SafetyLaw<Memory = unknown> extends LawStatement {
  readonly validUnder: FaultCondition;
  readonly memory: Memory;
  /** The kinds whose changes the law reads, such as `["JobSet", "Job"]`; by default all. */
  readonly kinds?: readonly string[];
  /** What is wrong with a change, or with what it makes of those before. */
  readonly onChange?: (change: Change, sight: LawContext<Memory>) => string | undefined;
  /** What is wrong with a plan of the controller. */
  readonly onPlan?: (planned: PlanNote, sight: LawContext<Memory>) => string | undefined;
  /** What is wrong with a request that a pass is about to send, by what the pass has seen. */
  readonly onRequest?: (asked: RequestNote, sight: LawContext<Memory>) => string | undefined;
  /** What is wrong with a pass that gave no plan, since deciding failed. */
  readonly onFailedPass?: (failed: FailedPassNote, sight: LawContext<Memory>) => string | undefined;
  /** What is wrong with a request that was refused. */
  readonly onRefusal?: (refused: RejectedRequest, sight: LawContext<Memory>) => string | undefined;
  /** What is wrong with an Event. */
  readonly onEvent?: (event: RecordedEvent, sight: LawContext<Memory>) => string | undefined;
}

/** What a law sees besides what it is asked about. */
export interface LawContext<Memory> {
  /** What is stored after the turn. */
  readonly objects: Objects;
  memory: Memory;
}

/** A law that holds once the cluster is idle, after any faults, if no more faults come. It reads all stored objects. */
export interface SteadyStateLaw extends LawStatement {
  /** Returns how an idle cluster breaks the law. */
  readonly onSteadyState: (objects: Objects, context: Context) => string | undefined;
}

/** A broken law. */
export interface LawViolation {
  /** The name of the law. */
  readonly law: string;
  readonly sentence: string;
  /** Milliseconds of virtual time, since 1970. */
  readonly at: number;
  /** What was wrong. */
  readonly message: string;
}

/** Whether a change was asked for by JobSet's controller, or a replica of it. */
export function isByManager({ actor }: Pick<Change, "actor">): boolean {
  return actor.startsWith("manager");
}
