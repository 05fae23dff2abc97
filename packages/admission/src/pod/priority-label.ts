import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { isInt32 } from "@jobset-ts/api/typed";
import type { AdmissionContext } from "../webhook-shape.ts";

/**
 * The value of the priority label of a Pod, on which exclusive placement among equals rests; `undefined` when the
 * Pod has no priority yet.
 *
 * A label value begins with a letter or a digit, so that `-5` becomes `n5`. Upstream writes `-5`, and the API server
 * then refuses the Pod (quirk `NegativePriorityLabel`).
 *
 * Whoever compares priorities compares these labels, never reads a number out of them.
 */
export function priorityLabel(
  pod: Unvalidated<Pod>,
  context: AdmissionContext,
): string | undefined {
  const priority: unknown = pod?.spec?.priority;
  if (!isInt32(priority)) return undefined;
  return priority < 0 && !context.quirks.has("NegativePriorityLabel")
    ? `n${-priority}`
    : String(priority);
}
