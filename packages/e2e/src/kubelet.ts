import { setTimeout } from "node:timers/promises";
import { JOB_RESTART_ATTEMPT_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { Agents } from "./agents.ts";
import { type Cluster, RejectedError, type Stored, type WatchEvent } from "./cluster.ts";

/**
 * Simulates the kubelets of all nodes. It runs bound Pods and ends them according to the command of their first
 * container. `["succeed"]`, `["echo", …]` and `["fail"]` end at once. `["fail-before-attempt", "<n>"]` fails in the
 * restart attempts before the n-th, counted over the JobSet and the Job. Any other Pod keeps running.
 * `["run-with-agent"]` runs with an in-place restart agent.
 */
export class Kubelet {
  readonly #cluster: Cluster;
  readonly #isOurs: (pod: Stored) => boolean;
  readonly #agents: Agents;
  readonly #pods = new Map<string, Stored>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;

  /** @param isOurs - whether it runs a Pod */
  constructor(cluster: Cluster, isOurs: (pod: Stored) => boolean = () => true) {
    this.#cluster = cluster;
    this.#isOurs = isOurs;
    this.#agents = new Agents(cluster);
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const following = this.#cluster.follow("Pod", (event) => this.#handleWatchEvent(event), signal);
    while (!signal.aborted) {
      await Promise.all([...this.#pods.values()].map((pod) => this.#observePod(pod)));
      await setTimeout(150, undefined, { signal }).catch(() => {});
    }
    await following;
  }

  #handleWatchEvent({ type, object }: WatchEvent): void {
    if (!this.#isOurs(object)) return;
    if (type === "DELETED") this.#pods.delete(object.metadata.uid);
    else this.#pods.set(object.metadata.uid, object);
  }

  async #observePod(pod: Stored): Promise<void> {
    try {
      await this.#act(pod);
    } catch (error) {
      if (error instanceof RejectedError && error.code === 404) this.#pods.delete(pod.metadata.uid);
      // The Pod has changed or the server is unavailable. The watch reports the Pod again.
    }
  }

  async #act(pod: Stored): Promise<void> {
    const { metadata, spec, status = {} } = pod;
    if (metadata.deletionTimestamp !== undefined && spec.nodeName !== undefined) {
      // The Job controller's tracking of the Pod requires its final phase.
      if (!isOver(status.phase)) await this.#report(pod, "Failed");
      await this.#cluster.end(pod);
      return;
    }
    if (spec.nodeName === undefined || isOver(status.phase)) return;
    if (spec.containers[0].command?.[0] === "run-with-agent") await this.#agents.observe(pod);
    const phase = getPhase(pod);
    if (status.phase !== phase) await this.#report(pod, phase);
  }

  /** Writes the status of a Pod with this phase. */
  async #report(pod: Stored, phase: Phase): Promise<void> {
    const { spec, status = {} } = pod;
    const now = new Date().toISOString();
    const isRunning = phase === "Running";
    const ready = { type: "Ready", status: isRunning ? "True" : "False", lastTransitionTime: now };
    const terminated = { exitCode: phase === "Failed" ? 1 : 0, startedAt: now, finishedAt: now };
    const state = isRunning ? { running: { startedAt: now } } : { terminated };
    const containerStatuses = spec.containers.map(({ name, image }: Stored) => {
      return { name, image, imageID: image, ready: isRunning, restartCount: 0, state };
    });
    const others = (status.conditions ?? []).filter(({ type }: Stored) => type !== "Ready");
    const next = { phase, startTime: now, conditions: [...others, ready], containerStatuses };
    await this.#cluster.patch(pod, { status: next }, "status");
  }
}

type Phase = "Running" | "Succeeded" | "Failed";

function getPhase({ metadata, spec }: Stored): Phase {
  const [command, argument] = spec.containers[0].command ?? [];
  switch (command) {
    case "succeed":
    case "echo":
      return "Succeeded";
    case "fail":
      return "Failed";
    case "fail-before-attempt":
      return getAttempts(metadata.labels) < Number(argument) ? "Failed" : "Running";
    default:
      return "Running";
  }
}

function getAttempts(labels: Readonly<Record<string, string>>): number {
  return Number(labels[RESTART_ATTEMPT_KEY] ?? 0) + Number(labels[JOB_RESTART_ATTEMPT_KEY] ?? 0);
}

function isOver(phase: unknown): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** Creates a ready node with capacity for this number of Pods with one CPU each. */
export async function addNode(
  cluster: Cluster,
  name: string,
  labels: Readonly<Record<string, string>>,
  pods: number,
): Promise<void> {
  const node = await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name, labels } });
  const resources = { cpu: String(pods), memory: "64Gi", pods: String(pods) };
  const now = new Date().toISOString();
  const ready = {
    type: "Ready",
    status: "True",
    reason: "KubeletReady",
    message: "",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  const status = { capacity: resources, allocatable: resources, conditions: [ready] };
  await cluster.patch(node, { status }, "status");
  // A node controller would remove this taint of a new node.
  await cluster.patch(node, { spec: { taints: null } });
}
