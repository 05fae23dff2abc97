import type { EpochMillis } from "@jobset-ts/api";
import {
  asArray,
  asString,
  findCondition,
  getName,
  getNamespace,
  type Node,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isPodFinished, setDisruptionTarget } from "../api-server/pod-conditions.ts";
import { type Component, getChangedObject, type Process } from "../kernel/component.ts";

/** The missing nodes with Pods, and when the controller first noticed. `undefined` until the next round. */
type PodGcMemory = PersistentMap<{ readonly seenAt: EpochMillis | undefined }>;

/**
 * Removes Pods that no other component removes: on deleted nodes, deleted before they had a node, or deleted on a node
 * that is out of service. It runs every 20 seconds while it has work.
 */
export const podGc: Component<PodGcMemory> = {
  name: "pod-gc",
  memory: emptyMap(),
  watches: ["Node", "Pod"],
  observe: (change, process) => {
    const { after } = change;
    const object = getChangedObject(change);
    if (object.kind === "Node") {
      const node = object as Node;
      if (after === undefined && process.objects.podsOn(getName(node)).length > 0) {
        checkNode(process, getName(node));
      }
      if (after !== undefined && isOutOfService(node))
        process.wake(ROUND, getMsUntilRound(process.now));
      return;
    }
    const pod = after as Pod | undefined;
    if (pod === undefined) return;
    const nodeName = asString(pod.spec.nodeName);
    const isDeleted = pod.metadata.deletionTimestamp !== undefined;
    if (nodeName === "") {
      if (isDeleted) process.wake(ROUND, getMsUntilRound(process.now));
      return;
    }
    const node = process.objects.get<Node>("Node", "", nodeName);
    if (node === undefined) checkNode(process, nodeName);
    else if (isDeleted && isOutOfService(node)) process.wake(ROUND, getMsUntilRound(process.now));
  },
  act: (_, process) => {
    for (const [name, { seenAt }] of process.memory.entries()) {
      if (process.objects.get("Node", "", name) !== undefined) {
        process.memory = process.memory.delete(name);
      } else if (seenAt === undefined) {
        process.memory = process.memory.set(name, { seenAt: process.now });
        process.wake(ROUND, QUARANTINE_MS);
      } else if (process.now - seenAt >= QUARANTINE_MS) {
        for (const pod of process.objects.podsOn(name)) removePod(process, pod, "NodeGone");
        process.memory = process.memory.delete(name);
      } else process.wake(ROUND, getMsUntilRound(process.now));
    }
    for (const pod of process.objects.ofKind<Pod>("Pod")) {
      if (isAbandoned(process, pod)) removePod(process, pod);
    }
  },
};

type GcProcess = Process<PodGcMemory>;

const ROUND = "round";
const ROUND_MS = 20_000;
/** How long a node can be missing. */
const QUARANTINE_MS = 40_000;

function getMsUntilRound(now: EpochMillis): number {
  return ROUND_MS - (now % ROUND_MS);
}

function checkNode(process: GcProcess, node: string): void {
  if (process.memory.get(node) !== undefined) return;
  process.memory = process.memory.set(node, { seenAt: undefined });
  process.wake(ROUND, getMsUntilRound(process.now));
}

/** Returns whether a Pod is being deleted without a kubelet that can stop it. */
function isAbandoned({ objects }: GcProcess, pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp === undefined) return false;
  const nodeName = asString(pod.spec.nodeName);
  if (nodeName === "") return true;
  const node = objects.get<Node>("Node", "", nodeName);
  return node !== undefined && isOutOfService(node);
}

function isOutOfService({ spec, status }: Node): boolean {
  return (
    findCondition(status?.conditions, "Ready")?.status !== "True" &&
    asArray(spec?.taints).some(({ key }) => key === "node.kubernetes.io/out-of-service")
  );
}

function removePod(process: GcProcess, pod: Pod, reason?: "NodeGone"): void {
  process.edit(
    pod,
    (draft) => {
      if (!isPodFinished(draft)) {
        draft.status ??= {};
        draft.status.phase = "Failed";
        if (reason !== undefined) {
          setDisruptionTarget(
            draft,
            "DeletionByPodGC",
            "PodGC: node no longer exists",
            process.clock,
          );
        }
      }
    },
    "status",
  );
  const metadata = { name: getName(pod), namespace: getNamespace(pod) };
  process.request({ verb: "delete", object: { kind: "Pod", metadata }, gracePeriodSeconds: 0 });
}
