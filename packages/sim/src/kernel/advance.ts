import type { Instant } from "@jobset-ts/api";
import type { Admitted } from "../api-server/admission-step.ts";
import type { ApiRefusal, ApiReply, ApiRequest } from "../api-server/api-request.ts";
import { type Backend, perform } from "../api-server/api-server.ts";
import { edited, frozen } from "../api-server/become.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import type { Cluster, World } from "./cluster.ts";
import type { Change, Process, ReportedEvent } from "./component.ts";
import { draw } from "./draw.ts";
import type { TurnQueue } from "./turn-queue.ts";

/** A cluster after a turn, and what happened in it. */
export interface Advanced {
  readonly cluster: Cluster;
  /** What was written, in this order. */
  readonly changes: readonly Change[];
  readonly events: readonly HeardEvent[];
  /** What components noted for those who look on. */
  readonly notes: readonly unknown[];
  /** The requests that were refused. */
  readonly refused: readonly RefusedRequest[];
}

/** A request that was refused, and why. */
export interface RefusedRequest {
  readonly at: Instant;
  readonly actor: string;
  readonly request: ApiRequest;
  readonly refusal: ApiRefusal;
}

/** An Event as a component reported it. */
export interface HeardEvent extends ReportedEvent {
  readonly at: Instant;
  readonly actor: string;
}

/** Takes the turn that comes first; `undefined` when none is to come any more. */
export function advance(world: World, cluster: Cluster): Advanced | undefined {
  const due = cluster.turns.first;
  if (due === undefined) return undefined;
  const turn = new Turn(world, cluster, due.at, cluster.turns.rest());
  turn.act(due.component, due.key);
  return turn.end();
}

/** Lets the world's own hand do something now, such as a user or the set-up of a run, under the name of a component. */
export function intervene(
  world: World,
  cluster: Cluster,
  actor: string,
  action: (process: Process<unknown>) => void,
): Advanced {
  const turn = new Turn(world, cluster, cluster.now, cluster.turns);
  action(turn.processOf(actor));
  return turn.end();
}

/**
 * Takes all turns up to an instant, at which the cluster then is.
 *
 * @param onTurn - told of each turn
 */
