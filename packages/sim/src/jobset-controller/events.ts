import { type KubernetesObject, namespacedName } from "@jobset-ts/api/kubernetes";
import type { PlannedEvent } from "@jobset-ts/core";
import type { SimulatedEvent } from "../kernel/component.ts";
import { type ManagerProcess, updateManagerMemory } from "./manager-memory.ts";
import type { ManagerSetup } from "./manager-setup.ts";

/** Reports the Events of a pass, unless a fault drops or delays them. */
export function reportEvents(
  events: readonly PlannedEvent[],
  about: KubernetesObject | undefined,
  process: ManagerProcess,
  { faults }: ManagerSetup,
): void {
  if (about === undefined) return;
  const fate = faults.getEventFate(process.now);
  for (const event of events) {
    if (fate === "Reported") process.report({ about, ...event });
    else if (fate !== "Lost") delayEvent({ about, ...event }, process);
  }
  if (typeof fate !== "string") process.wake({ action: "ReportEvents" }, fate.until - process.now);
}

/** Delays an Event. Delayed Events that differ only in their message are merged, and the first message is kept. */
function delayEvent(event: SimulatedEvent, process: ManagerProcess): void {
  const { delayedEvents } = process.memory;
  if (delayedEvents.some((one) => getEventKey(one) === getEventKey(event))) return;
  updateManagerMemory(process, { delayedEvents: [event, ...delayedEvents] });
}

/** Clients merge Events into a series without comparing their messages. */
function getEventKey({ about, type, reason }: SimulatedEvent): string {
  return [about.kind, namespacedName(about), about.metadata.uid, type, reason].join("\n");
}

/** Reports the delayed Events, newest first. */
export function reportDelayedEvents(process: ManagerProcess): void {
  const { delayedEvents } = process.memory;
  updateManagerMemory(process, { delayedEvents: [] });
  for (const event of delayedEvents) process.report(event);
}
