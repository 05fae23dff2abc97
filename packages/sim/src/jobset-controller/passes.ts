import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { remember } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { type Caches, isBehind, nextArrival } from "./caches.ts";
import { reportEvents } from "./events.ts";
import type { ManagerMemory, ManagerProcess, Pass } from "./manager-memory.ts";
import { contextAt, type ManagerSetup } from "./manager-setup.ts";
import { chooseNextAction } from "./next-action.ts";
import { note } from "./pass-note.ts";
import { type PassAction, type PassKey, type PassRun, passId } from "./pass-run.ts";
import { enqueue, takeReply } from "./requests.ts";

/** How soon a program outside is called again that has not decided yet. */
const POLL_MS = 1;
/** So many things a pass does before it is given up that waits for no answer: more than a JobSet has Jobs. */
const MAX_ACTIONS = 100_000;
const FIRST_BACK_OFF_MS = 5;
const LONGEST_BACK_OFF_MS = 1_000_000;

type Done = Extract<PassAction, { action: "Done" }>;

/** Begins a pass over a key, unless one is under way: then the key comes again behind it. */
export function reconcile(key: PassKey, process: ManagerProcess, setup: ManagerSetup): void {
  const { memory } = process;
  if (memory.caches === undefined) return;
  const underWay = memory.passes.get(passId(key));
  if (underWay !== undefined) {
    keep(withMembers(underWay, { again: true }), process);
    return;
  }
  const seenAt = seesOwnWritesAt(key, memory, memory.caches, process.now);
  if (seenAt === undefined) begin(key, memory.caches, process, setup);
  else process.wake({ action: "Reconcile", key }, seenAt - process.now);
}

/** When the caches have what the passes of a key wrote last; `undefined` where they have it. */
function seesOwnWritesAt(
  key: PassKey,
  { written }: ManagerMemory,
  caches: Caches,
  now: number,
): number | undefined {
  const revisions = Object.entries(written.get(passId(key)) ?? {});
  const unseen = revisions.find(([kind, revision]) => isBehind(caches, kind, revision));
  return unseen && (nextArrival(caches, unseen[0]) ?? now);
}

function begin(
  key: PassKey,
  { snapshot, revisions }: Caches,
  process: ManagerProcess,
  setup: ManagerSetup,
): void {
  const context = contextAt(setup, process.now);
  const create = () => setup.controller(key, snapshot, context);
  const run = createdRun(create, process);
  if (run === undefined) {
    const { failures } = process.memory;
    remember(process, { failures: failures.delete(passId(key)) });
    return;
  }
  if (run.plan !== undefined) {
    const again = () => create()?.plan;
    note(process, { kind: "Planned", plan: run.plan, snapshot, revisions, context, again });
  }
  goOn(
    { key, run, snapshot, context, about: getAbout(key, snapshot), again: false },
    process,
    setup,
  );
}

/** What a controller begins; a pass that fails where it throws or returns no pass. */
function createdRun(
  create: () => PassRun | undefined,
  process: ManagerProcess,
): PassRun | undefined {
  try {
    const run = create();
    if (run === undefined || typeof run?.next === "function") return run;
    throw new TypeError(`a controller answers no pass, but ${String(run)}`);
  } catch (error) {
    note(process, { kind: "FailedPass", error });
    return GIVEN_UP;
  }
}

/** The JobSet that a pass is over, for its Events; repairs have none. */
function getAbout(
  { kind, namespace, name }: PassKey,
  snapshot: Snapshot,
): KubernetesObject | undefined {
  const uid = kind === "JobSet" ? snapshot.jobSet(namespace, name)?.metadata?.uid : undefined;
  if (uid === undefined) return undefined;
  return { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, metadata: { namespace, name, uid } };
}

/** Calls a program outside once more. */
export function poll(key: PassKey, process: ManagerProcess, setup: ManagerSetup): void {
  const pass = process.memory.passes.get(passId(key));
  if (pass !== undefined) goOn(pass, process, setup);
}

/** Hands a reply to the pass that waits for it. */
export function receive(number: number, process: ManagerProcess, setup: ManagerSetup): void {
  const sent = takeReply(number, process);
  const pass = sent && process.memory.passes.get(passId(sent.key));
  if (sent === undefined || pass === undefined) return;
  const { id, reply } = sent;
  const run = attempt(process, () => pass.run.settle(id, reply));
  if (run === undefined) end(pass, FAILED, process, setup);
  else goOn(withMembers(pass, { run }), process, setup);
}

/** Sends what may be sent now; ends the pass when nothing is left. */
function goOn(pass: Pass, process: ManagerProcess, setup: ManagerSetup): void {
  let { run } = pass;
  for (let done = 0; ; done++) {
    const next = attempt(process, () => {
      if (done === MAX_ACTIONS) throw new Error(`a pass does ${done} things and waits for none`);
      return chooseNextAction(run);
    });
    if (next === undefined) {
      end(pass, FAILED, process, setup);
      return;
    }
    const { action, after } = next;
    run = after;
    switch (action.action) {
      case "Perform":
        enqueue(action, pass, process, setup);
        break;
      case "Emit":
        reportEvents([action.event], pass.about, process, setup);
        break;
      case "Wait":
        keep(withMembers(pass, { run }), process);
        if (action.isOpen) process.wake({ action: "Poll", key: pass.key }, POLL_MS);
        return;
      case "Done":
        end(pass, action, process, setup);
        return;
    }
  }
}

function end(pass: Pass, done: Done, process: ManagerProcess, setup: ManagerSetup): void {
  const { passes, failures } = process.memory;
  const id = passId(pass.key);
  const failed = done.ok ? 0 : (failures.get(id) ?? 0) + 1;
  remember(process, {
    passes: passes.delete(id),
    failures: failed === 0 ? failures.delete(id) : failures.set(id, failed),
  });
  const reconcileAgain = { action: "Reconcile", key: pass.key } as const;
  if (pass.again) process.wake(reconcileAgain);
  reportEvents(done.events, pass.about, process, setup);
  if (!done.ok) {
    const backOff = FIRST_BACK_OFF_MS * 2 ** (failed - 1);
    process.wake(reconcileAgain, Math.min(backOff, LONGEST_BACK_OFF_MS));
  } else if (done.requeueAfterMs !== undefined) {
    process.wake(reconcileAgain, done.requeueAfterMs);
  }
}

function keep(pass: Pass, process: ManagerProcess): void {
  const { passes } = process.memory;
  remember(process, { passes: passes.set(passId(pass.key), pass) });
}

/** What comes of something that a controller does; `undefined` where it throws, which is noted. */
function attempt<Result>(process: ManagerProcess, act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    note(process, { kind: "FailedPass", error });
    return undefined;
  }
}

/** The pass of a controller that threw: it has failed, and is tried again after a while. */
const FAILED: Done = { action: "Done", ok: false, events: [] };

const GIVEN_UP: PassRun = {
  next: () => ({ action: FAILED, after: GIVEN_UP }),
  settle: () => GIVEN_UP,
};
