import { formatTime, type Instant } from "@jobset-ts/api";
import { type ContainerStatus, isObject, listOf, type Pod } from "@jobset-ts/api/kubernetes";
import { setPodCondition } from "../api-server/pod-conditions.ts";

/** What a kubelet writes of a Pod whose containers run. */
export function showRunning(
  pod: Pod,
  said: { readonly restarts: number; readonly isReady: boolean; readonly ip: string },
  now: Instant,
): void {
  pod.status ??= {};
  pod.status.phase = "Running";
  pod.status.startTime ??= formatTime(now);
  pod.status.podIP ??= said.ip;
  pod.status.containerStatuses = statuses(pod, said.restarts, said.isReady, () => ({
    running: { startedAt: formatTime(now) },
  }));
  showReady(pod, said.isReady, now);
}

/** Writes whether a Pod is ready. */
export function showReady(pod: Pod, isReady: boolean, now: Instant): void {
  for (const status of listOf(pod.status?.containerStatuses)) {
    if (status.ready !== isReady) status.ready = isReady;
  }
  setPodCondition(
    pod,
    isReady
      ? { type: "Ready", status: "True" }
      : { type: "Ready", status: "False", reason: "ContainersNotReady" },
    now,
  );
}

/** Writes that the containers of a Pod have ended and wait for being restarted. */
export function showCrashed(pod: Pod, restarts: number, now: Instant): void {
  if (pod.status === undefined) return;
  pod.status.containerStatuses = statuses(pod, restarts, false, () => ({
    waiting: { reason: "CrashLoopBackOff" },
  }));
  showReady(pod, false, now);
}

/** How the containers of a Pod have ended. */
export interface PodEnd {
  readonly restarts: number;
  readonly exitCode: number;
  /** The container with that code; absent: the first one, or with `isForAll` all of them. */
  readonly container?: string | undefined;
  readonly isForAll?: boolean;
}

/** Writes that all containers of a Pod have ended for good. */
export function showEnded(pod: Pod, end: PodEnd, now: Instant): void {
  pod.status ??= {};
  const [first] = listOf(pod.spec.containers);
  const named = end.container ?? first?.name;
  pod.status.containerStatuses = statuses(pod, end.restarts, false, (name) => {
    const exitCode = end.isForAll === true || name === named ? end.exitCode : 0;
    const reason = exitCode === 0 ? "Completed" : "Error";
    return { terminated: { exitCode, reason, finishedAt: formatTime(now) } };
  });
  const phase = end.exitCode === 0 ? "Succeeded" : "Failed";
  pod.status.phase = phase;
  setPodCondition(
    pod,
    { type: "Ready", status: "False", reason: phase === "Failed" ? "PodFailed" : "PodCompleted" },
    now,
  );
}

function statuses(
  { spec }: Pod,
  restartCount: number,
  ready: boolean,
  stateOf: (name: string) => object,
): ContainerStatus[] {
  return listOf(spec.containers)
    .filter(isObject)
    .map(({ name, image = "" }) => ({
      name,
      image,
      imageID: "",
      ready,
      started: ready,
      restartCount,
      state: stateOf(name),
    }));
}
