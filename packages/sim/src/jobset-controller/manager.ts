import type { Instant, Observed } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import { type KubernetesObject, keyOf, type Pod } from "@jobset-ts/api/kubernetes";
import { affectedJobSet, type Context, type PlannedEvent, type Snapshot } from "@jobset-ts/core";
import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import { leaderToReconcile } from "@jobset-ts/core/placement";
import type { ApiReply, ApiRequest } from "../api-server/api-request.ts";
import { Objects } from "../api-server/objects.ts";
import { TIMED_OUT } from "../api-server/refusals.ts";
import {
  type Change,
  type Component,
  objectOf,
  type Process,
  type ReportedEvent,
} from "../kernel/component.ts";
import { withMember, withMembers } from "../with-members.ts";
import {
  type Caches,
  delivered,
  expecting,
  isBehind,
  listed,
  nextArrival,
  type Past,
  WATCHED_KINDS,
} from "./caches.ts";
import { holdEvents, tellHeldEvents } from "./held-events.ts";
import { type NetworkFaults, NO_FAULTS } from "./network-faults.ts";
import { nextActionOf } from "./next-action.ts";
import { note } from "./pass-note.ts";
import {
  type Controller,
  controllerOfPlans,
  type PassAction,
  type PassKey,
  type PassRun,
} from "./pass-run.ts";

export interface ManagerOptions {
  readonly name?: string;
  /** Feature gates and quirks. */
  readonly context: Omit<Context, "now">;
  readonly controller?: Controller;
  readonly faults?: NetworkFaults;
  /** Whether it waits until another one has lost the lease, as a replica does that does not lead. */
  readonly isStandby?: boolean;
}

/**
 * What JobSet's manager remembers. When it crashes all of it is lost but for the counts, the requests that are on their way, and
 * the past that faults ask for.
 */
export interface ManagerMemory {
  /** Absent while the process is down. */
  readonly caches: Caches | undefined;
  /** The passes under way, by the key that they look after. */
  readonly passes: Trie<Pass>;
  /** How often in a row the passes of a key have failed. */
  readonly failures: Trie<number>;
  /**
   * The revisions of what the passes of a key have written last, by kind: no pass begins that does not see them. Where the
   * answer was lost, it is as if the object had been asked for.
   */
  readonly written: Trie<Readonly<Record<string, number>>>;
  /** The requests on their way and the answers to them, by number. */
  readonly requests: Trie<Sent>;
  /** Counts the requests of all its lives. */
  readonly requestCount: number;
  /** Counts its lives. */
  readonly life: number;
  /** Until when it does nothing. */
  readonly frozenUntil?: Instant;
  /** The webhooks that hear of nothing for a time, and what they know, by name. */
  readonly staleWebhooks?: Readonly<Record<string, StaleWebhook | undefined>>;
  /** All that was written, where faults ask for it; what it is told of the past, rather than what it remembers. */
  readonly past?: Past | undefined;
  /** The Events that are held up, the newest first. */
  readonly heldEvents: readonly ReportedEvent[];
}

interface StaleWebhook {
  readonly snapshot: Snapshot;
  readonly until: Instant;
}

interface Pass {
  readonly run: PassRun;
  /** What it sees, as its caches were when it began. */
  readonly snapshot: Snapshot;
  readonly context: Context;
  /** What its Events are about. */
  readonly about: KubernetesObject | undefined;
  /** Whether the key was asked for again meanwhile. */
  readonly again: boolean;
}

interface Sent {
  readonly life: number;
  readonly passKey: string;
  /** As the run of the plan numbers it. */
  readonly id: number;
  readonly request: ApiRequest;
  readonly reply?: ApiReply;
}

type ManagerProcess = Process<ManagerMemory>;

/** Before the key of a JobSet that is looked after. */
export const JOBSET = "jobset ";
const PLACEMENT = "placement ";
const DELIVER = "deliver ";
const SEND = "send ";
const REPLY = "reply ";
const POLL = "poll ";
export const START = "start";
const TELL = "tell";

/** How long a request is under way, and an answer, in milliseconds. */
const LATENCY_MS = 2;
/** How long a change takes from the store into a cache, in milliseconds, when nothing holds it back. */
const WATCH_LAG_MS = 5;
/** How soon a program outside is asked again that has not made up its mind. */
const POLL_MS = 1;
/** So many things a pass does before it is given up that waits for no answer: more than a JobSet has Jobs. */
const MAX_ACTIONS = 100_000;
/** How long a client waits for an answer that does not come. */
const TIMEOUT_MS = 30_000;
const FIRST_BACK_OFF_MS = 5;
const LONGEST_BACK_OFF_MS = 1_000_000;

