import type { Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { isInt32 } from "@jobset-ts/api/typed";
import type { AdmissionContext } from "../webhook-shape.ts";

/**
 * Returns the value of a Pod's priority label, which exclusive placement among Pods of equal priority uses. `undefined`
 * if the Pod has no priority yet.
 *
 * A label value starts with a letter or a digit, so `-5` becomes `n5`. Upstream writes `-5`, and the API server rejects
 * the Pod (quirk `NegativePriorityLabel`).
 *
 * To compare priorities, compare these labels. Do not parse a number from them.
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