export function advanceTo(
  world: World,
  cluster: Cluster,
  until: Instant,
  onTurn?: (turn: Advanced) => void,
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

/** One turn: the cluster while a component works on it. */
class Turn {
  readonly #world: World;
  readonly #now: Instant;
  readonly #changes: Change[] = [];
  readonly #events: HeardEvent[] = [];
  readonly #notes: unknown[] = [];
  readonly #refused: RefusedRequest[] = [];
  readonly #processes = new Map<string, Process<unknown>>();
  #objects: Objects;
  #revision: number;
  #turns: TurnQueue;
  #wakes: number;
  #memories: Cluster["memories"];

  constructor(world: World, cluster: Cluster, now: Instant, turns: TurnQueue) {
    this.#world = world;
    this.#now = now;
    this.#objects = cluster.objects;
    this.#revision = cluster.revision;
    this.#turns = turns;
    this.#wakes = cluster.wakes;
    this.#memories = cluster.memories;
  }

  act(name: string, key: string): void {
    const component = this.#world.components.find((one) => one.name === name);
    component?.act(key, this.processOf(name));
  }

  end(): Advanced {
    const cluster = {
      now: this.#now,
      revision: this.#revision,
      objects: this.#objects,
      turns: this.#turns,
      wakes: this.#wakes,
      memories: this.#memories,
    };
    return {
      cluster,
      changes: this.#changes,
      events: this.#events,
      notes: this.#notes,
      refused: this.#refused,
    };
  }

  processOf(name: string): Process<unknown> {
    let process = this.#processes.get(name);
    if (process === undefined) {
      process = this.#newProcess(name);
      this.#processes.set(name, process);
    }
    return process;
  }

  #newProcess(name: string): Process<unknown> {
    const turn = this;
    return {
      now: this.#now,
      get objects() {
        return turn.#objects;
      },
      get revision() {
        return turn.#revision;
      },
      get memory() {
        return turn.#memories.get(name);
      },
      set memory(memory: unknown) {
        turn.#memories = turn.#memories.set(name, memory);
      },
      request: (request) => turn.#perform(name, request),
      edit: (object, recipe, subresource) => {
        const current = turn.#objects.current(object);
        if (current === undefined) return undefined;
        const next = edited(current, recipe);
        if (next === current) return undefined;
        const sent = next as unknown as ApiRequest["object"];
        return turn.#perform(name, {
          verb: "update",
          object: sent,
          ...(subresource !== undefined && { subresource }),
        });
      },
      report: (event) => {
        turn.#events.push({ ...event, at: turn.#now, actor: name });
      },
      note: (note) => {
        turn.#notes.push(note);
      },
      wake: (key, afterMillis = 0) => turn.#wake(name, key, afterMillis),
      forget: (key) => {
        turn.#turns = turn.#turns.without(name, key);
      },
      draw: (...stream) => draw(turn.#world.seed, name, ...stream),
    };
  }

  #wake(component: string, key: string, afterMillis: number): void {
    const rank = this.#world.components.findIndex(({ name }) => name === component);
    this.#wakes += 1;
    const at = this.#now + Math.max(0, afterMillis);
    this.#turns = this.#turns.with({ at, rank, order: this.#wakes, component, key });
  }

  #perform(actor: string, request: ApiRequest): ApiReply {
    const reply = perform(this.#backend(actor), request);
    if (!reply.ok) this.#refused.push({ at: this.#now, actor, request, refusal: reply });
    return reply;
  }

  #backend(actor: string): Backend {
    const { seed } = this.#world;
    return {
      now: this.#now,
      objects: this.#objects,
      commit: (before, after) => this.#commit(actor, before, after),
      newUid: () => uidOfWrite(this.#revision + 1),
      nameSuffix: (prefix, attempt) => suffixOf(seed, prefix, this.#revision, attempt),
      mutate: (object, before) => this.#mutate(object, before),
      validate: (object, before) => this.#validate(object, before),
    };
  }

  #commit(actor: string, before: Stored | undefined, after: Stored | undefined): Stored {
    this.#revision += 1;
    const resourceVersion = String(this.#revision);
    const stored =
      after && frozen({ ...after, metadata: { ...after.metadata, resourceVersion } } as Stored);
    this.#objects = this.#objects.with(before, stored);
    const verb = before === undefined ? "Added" : after === undefined ? "Deleted" : "Modified";
    const [at, { kind }] = [this.#now, (stored ?? before) as Stored];
    const change: Change = { verb, revision: this.#revision, at, actor, before, after: stored };
    this.#changes.push(change);
    for (const { name, watches, observe } of this.#world.components) {
      if (watches.includes(kind)) observe?.(change, this.processOf(name));
    }
    return (stored ?? before) as Stored;
  }

  #mutate(object: Stored, before: Stored | undefined): Admitted {
    let mutated = object;
    for (const step of this.#stepsFor(object, before, true)) {
      const admitted = step.review(this.#review(mutated, before));
      if (!admitted.ok) return admitted;
      mutated = admitted.object;
    }
    return { ok: true, object: mutated };
  }

  #validate(object: Stored, before: Stored | undefined): ApiRefusal | undefined {
    for (const step of this.#stepsFor(object, before, false)) {
      const admitted = step.review(this.#review(object, before));
      if (!admitted.ok) return admitted;
    }
    return undefined;
  }

  #stepsFor({ kind }: Stored, before: Stored | undefined, mutates: boolean) {
    return this.#world.admission.filter(
      (step) =>
        step.mutates === mutates &&
        step.kinds.includes(kind) &&
        (before === undefined || step.onUpdate),
    );
  }

  #review(object: Stored, before: Stored | undefined) {
    return {
      now: this.#now,
      object,
      before,
      objects: this.#objects,
      memoryOf: (component: string) => this.#memories.get(component),
    };
  }
}

/** The UID of an object, which says by which write it came. */
export function uidOfWrite(revision: number): string {
  return `00000000-0000-4000-8000-${revision.toString(16).padStart(12, "0")}`;
}

const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

function suffixOf(seed: number, prefix: string, revision: number, attempt: number): string {
  return Array.from({ length: 5 }, (_, place) => {
    const drawn = draw(seed, "generated-name", prefix, revision, attempt, place);
    return SUFFIX_LETTERS[Math.floor(drawn * SUFFIX_LETTERS.length)];
  }).join("");
}
