import {
  type Component,
  createScheduler,
  garbageCollector,
  jobController,
  nodeLifecycle,
  podGc,
  taintEviction,
  ttlAfterFinished,
} from "@jobset-ts/sim/kernel";

/**
 * Returns the control plane components for playing a trace. If nodes are equal, the recorded scheduler used the first
 * one, as far as the traces show.
 */
export function builtInControllers(): readonly Component[] {
  return [
    jobController as Component,
    garbageCollector as Component,
    ttlAfterFinished as Component,
    createScheduler({ choice: "ByName" }) as Component,
    nodeLifecycle as Component,
    taintEviction as Component,
    podGc as Component,
  ];
}
