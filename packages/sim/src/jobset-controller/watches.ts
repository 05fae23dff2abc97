import type { Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace, type KubernetesObject, type Pod } from "@jobset-ts/api/kubernetes";
import { type Context, jobSetForObject, type Snapshot } from "@jobset-ts/core";
import { leaderForPod } from "@jobset-ts/core/placement";
import { type Change, getChangedObject } from "../kernel/component.ts";
import {
  type Caches,
  createCaches,
  deliverChanges,
  getNextArrival,
  WATCHED_KINDS,
  withInFlightChange,
} from "./caches.ts";
import { type ManagerProcess, updateManagerMemory } from "./manager-memory.ts";
import { createContextAt, type ManagerSetup } from "./manager-setup.ts";

/** The time from a write to its arrival in a cache, in milliseconds, without faults. */
const WATCH_LAG_MS = 5;

/** Sends a change to the caches. */
export function enqueueChange(
  change: Change,
  process: ManagerProcess,
  { faults }: ManagerSetup,
): void {
  if (faults.remembersAll)
    updateManagerMemory(process, { past: { change, earlier: process.memory.past } });
  const { caches } = process.memory;
  if (caches === undefined) return;
  const { kind } = getChangedObject(change);
  const delay = faults.getWatchDelay(kind, process.now);
  const expected = withInFlightChange(caches, change, {
    arrivesAt: Math.max(delay?.until ?? 0, process.now + WATCH_LAG_MS),
    collapses: delay?.collapses ?? false,
  });
  updateManagerMemory(process, { caches: expected.caches });
  process.wake({ action: "Deliver", kind }, expected.arrivesAt - process.now);
}

/** Delivers the changes of a kind that have arrived, and wakes the affected keys. */
export function deliverWatchEvents(
  kind: string,
  process: ManagerProcess,
  setup: ManagerSetup,
): void {
  const { caches } = process.memory;
  if (caches === undefined) return;
  const arrived = deliverChanges(caches, kind, process.now);
  updateManagerMemory(process, { caches: arrived.caches });
  wakeDelivery(kind, arrived.caches, process);
  const now = createContextAt(setup, process.now);
  const { snapshot } = arrived.caches;
  for (const { before, after } of arrived.changes) {
    for (const object of [before, after]) {
      if (object !== undefined) wakeAffectedJobSet(object, process, setup);
    }
    if (kind === "Pod" && after !== undefined) wakePlacement(after, snapshot, now, process);
  }
}

/** Lists everything, unless a fault has done it already, and wakes all keys. */
export function startManager(process: ManagerProcess, setup: ManagerSetup): void {
  const { memory, objects, revision } = process;
  const caches = memory.caches ?? createCaches(objects, revision);
  updateManagerMemory(process, { caches });
  for (const kind of WATCHED_KINDS) wakeDelivery(kind, caches, process);
  const { snapshot } = caches;
  for (const jobSet of snapshot.jobSets) {
    const key = { kind: "JobSet", namespace: getNamespace(jobSet), name: getName(jobSet) } as const;
    process.wake({ action: "Reconcile", key });
  }
  const now = createContextAt(setup, process.now);
  for (const pod of snapshot.objects("Pod")) wakePlacement(pod, snapshot, now, process);
}

function wakeDelivery(kind: string, caches: Caches, process: ManagerProcess): void {
  const next = getNextArrival(caches, kind);
  if (next !== undefined) process.wake({ action: "Deliver", kind }, next - process.now);
}

function wakeAffectedJobSet(
  object: Unvalidated<KubernetesObject>,
  process: ManagerProcess,
  { context }: ManagerSetup,
): void {
  const jobSet = jobSetForObject(object, context);
  if (jobSet === undefined) return;
  const { namespace, name } = jobSet;
  process.wake({ action: "Reconcile", key: { kind: "JobSet", namespace, name } });
}

function wakePlacement(
  pod: Unvalidated<KubernetesObject>,
  snapshot: Snapshot,
  now: Context,
  process: ManagerProcess,
): void {
  const leader = leaderForPod(snapshot, pod as Unvalidated<Pod>, now);
  if (leader === undefined) return;
  const key = { kind: "Pod", namespace: getNamespace(leader), name: getName(leader) } as const;
  process.wake({ action: "Reconcile", key });
}
