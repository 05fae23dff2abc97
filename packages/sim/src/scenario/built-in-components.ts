import { garbageCollector } from "../garbage-collector.ts";
import { createJobController } from "../job-controller/job-controller.ts";
import type { Component } from "../kernel/component.ts";
import { createKubelets } from "../kubelet/kubelet.ts";
import { nodeLifecycle } from "../nodes/node-lifecycle.ts";
import { podGc } from "../nodes/pod-gc.ts";
import { taintEviction } from "../nodes/taint-eviction.ts";
import { createScheduler } from "../scheduler/scheduler.ts";
import { ttlAfterFinished } from "../ttl-after-finished.ts";
import { getClockOffset } from "./fault.ts";
import type { Scenario } from "./scenario.ts";
import { getAgentLag } from "./slowdowns.ts";

/** Returns the components of every cluster except JobSet's controller. */
export function builtInComponents({
  workload,
  faults,
  kubernetes,
}: Scenario): readonly Component[] {
  const [ofControllers, ofKubelets] = (["kube-controller-manager", "kubelet"] as const).map(
    (owner) => getClockOffset(faults, owner),
  );
  const components = [
    garbageCollector,
    createJobController(kubernetes),
    ttlAfterFinished,
    createScheduler(),
    createKubelets(workload, getAgentLag(faults)),
    nodeLifecycle,
    taintEviction,
    podGc,
  ] as readonly unknown[] as readonly Component[];
  return components.map((component) => {
    const { name } = component;
    const clockOffsetMs = name === "kubelet" ? ofKubelets : ofControllers;
    if (clockOffsetMs === undefined || name === "scheduler") return component;
    return { ...component, clockOffsetMs };
  });
}