/**
 * JobSet's manager: informer caches that lag behind the store, each kind by itself, work queues with back-off, and passes
 * whose requests take their time, get lost or are refused. What it decides by is the production `reconcile`, carried out by
 * the production `PlanRun`, unless it is told otherwise.
 */
export function manager(options: ManagerOptions): Component<ManagerMemory> {
  const {
    name = "manager",
    context,
    controller = controllerOfPlans(),
    faults = NO_FAULTS,
    isStandby = false,
  } = options;
  const contextAt = (now: Instant): Context =>
    withMembers<Context>(context as Context, { now: now + faults.clockOffsetAt(now) });

  function observe(change: Change, process: ManagerProcess): void {
    if (faults.remembersAll) {
      process.memory = withMembers(process.memory, {
        past: { change, earlier: process.memory.past },
      });
    }
    const { caches } = process.memory;
    if (caches === undefined) return;
    const { kind } = objectOf(change) as KubernetesObject;
    const delay = faults.watchDelay(kind, process.now);
    const expected = expecting(caches, change, {
      arrivesAt: Math.max(delay?.until ?? 0, process.now + WATCH_LAG_MS),
      collapses: delay?.collapses ?? false,
    });
    process.memory = withMembers(process.memory, { caches: expected.caches });
    process.wake(DELIVER + kind, expected.arrivesAt - process.now);
  }

  function act(key: string, process: ManagerProcess): void {
    const { frozenUntil = 0 } = process.memory;
    if (process.now < frozenUntil) process.wake(key, frozenUntil - process.now);
    else if (key === START) start(process);
    else if (key === TELL) tellHeldEvents(process);
    else if (key.startsWith(DELIVER)) deliver(key.slice(DELIVER.length), process);
    else if (key.startsWith(SEND)) send(Number(key.slice(SEND.length)), process);
    else if (key.startsWith(REPLY)) receive(Number(key.slice(REPLY.length)), process);
    else if (key.startsWith(POLL)) poll(key.slice(POLL.length), process);
    else begin(key, process);
  }

  /** Asks a program outside once more. */
  function poll(key: string, process: ManagerProcess): void {
    const pass = process.memory.passes.get(key);
    if (pass !== undefined) goOn(key, pass, process);
  }

  /** Lists everything, unless somebody has listed for it, and looks after all of it once. */
  function start(process: ManagerProcess): void {
    const { memory, objects, revision } = process;
    const caches = memory.caches ?? listed(objects, revision);
    process.memory = withMembers(memory, { caches });
    for (const kind of WATCHED_KINDS) {
      const next = nextArrival(caches, kind);
      if (next !== undefined) process.wake(DELIVER + kind, next - process.now);
    }
    for (const jobSet of caches.snapshot.jobSets) process.wake(JOBSET + keyOf(jobSet));
    const now = contextAt(process.now);
    for (const pod of caches.snapshot.objects("Pod")) {
      wakePlacement(pod, caches.snapshot, now, process);
    }
  }

  function deliver(kind: string, process: ManagerProcess): void {
    const { caches } = process.memory;
    if (caches === undefined) return;
    const arrived = delivered(caches, kind, process.now);
    process.memory = withMembers(process.memory, { caches: arrived.caches });
    const next = nextArrival(arrived.caches, kind);
    if (next !== undefined) process.wake(DELIVER + kind, next - process.now);
    const now = contextAt(process.now);
    const { snapshot } = arrived.caches;
    for (const { before, after } of arrived.changes) {
      for (const object of [before, after]) {
        if (object === undefined) continue;
        const jobSet = affectedJobSet(object, context);
        if (jobSet !== undefined) process.wake(`${JOBSET}${jobSet.namespace}/${jobSet.name}`);
      }
      if (kind === "Pod" && after !== undefined) wakePlacement(after, snapshot, now, process);
    }
  }

  function wakePlacement(
    pod: Observed<KubernetesObject>,
    snapshot: Snapshot,
    now: Context,
    process: ManagerProcess,
  ): void {
    const leader = leaderToReconcile(snapshot, pod as Observed<Pod>, now);
    if (leader !== undefined) process.wake(PLACEMENT + keyOf(leader));
  }

  /** Begins a pass over a key, unless one is under way: then the key comes again behind it. */
  function begin(key: string, process: ManagerProcess): void {
    const { memory } = process;
    if (memory.caches === undefined) return;
    const underWay = memory.passes.get(key);
    if (underWay !== undefined) {
      process.memory = withMembers(memory, {
        passes: memory.passes.set(key, withMembers(underWay, { again: true })),
      });
      return;
    }
    const unseen = Object.entries(memory.written.get(key) ?? {}).find(
      ([kind, revision]) => memory.caches !== undefined && isBehind(memory.caches, kind, revision),
    );
    if (unseen !== undefined) {
      process.wake(key, (nextArrival(memory.caches, unseen[0]) ?? process.now) - process.now);
      return;
    }
    const { snapshot, revisions } = memory.caches;
    const now = contextAt(process.now);
    const started = () => controller(passKeyOf(key), snapshot, now);
    let run: PassRun | undefined;
    try {
      run = started();
      if (run !== undefined && typeof run?.next !== "function")
        throw new TypeError(`a controller answers no pass, but ${String(run)}`);
    } catch (error) {
      note(process, { kind: "FailedPass", error });
      run = GIVEN_UP;
    }
    if (run === undefined) {
      process.memory = withMembers(memory, { failures: memory.failures.delete(key) });
      return;
    }
    if (run.plan !== undefined) {
      const again = () => started()?.plan;
      note(process, { kind: "Planned", plan: run.plan, snapshot, revisions, context: now, again });
    }
    const about = aboutOf(key, snapshot);
    goOn(key, { run, snapshot, context: now, about, again: false }, process);
  }

  /** What comes of something that a controller does; `undefined` where it throws, which is noted. */
  function attempted<Result>(process: ManagerProcess, act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      note(process, { kind: "FailedPass", error });
      return undefined;
    }
  }

  /** Sends what may be sent now; ends the pass when nothing is left. */
  function goOn(key: string, pass: Pass, process: ManagerProcess): void {
    let { run } = pass;
    for (let done = 0; ; done++) {
      const next = attempted(process, () => {
        if (done === MAX_ACTIONS) throw new Error(`a pass does ${done} things and waits for none`);
        return nextActionOf(run);
      });
      if (next === undefined) {
        end(key, pass, FAILED, process);
        return;
      }
      const { action, after } = next;
      run = after;
      switch (action.action) {
        case "Perform":
          enqueue(key, pass, action, process);
          break;
        case "Emit":
          report(pass, [action.event], process);
          break;
        case "Wait": {
          const passes = process.memory.passes.set(key, withMembers(pass, { run }));
          process.memory = withMembers(process.memory, { passes });
          if (action.isOpen) process.wake(POLL + key, POLL_MS);
          return;
        }
        case "Done":
          end(key, pass, action, process);
          return;
      }
    }
  }

  function enqueue(passKey: string, pass: Pass, { id, request }: Perform, process: ManagerProcess) {
    const { memory } = process;
    const { snapshot, context: seenAt } = pass;
    note(process, {
      kind: "AskedRequest",
      asked: request,
      pass: passKeyOf(passKey),
      snapshot,
      context: seenAt,
    });
    const number = memory.requestCount + 1;
    const sent: Sent = { life: memory.life, passKey, id, request };
    const requests = memory.requests.set(String(number), sent);
    process.memory = withMembers(memory, { requestCount: number, requests });
    const { delayMs = 0 } = faults.fateOf(request, number, process.now);
    if (delayMs > 0) note(process, { kind: "FailedByFault", until: process.now + delayMs });
    process.wake(SEND + number, LATENCY_MS + delayMs);
  }

  /** A request reaches the server, and its answer sets out. */
  function send(number: number, process: ManagerProcess): void {
    const sent = process.memory.requests.get(String(number));
    if (sent === undefined) return;
    const {
      crash: death,
      downMs = 0,
      refused,
      raced,
      replyLost,
    } = faults.fateOf(sent.request, number, process.now);
    if (death === "Before") {
      crash(downMs, process);
      return;
    }
    if (raced) touch(sent.request, number, process);
    const before = process.revision;
    if (sent.life !== process.memory.life) note(process, { kind: "LateRequest" });
    const reply = refused ?? process.request(sent.request);
    if (process.revision > before) noteWritten(sent, process);
    if (death === "After") {
      crash(downMs, process);
      return;
    }
    if (refused !== undefined) {
      const { request } = sent;
      const about = { at: process.now, actor: name, request, refusal: refused };
      note(process, { kind: "FailedByFault", refused: about });
    } else if (replyLost) note(process, { kind: "FailedByFault" });
    const heard = withMembers(sent, { reply: replyLost ? TIMED_OUT : reply });
    const { memory } = process;
    process.memory = withMembers(memory, { requests: memory.requests.set(String(number), heard) });
    process.wake(REPLY + number, replyLost ? TIMEOUT_MS : LATENCY_MS);
  }

  function receive(number: number, process: ManagerProcess): void {
    const { memory } = process;
    const sent = memory.requests.get(String(number));
    process.memory = withMembers(memory, { requests: memory.requests.delete(String(number)) });
    const pass = sent && memory.passes.get(sent.passKey);
    if (sent?.reply === undefined || pass === undefined || sent.life !== memory.life) return;
    const { id, reply } = sent;
    const run = attempted(process, () => pass.run.settle(id, reply));
    if (run === undefined) end(sent.passKey, pass, FAILED, process);
    else goOn(sent.passKey, withMembers(pass, { run }), process);
  }

  function end(key: string, pass: Pass, done: Done, process: ManagerProcess): void {
    const { memory } = process;
    const failed = done.ok ? 0 : (memory.failures.get(key) ?? 0) + 1;
    process.memory = withMembers(memory, {
      passes: memory.passes.delete(key),
      failures: failed === 0 ? memory.failures.delete(key) : memory.failures.set(key, failed),
    });
    if (pass.again) process.wake(key);
    report(pass, done.events, process);
    if (!done.ok) {
      const backOff = FIRST_BACK_OFF_MS * 2 ** (failed - 1);
      process.wake(key, Math.min(backOff, LONGEST_BACK_OFF_MS));
    } else if (done.requeueAfterMs !== undefined) {
      process.wake(key, done.requeueAfterMs);
    }
  }

  /** Forgets everything, and comes back after a while. What is on its way to the server arrives all the same. */
  function crash(downMs: number, process: ManagerProcess): void {
    process.memory = afterDeath(process.memory);
    note(process, { kind: "FailedByFault", until: process.now + downMs });
    process.wake(START, downMs);
  }

  function report({ about }: Pass, events: readonly PlannedEvent[], process: ManagerProcess): void {
    if (about === undefined) return;
    const fate = faults.fateOfEvents(process.now);
    for (const event of events) {
      if (fate === "Told") process.report({ about, ...event });
      else if (fate !== "Lost") holdEvents(process, { about, ...event });
    }
    if (typeof fate !== "string") process.wake(TELL, fate.until - process.now);
  }

  const memory = isStandby ? { ...NEW_MEMORY, caches: undefined } : NEW_MEMORY;
  return { name, memory, watches: WATCHED_KINDS, observe, act };
}

