import { asArray, asString, findCondition, isObject } from "@jobset-ts/api/kubernetes";
import type { ClusterIndex } from "../../view/cluster-facts.ts";
import { findLatest } from "../../view/events.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import {
  conditionEvidence,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  failTransiently,
  fieldEvidence,
  pass,
  podKey,
  unknown,
} from "../check-results.ts";
import type { FindingId } from "../finding-ids.ts";

/** A Pod of any attempt, in its cluster. */
export interface PodInCluster {
  readonly pod: MemberPod;
  readonly facts: ClusterIndex;
  /** Whether another Pod has replaced it and works. `undefined` if this depends on a Job that was not read. */
  readonly isReplaced: boolean | undefined;
}

/** The checks of a Pod that is being deleted. */
export const leavingPodChecks: readonly DiagnosisCheck<PodInCluster>[] = [
  {
    id: "pod-terminating",
    causes: ["node-not-ready"],
    words: { advice: ["wait for the kubelet; if the Pod remains, check its finalizers"] },
    run: (view) => {
      const { pod } = view;
      if (!pod.isTerminating) return pass;
      const evidence = [fieldEvidence(podKey(view), "metadata.deletionTimestamp", "is set")];
      return failTransiently(`pod ${pod.name} is terminating`, {
        objects: [podKey(view)],
        evidence,
      });
    },
  },
  {
    id: "node-not-ready",
    causes: [],
    words: { advice: ["repair the node, or delete it if it is permanently lost"] },
    run: ({ pod, facts }) => {
      if (pod.nodeName === "" || pod.phase === "Succeeded") return pass;
      if (!facts.wasRead("Node")) return unknown("Node");
      const ready = findCondition(facts.snapshot.node(pod.nodeName)?.status?.conditions, "Ready");
      if (ready === undefined || ready.status === "True") return pass;
      const node = createObjectKey("Node", "", pod.nodeName);
      const evidence = [conditionEvidence(node, "Ready", asString(ready.message))];
      return fail(`node ${pod.nodeName} is not ready`, { objects: [node], evidence });
    },
  },
];

/** Findings that prevent the start of a worker although its Pod has no problem. */
const barrier = ["in-place-order", "in-place-ignored"] as const satisfies readonly FindingId[];

