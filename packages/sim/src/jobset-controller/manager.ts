import type { Context } from "@jobset-ts/core";
import type { Component } from "../kernel/component.ts";
import { WATCHED_KINDS } from "./caches.ts";
import { reportDelayedEvents } from "./events.ts";
import { type ManagerMemory, type ManagerProcess, NEW_MEMORY } from "./manager-memory.ts";
import type { ManagerSetup } from "./manager-setup.ts";
import { getTurnKey, type ManagerTurn } from "./manager-turn.ts";
import { type NetworkFaults, NO_FAULTS } from "./network-faults.ts";
import { createSimController, type SimController } from "./pass-run.ts";
import { pollPass, receiveReply, reconcile } from "./passes.ts";
import { sendRequest } from "./requests.ts";
import { deliverWatchEvents, enqueueChange, startManager } from "./watches.ts";

export interface ManagerOptions {
  readonly name?: string;
  /** Feature gates and quirks. */
  readonly context: Omit<Context, "now">;
  readonly controller?: SimController;
  readonly faults?: NetworkFaults;
  /** Whether the replica waits until another one loses the lease. */
  readonly isStandby?: boolean;
}

/**
 * JobSet's controller manager: informer caches that lag behind the store, each kind separately, work queues with
 * back-off, and reconciles whose requests take time, get lost or are rejected. By default it decides with the
 * production `reconcile` and executes plans with the production `PlanExecution`.
 */
export function createManager({
  name = "manager",
  context,
  controller = createSimController(),
  faults = NO_FAULTS,
  isStandby = false,
}: ManagerOptions): Component<ManagerMemory, ManagerTurn> {
  const setup: ManagerSetup = { name, context, controller, faults };
  return {
    name,
    memory: isStandby ? { ...NEW_MEMORY, caches: undefined } : NEW_MEMORY,
    watches: WATCHED_KINDS,
    keyOf: getTurnKey,
    observe: (change, process) => enqueueChange(change, process, setup),
    act: (turn, process) => act(turn, process, setup),
  };
}

function act(turn: ManagerTurn, process: ManagerProcess, setup: ManagerSetup): void {
  const { frozenUntil = 0 } = process.memory;
  if (process.now < frozenUntil) {
    process.wake(turn, frozenUntil - process.now);
    return;
  }
  switch (turn.action) {
    case "Start":
      startManager(process, setup);
      break;
    case "Deliver":
      deliverWatchEvents(turn.kind, process, setup);
      break;
    case "Reconcile":
      reconcile(turn.key, process, setup);
      break;
    case "Poll":
      pollPass(turn.key, process, setup);
      break;
    case "Send":
      sendRequest(turn.number, process, setup);
      break;
    case "Receive":
      receiveReply(turn.number, process, setup);
      break;
    case "ReportEvents":
      reportDelayedEvents(process);
      break;
  }
}
