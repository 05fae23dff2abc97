import type { EpochMillis } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Draft } from "immer";
import type { AdmissionResult } from "../api-server/admission-step.ts";
import type { ServerRejection, ServerReply, ServerRequest } from "../api-server/api-request.ts";
import { serve } from "../api-server/api-server.ts";
import { LATEST_MINOR } from "../api-server/kubernetes-minor.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import type { ApiServer, WatchEvent } from "../api-server/request-execution.ts";
import { editObject } from "../api-server/stored-values.ts";
import type { Cluster, ClusterConfig } from "./cluster.ts";
import {
  type AnyComponent,
  type Change,
  getChangedObject,
  type Process,
  type SimulatedEvent,
} from "./component.ts";
import { createStream, draw } from "./draw.ts";
import type { Memories } from "./memories.ts";
import type { PendingTurn, TurnQueue } from "./turn-queue.ts";

/** A cluster after a turn, with everything that happened in the turn. */
export interface StepResult {
  readonly cluster: Cluster;
  /** The writes, in order. */
  readonly changes: readonly Change[];
  readonly events: readonly RecordedEvent[];
  /** The notes of components, for observers. */
  readonly notes: readonly unknown[];
  /** The rejected requests. */
  readonly rejectedRequests: readonly RejectedRequest[];
}

/** A rejected request and its error. */
export interface RejectedRequest {
  readonly at: EpochMillis;
  readonly actor: string;
  readonly request: ServerRequest;
  readonly rejection: ServerRejection;
}

/** An Event with the component that reported it. */
export interface RecordedEvent extends SimulatedEvent {
  readonly at: EpochMillis;
  readonly actor: string;
}

/** Runs the next turn. Returns `undefined` if there are no more turns. */
export function advance(world: ClusterConfig, cluster: Cluster): StepResult | undefined {
  const due = cluster.turns.first;
  if (due === undefined) return undefined;
  const turn = new Turn(world, cluster, due.at, cluster.turns.withoutFirst());
  turn.act(due);
  return turn.end();
}

/** Applies an external action now, under the name of a component. Use it for users and for setting up a cluster. */
export function applyExternally(
  world: ClusterConfig,
  cluster: Cluster,
  actor: string,
  action: (process: Process<unknown>) => void,
): StepResult {
  const turn = new Turn(world, cluster, cluster.now, cluster.turns);
  // An external actor is not slow, even if the component with its name is.
  const rank = world.components.findIndex(({ name }) => name === actor);
  action(new TurnProcess(turn, actor, rank, world.components[rank]?.keyOf));
  return turn.end();
}

/**
 * Runs all turns up to an instant. The cluster is at that instant afterwards.
 *
 * @param onTurn - called after each turn
 */
export function advanceTo(
  world: ClusterConfig,
  cluster: Cluster,
  until: EpochMillis,
  onTurn?: (turn: StepResult) => void,
): Cluster {
  let current = cluster;
  for (;;) {
    const at = current.turns.first?.at;
    if (at === undefined || at > until) return { ...current, now: Math.max(current.now, until) };
    const next = advance(world, current);
    if (next === undefined) return current;
    current = next.cluster;
    onTurn?.(next);
  }
}

/** One turn: the cluster while a component acts on it. */
class Turn {
  readonly world: ClusterConfig;
  readonly now: EpochMillis;
  readonly events: RecordedEvent[] = [];
  readonly notes: unknown[] = [];
  objects: Objects;
  revision: number;
  turns: TurnQueue;
  wakes: number;
  memories: Memories;
  readonly #changes: Change[] = [];
  readonly #rejected: RejectedRequest[] = [];
  /** By the rank of the component. */
  readonly #processes: TurnProcess[] = [];

  constructor(world: ClusterConfig, cluster: Cluster, now: EpochMillis, turns: TurnQueue) {
    this.world = world;
    this.now = now;
    this.objects = cluster.objects;
    this.revision = cluster.revision;
    this.turns = turns;
    this.wakes = cluster.wakes;
    this.memories = cluster.memories;
  }

