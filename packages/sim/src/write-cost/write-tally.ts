import { encodeUtf8 } from "@jobset-ts/api/text";
import type { Effect } from "@jobset-ts/core";
import {
  BodySerializer,
  createApiRequest,
  EventCorrelator,
  permissionsFor,
} from "@jobset-ts/core/requests";
import type { RecordedEvent } from "../kernel/advance.ts";

/** The number of writes of one kind by one actor and verb. */
export interface WriteCount {
  readonly by: "JobSetController" | "JobController" | "GarbageCollector";
  readonly verb: "create" | "update" | "patch" | "delete";
  /** Includes the subresource, as in `jobsets/status`. */
  readonly resource: string;
  readonly count: number;
  /** The size of the request bodies as JSON. */
  readonly bytes: number;
}

/**
 * The controller whose requests are counted: upstream's controller sends a whole Job, and ours sends
 * only the changes.
 */
export type WritingController = "ours" | "upstream";

/** Adds up writes. */
export class WriteTally {
  readonly #counts = new Map<string, WriteCount>();
  readonly #texts = new BodySerializer();
  readonly #events = new EventCorrelator({ reportingInstance: "jobset-0" });
  readonly #controller: WritingController;

  constructor(controller: WritingController) {
    this.#controller = controller;
  }

  /** In the order of the first write of each kind. */
  get writes(): readonly WriteCount[] {
    return [...this.#counts.values()];
  }

  /** Counts an Event of the controller. */
  addEvent({ about, at, ...event }: RecordedEvent): void {
    for (const { effect } of this.#events.report(about, event, at)) this.addEffect(effect);
  }

  /** Counts writes. */
  add(write: WriteCount): void {
    if (write.count === 0) return;
    const key = `${write.by}/${write.verb}/${write.resource}`;
    const before = this.#counts.get(key);
    const count = (before?.count ?? 0) + write.count;
    this.#counts.set(key, { ...write, count, bytes: (before?.bytes ?? 0) + write.bytes });
  }

  /** Counts a request of the controller. */
  addEffect(effect: Effect): void {
    const [permission] = permissionsFor(effect);
    const apiRequest = createApiRequest(effect);
    if (permission === undefined || !apiRequest.ok) return;
    const { resource, verb } = permission;
    const isWhole =
      this.#controller === "upstream" &&
      (effect.verb === "update" || effect.verb === "updateStatus");
    const body = isWhole ? effect.object : apiRequest.request.body;
    this.add({
      by: "JobSetController",
      verb: isWhole ? "update" : verb,
      resource,
      count: 1,
      bytes: this.countBytes(body),
    });
  }

  /** Returns the size of a body in bytes. */
  countBytes(body: unknown): number {
    return encodeUtf8(this.#texts.of(body)).length;
  }
}
