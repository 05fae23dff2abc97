import { applyExternally, type StepResult } from "../kernel/advance.ts";
import type { Cluster, ClusterConfig } from "../kernel/cluster.ts";
import type { Process } from "../kernel/component.ts";
import { setDisconnected } from "../kubelet/kubelet.ts";
import type { KubeletMemory } from "../kubelet/pod-runs.ts";
import { clearSilence, markSilent, type NodeLifecycleMemory } from "../nodes/node-lifecycle.ts";

/** Disconnects a node: its containers continue to run, but it reports nothing. */
export function cutOffNode(world: ClusterConfig, cluster: Cluster, node: string): Cluster {
  const { cluster: cut } = ofKubelet(world, cluster, (kubelet) =>
    setDisconnected(kubelet, node, true),
  );
  return ofLifecycle(world, cut, (lifecycle) => markSilent(lifecycle, node)).cluster;
}

/** Reconnects a node. */
export function reconnectNode(world: ClusterConfig, cluster: Cluster, node: string): Cluster {
  const { cluster: back } = ofKubelet(world, cluster, (kubelet) =>
    setDisconnected(kubelet, node, false),
  );
  return ofLifecycle(world, back, (lifecycle) => clearSilence(lifecycle, node)).cluster;
}

function ofKubelet(
  world: ClusterConfig,
  cluster: Cluster,
  action: (process: Process<KubeletMemory>) => void,
): StepResult {
  return applyExternally(world, cluster, "kubelet", action as (process: Process<unknown>) => void);
}

function ofLifecycle(
  world: ClusterConfig,
  cluster: Cluster,
  action: (process: Process<NodeLifecycleMemory>) => void,
): StepResult {
  return applyExternally(
    world,
    cluster,
    "node-lifecycle",
    action as (process: Process<unknown>) => void,
  );
}
