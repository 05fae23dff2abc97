import { namespacedName } from "@jobset-ts/api/kubernetes";
import { getPassNotes } from "../jobset-controller/pass-note.ts";
import type { StepResult } from "../kernel/advance.ts";
import { type Cluster, isWithin, START_TIME } from "../kernel/cluster.ts";
import { findRunningPod } from "../kubelet/agent-sync.ts";
import type { KubeletMemory } from "../kubelet/pod-runs.ts";
import type { Fault } from "../scenario/fault.ts";
import { podsToKill } from "../scenario/interventions.ts";

/** Observes whether faults about one object affect anything, because the object may not exist at the time. */
export class FaultWatch {
  readonly #unmet: Set<Fault>;
  #before: Cluster | undefined;

  constructor(faults: readonly Fault[]) {
    this.#unmet = new Set(faults.filter((fault) => noTargetNote(fault) !== undefined));
  }

  onTurn(turn: StepResult): void {
    if (this.#unmet.size === 0) return;
    for (const fault of this.#unmet)
      if (hasTarget(fault, this.#before, turn)) this.#unmet.delete(fault);
    this.#before = turn.cluster;
  }

  /** Reports whether a fault is about one object and has not affected anything so far. */
  hadNoTarget(fault: Fault): boolean {
    return this.#unmet.has(fault);
  }
}

/** Returns the note about a fault without effect. `undefined` for faults that always have one. */
export function noTargetNote(fault: Fault): string | undefined {
  switch (fault.fault) {
    case "KillContainers":
      return "no such container was running";
    case "RefuseObject":
      return "no request was affected";
    default:
      return undefined;
  }
}

function hasTarget(
  fault: Fault,
  before: Cluster | undefined,
  { cluster, notes }: StepResult,
): boolean {
  if (fault.fault === "KillContainers") {
    // The fault comes before all other events at its time, so it affects the state after the last earlier
    // turn.
    const at = START_TIME + fault.at;
    if (before === undefined || before.now >= at || cluster.now < at) return false;
    const { objects } = before;
    const kubelets = { objects, memory: before.memories.get("kubelet") as KubeletMemory };
    return podsToKill(fault, objects).some(
      (pod) => findRunningPod(namespacedName(pod), kubelets) !== undefined,
    );
  }
  if (fault.fault !== "RefuseObject") return false;
  return getPassNotes({ notes }).some((note) => {
    if (note.kind !== "FaultNote" || note.rejectedRequest === undefined) return false;
    const { at, request } = note.rejectedRequest;
    const { kind, metadata } = request.object;
    return kind === fault.kind && metadata?.name === fault.name && isWithin(fault, at);
  });
}
