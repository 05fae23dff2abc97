import { type EpochMillis, formatTime } from "@jobset-ts/api";
import {
  asArray,
  type Container,
  findCondition,
  namespacedName,
  type Pod,
  type PodCondition,
} from "@jobset-ts/api/kubernetes";
import type { Component, Process } from "../../../sim/src/kernel/component.ts";

/** The automatic behavior of the kubelet. With `auto`, it starts bound Pods and stops Pods that are being deleted. */
export interface KubeletModes {
  readonly start: "auto" | "hold";
  readonly stop: "auto" | "hold";
}

const START_MS = 20;
const STOP_MS = 12;

/** Simulates the kubelets of all nodes, like the script that recorded the traces. */
export const scriptedKubelet: Component<KubeletModes> = {
  name: "kubelet",
  memory: { start: "auto", stop: "auto" },
  watches: ["Pod"],
  observe: ({ after }, process) => {
    const pod = after as Pod | undefined;
    if (pod?.spec.nodeName === undefined) return;
    const { start, stop } = process.memory;
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (stop === "auto") process.wake(namespacedName(pod), STOP_MS);
    } else if (start === "auto" && getPhase(pod) === "Pending") {
      process.wake(namespacedName(pod), START_MS);
    }
  },
  act: (key, process) => {
    const [namespace = "", name = ""] = key.split("/");
    const pod = process.objects.get<Pod>("Pod", namespace, name);
    if (pod === undefined) return;
    if (pod.metadata.deletionTimestamp === undefined) runPod(process, pod);
    else if (!hasEnded(pod)) endPod(process, pod, KILLED);
    else removePod(process, pod);
  },
};

export const KILLED = 137;

/** Starts a bound Pod. */
export function runPod(process: Process<unknown>, pod: Pod, isReady = true): void {
  editStatus(process, pod, (status) => {
    status.phase = "Running";
    status.startTime = formatTime(process.now);
    status.containerStatuses = asArray(pod.spec.containers).map((container) => ({
      ...containerStatus(container),
      ready: isReady,
      started: true,
      state: { running: { startedAt: formatTime(process.now) } },
    }));
    setCondition(status, "Ready", isReady ? "True" : "False", process.now);
  });
}

/** Ends all containers of a Pod with an exit code. */
export function endPod(process: Process<unknown>, pod: Pod, exitCode: number): void {
  editStatus(process, pod, (status) => {
    status.phase = exitCode === 0 ? "Succeeded" : "Failed";
    const before = asArray(pod.status?.containerStatuses);
    status.containerStatuses = asArray(pod.spec.containers).map((container) => ({
      ...containerStatus(container),
      restartCount: before.find(({ name }) => name === container.name)?.restartCount ?? 0,
      state: {
        terminated: {
          exitCode,
          reason: exitCode === 0 ? "Completed" : "Error",
          finishedAt: formatTime(process.now),
        },
      },
    }));
    setCondition(status, "Ready", "False", process.now);
  });
}

/** Ends a Pod that is being deleted, unless it has finished, and then removes it. */
export function killPod(process: Process<unknown>, pod: Pod, exitCode: number): void {
  if (!hasEnded(pod)) endPod(process, pod, exitCode);
  removePod(process, pod);
}

export function setPodCondition(
  process: Process<unknown>,
  pod: Pod,
  condition: Omit<PodCondition, "lastTransitionTime">,
): void {
  editStatus(process, pod, (status) => {
    setCondition(status, condition.type, condition.status, process.now, condition);
  });
}

/** Sets the restart count of a Pod's containers. */
export function setRestarts(process: Process<unknown>, pod: Pod, restarts: number): void {
  editStatus(process, pod, (status) => {
    for (const one of status.containerStatuses ?? []) one.restartCount = restarts;
  });
}

function removePod(process: Process<unknown>, pod: Pod): void {
  process.request({
    verb: "delete",
    object: { kind: "Pod", metadata: pod.metadata },
    gracePeriodSeconds: 0,
  });
}

function editStatus(
  process: Process<unknown>,
  pod: Pod,
  recipe: (status: NonNullable<Pod["status"]>) => void,
): void {
  process.edit(
    pod,
    (draft) => {
      draft.status ??= {};
      recipe(draft.status);
    },
    "status",
  );
}

function setCondition(
  status: NonNullable<Pod["status"]>,
  type: string,
  value: PodCondition["status"],
  now: EpochMillis,
  members: Partial<PodCondition> = {},
): void {
  const others = asArray(status.conditions).filter((condition) => condition.type !== type);
  const own = findCondition(status.conditions, type);
  const since = own?.status === value ? own.lastTransitionTime : formatTime(now);
  status.conditions = [...others, { ...members, type, status: value, lastTransitionTime: since }];
}

function containerStatus({ name, image = "" }: Container) {
  return { name, image, imageID: "", ready: false, restartCount: 0 };
}

function hasEnded(pod: Pod): boolean {
  const phase = getPhase(pod);
  return phase === "Succeeded" || phase === "Failed";
}

function getPhase({ status }: Pod): string {
  return status?.phase ?? "Pending";
}