  act({ rank, turn }: PendingTurn): void {
    const component = this.world.components[rank];
    component?.act(turn as never, this.getProcess(component, rank));
  }

  end(): StepResult {
    const cluster = {
      now: this.now,
      revision: this.revision,
      objects: this.objects,
      turns: this.turns,
      wakes: this.wakes,
      memories: this.memories,
    };
    return {
      cluster,
      changes: this.#changes,
      events: this.events,
      notes: this.notes,
      rejectedRequests: this.#rejected,
    };
  }

  getProcess(component: AnyComponent, rank: number): TurnProcess {
    let process = this.#processes[rank];
    if (process === undefined) {
      const { name, keyOf, delayMs, clockOffsetMs } = component;
      const [delay, offset] = [delayMs?.(this.now), clockOffsetMs?.(this.now)];
      process = new TurnProcess(this, name, rank, keyOf, delay, offset);
      this.#processes[rank] = process;
    }
    return process;
  }

  perform(actor: string, request: ServerRequest): ServerReply {
    const { reply, events } = serve(this.#apiServer(), request, actor === "user");
    for (const event of events) this.#report(event, actor);
    if (!reply.ok) this.#rejected.push({ at: this.now, actor, request, rejection: reply });
    return reply;
  }

  #apiServer(): ApiServer {
    const { seed, kubernetes = LATEST_MINOR, jobSetSchema, clockOffsetMs } = this.world;
    const { objects, revision } = this;
    return {
      now: this.now + (clockOffsetMs?.(this.now) ?? 0),
      kubernetes,
      jobSetSchema,
      objects,
      revision,
      nameSuffix: (prefix, attempt) => createNameSuffix(seed, prefix, revision, attempt),
      mutate: (object, before) => this.#mutate(object, before),
      validate: (object, before) => this.#validate(object, before),
    };
  }

  /** Stores the writes of the API server, and shows them to the components that watch the kind. */
  #report({ verb, revision, before, after }: WatchEvent, actor: string): void {
    if (revision !== this.revision + 1)
      throw new TypeError("a component must not send requests in observe");
    this.revision = revision;
    this.objects = this.objects.with(before, after);
    const change: Change = { verb, revision, at: this.now, actor, before, after };
    this.#changes.push(change);
    for (const { component, rank } of listWatchers(this.world, getChangedObject(change).kind)) {
      component.observe?.(change, this.getProcess(component, rank));
    }
  }

  #mutate(object: Stored, before: Stored | undefined): AdmissionResult {
    let mutated = object;
    for (const step of this.#stepsFor(object, before, true)) {
      const admitted = step.review(this.#review(mutated, before));
      if (!admitted.ok) return admitted;
      mutated = admitted.object;
    }
    return { ok: true, object: mutated };
  }

  #validate(object: Stored, before: Stored | undefined): ServerRejection | undefined {
    for (const step of this.#stepsFor(object, before, false)) {
      const admitted = step.review(this.#review(object, before));
      if (!admitted.ok) return admitted;
    }
    return undefined;
  }

  *#stepsFor({ kind }: Stored, before: Stored | undefined, mutates: boolean) {
    for (const step of this.world.admission) {
      const isReviewed = before === undefined || step.onUpdate;
      if (step.mutates === mutates && isReviewed && step.kinds.includes(kind)) yield step;
    }
  }

  #review(object: Stored, before: Stored | undefined) {
    return {
      now: this.now,
      object,
      before,
      objects: this.objects,
      getMemory: (component: string) => this.memories.get(component),
    };
  }
}

interface Watcher {
  readonly component: AnyComponent;
  readonly rank: number;
}

const watchersByConfig = new WeakMap<ClusterConfig, Map<string, readonly Watcher[]>>();

