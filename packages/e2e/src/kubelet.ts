import { setTimeout } from "node:timers/promises";
import { JOB_RESTART_ATTEMPT_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { Agents } from "./agents.ts";
import { type Cluster, Refused, type Stored, type WatchEvent } from "./cluster.ts";

/**
 * Stands in for the kubelets of all nodes: Pods that are bound run, and end as the command of their first container
 * says. `["succeed"]`, `["echo", …]` and `["fail"]` end at once, `["fail-before-attempt", "<n>"]` fails in restart attempts before
 * the n-th, of the JobSet and of the Job together; any other one runs on, `["run-with-agent"]` beside an agent for
 * in-place restarts.
 */
export class Kubelet {
  readonly #cluster: Cluster;
  readonly #isOurs: (pod: Stored) => boolean;
  readonly #agents: Agents;
  readonly #pods = new Map<string, Stored>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | undefined;

  /** @param isOurs - whether it sees to a Pod at all */
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
    const following = this.#cluster.follow("Pod", (event) => this.#note(event), signal);
    while (!signal.aborted) {
      await Promise.all([...this.#pods.values()].map((pod) => this.#see(pod)));
      await setTimeout(150, undefined, { signal }).catch(() => {});
    }
    await following;
  }

  #note({ type, object }: WatchEvent): void {
    if (!this.#isOurs(object)) return;
    if (type === "DELETED") this.#pods.delete(object.metadata.uid);
    else this.#pods.set(object.metadata.uid, object);
  }

  async #see(pod: Stored): Promise<void> {
    try {
      await this.#act(pod);
    } catch (error) {
      if (error instanceof Refused && error.code === 404) this.#pods.delete(pod.metadata.uid);
      // Otherwise it has changed, or the server is away: then it is seen again.
    }
  }

  async #act(pod: Stored): Promise<void> {
    const { metadata, spec, status = {} } = pod;
    if (metadata.deletionTimestamp !== undefined && spec.nodeName !== undefined) {
      // The tracker of the Pod has to see its result.
      if (!isOver(status.phase)) await this.#report(pod, "Failed");
      await this.#cluster.end(pod);
      return;
    }
    if (spec.nodeName === undefined || isOver(status.phase)) return;
    if (spec.containers[0].command?.[0] === "run-with-agent") await this.#agents.look(pod);
    const phase = getPhase(pod);
    if (status.phase !== phase) await this.#report(pod, phase);
  }

  /** Writes the status of a Pod in that phase. */
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

/** Makes a node that is ready, with room for that many Pods of one CPU. */
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
  // A new node gets a taint that a node controller would take away.
  await cluster.patch(node, { spec: { taints: null } });
}