/** The checks of a Pod of the current attempt that has a node. */
export const placedPodChecks: readonly DiagnosisCheck<PodInCluster>[] = [
  {
    id: "pod-waiting",
    causes: [],
    words: { advice: ["check the Pod's Events and the container's last log"] },
    run: (view) => {
      const waiting = waitingContainer(view.pod);
      if (waiting === undefined) return pass;
      const { name, reason } = waiting;
      const at = `status.containerStatuses[${name}].state.waiting.reason`;
      const evidence = [fieldEvidence(podKey(view), at, reason)];
      const text = `${view.pod.name}: container ${name} waits: ${reason}`;
      return fail(text, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-start-failing",
    causes: ["node-not-ready"],
    words: { advice: ["fix the cause in the message: a volume, a Secret or the network"] },
    run: (view) => {
      if (!isStarting(view.pod)) return pass;
      if (!view.facts.wasRead("Event")) return unknown("Event");
      const events = view.facts.eventsAbout(view.pod.pod, "Pod");
      const failed = events.filter(
        ({ isWarning, reason }) => isWarning && startFailures.has(reason),
      );
      const event = findLatest(failed);
      if (event === undefined) return pass;
      const evidence = [eventEvidence(podKey(view), event)];
      const text = `${view.pod.name} cannot start: ${event.message}`;
      return fail(text, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-starting",
    causes: ["pod-start-failing", "node-not-ready", ...barrier],
    words: { advice: ["wait for its containers to start"] },
    run: (view) => {
      if (!isStarting(view.pod)) return pass;
      const evidence = [fieldEvidence(podKey(view), "status.phase", "Pending")];
      return failTransiently(`${view.pod.name} is starting`, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-restarting",
    causes: [],
    words: { advice: ["read the log of the container's last run"] },
    run: (view) => {
      const restarted = findRestartedContainer(view.pod);
      if (restarted === undefined) return pass;
      const { name, count, reason } = restarted;
      const at = `status.containerStatuses[${name}].lastState.terminated`;
      const evidence = [fieldEvidence(podKey(view), at, reason)];
      const text = `${view.pod.name}: container ${name} restarted ${count} times, last ${reason}`;
      return fail(text, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-not-ready",
    causes: [
      "pod-waiting",
      "pod-restarting",
      "service-missing",
      "service-foreign",
      "node-not-ready",
      ...barrier,
    ],
    words: { advice: ["check the Pod's readiness probe and its log"] },
    run: (view) => {
      const { pod } = view;
      if (pod.phase !== "Running" || pod.isReady || pod.isTerminating) return pass;
      const ready = findCondition(pod.pod.status?.conditions, "Ready");
      const evidence = [conditionEvidence(podKey(view), "Ready", asString(ready?.message))];
      const text = `${pod.name} is running but not ready`;
      return failTransiently(text, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-failed",
    causes: ["node-not-ready"],
    words: { advice: ["check the Pod's log and the exit status of its containers"] },
    run: (view) => {
      if (view.pod.phase !== "Failed" || view.isReplaced === true) return pass;
      if (view.isReplaced === undefined) return unknown("Job");
      const { reason, message } = getFailure(view.pod);
      const evidence = [fieldEvidence(podKey(view), "status.phase", "Failed")];
      const text = [`${view.pod.name} failed`, reason, ...(message === "" ? [] : [message])].join(
        ": ",
      );
      return fail(text, { objects: [podKey(view)], evidence });
    },
  },
];

const startFailures = new Set(["FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox"]);

/** Waiting reasons that every container has for a short time. */
const startingReasons = new Set(["", "ContainerCreating", "PodInitializing"]);

interface ContainerState {
  readonly name?: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: Termination;
  };
  readonly lastState?: { readonly terminated?: Termination };
}

interface Termination {
  readonly exitCode?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns the containers, init containers first. */
function getContainers({ pod }: MemberPod): readonly ContainerState[] {
  const { initContainerStatuses, containerStatuses } = pod.status ?? {};
  return [...asArray(initContainerStatuses), ...asArray(containerStatuses)].filter(
    isObject,
  ) as readonly ContainerState[];
}

function waitingContainer(
  pod: MemberPod,
): { readonly name: string; readonly reason: string } | undefined {
  if (pod.nodeName === "" || pod.isTerminating || hasEnded(pod)) return undefined;
  for (const { name, state } of getContainers(pod)) {
    const reason = asString(state?.waiting?.reason);
    if (!startingReasons.has(reason)) return { name: asString(name), reason };
  }
  return undefined;
}

function hasEnded({ phase }: MemberPod): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

function isStarting(pod: MemberPod): boolean {
  return (
    pod.nodeName !== "" &&
    pod.phase === "Pending" &&
    !pod.isTerminating &&
    waitingContainer(pod) === undefined
  );
}

function findRestartedContainer(pod: MemberPod) {
  if (pod.phase !== "Running" || pod.isTerminating || waitingContainer(pod)) return undefined;
  const found = getContainers(pod).find(
    ({ ready, restartCount, lastState }) =>
      ready !== true && (restartCount ?? 0) > 0 && isObject(lastState?.terminated),
  );
  if (found === undefined) return undefined;
  const reason = asString(found.lastState?.terminated?.reason) || "Unknown";
  return { name: asString(found.name), count: found.restartCount ?? 0, reason };
}

/**
 * Returns why a Pod failed: from a container that failed, otherwise from the Pod's status, otherwise from a previous
 * run of a container.
 */
function getFailure(pod: MemberPod): { readonly reason: string; readonly message: string } {
  const containers = getContainers(pod);
  const ended = containers
    .map(({ state }) => state?.terminated)
    .find((terminated) => isObject(terminated) && terminated.exitCode !== 0);
  if (ended !== undefined) return formatReason(ended);
  const { reason, message } = pod.pod.status ?? {};
  if (asString(reason) !== "" || asString(message) !== "") return formatReason({ reason, message });
  const before = containers.map(({ lastState }) => lastState?.terminated).find(isObject);
  return formatReason(before ?? {});
}

function formatReason({
  reason,
  message,
}: {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}): { readonly reason: string; readonly message: string } {
  return { reason: asString(reason) || "Unknown", message: asString(message) };
}
