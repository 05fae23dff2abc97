import { keyOf } from "@jobset-ts/api/kubernetes";
import type { Process, ReportedEvent } from "../kernel/component.ts";

interface Holder {
  readonly heldEvents: readonly ReportedEvent[];
}

/** Keeps an Event for later. One that is like another in all but its words is counted with it, which keeps its own. */
export function holdEvents<Memory extends Holder>(
  process: Process<Memory>,
  event: ReportedEvent,
): void {
  const { memory } = process;
  if (memory.heldEvents.some((one) => keyOfEvent(one) === keyOfEvent(event))) return;
  process.memory = { ...memory, heldEvents: [event, ...memory.heldEvents] };
}

/** As clients merge Events into a series: the words do not matter. */
function keyOfEvent({ about, type, reason }: ReportedEvent): string {
  return [about.kind, keyOf(about), about.metadata.uid, type, reason].join("\n");
}

/** Tells what was kept, the newest first. */
export function tellHeldEvents<Memory extends Holder>(process: Process<Memory>): void {
  const { heldEvents } = process.memory;
  process.memory = { ...process.memory, heldEvents: [] };
  for (const event of heldEvents) process.report(event);
}
