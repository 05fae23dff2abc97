import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { namespacedName } from "@jobset-ts/api/kubernetes";
import { webhookNames } from "../jobset-controller/webhooks.ts";
import type { Fault } from "../scenario/fault.ts";
import { type FaultTargets, getRareFault, getWatchedKind } from "./rare-faults.ts";
import type { ScenarioSize } from "./scenario-size.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** The objects that users and faults of a random scenario can affect. */
export interface Cast extends FaultTargets {
  /** The JobSet at its creation. */
  readonly jobSet: Unvalidated<JobSet>;
}

/** The time in milliseconds in which faults and users act: the first Jobs start, run, fail and are recreated. */
export const BUSY_MS = 90_000;

/** The share of rare faults and rare user actions. */
export const RARE = 0.3;

/** Draws the faults of a scenario. */
export function listFaults(chance: SeededRandom, size: ScenarioSize, cast: Cast): readonly Fault[] {
  const count = chance.below(size.faults + 1, "faults");
  return Array.from({ length: count }, (_, at) => createFault(chance, cast, at));
}

/** Draws a fault by its index. */
export function createFault(chance: SeededRandom, cast: Cast, at: number): Fault {
  const { below, happens, pick } = chance;
  const { jobSet, nodes } = cast;
  // Drawn separately, so a seed keeps its other faults when rare faults are added.
  if (happens(RARE, "rare", at)) return getRareFault(chance, cast, at, BUSY_MS);
  const request = 1 + below(60, "request", at);
  const from = below(BUSY_MS, "from", at);
  const until = from + below(BUSY_MS / 3, "for", at);
  const kind = getWatchedKind(chance, at);
  switch (below(11, "fault", at)) {
    case 0:
      return { fault: "HoldBack", kind, from, until };
    case 1:
      return { fault: "Relist", kind, from, until };
    case 2:
      return { fault: "DelayRequest", request, ms: below(20_000, "delay", at) };
    case 3:
      return { fault: "LoseRequest", request };
    case 4:
      return { fault: "LoseReply", request };
    case 5:
      return { fault: "Refuse", request, code: pick([403, 429, 500, 503] as const, "code", at) };
    case 6:
      return { fault: "Race", request };
    case 7:
      return {
        fault: "Crash",
        request,
        when: pick(["Before", "After"] as const, "when", at),
        downMs: 1 + below(20_000, "down", at),
      };
    case 8: {
      const webhooks = happens(0.5, "oneWebhook", at)
        ? [pick(webhookNames, "down", at)]
        : undefined;
      return { fault: "WebhookOutage", ...(webhooks && { webhooks }), from, until };
    }
    case 9: {
      const node = pick(nodes, "node", at);
      // After 50 seconds, the node is considered lost. After 5 more minutes, its Pods are evicted.
      const longer = happens(0.2, "cutOffForLong", at) ? 60_000 + below(600_000, "for", at) : 0;
      return { fault: "CutOffNode", node, from, until: until + longer };
    }
    default:
      return { fault: "Spurious", at: from, jobSet: namespacedName(jobSet) };
  }
}
