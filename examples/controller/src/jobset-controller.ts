import type { KubernetesObject } from "@jobset-ts/api";
import {
  affectedJobSet,
  apiRequestOf,
  type Context,
  type EffectResult,
  isPlacementTrigger,
  type PlacementPlan,
  type RunRequest,
  reconcile,
  reconcilePlacement,
  runPlan,
} from "@jobset-ts/core";
import type { ApiClient } from "./api-client.ts";
import type { Change, ClusterCache } from "./cluster-cache.ts";
import type { EventRecorder } from "./event-recorder.ts";
import type { TroubleLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { ControllerName } from "./options.ts";
import { type Looked, WorkQueue } from "./work-queue.ts";

/** How many JobSets, and how many leader Pods, are looked at side by side. */
const WORKERS = 16;

/** What the two controllers need from outside. */
export interface ControllerParts {
  readonly client: ApiClient;
  readonly cache: ClusterCache;
  readonly events: EventRecorder;
  readonly metrics: Metrics;
  readonly troubles: TroubleLog;
  /** The instant, the feature gates and the quirks, anew for each pass. */
  context(): Context;
}

/** The controllers of JobSets and of exclusive placement: they look, let the library decide, and carry out. */
export class JobSetController {
  readonly #parts: ControllerParts;
  readonly #queues: ReadonlyMap<ControllerName, WorkQueue>;

  constructor(parts: ControllerParts, names: ReadonlySet<ControllerName>) {
    this.#parts = parts;
    const look = { jobset: this.#passOverJobSet, pod: this.#passOverLeader };
    this.#queues = new Map([...names].map((name) => [name, new WorkQueue(look[name], WORKERS)]));
  }

  /** Takes note of a change in the cluster. */
  saw({ before, after }: Change): void {
    const affected = [before, after].flatMap((object) =>
      object === undefined ? [] : (affectedJobSet(object, this.#parts.context()) ?? []),
    );
    for (const { namespace, name } of affected)
      this.#queues.get("jobset")?.add(`${namespace}/${name}`);
    if (after?.kind === "Pod" && isPlacementTrigger(after))
      this.#queues.get("pod")?.add(keyOf(after));
  }

  start(): void {
    this.lookAtEverything();
    for (const queue of this.#queues.values()) queue.start();
  }

  /** As after a change that concerns every JobSet, such as a feature gate. */
  lookAtEverything(): void {
    const { snapshot } = this.#parts.cache;
    for (const kind of ["JobSet", "Pod"]) {
      for (const object of snapshot.objects(kind)) this.saw({ after: object as KubernetesObject });
    }
  }

  /** Ends what is under way, and starts nothing more. */
  async stop(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  /** Per queue, how many keys wait. */
  depths(): readonly (readonly [string, number])[] {
    return [...this.#queues].map(([name, queue]) => [name, queue.depth] as const);
  }

  readonly #passOverJobSet = async (key: string): Promise<Looked> => {
    const { cache, events, metrics } = this.#parts;
    const { namespace, name } = partsOf(key);
    const { snapshot } = cache;
    const jobSet = snapshot.jobSet(namespace, name);
    if (jobSet === undefined) return this.#done(`JobSet ${key}`);
    const plan = reconcile(snapshot, jobSet, this.#parts.context());
    const about = jobSet as KubernetesObject;
    const outcome = await runPlan(plan, {
      perform: this.#perform,
      emit: (event) => events.emit(about, event),
    });
    metrics.countPass("jobset", plan, outcome);
    if (!outcome.ok) return this.#failed(`JobSet ${key}`, outcome);
    for (const event of outcome.events) events.emit(about, event);
    const { requeueAfterSeconds } = outcome;
    return this.#done(`JobSet ${key}`, requeueAfterSeconds);
  };

  readonly #passOverLeader = async (key: string): Promise<Looked> => {
    const { cache, metrics } = this.#parts;
    const { namespace, name } = partsOf(key);
    const { snapshot } = cache;
    const leader = snapshot.pod(namespace, name);
    if (leader === undefined) return this.#done(`placement ${key}`);
    const plan: PlacementPlan = reconcilePlacement(snapshot, leader, this.#parts.context());
    const outcome = await runPlan(plan, { perform: this.#perform });
    metrics.countPass("pod", plan, outcome);
    return outcome.ok ? this.#done(`placement ${key}`) : this.#failed(`placement ${key}`, outcome);
  };

  readonly #perform = async ({ effect }: RunRequest): Promise<EffectResult> => {
    const response = await this.#parts.client.send(apiRequestOf(effect));
    if (!response.ok) return response;
    // What a delete answers is either the object on its way out or a Status.
    if (response.object.kind === effect.target.kind && !isGone(effect.verb, response.object)) {
      this.#parts.cache.wrote(response.object);
    }
    return response;
  };

  #done(about: string, lookAgainAfterSeconds?: number): Looked {
    this.#parts.troubles.ends(about);
    return {
      outcome: "Done",
      ...(lookAgainAfterSeconds !== undefined && { lookAgainAfterSeconds }),
    };
  }

  #failed(
    about: string,
    outcome: { readonly phase: string; readonly message: string; readonly conflict: boolean },
  ): Looked {
    const { phase, message, conflict } = outcome;
    // A newer JobSet is on its way; nothing is wrong.
    if (!conflict) this.#parts.troubles.begins(about, message, { phase });
    return { outcome: "TryAgain" };
  }
}

/** Whether a request of ours was the end of an object, rather than the beginning of its end. */
function isGone(verb: string, { metadata }: KubernetesObject): boolean {
  return verb === "delete" && metadata.deletionTimestamp === undefined;
}

function keyOf({ metadata: { namespace = "", name = "" } }: KubernetesObject): string {
  return `${namespace}/${name}`;
}

function partsOf(key: string): { readonly namespace: string; readonly name: string } {
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}
