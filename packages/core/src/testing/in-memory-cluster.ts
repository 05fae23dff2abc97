import type { JobSet } from "@jobset-ts/api";
import {
  getControllerOf,
  getName,
  getNamespace,
  type KubernetesObject,
} from "@jobset-ts/api/kubernetes";
import type { GeneratedCluster } from "@jobset-ts/testing/arbitraries";
import type { RequestedObject } from "@jobset-ts/testing/reconcile";
import { TestApiServer } from "../../../testing/src/laws/api-server.ts";
import {
  createSnapshot,
  type Effect,
  type EffectResult,
  type Plan,
  PlanExecution,
  type RunOutcome,
  type Snapshot,
} from "../index.ts";
import { createApiRequest, createObjectRequest } from "../requests.ts";
import { applyStrategicMergePatch } from "./reference/apply-strategic-merge-patch.ts";

/**
 * An API server that executes the plans for one JobSet: it stores objects, keeps the order of writes, and rejects what
 * a server rejects. It does not run Pods.
 *
 * @example
 * const jobSet = aJobSet("train").withReplicatedJob("w");
 * const cluster = new InMemoryCluster({ jobSet, others: [] });
 * cluster.carryOut(reconcileForTest(jobSet)).ok // => true
 * cluster.objects.map(({ kind }) => kind) // => ["JobSet", "Service", "Job"]
 */
export class InMemoryCluster {
  readonly #server: TestApiServer;
  readonly #namespace: string;
  readonly #name: string;

  constructor({ jobSet, others }: Pick<GeneratedCluster, "jobSet" | "others">) {
    this.#namespace = getNamespace(jobSet);
    this.#name = getName(jobSet);
    this.#server = new TestApiServer([], this.#namespace);
    for (const object of [jobSet, ...others]) this.put(object);
  }

  /** The JobSet; `undefined` after its deletion. */
  get jobSet(): JobSet | undefined {
    return this.#server.get("JobSet", this.#namespace, this.#name) as JobSet | undefined;
  }

  get objects(): readonly KubernetesObject[] {
    return this.#server.state;
  }

  /** All objects in the cluster now. Every kind counts as read. */
  snapshot(): Snapshot {
    return createSnapshot(this.objects, { kinds: "all" });
  }

  /** Stores an object as it is. */
  put(object: KubernetesObject): void {
    this.#server.put(object);
  }

  /** Removes an object. */
  remove(object: KubernetesObject): void {
    this.#server.remove(object);
  }

  /** Executes a plan. */
  carryOut(plan: Plan): RunOutcome {
    const run = new PlanExecution(plan);
    for (;;) {
      const next = run.next();
      if (next.action === "Done") return next.outcome;
      if (next.action === "Perform") run.settle(next.request.id, this.perform(next.request.effect));
    }
  }

  /** Completes the requested deletions, and deletes the objects that a deleted JobSet owned. */
  finishDeletions(): void {
    this.#server.endDeletions();
  }

  /** Executes one effect, as an API server would. */
  perform(effect: Effect): EffectResult {
    const request = createObjectRequest(effect);
    const sent = this.#applyUpdate(effect);
    if (!sent.ok) return sent;
    const outcome = this.#server.perform({ ...request, object: sent.object ?? request.object });
    return outcome.ok ? outcome : { ok: false, error: outcome };
  }

  /** Applies an update to the stored object. Over HTTP, it is a patch of the changes, which keeps all other members. */
  #applyUpdate(effect: Effect): EffectResult & { readonly object?: RequestedObject } {
    if (effect.verb !== "update" && effect.verb !== "updateStatus") return { ok: true };
    const result = createApiRequest(effect);
    if (!result.ok) return result;
    const { method, body } = result.request;
    const { kind, namespace, name } = effect.target;
    const stored = this.#server.get(kind, namespace, name);
    const object = method === "PATCH" ? applyStrategicMergePatch(stored, body) : body;
    return { ok: true, object: object as RequestedObject };
  }
}

/** The Jobs that a JobSet owns. */
export function listChildJobs(
  cluster: InMemoryCluster,
  jobSet: JobSet,
): readonly KubernetesObject[] {
  return cluster.objects.filter(
    (object) => object.kind === "Job" && getControllerOf(object)?.uid === jobSet.metadata.uid,
  );
}
