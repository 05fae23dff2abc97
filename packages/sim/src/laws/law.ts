import type { Context } from "@jobset-ts/core";
import type { Objects } from "../api-server/objects.ts";
import type { FailedPassNote, PlanNote, RequestNote } from "../jobset-controller/pass-note.ts";
import type { RecordedEvent, RejectedRequest } from "../kernel/advance.ts";
import type { Change } from "../kernel/component.ts";

/** The statement of a law. */
export interface LawStatement {
  readonly name: string;
  /** The property, in one sentence. */
  readonly sentence: string;
  /**
   * The controllers to which the law applies. Default: every controller. `BuiltInController` laws concern only our
   * controller: its plans and texts, or its webhooks, placement repairs, Kueue and API server.
   */
  readonly appliesTo?: "EveryController" | "BuiltInController";
}

/**
 * The faults under which a law holds.
 *
 * - `Always`: under all faults.
 * - `FreshCaches`: while one controller is alive whose caches include all its writes. A controller whose caches
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
 * A law that holds at every turn of a history. It reads the arguments of its handlers, and `kinds` restricts the
 * changes. Its memory is an immutable value.
 */
export interface SafetyLaw<Memory = unknown> extends LawStatement {
  readonly validUnder: FaultCondition;
  readonly memory: Memory;
  /** The kinds whose changes the law reads, such as `["JobSet", "Job"]`. Default: all. */
  readonly kinds?: readonly string[];
  /** Returns how a change, together with earlier ones, violates the law. */
  readonly onChange?: (change: Change, context: LawContext<Memory>) => string | undefined;
  /** Returns how a plan of the controller violates the law. */
  readonly onPlan?: (planned: PlanNote, context: LawContext<Memory>) => string | undefined;
  /**
   * Returns how a request that a pass is about to send violates the law, from the pass's view of the
   * cluster.
   */
  readonly onRequest?: (requested: RequestNote, context: LawContext<Memory>) => string | undefined;
  /** Returns how a pass that threw instead of returning a plan violates the law. */
  readonly onFailedPass?: (
    failed: FailedPassNote,
    context: LawContext<Memory>,
  ) => string | undefined;
  /** Returns how a rejected request violates the law. */
  readonly onRejection?: (
    rejected: RejectedRequest,
    context: LawContext<Memory>,
  ) => string | undefined;
  /** Returns how an Event violates the law. */
  readonly onEvent?: (event: RecordedEvent, context: LawContext<Memory>) => string | undefined;
}

/** The context of a handler call. */
export interface LawContext<Memory> {
  /** The objects that are stored after the turn. */
  readonly objects: Objects;
  memory: Memory;
}

/** A law that holds once the cluster is idle, after any faults, if no more faults come. It reads all stored objects. */
export interface SteadyStateLaw extends LawStatement {
  /** Returns how an idle cluster violates the law. */
  readonly onSteadyState: (objects: Objects, context: Context) => string | undefined;
}

/** A violated law. */
export interface LawViolation {
  /** The name of the law. */
  readonly law: string;
  readonly sentence: string;
  /** Milliseconds of virtual time, since 1970. */
  readonly at: number;
  /** The description of the violation. */
  readonly message: string;
}

/** Reports whether JobSet's controller, or a replica of it, made a change. */
export function isByManager({ actor }: Pick<Change, "actor">): boolean {
  return actor.startsWith("manager");
}
