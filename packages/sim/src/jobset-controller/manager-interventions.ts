import type { EpochMillis } from "@jobset-ts/api";
import { withMembers } from "../with-members.ts";
import { createPastCaches } from "./caches.ts";
import { keepAcrossRestart, type ManagerProcess } from "./manager-memory.ts";

/** For so long a lease is good without being renewed, in milliseconds. */
export const LEASE_MS = 15_000;
/** How long a process that froze continues before it notices that it has lost its Lease. */
export const LEASE_LOSS_NOTICE_MS = 2_000;

/** Lets a process stand still: its turns come later. */
export function freezeManager(process: ManagerProcess, frozenUntil: EpochMillis): void {
  process.memory = withMembers(process.memory, { frozenUntil });
}

/** Lets a webhook of a process know nothing new up to an instant. */
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

/** Lets a replica lead. Its requests are counted on from those of the leader before it. */
export function acquireLease(process: ManagerProcess, requestCount: number): void {
  process.memory = withMembers(process.memory, { requestCount });
  process.wake({ action: "Start" });
}

/** Ends a process that has lost the lease; a replica takes its place, and waits. */
export function loseLease(process: ManagerProcess): void {
  process.memory = keepAcrossRestart(process.memory);
  process.forget({ action: "Start" });
}

/** Restarts a process with an API server that is behind in one kind and catches up at an instant. */
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

/** Lets a process reconcile a JobSet although nothing has changed. */
export function reconcileNow(process: ManagerProcess, jobSet: string): void {
  const [namespace = "", name = ""] = jobSet.split("/");
  process.wake({ action: "Reconcile", key: { kind: "JobSet", namespace, name } });
}
