import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { withMembers } from "../with-members.ts";
import { type Caches, getNextArrival, isBehind } from "./caches.ts";
import { reportEvents } from "./events.ts";
import {
  type ManagerMemory,
  type ManagerProcess,
  type Pass,
  updateManagerMemory,
} from "./manager-memory.ts";
import { createContextAt, type ManagerSetup } from "./manager-setup.ts";
import { chooseNextAction } from "./next-action.ts";
import { addNote } from "./pass-note.ts";
import { type PassAction, type PassKey, type PassRun, passId } from "./pass-run.ts";
import { consumeReply, enqueueRequest } from "./requests.ts";

/** How soon an undecided external program is polled again. */
const POLL_MS = 1;
/** The maximum number of actions of a pass that waits for no reply. It exceeds the number of Jobs of any JobSet. */
const MAX_ACTIONS = 100_000;
const INITIAL_BACK_OFF_MS = 5;
const MAX_BACK_OFF_MS = 1_000_000;

type DoneAction = Extract<PassAction, { action: "Done" }>;

/** Starts a pass over a key. If one is in progress, the key is queued again. */
export function reconcile(key: PassKey, process: ManagerProcess, setup: ManagerSetup): void {
  const { memory } = process;
  if (memory.caches === undefined) return;
  const inProgress = memory.passes.get(passId(key));
  if (inProgress !== undefined) {
    savePass(withMembers(inProgress, { again: true }), process);
    return;
  }
  const seenAt = getOwnWritesVisibleAt(key, memory, memory.caches, process.now);
  if (seenAt === undefined) startPass(key, memory.caches, process, setup);
  else process.wake({ action: "Reconcile", key }, seenAt - process.now);
}

/** Returns when the caches have the last writes of a key's passes. `undefined` if they have them already. */
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
    updateManagerMemory(process, { failures: failures.delete(passId(key)) });
    return;
  }
  if (run.plan !== undefined) {
    const recompute = () => create()?.plan;
    addNote(process, { kind: "PlanNote", plan: run.plan, snapshot, revisions, context, recompute });
  }
  continuePass(
    { key, run, snapshot, context, about: findEventObject(key, snapshot), again: false },
    process,
    setup,
  );
}

/** Returns the run of a controller. The pass fails if the controller throws or returns no pass. */
function createRun(
  create: () => PassRun | undefined,
  process: ManagerProcess,
): PassRun | undefined {
  try {
    const run = create();
    if (run === undefined || typeof run?.next === "function") return run;
    throw new TypeError(`a controller returned ${String(run)} instead of a pass`);
  } catch (error) {
    addNote(process, { kind: "FailedPassNote", error });
    return ABANDONED_RUN;
  }
}

/** Returns the JobSet of a pass, for its Events. A pass over a leader Pod has none. */
function findEventObject(
  { kind, namespace, name }: PassKey,
  snapshot: Snapshot,
): KubernetesObject | undefined {
  const uid = kind === "JobSet" ? snapshot.jobSet(namespace, name)?.metadata?.uid : undefined;
  if (uid === undefined) return undefined;
  return { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, metadata: { namespace, name, uid } };
}

/** Polls an external program again. */
export function pollPass(key: PassKey, process: ManagerProcess, setup: ManagerSetup): void {
  const pass = process.memory.passes.get(passId(key));
  if (pass !== undefined) continuePass(pass, process, setup);
}

/** Passes a reply to the pass that waits for it. */
export function receiveReply(number: number, process: ManagerProcess, setup: ManagerSetup): void {
  const sent = consumeReply(number, process);
  const pass = sent && process.memory.passes.get(passId(sent.key));
  if (sent === undefined || pass === undefined) return;
  const { id, reply } = sent;
  const run = tryCall(process, () => pass.run.settle(id, reply));
  if (run === undefined) finishPass(pass, FAILED, process, setup);
  else continuePass(withMembers(pass, { run }), process, setup);
}

/** Performs all actions that are possible now. Finishes the pass if none is left. */
function continuePass(pass: Pass, process: ManagerProcess, setup: ManagerSetup): void {
  let { run } = pass;
  for (let actionCount = 0; ; actionCount++) {
    const next = tryCall(process, () => {
      if (actionCount === MAX_ACTIONS)
        throw new Error(`a reconcile performed ${actionCount} actions without waiting for a reply`);
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

function finishPass(
  pass: Pass,
  done: DoneAction,
  process: ManagerProcess,
  setup: ManagerSetup,
): void {
  const { passes, failures } = process.memory;
  const id = passId(pass.key);
  const failed = done.ok ? 0 : (failures.get(id) ?? 0) + 1;
  updateManagerMemory(process, {
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
  updateManagerMemory(process, { passes: passes.set(passId(pass.key), pass) });
}

/** Calls a function of the controller. Returns `undefined` and adds a note if it throws. */
function tryCall<Result>(process: ManagerProcess, act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    addNote(process, { kind: "FailedPassNote", error });
    return undefined;
  }
}

/** The result of a pass whose controller threw. It is retried after a back-off. */
const FAILED: DoneAction = { action: "Done", ok: false, events: [] };

const ABANDONED_RUN: PassRun = {
  next: () => ({ action: FAILED, after: ABANDONED_RUN }),
  settle: () => ABANDONED_RUN,
};
