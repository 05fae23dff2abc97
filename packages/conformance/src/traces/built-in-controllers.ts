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
 * The components of the control plane that a trace is played against. Of equal nodes the recorded scheduler took the
 * first, as far as the traces show.
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
