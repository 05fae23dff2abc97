import { applyExternally, type StepResult } from "../kernel/advance.ts";
import type { Cluster, ClusterConfig } from "../kernel/cluster.ts";
import type { Process } from "../kernel/component.ts";
import { setDisconnected } from "../kubelet/kubelet.ts";
import type { KubeletMemory } from "../kubelet/pod-runs.ts";
import { clearSilence, markSilent, type NodeLifecycleMemory } from "../nodes/node-lifecycle.ts";

/** Disconnects a node: its containers continue to run, but it reports nothing. */
export function disconnectNode(world: ClusterConfig, cluster: Cluster, node: string): Cluster {
  const { cluster: cut } = applyToKubelet(world, cluster, (kubelet) =>
    setDisconnected(kubelet, node, true),
  );
  return applyToNodeLifecycle(world, cut, (lifecycle) => markSilent(lifecycle, node)).cluster;
}

/** Reconnects a node. */
export function reconnectNode(world: ClusterConfig, cluster: Cluster, node: string): Cluster {
  const { cluster: back } = applyToKubelet(world, cluster, (kubelet) =>
    setDisconnected(kubelet, node, false),
  );
  return applyToNodeLifecycle(world, back, (lifecycle) => clearSilence(lifecycle, node)).cluster;
}

function applyToKubelet(
  world: ClusterConfig,
  cluster: Cluster,
  action: (process: Process<KubeletMemory>) => void,
): StepResult {
  return applyExternally(world, cluster, "kubelet", action as (process: Process<unknown>) => void);
}

function applyToNodeLifecycle(
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
