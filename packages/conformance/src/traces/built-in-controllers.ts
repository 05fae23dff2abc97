import { garbageCollector } from "../../../sim/src/garbage-collector.ts";
import { jobController } from "../../../sim/src/job-controller/job-controller.ts";
import type { Component } from "../../../sim/src/kernel/component.ts";
import { nodeLifecycle } from "../../../sim/src/nodes/node-lifecycle.ts";
import { podGc } from "../../../sim/src/nodes/pod-gc.ts";
import { taintEviction } from "../../../sim/src/nodes/taint-eviction.ts";
import { createScheduler } from "../../../sim/src/scheduler/scheduler.ts";
import { ttlAfterFinished } from "../../../sim/src/ttl-after-finished.ts";

/**
 * Returns the control plane components for playing a trace. If nodes are equal, the recorded scheduler used the first
 * one, according to the traces.
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
