import type { EpochMillis } from "@jobset-ts/api";
import { findCondition, type Node, type Pod, type PodCondition } from "@jobset-ts/api/kubernetes";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import { builtInAdmission } from "../api-server/built-in-admission.ts";
import type { Objects } from "../api-server/objects.ts";
import {
  advanceTo,
  applyExternally,
  type RecordedEvent,
  type StepResult,
} from "../kernel/advance.ts";
import { type Cluster, type ClusterConfig, newCluster } from "../kernel/cluster.ts";
import type { Component } from "../kernel/component.ts";
import { createKubelets } from "../kubelet/kubelet.ts";
import type { WorkloadRule } from "../kubelet/workload.ts";
import { nodeLifecycle } from "../nodes/node-lifecycle.ts";
import { podGc } from "../nodes/pod-gc.ts";
import { taintEviction } from "../nodes/taint-eviction.ts";
import { disconnectNode, reconnectNode } from "../scenario/disconnect-node.ts";
import { createScheduler, type SchedulerOptions } from "../scheduler/scheduler.ts";

/** A cluster of nodes that run the Pods of a test. Its namespace is `ns`. */
export class NodeCluster {
  readonly #world: ClusterConfig;
  readonly events: RecordedEvent[] = [];
  readonly turns: StepResult[] = [];
  #cluster: Cluster;

  constructor({
    workloads,
    ...options
  }: SchedulerOptions & { readonly workloads?: readonly WorkloadRule[] } = {}) {
    this.#world = {
      seed: 1,
      components: [
        createScheduler({ choice: "ByName", ...options }),
        createKubelets(workloads),
        nodeLifecycle,
        taintEviction,
        podGc,
      ] as readonly unknown[] as readonly Component[],
      admission: builtInAdmission,
    };
    this.#cluster = newCluster(this.#world);
  }

  get now(): EpochMillis {
    return this.#cluster.now;
  }

  get objects(): Objects {
    return this.#cluster.objects;
  }

  /** Whether no turn is pending. */
  get isIdle(): boolean {
    return this.#cluster.turns.size === 0;
  }

  request(request: ServerRequest): ServerReply {
    let reply: ServerReply | undefined;
    this.#record(
      applyExternally(this.#world, this.#cluster, "user", (process) => {
        reply = process.request(request);
      }),
    );
    return reply as ServerReply;
  }

  /** Creates a ready node. Omitted resources are plentiful. */
  createNode(
    name: string,
    { labels, allocatable, spec }: { labels?: object; allocatable?: object; spec?: object } = {},
  ): ServerReply {
    const status = {
      allocatable: { cpu: "64", memory: "64Gi", pods: "110", ...allocatable },
      conditions: [{ type: "Ready", status: "True" }],
    };
    const metadata = { name, labels: { "kubernetes.io/hostname": name, ...labels } };
    return this.request({
      verb: "create",
      object: { kind: "Node", metadata, spec: { ...spec }, status },
    });
  }

  createPod(name: string, spec: object = {}, metadata: object = {}): ServerReply {
    return this.request({
      verb: "create",
      object: {
        kind: "Pod",
        metadata: { name, namespace: "ns", ...metadata },
        spec: { restartPolicy: "Never", containers: [{ name: "main", image: "w" }], ...spec },
      },
    });
  }

  patch(kind: string, name: string, members: object, subresource?: "status"): ServerReply {
    const place = kind === "Node" ? {} : { namespace: "ns" };
    const { metadata, ...others } = members as { metadata?: object };
    const object = { ...others, kind, metadata: { ...metadata, name, ...place } };
    return this.request({ verb: "patch", object, ...(subresource && { subresource }) });
  }

  delete(kind: string, name: string, gracePeriodSeconds?: number): ServerReply {
    const place = kind === "Node" ? {} : { namespace: "ns" };
    return this.request({
      verb: "delete",
      object: { kind, metadata: { name, ...place } },
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    });
  }

  /** Advances the time by this many seconds. */
  run(seconds: number): void {
    const until = this.#cluster.now + Math.round(seconds * 1000);
    this.#cluster = advanceTo(this.#world, this.#cluster, until, (turn) => this.#record(turn));
  }

  disconnect(node: string): void {
    this.#cluster = disconnectNode(this.#world, this.#cluster, node);
  }

  reconnect(node: string): void {
    this.#cluster = reconnectNode(this.#world, this.#cluster, node);
  }

  pod(name: string): Pod | undefined {
    return this.#cluster.objects.get<Pod>("Pod", "ns", name);
  }

  node(name: string): Node | undefined {
    return this.#cluster.objects.get<Node>("Node", "", name);
  }

  condition(pod: string, type: string): PodCondition | undefined {
    return findCondition(this.pod(pod)?.status?.conditions, type);
  }

  /** Returns the scheduler's message for an unschedulable Pod. */
  getUnschedulableMessage(pod: string): string | undefined {
    return this.condition(pod, "PodScheduled")?.message;
  }

  /** Returns the messages of Events about a Pod. */
  listMessages(pod: string): readonly string[] {
    return this.events
      .filter(({ about }) => about.metadata.name === pod)
      .map(({ reason, message }) => `${reason}: ${message}`);
  }

  #record(turn: StepResult): void {
    this.#cluster = turn.cluster;
    this.turns.push(turn);
    this.events.push(...turn.events);
  }
}

/** Returns a Pod spec that requests CPUs. */
export function createRequestSpec(cpu: string, spec: object = {}): object {
  return {
    containers: [{ name: "main", image: "w", resources: { requests: { cpu } } }],
    ...spec,
  };
}