/** Returns the components that watch a kind, in the order of their turns. Each write needs them, so they are kept. */
function listWatchers(world: ClusterConfig, kind: string): readonly Watcher[] {
  let watchersOfKinds = watchersByConfig.get(world);
  if (watchersOfKinds === undefined) {
    watchersOfKinds = new Map();
    watchersByConfig.set(world, watchersOfKinds);
  }
  let watchers = watchersOfKinds.get(kind);
  if (watchers === undefined) {
    watchers = world.components
      .map((component, rank) => ({ component, rank }))
      .filter(({ component }) => component.watches.includes(kind));
    watchersOfKinds.set(kind, watchers);
  }
  return watchers;
}

/**
 * The environment of a component during a turn. It is a class because an object literal with accessors would cost more
 * than most turns.
 */
class TurnProcess implements Process<unknown, unknown> {
  readonly #turn: Turn;
  readonly #name: string;
  readonly #rank: number;
  readonly #getKey: (turn: never) => string;
  readonly #delayMs: number;
  readonly #clockOffsetMs: number;

  constructor(
    turn: Turn,
    name: string,
    rank: number,
    keyOf: (turn: never) => string = String,
    delayMs = 0,
    clockOffsetMs = 0,
  ) {
    this.#turn = turn;
    this.#name = name;
    this.#rank = rank;
    this.#getKey = keyOf;
    this.#delayMs = delayMs;
    this.#clockOffsetMs = clockOffsetMs;
  }

  get now(): EpochMillis {
    return this.#turn.now;
  }

  get clock(): EpochMillis {
    return this.#turn.now + this.#clockOffsetMs;
  }

  get objects(): Objects {
    return this.#turn.objects;
  }

  get revision(): number {
    return this.#turn.revision;
  }

  get memory(): unknown {
    return this.#turn.memories.atRank(this.#rank);
  }

  set memory(memory: unknown) {
    // An external actor has no memory.
    if (this.#rank >= 0) this.#turn.memories = this.#turn.memories.with(this.#rank, memory);
  }

  request(request: ServerRequest, actor = this.#name): ServerReply {
    return this.#turn.perform(actor, request);
  }

  edit<Item extends KubernetesObject>(
    object: Item,
    recipe: (draft: Draft<Item>) => void,
    subresource?: "status",
  ): ServerReply | undefined {
    const current = this.objects.current(object);
    if (current === undefined) return undefined;
    const next = editObject(current, recipe);
    if (next === current) return undefined;
    const requested = next as unknown as ServerRequest["object"];
    return this.request({
      verb: "update",
      object: requested,
      ...(subresource !== undefined && { subresource }),
    });
  }

  report(event: SimulatedEvent): void {
    const { about, type, reason, message } = event;
    this.#turn.events.push({ about, type, reason, message, at: this.now, actor: this.#name });
  }

  note(note: unknown): void {
    this.#turn.notes.push(note);
  }

  wake(requestedTurn: unknown, afterMs = 0): void {
    // An external actor has no turns.
    if (this.#rank < 0) return;
    const turn = this.#turn;
    turn.wakes += 1;
    const at = turn.now + Math.max(0, afterMs + this.#delayMs);
    const [order, key] = [turn.wakes, this.#getKey(requestedTurn as never)];
    const due = { at, rank: this.#rank, order, component: this.#name, key, turn: requestedTurn };
    turn.turns = turn.turns.with(due);
  }

  forget(requestedTurn: unknown): void {
    this.#turn.turns = this.#turn.turns.without(this.#rank, this.#getKey(requestedTurn as never));
  }

  draw(...stream: readonly (string | number)[]): number {
    return draw(this.#turn.world.seed, this.#name, ...stream);
  }
}

const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

function createNameSuffix(seed: number, prefix: string, revision: number, attempt: number): string {
  const drawAt = createStream(seed, "generated-name", prefix, revision, attempt);
  let suffix = "";
  for (let place = 0; place < 5; place++) {
    suffix += SUFFIX_LETTERS[Math.floor(drawAt(place) * SUFFIX_LETTERS.length)];
  }
  return suffix;
}
