import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { updateMemory } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { type Caches, getNextArrival, isBehind } from "./caches.ts";
import { reportEvents } from "./events.ts";
import type { ManagerMemory, ManagerProcess, Pass } from "./manager-memory.ts";
import { createContextAt, type ManagerSetup } from "./manager-setup.ts";
import { chooseNextAction } from "./next-action.ts";
import { addNote } from "./pass-note.ts";
import { type PassAction, type PassKey, type PassRun, passId } from "./pass-run.ts";
import { consumeReply, enqueueRequest } from "./requests.ts";

/** How soon a program outside is called again that has not decided yet. */
const POLL_MS = 1;
/** So many things a pass does before it is given up that waits for no answer: more than a JobSet has Jobs. */
const MAX_ACTIONS = 100_000;
const INITIAL_BACK_OFF_MS = 5;
const MAX_BACK_OFF_MS = 1_000_000;

type Done = Extract<PassAction, { action: "Done" }>;

/** Begins a pass over a key, unless one is under way: then the key comes again behind it. */
export function reconcile(key: PassKey, process: ManagerProcess, setup: ManagerSetup): void {
  const { memory } = process;
  if (memory.caches === undefined) return;
  const underWay = memory.passes.get(passId(key));
  if (underWay !== undefined) {
    savePass(withMembers(underWay, { again: true }), process);
    return;
  }
  const seenAt = getOwnWritesVisibleAt(key, memory, memory.caches, process.now);
  if (seenAt === undefined) startPass(key, memory.caches, process, setup);
  else process.wake({ action: "Reconcile", key }, seenAt - process.now);
}

/** When the caches have what the passes of a key wrote last; `undefined` where they have it. */
function getOwnWritesVisibleAt(
  key: PassKey,
  { written }: ManagerMemory,
  caches: Caches,
  now: number,
): number | undefined {
  const revisions = Object.entries(written.get(passId(key)) ?? {});
  const unseen = revisions.find(([kind, revision]) => isBehind(caches, kind, revision));
  return unseen && (getNextArrival(caches, unseen[0]) ?? now);
}

function startPass(
  key: PassKey,
  { snapshot, revisions }: Caches,
  process: ManagerProcess,
  setup: ManagerSetup,
): void {
  const context = createContextAt(setup, process.now);
  const create = () => setup.controller(key, snapshot, context);
  const run = createRun(create, process);
  if (run === undefined) {
    const { failures } = process.memory;
    updateMemory(process, { failures: failures.delete(passId(key)) });
    return;
  }
  if (run.plan !== undefined) {
    const again = () => create()?.plan;
    addNote(process, { kind: "Planned", plan: run.plan, snapshot, revisions, context, again });
  }
  continuePass(
    { key, run, snapshot, context, about: findEventObject(key, snapshot), again: false },
    process,
    setup,
  );
}

/** What a controller begins; a pass that fails where it throws or returns no pass. */
function createRun(
  create: () => PassRun | undefined,
  process: ManagerProcess,
): PassRun | undefined {
  try {
    const run = create();
    if (run === undefined || typeof run?.next === "function") return run;
    throw new TypeError(`a controller answers no pass, but ${String(run)}`);
  } catch (error) {
    addNote(process, { kind: "FailedPassNote", error });
    return GIVEN_UP;
  }
}

/** The JobSet that a pass is over, for its Events; repairs have none. */
function findEventObject(
  { kind, namespace, name }: PassKey,
  snapshot: Snapshot,
): KubernetesObject | undefined {
  const uid = kind === "JobSet" ? snapshot.jobSet(namespace, name)?.metadata?.uid : undefined;
  if (uid === undefined) return undefined;
  return { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, metadata: { namespace, name, uid } };
}

/** Calls a program outside once more. */
export function pollPass(key: PassKey, process: ManagerProcess, setup: ManagerSetup): void {
  const pass = process.memory.passes.get(passId(key));
  if (pass !== undefined) continuePass(pass, process, setup);
}

/** Hands a reply to the pass that waits for it. */
export function receiveReply(number: number, process: ManagerProcess, setup: ManagerSetup): void {
  const sent = consumeReply(number, process);
  const pass = sent && process.memory.passes.get(passId(sent.key));
  if (sent === undefined || pass === undefined) return;
  const { id, reply } = sent;
  const run = tryCall(process, () => pass.run.settle(id, reply));
  if (run === undefined) finishPass(pass, FAILED, process, setup);
  else continuePass(withMembers(pass, { run }), process, setup);
}

/** Sends what may be sent now; ends the pass when nothing is left. */
function continuePass(pass: Pass, process: ManagerProcess, setup: ManagerSetup): void {
  let { run } = pass;
  for (let done = 0; ; done++) {
    const next = tryCall(process, () => {
      if (done === MAX_ACTIONS) throw new Error(`a pass does ${done} things and waits for none`);
      return chooseNextAction(run);
    });
    if (next === undefined) {
      finishPass(pass, FAILED, process, setup);
      return;
    }
    const { action, after } = next;
    run = after;
    switch (action.action) {
      case "Perform":
        enqueueRequest(action, pass, process, setup);
        break;
      case "Emit":
        reportEvents([action.event], pass.about, process, setup);
        break;
      case "Wait":
        savePass(withMembers(pass, { run }), process);
        if (action.isOpen) process.wake({ action: "Poll", key: pass.key }, POLL_MS);
        return;
      case "Done":
        finishPass(pass, action, process, setup);
        return;
    }
  }
}

function finishPass(pass: Pass, done: Done, process: ManagerProcess, setup: ManagerSetup): void {
  const { passes, failures } = process.memory;
  const id = passId(pass.key);
  const failed = done.ok ? 0 : (failures.get(id) ?? 0) + 1;
  updateMemory(process, {
    passes: passes.delete(id),
    failures: failed === 0 ? failures.delete(id) : failures.set(id, failed),
  });
  const reconcileAgain = { action: "Reconcile", key: pass.key } as const;
  if (pass.again) process.wake(reconcileAgain);
  reportEvents(done.events, pass.about, process, setup);
  if (!done.ok) {
    const backOff = INITIAL_BACK_OFF_MS * 2 ** (failed - 1);
    process.wake(reconcileAgain, Math.min(backOff, MAX_BACK_OFF_MS));
  } else if (done.requeueAfterMs !== undefined) {
    process.wake(reconcileAgain, done.requeueAfterMs);
  }
}

function savePass(pass: Pass, process: ManagerProcess): void {
  const { passes } = process.memory;
  updateMemory(process, { passes: passes.set(passId(pass.key), pass) });
}

/** What comes of something that a controller does; `undefined` where it throws, which is noted. */
function tryCall<Result>(process: ManagerProcess, act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    addNote(process, { kind: "FailedPassNote", error });
    return undefined;
  }
}

/** The pass of a controller that threw: it has failed, and is tried again after a while. */
const FAILED: Done = { action: "Done", ok: false, events: [] };

const GIVEN_UP: PassRun = {
  next: () => ({ action: FAILED, after: GIVEN_UP }),
  settle: () => GIVEN_UP,
};
