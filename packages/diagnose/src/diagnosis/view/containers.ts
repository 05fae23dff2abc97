import { asArray, asInteger, asString, isObject } from "@jobset-ts/api/kubernetes";
import type { MemberPod } from "./member-pod.ts";

/** A container of a Pod with its status. */
export interface ContainerView {
  readonly name: string;
  readonly role: "Init" | "Sidecar" | "Main";
  /** Its name in a message, such as `init container schema`. */
  readonly title: string;
  /** The path of its status, such as `status.containerStatuses[main]`. */
  readonly path: string;
  readonly status: ContainerState;
  /** Its part of the Pod's spec. */
  readonly spec: ContainerSpec;
}

/** The status of a container. */
export interface ContainerState {
  readonly name?: string;
  readonly image?: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: Termination;
  };
  readonly lastState?: { readonly terminated?: Termination };
}

/** How a run of a container ended. */
export interface Termination {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
}

/** The part of a container's spec that checks read. */
export interface ContainerSpec {
  readonly name?: string;
  readonly image?: string;
  readonly restartPolicy?: string;
  readonly resources?: { readonly limits?: Readonly<Record<string, unknown>> };
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
}

/** The times of a probe. */
export interface Probe {
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
  readonly timeoutSeconds?: number;
}

/** Waiting reasons that every container has for a short time. */
const startingReasons = new Set(["", "ContainerCreating", "PodInitializing"]);

/** Returns the containers, init containers first. */
export function getContainers({ pod }: MemberPod): readonly ContainerView[] {
  const { initContainerStatuses, containerStatuses } = pod.status ?? {};
  const { initContainers, containers } = (pod.spec ?? {}) as {
    readonly initContainers?: readonly ContainerSpec[];
    readonly containers?: readonly ContainerSpec[];
  };
  return [
    ...listContainers(initContainerStatuses, initContainers, "initContainerStatuses"),
    ...listContainers(containerStatuses, containers, "containerStatuses"),
  ];
}

function listContainers(
  statuses: unknown,
  specs: readonly ContainerSpec[] | undefined,
  member: string,
): readonly ContainerView[] {
  return asArray(statuses as readonly ContainerState[])
    .filter(isObject)
    .map((status) => {
      const name = asString(status.name);
      const spec = asArray(specs).find((one) => isObject(one) && one.name === name) ?? {};
      const isInit = member === "initContainerStatuses";
      const role = isInit ? (spec.restartPolicy === "Always" ? "Sidecar" : "Init") : "Main";
      return {
        name,
        role,
        title: `${titles[role]} ${name}`,
        path: `status.${member}[${name}]`,
        status,
        spec,
      };
    });
}

const titles = { Init: "init container", Sidecar: "sidecar container", Main: "container" } as const;

/** Returns the first container that waits for a reason other than a normal start. */
export function waitingContainer(pod: MemberPod): ContainerView | undefined {
  if (pod.nodeName === "" || pod.isTerminating || hasEnded(pod)) return undefined;
  return getContainers(pod).find(
    ({ status }) => !startingReasons.has(asString(status.state?.waiting?.reason)),
  );
}

function hasEnded({ phase }: MemberPod): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Reports whether a Pod has a node but has not started. */
export function isStarting({ nodeName, phase, isTerminating }: MemberPod): boolean {
  return nodeName !== "" && phase === "Pending" && !isTerminating;
}

/** Returns how the current run of a container ended, or undefined. */
export function getEnd({ status }: ContainerView): Termination | undefined {
  const ended = status.state?.terminated;
  return isObject(ended) ? ended : undefined;
}

/** Returns how the previous run of a container ended, or undefined. */
export function getLastEnd({ status }: ContainerView): Termination | undefined {
  const ended = status.lastState?.terminated;
  return isObject(ended) ? ended : undefined;
}

/** Reports whether a container runs. */
export function isRunning({ status }: ContainerView): boolean {
  return isObject(status.state?.running);
}

/** Reports whether an init container or a native sidecar runs for which the next containers wait. */
export function blocksStart(container: ContainerView): boolean {
  const { role, status } = container;
  return isRunning(container) && (role === "Sidecar" ? status.started === false : role === "Init");
}

/** Returns how many times a container was restarted. */
export function getRestartCount({ status }: ContainerView): number {
  return asInteger(status.restartCount, 0);
}

/** Returns the seconds in which a probe may fail, from the start of the container. 0 without a probe. */
export function allowedSeconds(probe: Probe | undefined): number {
  if (!isObject(probe)) return 0;
  const { initialDelaySeconds, periodSeconds, failureThreshold } = probe;
  const delay = asInteger(initialDelaySeconds, 0);
  return delay + asInteger(periodSeconds, 10) * asInteger(failureThreshold, 3);
}
