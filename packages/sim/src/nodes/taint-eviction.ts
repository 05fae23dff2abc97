import type { EpochMillis } from "@jobset-ts/api";
import {
  asArray,
  asString,
  getName,
  getNamespace,
  getUid,
  isObject,
  type Node,
  namespacedName,
  type Pod,
  type Taint,
  toleratesTaint,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isPodFinished, setDisruptionTarget } from "../api-server/pod-conditions.ts";
import { type Component, getChangedObject, type Process } from "../kernel/component.ts";

/** The time since which Pods tolerate the taints of their node for a limited time, by UID. */
type TaintEvictionMemory = PersistentMap<EpochMillis>;

/** Deletes the Pods of nodes with `NoExecute` taints when their toleration ends. A turn's key is a Pod's key. */
export const taintEviction: Component<TaintEvictionMemory> = {
  name: "taint-eviction",
  memory: emptyMap(),
  watches: ["Node", "Pod"],
  observe: (change, process) => {
    const { before, after } = change;
    const object = getChangedObject(change);
    if (object.kind === "Node") {
      const [was, is] = [
        filterNoExecuteTaints(before as Node | undefined),
        filterNoExecuteTaints(after as Node | undefined),
      ];
      if (was.length === 0 && is.length === 0) return;
      for (const pod of process.objects.podsOn(getName(object))) {
        process.wake(namespacedName(pod));
      }
      return;
    }
    const [was, is] = [before as Pod | undefined, after as Pod | undefined];
    if (is === undefined) {
      if (was !== undefined) forgetPod(process, was);
    } else if (isNewlyBound(was, is) && getNoExecuteTaints(process, is).length > 0)
      process.wake(namespacedName(is));
  },
  act: (key, process) => {
    const [namespace = "", name = ""] = key.split("/");
    const pod = process.objects.get<Pod>("Pod", namespace, name);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || isPodFinished(pod))
      return;
    const seconds = getToleratedSeconds(pod, getNoExecuteTaints(process, pod));
    if (seconds === Number.POSITIVE_INFINITY) {
      forgetPod(process, pod);
      return;
    }
    const since = process.memory.get(getUid(pod)) ?? process.now;
    process.memory = process.memory.set(getUid(pod), since);
    const remainingMs = since + seconds * 1000 - process.now;
    if (remainingMs > 0) process.wake(key, remainingMs);
    else evictPod(process, pod);
  },
};

type EvictionProcess = Process<TaintEvictionMemory>;

function isNewlyBound(was: Pod | undefined, { spec }: Pod): boolean {
  return asString(spec.nodeName) !== "" && was?.spec.nodeName !== spec.nodeName;
}

function getNoExecuteTaints({ objects }: EvictionProcess, { spec }: Pod): readonly Taint[] {
  return filterNoExecuteTaints(objects.get<Node>("Node", "", asString(spec.nodeName)));
}

function filterNoExecuteTaints(node: Node | undefined): readonly Taint[] {
  return asArray(node?.spec?.taints).filter(({ effect }) => effect === "NoExecute");
}

/**
 * Returns for how many seconds a Pod tolerates taints: 0 if it does not tolerate one of them, Infinity if there is no
 * limit.
 */
function getToleratedSeconds({ spec }: Pod, taints: readonly Taint[]): number {
  let seconds = Number.POSITIVE_INFINITY;
  for (const taint of taints) {
    const tolerations = asArray(spec.tolerations).filter(
      (one) => isObject(one) && toleratesTaint(one, taint),
    );
    if (tolerations.length === 0) return 0;
    for (const { tolerationSeconds } of tolerations) {
      seconds = Math.min(seconds, Math.max(0, tolerationSeconds ?? seconds));
    }
  }
  return seconds;
}

function evictPod(process: EvictionProcess, pod: Pod): void {
  forgetPod(process, pod);
  const message = "Taint manager: deleting due to NoExecute taint";
  process.edit(
    pod,
    (draft) => setDisruptionTarget(draft, "DeletionByTaintManager", message, process.clock),
    "status",
  );
  const metadata = { name: getName(pod), namespace: getNamespace(pod) };
  process.report({
    about: pod,
    type: "Normal",
    reason: "TaintManagerEviction",
    message: `Marking for deletion Pod ${namespacedName(pod)}`,
  });
  process.request({ verb: "delete", object: { kind: "Pod", metadata } });
}

function forgetPod(process: EvictionProcess, pod: Pod): void {
  process.memory = process.memory.delete(getUid(pod));
}
