import type { JobSet } from "@jobset-ts/api";
import { type KubernetesObject, namespacedName, type Pod } from "@jobset-ts/api/kubernetes";
import { createRedactor, type Redactor } from "@jobset-ts/api/redaction";
import {
  type ApiClient,
  type ApiError,
  type CacheChange,
  type ClusterCache,
  type ConditionReporter,
  type EventRecorder,
  findPrunedField,
  isRetryAfter,
  type ReconcileResult,
  retryAfterSeconds,
  WorkQueue,
  type WorkQueueConcurrency,
} from "@jobset-ts/controller-runtime";
import {
  type Context,
  type EffectResult,
  executePlan,
  jobSetForObject,
  type Plan,
  type PlannedEvent,
  type RunOutcome,
  type RunRequest,
  reconcile,
  type Snapshot,
} from "@jobset-ts/core";
import { leaderForPod, type PlacementPlan, reconcilePlacement } from "@jobset-ts/core/placement";
import type { Tally } from "./metrics.ts";
import type { ControllerName } from "./options.ts";

/** The number of JobSets, and of leader Pods, that are reconciled concurrently. */
const LANES: WorkQueueConcurrency = { newKeys: 16, updates: 1 };

/** The delay before a status is written again after the API server has dropped a field of it. */
const RECHECK_SECONDS = 60;

/**
 * The longest wait that the API server may request within a pass. The queue handles longer waits; otherwise the JobSets
 * of one user, whose admission webhook asks to retry later, would block the workers for all others.
 */
const MAX_WAIT_SECONDS = 1;

/**
 * The number of consecutive passes over a key that may fail because the cache is behind: with a conflict or an existing
 * object. Their back-off takes about a third of a second. Further failures are logged.
 */
const MAX_BEHIND = 6;

interface PlannedController {
  readonly kind: string;
  plan(snapshot: Snapshot, object: KubernetesObject, context: Context): Plan | PlacementPlan;
}

/** The objects that each controller reconciles, and the function that plans for them. */
const planned: Readonly<Record<ControllerName, PlannedController>> = {
  jobset: {
    kind: "JobSet",
    plan: (snapshot, jobSet, context) => reconcile(snapshot, jobSet as JobSet, context),
  },
  pod: {
    kind: "Pod",
    plan: (snapshot, leader, context) => reconcilePlacement(snapshot, leader as Pod, context),
  },
};

/** The dependencies of the two controllers. */
export interface ControllerDependencies {
  readonly client: ApiClient;
  readonly cache: ClusterCache;
  readonly events: EventRecorder;
  readonly tally: Tally;
  readonly troubles: ConditionReporter;
  /** Returns the current time, feature gates and quirks, for each pass. */
  context(): Context;
  /** Called with the object that a pass is about to plan for, because planning may take some time. */
  passesOver(about: string): void;
}

/** The problems that the API server reported during one pass, in addition to the plan's outcome. */
interface PassNotes {
  /** The HTTP statuses of rejected requests. */
  readonly rejectionStatuses: Set<number>;
  /** An error that affects all passes. */
  ofServer?: ApiError;
  /** The delay that the API server requested. */
  retryAfterSeconds?: number;
  /** The status field that the API server dropped. */
  dropped?: string;
}

/**
 * Runs the controllers for JobSets and exclusive placement: takes a snapshot, calls the library and executes the plan.
 */
export class JobSetController {
  readonly #parts: ControllerDependencies;
  readonly #queues: ReadonlyMap<ControllerName, WorkQueue>;

  constructor(parts: ControllerDependencies, names: ReadonlySet<ControllerName>) {
    this.#parts = parts;
    this.#queues = new Map([...names].map((name) => [name, this.#getQueue(name)]));
  }

