import { asArray, asString, isObject } from "@jobset-ts/api/kubernetes";
import type { MemberPod } from "./member-pod.ts";

/** Waiting reasons that every container has for a short time. */
const startingReasons = new Set(["", "ContainerCreating", "PodInitializing"]);

/** The status of a container. */
export interface ContainerState {
  readonly name?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: Termination;
  };
  readonly lastState?: { readonly terminated?: Termination };
}

/** How a run of a container ended. */
export interface Termination {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns the containers, init containers first. */
export function getContainers({ pod }: MemberPod): readonly ContainerState[] {
  const { initContainerStatuses, containerStatuses } = pod.status ?? {};
  return [...asArray(initContainerStatuses), ...asArray(containerStatuses)].filter(
    isObject,
  ) as readonly ContainerState[];
}

/** A container that waits, with the kubelet's reason and message. */
export interface WaitingContainer {
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

/** Returns the first container that waits for another reason than a start that takes its time. */
export function waitingContainer(pod: MemberPod): WaitingContainer | undefined {
  if (pod.nodeName === "" || pod.isTerminating || hasEnded(pod)) return undefined;
  for (const { name, state } of getContainers(pod)) {
    const reason = asString(state?.waiting?.reason);
    if (!startingReasons.has(reason)) {
      return { name: asString(name), reason, message: asString(state?.waiting?.message) };
    }
  }
  return undefined;
}

function hasEnded({ phase }: MemberPod): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Reports whether a Pod has a node but has not started. */
export function isStarting({ nodeName, phase, isTerminating }: MemberPod): boolean {
  return nodeName !== "" && phase === "Pending" && !isTerminating;
}
