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

/** Returns the status of a Pod whose containers run. */
export function createRunningStatus(
  pod: Pod,
  state: { readonly restarts: number; readonly isReady: boolean; readonly ip: string },
  now: EpochMillis,
): PodStatus {
  const running = { running: { startedAt: formatTime(now) } };
  const status = {
    startTime: formatTime(now),
    podIP: state.ip,
    ...asRecord(pod.status),
    phase: "Running" as const,
    containerStatuses: createContainerStatuses(pod, state.restarts, state.isReady, () => running),
  };
  return withReady(status, state.isReady, now);
}

/** Returns the status of a Pod that becomes ready or not ready. */
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

/** Returns the status of a Pod whose containers have exited and wait for their restart. */
export function createCrashedStatus(pod: Pod, restarts: number, now: EpochMillis): PodStatus {
  const waiting = { waiting: { reason: "CrashLoopBackOff" } };
  const statuses = createContainerStatuses(pod, restarts, false, () => waiting);
  return withReady({ ...asRecord(pod.status), containerStatuses: statuses }, false, now);
}

/** How the containers of a Pod have exited. */
export interface PodExit {
  readonly restarts: number;
  readonly exitCode: number;
  /**
   * The container with that exit code. Defaults to the first container, or to all containers if
   * `isForAll` is set.
   */
  readonly container?: string | undefined;
  readonly isForAll?: boolean;
}

/** Returns the status of a Pod whose containers have all exited and do not restart. */
export function createFinishedStatus(pod: Pod, end: PodExit, now: EpochMillis): PodStatus {
  const [first] = asArray(pod.spec.containers);
  const named = end.container ?? first?.name;
  const phase = end.exitCode === 0 ? "Succeeded" : "Failed";
  const { conditions, ...status } = asRecord(pod.status);
  return withMembers<PodStatus>(status, {
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
  });
}

function createContainerStatuses(
  { spec }: Pod,
  restartCount: number,
  ready: boolean,
  getState: (name: string) => object,
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
      state: getState(name),
    }));
}
