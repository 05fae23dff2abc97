import type { ManagerMemory } from "../jobset-controller/manager-memory.ts";
import type { StepResult } from "../kernel/advance.ts";
import { type Cluster, START_TIME } from "../kernel/cluster.ts";
import type { LawMemories } from "../laws/judge.ts";
import type { PendingLaws } from "../laws/liveness-law.ts";
import type { Fault } from "./fault.ts";

/** The state of a run after one turn. Another run can continue from it. */
export interface Checkpoint {
  readonly turn: StepResult;
  readonly remembered: LawMemories;
  readonly awaited: PendingLaws;
  readonly work: number;
}

/** Each checkpoint keeps objects that later turns replace. So a long run has checkpoints only of its first turns. */
export const MAX_CHECKPOINTS = 5_000;

/**
 * Returns the checkpoints that a run with one fault shares with the run without faults: all that precede the fault.
 * There are none if the fault changes the components or the valid laws from the start.
 *
 * @param checkpoints - of the run without faults, in their order
 */
export function checkpointsBefore(
  fault: Fault,
  checkpoints: readonly Checkpoint[],
): readonly Checkpoint[] {
  const precedes = getPreceding(fault);
  return checkpoints.slice(0, checkpoints.findLastIndex(({ turn }) => precedes(turn.cluster)) + 1);
}

function getPreceding(fault: Fault): (cluster: Cluster) => boolean {
  switch (fault.fault) {
    case "Crash":
    case "DelayRequest":
    case "LoseReply":
    case "LoseRequest":
    case "Race":
    case "Refuse":
      return ({ memories }) =>
        (memories.get("manager") as ManagerMemory).requestCount < fault.request;
    case "RestartJobController":
    case "Spurious":
      return ({ now }) => now < START_TIME + fault.at;
    case "HoldBack":
    case "Relist":
      // While caches of nodes are stale, some laws do not hold.
      return ({ now }) => fault.kind !== "Node" && now < START_TIME + fault.from;
    case "WebhookOutage":
      return ({ now }) => now < START_TIME + fault.from;
    default:
      return () => false;
  }
}
