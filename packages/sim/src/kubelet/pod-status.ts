import { type EpochMillis, formatTime } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  type ContainerStatus,
  isObject,
  type Pod,
  type PodStatus,
} from "@jobset-ts/api/kubernetes";
import { withPodCondition } from "../api-server/pod-conditions.ts";
import { withMembers } from "../with-members.ts";

/** What a kubelet says of a Pod whose containers run. */
export function createRunningStatus(
  pod: Pod,
  said: { readonly restarts: number; readonly isReady: boolean; readonly ip: string },
  now: EpochMillis,
): PodStatus {
  const running = { running: { startedAt: formatTime(now) } };
  const status = {
    startTime: formatTime(now),
    podIP: said.ip,
    ...asRecord(pod.status),
    phase: "Running" as const,
    containerStatuses: createContainerStatuses(pod, said.restarts, said.isReady, () => running),
  };
  return withReady(status, said.isReady, now);
}

/** What it says when a Pod becomes ready, or is no longer. */
export function withReady(status: PodStatus, isReady: boolean, now: EpochMillis): PodStatus {
  return withMembers(status, {
    containerStatuses: asArray(status.containerStatuses).map((one) =>
      withMembers(one, { ready: isReady }),
    ),
    conditions: withPodCondition(status.conditions, isReady ? READY : NOT_READY, now),
  });
}

const READY = { type: "Ready", status: "True" } as const;
const NOT_READY = { type: "Ready", status: "False", reason: "ContainersNotReady" } as const;

/** What it says of a Pod whose containers have ended and wait for being restarted. */
export function createCrashedStatus(pod: Pod, restarts: number, now: EpochMillis): PodStatus {
  const waiting = { waiting: { reason: "CrashLoopBackOff" } };
  const statuses = createContainerStatuses(pod, restarts, false, () => waiting);
  return withReady({ ...asRecord(pod.status), containerStatuses: statuses }, false, now);
}

/** How the containers of a Pod have ended. */
export interface PodExit {
  readonly restarts: number;
  readonly exitCode: number;
  /** The container with that code; absent: the first one, or with `isForAll` all of them. */
  readonly container?: string | undefined;
  readonly isForAll?: boolean;
}

/** What it says of a Pod whose containers have all ended for good. */
export function createFinishedStatus(pod: Pod, end: PodExit, now: EpochMillis): PodStatus {
  const [first] = asArray(pod.spec.containers);
  const named = end.container ?? first?.name;
  const phase = end.exitCode === 0 ? "Succeeded" : "Failed";
  const { conditions, ...status } = asRecord(pod.status);
  return {
    ...status,
    phase,
    containerStatuses: createContainerStatuses(pod, end.restarts, false, (name) => {
      const exitCode = end.isForAll === true || name === named ? end.exitCode : 0;
      const reason = exitCode === 0 ? "Completed" : "Error";
      return { terminated: { exitCode, reason, finishedAt: formatTime(now) } };
    }),
    conditions: withPodCondition(
      conditions,
      {
        type: "Ready",
        status: "False",
        reason: phase === "Failed" ? "PodFailed" : "PodCompleted",
      },
      now,
    ),
  };
}

function createContainerStatuses(
  { spec }: Pod,
  restartCount: number,
  ready: boolean,
  stateOf: (name: string) => object,
): ContainerStatus[] {
  return asArray(spec.containers)
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
