import {
  asString,
  getName,
  getNamespace,
  isEqualJson,
  type Node,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import {
  isGated,
  isPodFinished,
  setDisruptionTarget,
  setPodCondition,
} from "../api-server/pod-conditions.ts";
import {
  type Change,
  type Component,
  getChangedObject,
  type Process,
  updateMemory,
} from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { formatFailureMessage, NO_NODES, truncateNote } from "./failure-message.ts";
import { findNode, type NodeChoice } from "./find-node.ts";
import { createNodeInfo } from "./node-info.ts";
import {
  EMPTY_OCCUPANCY,
  type Occupancy,
  withNode,
  withNominated,
  withoutPod,
  withPod,
  withPodVersion,
  withTerms,
} from "./occupancy.ts";
import { createPodInfo, type PodInfo } from "./pod-info.ts";
import { preempt } from "./preemption.ts";
import {
  shouldRetryAfterNodeChange,
  shouldRetryAfterPodAssignment,
  shouldRetryAfterPodRemoval,
} from "./queueing-hints.ts";
import {
  EMPTY_QUEUE,
  findQueuedPod,
  getNoNodeRetryTime,
  listNextPods,
  type QueuedPod,
  type SchedulingQueue,
  withExpiredBackOffs,
  withNewPod,
  withNoNodeRetries,
  withoutQueued,
  withRequeued,
  withUnschedulable,
  withUpdatedPod,
  withWaiting,
} from "./scheduling-queue.ts";

/** The memory of the scheduler. */
export interface SchedulerMemory {
  readonly occupancy: Occupancy;
  readonly queue: SchedulingQueue;
}

/** The node choice and the latency of a scheduler. */
export interface SchedulerOptions {
  readonly choice?: NodeChoice;
  /** The time from a change to the scheduler's reaction. */
  readonly latencyMs?: number;
}

/**
 * Creates the scheduler. It binds Pods to nodes one by one, and reports why a Pod has no node.
 *
 * Its turn `queue` tries all Pods that may be schedulable. The turn `no-node-retry` first releases Pods that found no
 * nodes at all for another attempt.
 */
export function createScheduler({
  choice = "ByChance",
  latencyMs = 2,
}: SchedulerOptions = {}): Component<SchedulerMemory> {
  return {
    name: "scheduler",
    memory: { occupancy: EMPTY_OCCUPANCY, queue: EMPTY_QUEUE },
    watches: ["Pod", "Node"],
    observe: (change, process) => {
      if (getChangedObject(change).kind === "Node") observeNode(change, process);
      else observePod(change, process);
      const { active, backingOff } = process.memory.queue;
      if (active.size + backingOff.size > 0) process.wake(QUEUE, latencyMs);
    },
    act: (key, process) => {
      if (key === NO_NODE_RETRY) releaseNoNodePods(process);
      for (;;) {
        updateMemory(process, { queue: withExpiredBackOffs(process.memory.queue, process.now) });
        const next = listNextPods(process.memory.queue);
        if (next.length === 0) return;
        for (const queued of next) tryPod(queued.pod.uid, process, choice);
      }
    },
  };
}

const QUEUE = "queue";
const NO_NODE_RETRY = "no-node-retry";

type SchedulerProcess = Process<SchedulerMemory>;

function observeNode(change: Change, process: SchedulerProcess): void {
  const node = change.after as Node | undefined;
  const { occupancy } = process.memory;
  const before = occupancy.nodes.get(getName(getChangedObject(change)));
  const read = node && createNodeInfo(node);
  const after =
    read && before && isEqualJson(before.labels, read.labels)
      ? { ...read, labels: before.labels }
      : read;
  if (isEqualJson(before, after)) return;
  updateMemory(process, { occupancy: withNode(occupancy, before, after) });
  if (after === undefined) return;
  requeue(process, (queued) => shouldRetryAfterNodeChange(queued, before, after));
  wakeNoNodeRetry(process);
}

/** Without nodes, only time triggers another attempt, and it cannot succeed before there is a node. */
function wakeNoNodeRetry(process: SchedulerProcess): void {
  const { occupancy, queue } = process.memory;
  if (occupancy.nodes.size === 0) return;
  for (const [, queued] of queue.waiting.entries()) {
    if (queued.filters.size > 0) continue;
    const pod = findStoredPod(process, queued.pod);
    const last = withNoNodeRetries(queued, asString(pod?.metadata.resourceVersion), process.now);
    if (last !== queued) updateMemory(process, { queue: withWaiting(process.memory.queue, last) });
    process.wake(NO_NODE_RETRY, getNoNodeRetryTime(last) - process.now);
  }
}

function observePod({ before, after }: Change, process: SchedulerProcess): void {
  const [was, is] = [before as Pod | undefined, after as Pod | undefined];
  const pod = (is ?? was) as Pod;
  const [from, to] = [getOccupiedNode(was), getOccupiedNode(is)];
  if (from === to && from !== "" && isUnchanged(was as Pod, pod)) return;
  const info = createPodInfo(pod);
  if (from !== to || from !== "")
    observeAssigned(process, was && createPodInfo(was), info, from, to);
  const wasPending = was !== undefined && isPending(was);
  if (is !== undefined && isPending(is)) observePending(process, was, is, info);
  else if (wasPending) {
    const { occupancy, queue } = process.memory;
    const nominated = asString(was.status?.nominatedNodeName);
    updateMemory(process, {
      occupancy: withNominated(occupancy, info, { from: nominated, to: "" }),
      queue: withoutQueued(queue, info.uid),
    });
    if (nominated !== "" && to === "") {
      const after = process.memory.occupancy;
      requeue(process, (queued) => shouldRetryAfterPodRemoval(queued, info, after, nominated));
    }
  }
}

/** Returns whether an assigned Pod is unchanged for the scheduler. */
function isUnchanged(was: Pod, is: Pod): boolean {
  return (
    was.metadata.labels === is.metadata.labels &&
    was.metadata.deletionTimestamp === is.metadata.deletionTimestamp &&
    was.status?.startTime === is.status?.startTime
  );
}

/** Returns the node whose resources a Pod uses. Empty before its binding and after it has finished. */
function getOccupiedNode(pod: Pod | undefined): string {
  return pod === undefined || isPodFinished(pod) ? "" : asString(pod.spec.nodeName);
}

function isPending(pod: Pod): boolean {
  return (
    asString(pod.spec.nodeName) === "" &&
    !isPodFinished(pod) &&
    pod.metadata.deletionTimestamp === undefined
  );
}

function observeAssigned(
  process: SchedulerProcess,
  was: PodInfo | undefined,
  info: PodInfo,
  from: string,
  to: string,
): void {
  const { occupancy } = process.memory;
  const isRelabelled = from === to && was?.labels !== info.labels;
  if (from === to && !isRelabelled) {
    updateMemory(process, { occupancy: withPodVersion(occupancy, info, to) });
    return;
  }
  const remaining = from === "" ? occupancy : withoutPod(occupancy, info.uid, from);
  updateMemory(process, { occupancy: to === "" ? remaining : withPod(remaining, info, to) });
  if (was !== undefined && from !== "" && (to === "" || isRelabelled)) {
    const after = process.memory.occupancy;
    requeue(process, (queued) => shouldRetryAfterPodRemoval(queued, was, after, from));
  }
  if (to !== "" && (from === "" || isRelabelled)) {
    requeue(process, (queued) => shouldRetryAfterPodAssignment(queued, info));
  }
}

function observePending(
  process: SchedulerProcess,
  was: Pod | undefined,
  is: Pod,
  info: PodInfo,
): void {
  const { occupancy, queue } = process.memory;
  const nomination = {
    from: asString(was?.status?.nominatedNodeName),
    to: info.nominatedNodeName,
  };
  const isOther =
    was === undefined ||
    was.spec !== is.spec ||
    was.metadata.labels !== is.metadata.labels ||
    findQueuedPod(queue, info.uid) === undefined;
  const next = isGated(is)
    ? queue
    : isOther
      ? withNewPod(queue, info)
      : withUpdatedPod(queue, info);
  updateMemory(process, { occupancy: withNominated(occupancy, info, nomination), queue: next });
}

/** Moves waiting Pods back to the queue. */
function requeue(process: SchedulerProcess, isWorthTrying: (queued: QueuedPod) => boolean): void {
  const { queue } = process.memory;
  if (queue.waiting.size === 0) return;
  const requeued: QueuedPod[] = [];
  for (const [, queued] of queue.waiting.entries()) {
    if (isWorthTrying(queued)) requeued.push(queued);
  }
  if (requeued.length > 0) {
    updateMemory(process, { queue: withRequeued(queue, requeued) });
  }
}

/** Releases the Pods without any node whose back-off is over, and waits for the others. */
function releaseNoNodePods(process: SchedulerProcess): void {
  requeue(
    process,
    (queued) => queued.filters.size === 0 && getNoNodeRetryTime(queued) <= process.now,
  );
  wakeNoNodeRetry(process);
}

/** Binds a queued Pod to a node, or records why no node is feasible. */
function tryPod(uid: string, process: SchedulerProcess, choice: NodeChoice): void {
  const { queue } = process.memory;
  const queued = queue.active.get(uid) ?? queue.backingOff.get(uid);
  if (queued === undefined) return;
  const occupancy = withTerms(process.memory.occupancy, queued.pod);
  updateMemory(process, { occupancy, queue: withoutQueued(queue, uid) });
  const pod = findStoredPod(process, queued.pod);
  if (pod === undefined || pod.metadata.uid !== uid) return;
  const attempt = withMembers(queued, { attempts: queued.attempts + 1, triedAt: process.now });
  const draw = () => process.draw("node", queued.pod.key, uid, attempt.attempts);
  if (occupancy.nodes.size === 0) markUnschedulable(process, pod, attempt, NO_NODES);
  else {
    const result = findNode(occupancy, queued.pod, choice, draw);
    if (result.found) bind(process, pod, result.node);
    else {
      const { filters, nodeCount, reasons } = result;
      const preemption = preempt(occupancy, queued.pod, result);
      const failure = preemption.succeeds ? undefined : preemption.failure;
      const message = formatFailureMessage(nodeCount, reasons, failure);
      markUnschedulable(
        process,
        pod,
        withMembers(attempt, { filters }),
        message,
        getNomination(preemption),
      );
      if (preemption.succeeds) evictVictims(process, pod, preemption.node, preemption.victims);
    }
  }
}

/**
 * Returns the nominated node of a Pod: a new node, an empty string to clear the nomination, or `undefined` to
 * keep it.
 */
function getNomination(preemption: ReturnType<typeof preempt>): string | undefined {
  if (preemption.succeeds) return preemption.node;
  return preemption.failure.eligible ? "" : undefined;
}

function bind(process: SchedulerProcess, pod: Pod, node: string): void {
  const reply = process.request({
    verb: "create",
    subresource: "binding",
    object: {
      kind: "Pod",
      metadata: { name: getName(pod), namespace: getNamespace(pod) },
      target: { kind: "Node", name: node },
    },
  });
  if (!reply.ok) return;
  const message = `Successfully assigned ${getNamespace(pod)}/${getName(pod)} to ${node}`;
  process.report({ about: pod, type: "Normal", reason: "Scheduled", message });
}

/**
 * Marks a Pod as unschedulable, and reports why in its condition and an Event. If the Pod has not changed since its
 * last such Event, the new one only increases the count of that series.
 *
 * @see client-go `tools/events` `getKey`, which has the object's resourceVersion but not the note
 */
function markUnschedulable(
  process: SchedulerProcess,
  pod: Pod,
  attempt: QueuedPod,
  message: string,
  nominatedNode?: string,
): void {
  const reportedVersion = asString(pod.metadata.resourceVersion);
  // The queue is updated before the writes, so that a write can move the Pod back.
  const unschedulable = withMembers(attempt, { reportedVersion });
  updateMemory(process, { queue: withUnschedulable(process.memory.queue, unschedulable) });
  process.edit(
    pod,
    (draft) => {
      const reason = "Unschedulable";
      setPodCondition(
        draft,
        { type: "PodScheduled", status: "False", reason, message },
        process.now,
      );
      if (nominatedNode === "") delete draft.status?.nominatedNodeName;
      else if (nominatedNode !== undefined && draft.status !== undefined) {
        draft.status.nominatedNodeName = nominatedNode;
      }
    },
    "status",
  );
  if (reportedVersion === attempt.reportedVersion) return;
  process.report({
    about: pod,
    type: "Warning",
    reason: "FailedScheduling",
    message: truncateNote(message),
  });
}

const PREEMPTED = "default-scheduler: preempting to accommodate a higher priority pod";

/**
 * Evicts Pods to make room for another, and clears the nominations of lower-priority Pods to that node. The nominations
 * are kept if all victims are already terminating.
 *
 * @see Kubernetes 1.36 `preemption.Executor.prepareCandidateAsync`
 */
function evictVictims(
  process: SchedulerProcess,
  preemptor: Pod,
  node: string,
  victims: readonly PodInfo[],
): void {
  const running = victims.flatMap((victim) => {
    const pod = findStoredPod(process, victim);
    return pod === undefined || pod.metadata.deletionTimestamp !== undefined ? [] : [pod];
  });
  if (running.length === 0) return;
  for (const pod of running) {
    const [namespace, name] = [getNamespace(pod), getName(pod)];
    process.edit(
      pod,
      (draft) => setDisruptionTarget(draft, "PreemptionByScheduler", PREEMPTED, process.now),
      "status",
    );
    process.request({ verb: "delete", object: { kind: "Pod", metadata: { namespace, name } } });
    const message = `Preempted by pod ${preemptor.metadata.uid} on node ${node}`;
    process.report({ about: pod, type: "Normal", reason: "Preempted", message });
  }
  const priority = preemptor.spec.priority ?? 0;
  const nominated = process.memory.occupancy.nominated.get(node);
  for (const [, nominatedPod] of nominated?.entries() ?? []) {
    if (nominatedPod.priority >= priority) continue;
    const pod = findStoredPod(process, nominatedPod);
    if (pod === undefined) continue;
    process.edit(pod, (draft) => void delete draft.status?.nominatedNodeName, "status");
  }
}

/** Returns the stored Pod with this name, which may be another Pod. */
function findStoredPod({ objects }: SchedulerProcess, { key }: PodInfo): Pod | undefined {
  const [namespace = "", name = ""] = key.split("/");
  return objects.get<Pod>("Pod", namespace, name);
}