  /** Handles a change in the cluster. */
  handleChange({ before, after }: CacheChange): void {
    const context = this.#parts.context();
    const affected = [before, after].flatMap((object) =>
      object === undefined ? [] : (jobSetForObject(object, context) ?? []),
    );
    const isNew = (kind: string) => before === undefined && after?.kind === kind;
    for (const metadata of affected)
      this.#queues.get("jobset")?.add(namespacedName({ metadata }), isNew("JobSet"));
    const pods = this.#queues.get("pod");
    if (pods === undefined || after?.kind !== "Pod") return;
    const leader = leaderForPod(this.#parts.cache.snapshot, after as Pod, context);
    if (leader !== undefined) pods.add(namespacedName(leader), isNew("Pod"));
  }

  start(): void {
    this.reconcileAll();
    for (const queue of this.#queues.values()) queue.start();
  }

  /** Reconciles every JobSet, for example after a change of a feature gate. */
  reconcileAll(): void {
    const { snapshot } = this.#parts.cache;
    for (const kind of ["JobSet", "Pod"]) {
      for (const object of snapshot.objects(kind))
        this.handleChange({ after: object as KubernetesObject });
    }
  }

  /** Stops after the current passes, and starts no others. */
  async stop(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  /** Returns the number of waiting keys of each queue. */
  depths(): readonly (readonly [ControllerName, number])[] {
    return [...this.#queues].map(([name, queue]) => [name, queue.depth] as const);
  }

  #getQueue(name: ControllerName): WorkQueue {
    return new WorkQueue(
      (key, failures) => this.#runPass(name, key, failures),
      LANES,
      (key, error) => {
        const cause = this.#createRedactor(this.#getObject(name, key)).redactText(`${error}`);
        this.#parts.troubles.raise(formatSubject(name, key), cause);
      },
    );
  }

  async #runPass(
    controller: ControllerName,
    key: string,
    failures: number,
  ): Promise<ReconcileResult> {
    const { cache, events, tally, troubles } = this.#parts;
    const about = formatSubject(controller, key);
    const { snapshot } = cache;
    const { plan: planFor } = planned[controller];
    const object = this.#getObject(controller, key);
    if (object === undefined) {
      troubles.resolve(about);
      return { outcome: "Done" };
    }
    const context = this.#parts.context();
    this.#parts.passesOver(about);
    const plan = tally.planning(controller, () => planFor(snapshot, object, context));
    const notes: PassNotes = { rejectionStatuses: new Set() };
    const emit = (event: PlannedEvent, jobSet = object) => events.emit(jobSet, event);
    const perform = (request: RunRequest) => this.#perform(request, object, about, notes);
    const outcome = await executePlan(plan, { perform, emit });
    tally.countPass(controller, plan, outcome);
    if (!outcome.ok) {
      // The cache was probably out of date and is probably up to date now.
      const isBehind = notes.rejectionStatuses.size === 1 && notes.rejectionStatuses.has(409);
      if (!isBehind || failures >= MAX_BEHIND) this.#reportFailure(about, outcome, notes);
      return { outcome: "Retry", retryAfterSeconds: notes.retryAfterSeconds };
    }
    for (const event of outcome.events) events.emit(outcome.jobSet ?? object, event);
    const { requeueAfterSeconds } = outcome;
    if (notes.dropped === undefined) {
      troubles.resolve(about);
      return { outcome: "Done", requeueAfterSeconds };
    }
    const cause = `the CustomResourceDefinition of JobSets is older than this controller, and drops ${notes.dropped}`;
    troubles.raise(about, cause, { affectsReadiness: true });
    const soon = Math.min(requeueAfterSeconds ?? RECHECK_SECONDS, RECHECK_SECONDS);
    return { outcome: "Done", requeueAfterSeconds: soon };
  }

  #getObject(controller: ControllerName, key: string): KubernetesObject | undefined {
    const [namespace = "", name = ""] = key.split("/");
    const { kind } = planned[controller];
    const object = this.#parts.cache.snapshot.object(kind, namespace, name);
    return object as KubernetesObject | undefined;
  }

  /**
   * The redactor covers these objects, because an API server may quote any part of an object, even one that was not
   * sent.
   */
  #createRedactor(...objects: readonly unknown[]): Redactor {
    const redactor = createRedactor();
    for (const object of objects) redactor.redactObject(object);
    return redactor;
  }

  async #perform(
    { effect }: RunRequest,
    passedOver: KubernetesObject,
    about: string,
    notes: PassNotes,
  ): Promise<EffectResult> {
    const { client, cache, troubles } = this.#parts;
    const redactError = (error: ApiError): ApiError => {
      const { kind, namespace, name } = effect.target;
      const target = cache.snapshot.object(kind, namespace, name);
      const { redactText } = this.#createRedactor(passedOver, target, effect);
      const { message, responseText } = error;
      return {
        ...error,
        message: redactText(message),
        ...(responseText !== undefined && { responseText: redactText(responseText) }),
      };
    };
    const response = await client.perform(effect, {
      onThrottled: (error) => troubles.raise(about, redactError(error).message),
      waitsAtMostSeconds: MAX_WAIT_SECONDS,
    });
    if (!response.ok) {
      const error = redactError(response.error);
      const { isServerResponse, code = 0 } = error;
      notes.rejectionStatuses.add(code);
      if (isServerResponse || code >= 500) notes.ofServer = error;
      if (isRetryAfter(error)) notes.retryAfterSeconds = retryAfterSeconds(error);
      return { ok: false, error };
    }
    const { object } = response;
    // The response to a delete is either the terminating object or a Status.
    if (object.kind === effect.target.kind && !isGone(effect.verb, object))
      cache.recordWrite(object);
    if (effect.verb === "updateStatus" && effect.target.kind === "JobSet") {
      notes.dropped = findPrunedField({ status: effect.object.status }, object);
    }
    return response;
  }

  /**
   * This does not affect readiness. The problem may concern one JobSet alone, even if it looks like a problem of the
   * API server, for example if a proxy rejects a large body. The watches and the Lease detect problems that affect all
   * JobSets.
   */
  #reportFailure(
    about: string,
    outcome: Extract<RunOutcome, { ok: false }>,
    { ofServer, rejectionStatuses }: PassNotes,
  ): void {
    const { phase, message } = outcome;
    const { troubles } = this.#parts;
    if (ofServer?.isServerResponse) {
      // The cause is the same for every pass, so it is logged once.
      const { responseText } = ofServer;
      troubles.raise(about, ofServer.message, { fields: { response: responseText } });
      return;
    }
    // The message may vary between attempts, for example by a UID or the used quota.
    const kind =
      rejectionStatuses.size > 0 ? [phase, ...[...rejectionStatuses].sort()].join(" ") : undefined;
    troubles.raise(about, ofServer?.message ?? message, { kind, fields: { phase } });
  }
}

function formatSubject(controller: ControllerName, key: string): string {
  return `${controller === "jobset" ? "JobSet" : "placement"} ${key}`;
}

/** Returns whether our request removed the object, rather than only started its deletion. */
function isGone(verb: string, { metadata }: KubernetesObject): boolean {
  return verb === "delete" && metadata.deletionTimestamp === undefined;
}
