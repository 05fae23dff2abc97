import type { ContainerStatus, PodCondition, PodStatus } from "@jobset-ts/api/kubernetes";
import { ago } from "./event-times.ts";

const image = { image: "registry.example/team/trainer:v4", imageID: "sha256:abab" };

/** Returns the status of a container as the kubelet reports it. */
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

/** Returns the conditions that the kubelet writes for a Pod on its node. */
function createNodeConditions(
  isReady: boolean,
  why: Partial<PodCondition> = unready,
): PodCondition[] {
  const rest = isReady ? {} : why;
  return [
    condition("PodReadyToStartContainers", true),
    condition("Initialized", true),
    condition("Ready", isReady, rest),
    condition("ContainersReady", isReady, rest),
    condition("PodScheduled", true),
  ];
}

/** Returns the status of a healthy Pod. */
export function createRunningStatus(): PodStatus {
  const state = { running: { startedAt: ago(78) } };
  const containerStatuses = [container({ ready: true, started: true, state })];
  return { phase: "Running", conditions: createNodeConditions(true), containerStatuses };
}

/** Returns the status of a running Pod with a container that is not ready. */
export function notReady(parts: Partial<ContainerStatus>): PodStatus {
  const state = { running: { startedAt: ago(70) } };
  const containerStatuses = [container({ started: true, state, ...parts })];
  return { phase: "Running", conditions: createNodeConditions(false), containerStatuses };
}

/** Returns the status of a Pod on a node whose containers have not started. */
export function createStartingStatus(parts: Partial<ContainerStatus> = {}): PodStatus {
  const state = { waiting: { reason: "ContainerCreating" } };
  const containerStatuses = [container({ started: false, state, ...parts })];
  return { phase: "Pending", conditions: createNodeConditions(false), containerStatuses };
}

/** Returns the status of a Pod with an init container in a given state. The main container waits for it. */
export function initializing(parts: Partial<ContainerStatus>): PodStatus {
  const state = { waiting: { reason: "PodInitializing" } };
  return {
    phase: "Pending",
    conditions: createNodeConditions(false),
    initContainerStatuses: [container({ name: "setup", ...parts })],
    containerStatuses: [container({ state })],
  };
}

/** Returns the status of a succeeded Pod. */
export function createSucceededStatus(): PodStatus {
  const state = { terminated: { exitCode: 0, reason: "Completed", finishedAt: ago(65) } };
  const conditions = createNodeConditions(false, { reason: "PodCompleted" });
  return { phase: "Succeeded", conditions, containerStatuses: [container({ state })] };
}

/** Returns the status of a failed Pod. Either a container or the Pod itself reports the reason. */
export function createFailedStatus(
  terminated: { readonly exitCode: number; readonly reason: string; readonly message?: string },
  ofPod: Pick<PodStatus, "reason" | "message"> = {},
): PodStatus {
  const state = { terminated: { ...terminated, finishedAt: ago(65) } };
  const conditions = createNodeConditions(false, { reason: "PodFailed" });
  return { phase: "Failed", conditions, containerStatuses: [container({ state })], ...ofPod };
}

/** Returns the status of a Pod that fits on no node. */
export function unschedulable(message: string): PodStatus {
  const why = { reason: "Unschedulable", message };
  return { phase: "Pending", conditions: [condition("PodScheduled", false, why)] };
}

/** Returns the status of a Pod with a scheduling gate. */
export function gated(): PodStatus {
  const message = "Scheduling is blocked due to non-empty scheduling gates";
  const conditions = [condition("PodScheduled", false, { reason: "SchedulingGated", message })];
  return { phase: "Pending", conditions };
}

/** Returns the status of a Pod on a lost node: the node controller has marked it as not ready. */
export function createLostStatus(): PodStatus {
  const { containerStatuses = [] } = createRunningStatus();
  return { phase: "Running", conditions: createNodeConditions(false, {}), containerStatuses };
}
