import { IN_PLACE_RESTART_ATTEMPT_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  type AgentState,
  agentStep,
  agentStepAfterAnnounce,
  INITIAL_AGENT_STATE,
} from "@jobset-ts/core/agent";
import { type Cluster, RejectedError, type Stored } from "./cluster.ts";

/** The in-place restart agents of all Pods. Each decides with the library, and a container that exits is restarted. */
export class Agents {
  readonly #cluster: Pick<Cluster, "get" | "patch">;
  readonly #states = new Map<string, AgentState>();

  constructor(cluster: Pick<Cluster, "get" | "patch">) {
    this.#cluster = cluster;
  }

  /** Runs one observation of a Pod's agent. */
  async observe(pod: Stored): Promise<void> {
    const { uid, name, namespace, labels } = pod.metadata;
    const jobSetName = labels[JOBSET_NAME_KEY];
    const configuration = {
      namespace,
      jobSetName,
      podName: name,
      inPlaceRestartExitCode: 1,
      role: {
        kind: "Sidecar",
        startupProbePath: "/barrier-is-down",
        startupProbePort: "8081",
      },
    } as const;
    const jobSet = await this.#cluster.get("JobSet", namespace, jobSetName);
    // Read the Pod after the JobSet. Then a status that counts an attempt of this Pod never reaches an agent that does
    // not know the attempt.
    const state = asAnnounced(
      this.#states.get(uid) ?? INITIAL_AGENT_STATE,
      await this.#cluster.get("Pod", namespace, name),
    );
    let step = agentStep(state, jobSet, configuration);
    if (step.next.action === "Announce") {
      const announcement = step.next;
      const result = await this.#announce(pod, announcement.object.metadata.annotations);
      step = agentStepAfterAnnounce(state, announcement, result, jobSet, configuration);
    }
    // The kubelet restarts an exited container, and its agent starts without any state.
    this.#states.set(uid, step.next.action === "Exit" ? INITIAL_AGENT_STATE : step.state);
  }

  async #announce(
    pod: Stored,
    annotations: Readonly<Record<string, string>>,
  ): Promise<{ ok: true } | { ok: false; message: string }> {
    try {
      await this.#cluster.patch(pod, { metadata: { annotations } });
      return { ok: true };
    } catch (error) {
      if (error instanceof RejectedError) return { ok: false, message: error.message };
      throw error;
    }
  }
}

/**
 * Returns the state of an agent whose Pod announces a later attempt than the agent knows. A story writes that
 * annotation to restart the container. The agent has then restarted and announced that attempt itself.
 */
function asAnnounced(state: AgentState, pod: Stored | undefined): AgentState {
  const announced = Number(pod?.metadata.annotations?.[IN_PLACE_RESTART_ATTEMPT_KEY]);
  const { attempt = Number.POSITIVE_INFINITY } = state;
  return announced > attempt ? { ...INITIAL_AGENT_STATE, attempt: announced } : state;
}
