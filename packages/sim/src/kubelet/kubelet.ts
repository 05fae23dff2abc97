import {
  asInteger,
  asString,
  getName,
  getNamespace,
  getUid,
  type Node,
  namespacedName,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { emptyMap } from "@jobset-ts/core/persistent-map";
import { type Readiness, setReadyCondition } from "../api-server/node-conditions.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";
import { type Component, getChangedObject, updateMemory } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { KILL, type KubeletScript, kill, observeJobSet, syncAgent } from "./agent-sync.ts";
import {
  AGENT,
  advanceRun,
  finishPod,
  forgetRun,
  KILLED,
  type KubeletMemory,
  type KubeletProcess,
  type PodRun,
  SYNC_DELAY_MS,
  startRun,
} from "./pod-runs.ts";
import type { WorkloadRule } from "./workload.ts";

/**
 * Creates the kubelets of all nodes. They run the Pods of their nodes as scripted, and report their status. The key of
 * a turn is a Pod's key. `node/` and a node's name make a kubelet sync all its Pods. `agent/` and a Pod's key make its
 * agent observe the JobSet. `kill/` and a Pod's key end its containers.
 */
export function createKubelets(
  workload: readonly WorkloadRule[] = [],
  agentLagMs: KubeletScript["agentLagMs"] = () => 0,
): Component<KubeletMemory> {
  const script = { workload, agentLagMs };
  return {
    name: "kubelet",
    memory: { disconnected: emptyMap(), runs: emptyMap(), addresses: 0, jobSets: emptyMap() },
    watches: ["Pod", "Node", "JobSet"],
    observe: (change, process) => {
      const { before, after } = change;
      const { kind } = getChangedObject(change);
      if (kind === "Node") {
        observeNode(process, before as Node | undefined, after as Node | undefined);
        return;
      }
      if (kind === "JobSet") {
        observeJobSet(process, change, script);
        return;
      }
      const [was, is] = [before as Pod | undefined, after as Pod | undefined];
      if (is === undefined) {
        if (was !== undefined) forgetRun(process, namespacedName(was));
      } else if (needsSync(was, is)) process.wake(namespacedName(is), SYNC_DELAY_MS);
    },
    act: (key, process) => {
      if (key.startsWith(NODE)) syncNode(key.slice(NODE.length), process);
      else if (key.startsWith(AGENT)) syncAgent(key.slice(AGENT.length), process, script);
      else if (key.startsWith(KILL)) kill(key.slice(KILL.length), process, workload);
      else syncPod(key, process, workload);
    },
  };
}

const NODE = "node/";
/** The time from a Pod's final status to its removal. */
const REMOVAL_DELAY_MS = 10;
const DEFAULT_GRACE_SECONDS = 30;

/** Disconnects or reconnects the kubelet of a node. */
export function setDisconnected(process: KubeletProcess, node: string, isCutOff: boolean): void {
  const { disconnected } = process.memory;
  updateMemory(process, {
    disconnected: isCutOff ? disconnected.set(node, true) : disconnected.delete(node),
  });
  if (!isCutOff) process.wake(`${NODE}${node}`);
}

/** A recreated node finds the Pods that were left on it. */
function observeNode(process: KubeletProcess, was: Node | undefined, is: Node | undefined): void {
  if (was !== undefined || is === undefined) return;
  if (process.objects.podsOn(getName(is)).length > 0) process.wake(`${NODE}${getName(is)}`);
}

/** Returns whether a kubelet has to sync a Pod: the Pod is new on the node, has to stop, or has to stop earlier. */
function needsSync(was: Pod | undefined, { metadata, spec }: Pod): boolean {
  if (asString(spec.nodeName) === "") return false;
  return (
    was?.spec.nodeName !== spec.nodeName ||
    was?.metadata.deletionTimestamp !== metadata.deletionTimestamp
  );
}

const READY_CONDITION: Readiness = {
  status: "True",
  reason: "KubeletReady",
  message: "kubelet is posting ready status",
};

/** Reconnects a kubelet: it reports its node and syncs what it has missed. */
function syncNode(name: string, process: KubeletProcess): void {
  const node = process.objects.get<Node>("Node", "", name);
  if (node === undefined || process.memory.disconnected.get(name) !== undefined) return;
  process.edit(node, (draft) => setReadyCondition(draft, READY_CONDITION, process.clock), "status");
  for (const pod of process.objects.podsOn(name)) {
    const key = namespacedName(pod);
    process.wake(key);
    if (process.memory.runs.get(key)?.agent !== undefined) process.wake(AGENT + key);
  }
}

function syncPod(key: string, process: KubeletProcess, script: readonly WorkloadRule[]): void {
  const [namespace = "", name = ""] = key.split("/");
  const pod = process.objects.get<Pod>("Pod", namespace, name);
  const node = asString(pod?.spec.nodeName);
  if (pod === undefined || node === "") return;
  if (process.memory.disconnected.get(node) !== undefined) return;
  // If the Node is deleted, the machine is gone.
  if (process.objects.get("Node", "", node) === undefined) return;
  const knownRun = process.memory.runs.get(key);
  const run = knownRun?.uid === getUid(pod) ? knownRun : undefined;
  if (pod.metadata.deletionTimestamp !== undefined) stopPod(process, pod, run);
  else if (isPodFinished(pod)) forgetRun(process, key);
  else if (run === undefined) startRun(process, pod, script);
  else advanceRun(process, pod, run, script);
}

/** Stops a Pod that is being deleted: sends the signal, waits, kills, reports the exit status and removes the Pod. */
function stopPod(process: KubeletProcess, pod: Pod, run: PodRun | undefined): void {
  if (isPodFinished(pod)) {
    removePod(process, pod);
    return;
  }
  const { now } = process;
  const stoppedAt = run?.stoppedAt ?? now;
  const grace = asInteger(pod.metadata.deletionGracePeriodSeconds, DEFAULT_GRACE_SECONDS) * 1000;
  const { stopMs = Number.POSITIVE_INFINITY, stopExitCode = 0 } = run?.program ?? {};
  const isObeying = stopMs <= grace;
  const isRunning = run?.isStarted === true;
  const endsAt = isRunning ? stoppedAt + Math.min(stopMs, grace) : now;
  if (run !== undefined && now < endsAt) {
    updateMemory(process, {
      runs: process.memory.runs.set(namespacedName(pod), withMembers(run, { stoppedAt })),
    });
    process.wake(namespacedName(pod), endsAt - now);
    return;
  }
  const exitCode = isRunning && isObeying ? stopExitCode : KILLED;
  finishPod(process, pod, { restarts: run?.restarts ?? 0, exitCode, isForAll: true });
  process.wake(namespacedName(pod), REMOVAL_DELAY_MS);
}

function removePod(process: KubeletProcess, pod: Pod): void {
  if (asInteger(pod.metadata.deletionGracePeriodSeconds, 0) === 0) return;
  const metadata = { name: getName(pod), namespace: getNamespace(pod), uid: getUid(pod) };
  process.request({
    verb: "delete",
    object: { kind: "Pod", metadata },
    gracePeriodSeconds: 0,
    preconditions: { uid: getUid(pod) },
  });
}
