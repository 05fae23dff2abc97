import type { EpochMillis } from "@jobset-ts/api";
import { withMembers } from "../with-members.ts";
import { createPastCaches } from "./caches.ts";
import { keepAcrossRestart, type ManagerProcess } from "./manager-memory.ts";

/** The duration of a lease without renewal, in milliseconds. */
export const LEASE_MS = 15_000;
/** How long a frozen process continues before it notices that it has lost its lease. */
export const LEASE_LOSS_NOTICE_MS = 2_000;

/** Freezes a process. Its turns are postponed. */
export function freezeManager(process: ManagerProcess, frozenUntil: EpochMillis): void {
  process.memory = withMembers(process.memory, { frozenUntil });
}

/** Freezes the cache of a webhook up to an instant. */
export function holdWebhookCache(
  process: ManagerProcess,
  webhook: string,
  until: EpochMillis,
): void {
  const { caches, staleWebhooks } = process.memory;
  if (caches === undefined) return;
  const { snapshot } = caches;
  process.memory = {
    ...process.memory,
    staleWebhooks: { ...staleWebhooks, [webhook]: { snapshot, until } },
  };
}

/** Makes a replica the leader. Its request numbers continue those of the previous leader. */
export function acquireLease(process: ManagerProcess, requestCount: number): void {
  process.memory = withMembers(process.memory, { requestCount });
  process.wake({ action: "Start" });
}

/** Ends a process that has lost its lease. A replica replaces it and waits. */
export function loseLease(process: ManagerProcess): void {
  process.memory = keepAcrossRestart(process.memory);
  process.forget({ action: "Start" });
}

/** Restarts a process that is up, as a new version of it does. */
export function restartManager(process: ManagerProcess): void {
  if (process.memory.caches === undefined) return;
  process.memory = keepAcrossRestart(process.memory);
  process.wake({ action: "Start" });
}

/** Restarts a process whose API server is out of date for one kind until an instant. */
export function restartWithStaleCache(
  process: ManagerProcess,
  travel: { readonly kind: string; readonly asOf: EpochMillis; readonly arrivesAt: EpochMillis },
): void {
  const { objects, revision } = process;
  const memory = keepAcrossRestart(process.memory);
  process.memory = withMembers(memory, {
    caches: createPastCaches(objects, revision, memory.past, travel),
  });
  process.wake({ action: "Start" });
}

/** Reconciles a JobSet although nothing has changed. */
export function reconcileNow(process: ManagerProcess, jobSet: string): void {
  const [namespace = "", name = ""] = jobSet.split("/");
  process.wake({ action: "Reconcile", key: { kind: "JobSet", namespace, name } });
}
