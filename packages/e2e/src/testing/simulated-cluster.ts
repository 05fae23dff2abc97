import type { Scenario, WorkloadRule } from "@jobset-ts/sim";
import {
  advanceTo,
  applyExternally,
  type ClusterConfig,
  type Cluster as ClusterValue,
  createClusterConfig,
  newCluster,
  type ServerReply,
  type ServerRequest,
  type StepResult,
} from "@jobset-ts/sim/kernel";
import { RejectedError, type Stored } from "../cluster.ts";

/** The simulated time that passes with each read of the cluster. */
const POLL_MS = 5_000;
const DAY_MS = 86_400_000;

/** The fields of an Event that stories read. */
interface SeenEvent {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly kind: string; readonly name: string };
}

/**
 * A simulated cluster that replaces a real one. The actions of stories become requests, and time passes with each read.
 * Containers run the command of the JobSet's template, as with the kubelet of the real one.
 */
export class SimulatedCluster {
  /** Grows with each created JobSet. */
  readonly #workload: WorkloadRule[] = [];
  readonly #world: ClusterConfig;
  #cluster: ClusterValue;
  readonly #events: SeenEvent[] = [];

  constructor(gates: readonly string[]) {
    const scenario: Scenario = {
      seed: 1,
      objects: [],
      workload: this.#workload,
      actions: [],
      faults: [],
      features: Object.fromEntries(gates.map((gate) => [gate, true])),
      endsAt: DAY_MS,
    };
    this.#world = createClusterConfig(scenario);
    this.#cluster = newCluster(this.#world);
  }

  /** Runs the simulation until it is idle. Returns whether that took less than a day. */
  runUntilIdle(): boolean {
    this.#advance(DAY_MS);
    return this.#cluster.turns.size === 0;
  }

  async create(object: Stored): Promise<Stored> {
    if (object.kind === "JobSet") this.#workload.push(...listRules(object));
    return this.#send({ verb: "create", object });
  }

  async get(kind: string, namespace: string, name: string): Promise<Stored | undefined> {
    this.#advance(POLL_MS);
    return this.#cluster.objects.get(kind, namespace, name);
  }

  async list(kind: string, namespace?: string): Promise<readonly Stored[]> {
    this.#advance(POLL_MS);
    if (kind === "Event") return this.#events;
    const objects = this.#cluster.objects.ofKind<Stored>(kind);
    return objects.filter(({ metadata }) => !namespace || metadata.namespace === namespace);
  }

  async patch(object: Stored, patch: Stored, subresource = ""): Promise<Stored> {
    const { namespace, name } = object.metadata;
    const metadata = { ...patch.metadata, ...(namespace && { namespace }), name };
    return this.#send({
      verb: "patch",
      object: { ...patch, kind: object.kind, metadata },
      ...(subresource === "status" && { subresource }),
    });
  }

  async delete(kind: string, namespace: string, name: string): Promise<Stored> {
    return this.#send({ verb: "delete", object: { kind, metadata: { namespace, name } } });
  }

  async evict({ kind, metadata: { namespace, name } }: Stored): Promise<void> {
    const object = { kind, metadata: { namespace, name } };
    this.#send({ verb: "create", subresource: "eviction", object });
  }

  #send(request: ServerRequest): Stored {
    let reply: ServerReply | undefined;
    const turn = applyExternally(this.#world, this.#cluster, "user", (process) => {
      reply = process.request(request);
    });
    this.#cluster = turn.cluster;
    this.#recordEvents(turn);
    if (reply?.ok) return reply.object;
    throw new RejectedError(reply?.code ?? 0, reply?.reason ?? "", reply?.message ?? "no answer");
  }

  #advance(ms: number): void {
    const until = this.#cluster.now + ms;
    this.#cluster = advanceTo(this.#world, this.#cluster, until, (turn) =>
      this.#recordEvents(turn),
    );
  }

  #recordEvents({ events }: StepResult): void {
    for (const { type, reason, message, about } of events) {
      const regarding = { kind: about.kind ?? "", name: about.metadata.name ?? "" };
      this.#events.push({ type, reason, note: message, regarding });
    }
  }
}

/** Returns the behavior of a JobSet's Pods based on the commands of their first containers. */
function listRules({ spec }: Stored): readonly WorkloadRule[] {
  return spec.replicatedJobs.flatMap(({ name, template }: Stored): readonly WorkloadRule[] => {
    const [command, argument] = template.spec.template.spec.containers[0].command ?? [];
    // A container that ends at once is never ready.
    const ends = { replicatedJob: name, readyMs: 1_000, runMs: 1 };
    switch (command) {
      case "succeed":
        return [ends];
      case "fail":
        return [{ ...ends, exitCode: 1 }];
      case "fail-before-attempt":
        return Array.from({ length: Number(argument) }, (_, attempt) => ({
          ...ends,
          attempt,
          exitCode: 1,
        }));
      default:
        return [];
    }
  });
}
