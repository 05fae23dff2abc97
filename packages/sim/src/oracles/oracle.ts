import type { Context } from "@jobset-ts/core";
import type { Objects } from "../api-server/objects.ts";
import type { AskedRequest, FailedPass, Planned } from "../jobset-controller/pass-note.ts";
import type { HeardEvent, RefusedRequest } from "../kernel/advance.ts";
import type { Change } from "../kernel/component.ts";

/**
 * A sentence about all histories of a cluster, and what finds where it does not hold. What it keeps of the past is in its
 * memory, a value that is never changed in place.
 */
export interface Oracle<Memory = unknown> {
  readonly name: string;
  readonly sentence: string;
  /**
   * `Always`: whatever fails. `FreshCaches`: while one controller is alive whose caches are no older than its own writes;
   * what one that lagged has done wrong, it has to undo. `NodesKeepLabels`: while nodes keep their labels.
   * `NodeLabelsArrive`: while they do, or no news of nodes is held up. `WebhooksAgree`: while all webhooks know the same.
   * `EventsArrive`: while Events are neither lost nor held up.
   */
  readonly holds:
    | "Always"
    | "FreshCaches"
    | "NodesKeepLabels"
    | "NodeLabelsArrive"
    | "WebhooksAgree"
    | "EventsArrive";
  /**
   * `AnyController`, the default: whatever looks after JobSets. `OursAlone`: what comes with it, as webhooks, repairs of
   * placement, Kueue and the API server, in which another controller has no part, and our words, as it may have its own.
   */
  readonly binds?: "AnyController" | "OursAlone";
  readonly memory: Memory;
  /** The kinds whose changes it is asked about, as in `["JobSet", "Job"]`; by default all. */
  readonly kinds?: readonly string[];
  /** What is wrong with a change, or with what it makes of those before. */
  readonly onChange?: (change: Change, sight: Sight<Memory>) => string | undefined;
  /** What is wrong with a plan of the controller. */
  readonly onPlan?: (planned: Planned, sight: Sight<Memory>) => string | undefined;
  /** What is wrong with a request that a pass is about to send, by what the pass has seen. */
  readonly onRequest?: (asked: AskedRequest, sight: Sight<Memory>) => string | undefined;
  /** What is wrong with a pass that gave no plan, since deciding failed. */
  readonly onFailedPass?: (failed: FailedPass, sight: Sight<Memory>) => string | undefined;
  /** What is wrong with a request that was refused. */
  readonly onRefusal?: (refused: RefusedRequest, sight: Sight<Memory>) => string | undefined;
  /** What is wrong with an Event. */
  readonly onEvent?: (event: HeardEvent, sight: Sight<Memory>) => string | undefined;
}

/** What an oracle sees besides what it is asked about. */
export interface Sight<Memory> {
  /** What is stored after the turn. */
  readonly objects: Objects;
  memory: Memory;
}

/**
 * What has to hold once a cluster has come to rest, whatever went wrong on the way, provided that nothing goes wrong any
 * more.
 */
export interface RestOracle {
  readonly name: string;
  readonly sentence: string;
  /** What is wrong with a cluster at rest. */
  readonly onRest: (objects: Objects, context: Context) => string | undefined;
}

/** Where an oracle's sentence did not hold. */
export interface LawViolation {
  readonly oracle: string;
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