/** What is left of a process that has died: what is under way to the server, and counts. */
export function afterDeath({ requests, requestCount, life, past }: ManagerMemory): ManagerMemory {
  return { ...NEW_MEMORY, caches: undefined, requests, requestCount, life: life + 1, past };
}

/** Keeps that a pass has written something, which the next one over the key has to see. */
function noteWritten({ passKey, request }: Sent, process: ManagerProcess): void {
  const { memory, revision } = process;
  const written = withMember(memory.written.get(passKey) ?? {}, request.object.kind, revision);
  process.memory = withMembers(memory, { written: memory.written.set(passKey, written) });
}

/** Writes to the object of a request, as somebody else would. */
function touch({ object }: ApiRequest, number: number, process: ManagerProcess): void {
  const { kind, metadata } = object;
  const annotations = { "example.com/touched": String(number) };
  const { name, namespace } = metadata ?? {};
  const touched = { kind, metadata: { name, namespace, annotations } as never };
  process.request({ verb: "patch", object: touched }, "somebody");
}

type Perform = Extract<PassAction, { action: "Perform" }>;
type Done = Extract<PassAction, { action: "Done" }>;

/** What a key of the work queues names. */
function passKeyOf(key: string): PassKey {
  const [namespace = "", name = ""] = key.slice(key.indexOf(" ") + 1).split("/");
  return { kind: key.startsWith(PLACEMENT) ? "Pod" : "JobSet", namespace, name };
}

/** The JobSet that a pass is over, for its Events; repairs have none. */
function aboutOf(key: string, snapshot: Snapshot): KubernetesObject | undefined {
  const { kind, namespace, name } = passKeyOf(key);
  const uid = kind === "JobSet" ? snapshot.jobSet(namespace, name)?.metadata?.uid : undefined;
  if (uid === undefined) return undefined;
  return { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, metadata: { namespace, name, uid } };
}

/** The pass of a controller that threw: it has failed, and is tried again after a while. */
const FAILED: Done = { action: "Done", ok: false, events: [] };

const GIVEN_UP: PassRun = {
  next: () => ({ action: FAILED, after: GIVEN_UP }),
  settle: () => GIVEN_UP,
};

const NEW_MEMORY: ManagerMemory = {
  caches: listed(Objects.none, 0),
  passes: emptyTrie(),
  failures: emptyTrie(),
  written: emptyTrie(),
  requests: emptyTrie(),
  requestCount: 0,
  life: 0,
  heldEvents: [],
};
