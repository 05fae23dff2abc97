import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { asArray, findCondition, getName, type Node, type Taint } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { NOT_READY_TAINT, UNREACHABLE_TAINT } from "../api-server/built-in-admission.ts";
import { isConditionTrue } from "../api-server/conditions.ts";
import { type Readiness, setReadyCondition } from "../api-server/node-conditions.ts";
import { setPodCondition } from "../api-server/pod-conditions.ts";
import type { Component, Process } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";

/** The memory of the node lifecycle controller. */
export interface NodeLifecycleMemory {
  /** By name, the last heartbeat of nodes that are silent. All other nodes send one every ten seconds. */
  readonly silent: PersistentMap<EpochMillis>;
  /** When the next lost node can be tainted. */
  readonly nextTaintAt: EpochMillis;
}

/**
 * Keeps the taints of nodes consistent with their conditions, and taints lost nodes. A turn's key is a node's name. A
 * turn with the prefix `silent/` checks whether the node has exceeded the grace period.
 *
 * Heartbeats are not stored: a node counts as alive until `markSilent` is called.
 */
export const nodeLifecycle: Component<NodeLifecycleMemory> = {
  name: "node-lifecycle",
  memory: { silent: emptyMap(), nextTaintAt: 0 },
  watches: ["Node"],
  observe: ({ before, after }, process) => {
    if (after !== undefined) process.wake(getName(after), SYNC_MS);
    else if (before !== undefined) clearSilence(process, getName(before));
  },
  act: (key, process) => {
    const name = key.startsWith(SILENT) ? key.slice(SILENT.length) : key;
    const node = process.objects.get<Node>("Node", "", name);
    if (node === undefined) return;
    if (key !== name) checkGracePeriod(process, node);
    else sync(process, node);
  },
};

type LifecycleProcess = Process<NodeLifecycleMemory>;

const SYNC_MS = 10;
const SILENT = "silent/";
/** The interval at which a kubelet renews its lease. */
const HEARTBEAT_MS = 10_000;
/** The grace period of a silent node. */
const GRACE_MS = 50_000;
/** The interval at which nodes are checked. */
const MONITOR_MS = 5_000;
/** The minimum time between two nodes that are tainted as lost. */
const TAINT_INTERVAL_MS = 10_000;

/** Marks a node as silent from now on. Its last heartbeat was at some time in the last ten seconds. */
export function markSilent(process: LifecycleProcess, node: string): void {
  const last = process.now - Math.floor(process.draw("heartbeat", node) * HEARTBEAT_MS);
  process.memory = withMembers(process.memory, { silent: process.memory.silent.set(node, last) });
  const changedNodes = Math.ceil((last + GRACE_MS) / MONITOR_MS) * MONITOR_MS;
  process.wake(`${SILENT}${node}`, changedNodes - process.now);
}

/** Clears the silence of a node. */
export function clearSilence(process: LifecycleProcess, node: string): void {
  process.memory = withMembers(process.memory, { silent: process.memory.silent.delete(node) });
  process.forget(`${SILENT}${node}`);
}

const SILENT_NODE: Readiness = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
};

function checkGracePeriod(process: LifecycleProcess, node: Node): void {
  if (process.memory.silent.get(getName(node)) === undefined) return;
  process.edit(node, (draft) => setReadyCondition(draft, SILENT_NODE, process.clock), "status");
}

function sync(process: LifecycleProcess, node: Node): void {
  const ready = findCondition(node.status?.conditions, "Ready")?.status;
  const desired = [
    ...(node.spec?.unschedulable === true ? [UNSCHEDULABLE] : []),
    ...(ready === "False" ? [NOT_READY_TAINT] : []),
    ...(ready === "Unknown" ? [UNREACHABLE_TAINT] : []),
  ];
  // A node without a Ready condition keeps its initial taint.
  const own = ready === undefined ? [UNSCHEDULABLE] : OWN_TAINTS;
  setTaints(process, node, "NoSchedule", own, desired);
  const lostTaints = desired.filter((key) => key !== UNSCHEDULABLE);
  if (ready === "True" || ready === undefined) {
    if (ready === "True") setTaints(process, node, "NoExecute", LOST_NODE_TAINTS, []);
    return;
  }
  markPodsNotReady(process, getName(node));
  taintLostNode(process, node, lostTaints);
}

const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
const LOST_NODE_TAINTS = [NOT_READY_TAINT, UNREACHABLE_TAINT];
const OWN_TAINTS = [UNSCHEDULABLE, ...LOST_NODE_TAINTS];

/** Taints lost nodes one at a time. While no node is ready, no node is tainted, because the network may be at fault. */
function taintLostNode(process: LifecycleProcess, node: Node, taints: readonly string[]): void {
  const isGivenUp = asArray(node.spec?.taints).some(
    ({ key, effect }) => effect === "NoExecute" && taints.includes(key),
  );
  if (isGivenUp || !isAnyReady(process)) return;
  const { nextTaintAt } = process.memory;
  if (process.now < nextTaintAt) {
    process.wake(getName(node), nextTaintAt - process.now);
    return;
  }
  process.memory = withMembers(process.memory, { nextTaintAt: process.now + TAINT_INTERVAL_MS });
  setTaints(process, node, "NoExecute", LOST_NODE_TAINTS, taints);
}

function isAnyReady({ objects }: LifecycleProcess): boolean {
  return objects
    .ofKind<Node>("Node")
    .some(({ status }) => isConditionTrue(status?.conditions, "Ready"));
}

/** Sets this controller's own taints of one effect. */
function setTaints(
  process: LifecycleProcess,
  node: Node,
  effect: Taint["effect"],
  own: readonly string[],
  desired: readonly string[],
): void {
  const taints = asArray(process.objects.current(node)?.spec?.taints);
  const isOwn = (taint: Taint) => taint.effect === effect && own.includes(taint.key);
  const keptTaints = taints.filter((taint) => !isOwn(taint) || desired.includes(taint.key));
  const missingKeys = desired.filter(
    (key) => !taints.some((taint) => taint.effect === effect && taint.key === key),
  );
  if (keptTaints.length === taints.length && missingKeys.length === 0) return;
  const timeAdded = formatTime(process.clock);
  process.edit(node, (draft) => {
    draft.spec ??= {};
    draft.spec.taints = [
      ...keptTaints,
      ...missingKeys.map((key): Taint => ({ key, effect, timeAdded })),
    ];
    if (draft.spec.taints.length === 0) delete draft.spec.taints;
  });
}

/** Marks the Pods of an unreachable node as not ready. */
function markPodsNotReady(process: LifecycleProcess, node: string): void {
  for (const pod of process.objects.podsOn(node)) {
    const ready = findCondition(pod.status?.conditions, "Ready");
    if (ready?.status !== "True") continue;
    process.edit(
      pod,
      (draft) => setPodCondition(draft, { type: "Ready", status: "False" }, process.clock),
      "status",
    );
  }
}
