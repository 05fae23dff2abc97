import type { ContainerStatus, PodCondition, PodStatus } from "@jobset-ts/api/kubernetes";
import { ago } from "./ages.ts";

const image = { image: "registry.example/team/trainer:v4", imageID: "sha256:abab" };

/** A container as its kubelet tells of it. */
export function container(parts: Partial<ContainerStatus>): ContainerStatus {
  return { name: "main", ready: false, restartCount: 0, lastState: {}, ...image, ...parts };
}

function condition(type: string, isTrue: boolean, rest: Partial<PodCondition> = {}): PodCondition {
  const lastTransitionTime = ago(80);
  return { type, status: isTrue ? "True" : "False", lastTransitionTime, ...rest };
}

const unready = {
  reason: "ContainersNotReady",
  message: "containers with unready status: [main]",
};

/** A Pod on its node: the conditions that its kubelet writes. */
function onNode(isReady: boolean, why: Partial<PodCondition> = unready): PodCondition[] {
  const rest = isReady ? {} : why;
  return [
    condition("PodReadyToStartContainers", true),
    condition("Initialized", true),
    condition("Ready", isReady, rest),
    condition("ContainersReady", isReady, rest),
    condition("PodScheduled", true),
  ];
}

/** A Pod that does what it should. */
export function running(): PodStatus {
  const state = { running: { startedAt: ago(78) } };
  const containerStatuses = [container({ ready: true, started: true, state })];
  return { phase: "Running", conditions: onNode(true), containerStatuses };
}

/** A Pod that runs, one of whose containers is not ready. */
export function notReady(parts: Partial<ContainerStatus>): PodStatus {
  const state = { running: { startedAt: ago(70) } };
  const containerStatuses = [container({ started: true, state, ...parts })];
  return { phase: "Running", conditions: onNode(false), containerStatuses };
}

/** A Pod on a node whose containers have not been started. */
export function starting(parts: Partial<ContainerStatus> = {}): PodStatus {
  const state = { waiting: { reason: "ContainerCreating" } };
  const containerStatuses = [container({ started: false, state, ...parts })];
  return { phase: "Pending", conditions: onNode(false), containerStatuses };
}

/** A Pod whose init container is as given; its main container waits for it. */
export function initializing(parts: Partial<ContainerStatus>): PodStatus {
  const state = { waiting: { reason: "PodInitializing" } };
  return {
    phase: "Pending",
    conditions: onNode(false),
    initContainerStatuses: [container({ name: "setup", ...parts })],
    containerStatuses: [container({ state })],
  };
}

/** A Pod that is done. */
export function succeeded(): PodStatus {
  const state = { terminated: { exitCode: 0, reason: "Completed", finishedAt: ago(65) } };
  const conditions = onNode(false, { reason: "PodCompleted" });
  return { phase: "Succeeded", conditions, containerStatuses: [container({ state })] };
}

/** A Pod that has failed, as a container's end or the Pod itself tells. */
export function failed(
  terminated: { readonly exitCode: number; readonly reason: string; readonly message?: string },
  ofPod: Pick<PodStatus, "reason" | "message"> = {},
): PodStatus {
  const state = { terminated: { ...terminated, finishedAt: ago(65) } };
  const conditions = onNode(false, { reason: "PodFailed" });
  return { phase: "Failed", conditions, containerStatuses: [container({ state })], ...ofPod };
}

/** A Pod that no node takes. */
export function unschedulable(message: string): PodStatus {
  const why = { reason: "Unschedulable", message };
  return { phase: "Pending", conditions: [condition("PodScheduled", false, why)] };
}

/** A Pod that somebody holds back from the scheduler. */
export function gated(): PodStatus {
  const message = "Scheduling is blocked due to non-empty scheduling gates";
  const conditions = [condition("PodScheduled", false, { reason: "SchedulingGated", message })];
  return { phase: "Pending", conditions };
}

/** A Pod on a node that has gone: the node controller says that it is not ready. */
export function lost(): PodStatus {
  const { containerStatuses = [] } = running();
  return { phase: "Running", conditions: onNode(false, {}), containerStatuses };
}
