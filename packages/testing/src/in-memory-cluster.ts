import type { JobSet } from "@jobset-ts/api";
import { controllerOf, isObject, type KubernetesObject, keyOf } from "@jobset-ts/api/kubernetes";
import {
  applyChanges,
  type Effect,
  type EffectResult,
  type Plan,
  PlanRun,
  type RunOutcome,
  type Snapshot,
  snapshotOf,
} from "@jobset-ts/core";
import { apiRequestOf } from "@jobset-ts/core/requests";
import type { Cluster } from "./arbitraries/arbitrary-clusters.ts";
import { applyStrategicMergePatch } from "./reference/apply-strategic-merge-patch.ts";

type Stored = KubernetesObject & Readonly<Record<string, unknown>>;

/**
 * As much of an API server as the plans for one JobSet need: it stores objects, has them in the order of their
 * writes, and refuses what a server refuses. Nobody runs Pods in it.
 *
 * @example
 * const jobSet = aJobSet("train").withReplicatedJob("w");
 * const cluster = new InMemoryCluster({ jobSet, others: [] });
 * cluster.carryOut(reconciled(jobSet)).ok // => true
 * cluster.objects.map(({ kind }) => kind) // => ["JobSet", "Service", "Job"]
 */
export class InMemoryCluster {
  readonly #objects = new Map<string, Stored>();
  readonly #self: string;
  #writes = 0;

  constructor({ jobSet, others }: Pick<Cluster, "jobSet" | "others">) {
    this.#self = registryKey(jobSet);
    for (const object of [jobSet, ...others]) this.#store(object as Stored);
  }

  /** The JobSet; `undefined` once it is gone. */
  get jobSet(): JobSet | undefined {
    return this.#objects.get(this.#self) as JobSet | undefined;
  }

  get objects(): readonly KubernetesObject[] {
    return [...this.#objects.values()];
  }

  snapshot(): Snapshot {
    return snapshotOf(this.objects, { kinds: "all" });
  }

  /** Has an object as it is now, whoever changed it. */
  put(object: KubernetesObject): void {
    this.#store(object as Stored);
  }

  /** Has an object no longer. */
  remove(object: KubernetesObject): void {
    this.#objects.delete(registryKey(object));
  }

  /** Carries a plan out. */
  carryOut(plan: Plan): RunOutcome {
    const run = new PlanRun(plan);
    for (;;) {
      const next = run.next();
      if (next.action === "Done") return next.outcome;
      if (next.action === "Perform") run.settle(next.request.id, this.perform(next.request.effect));
    }
  }

  /** Ends the deletions that were asked for; what a deleted JobSet owns goes with it. */
  finishDeletions(): void {
    for (const [key, object] of this.#objects) {
      if (!isBeingDeleted(object)) continue;
      this.#objects.delete(key);
      for (const [owned, { metadata }] of this.#objects) {
        const owner = metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid);
        if (owner) this.#objects.delete(owned);
      }
    }
  }

  perform(effect: Effect): EffectResult {
    const key = registryKey({ kind: effect.target.kind, metadata: effect.target });
    const stored = this.#objects.get(key);
    if (effect.verb === "create") {
      if (stored !== undefined) return refusal("AlreadyExists");
      return { ok: true, object: this.#store(effect.object as KubernetesObject as Stored) };
    }
    if (stored === undefined) return refusal("NotFound");
    switch (effect.verb) {
      case "delete": {
        if (effect.uid !== undefined && effect.uid !== stored.metadata.uid) {
          return refusal("Conflict");
        }
        const deletionTimestamp = "2026-02-07T10:00:00Z";
        this.#store({ ...stored, metadata: { ...stored.metadata, deletionTimestamp } });
        return { ok: true };
      }
      case "patch":
        return { ok: true, object: this.#store(merged(stored, effect.patch) as Stored) };
      case "update":
      case "updateStatus": {
        const asked = apiRequestOf(effect);
        if (!asked.ok) return asked;
        const { method, body } = asked.request;
        const sent = method === "PATCH" ? applyStrategicMergePatch(stored, body) : (body as Stored);
        const { resourceVersion = stored.metadata.resourceVersion, uid = stored.metadata.uid } =
          sent.metadata;
        if (resourceVersion !== stored.metadata.resourceVersion || uid !== stored.metadata.uid) {
          return refusal("Conflict");
        }
        const { status } = effect.verb === "update" ? stored : sent;
        const main = effect.verb === "update" ? sent : stored;
        const next = applyChanges(main, [{ path: ["status"], value: status }]);
        return { ok: true, object: this.#store(next) };
      }
    }
  }

  #store(object: Stored): Stored {
    this.#writes += 1;
    const { metadata } = object;
    const uid = metadata.uid ?? `uid-${this.#writes}`;
    const stored = {
      ...object,
      metadata: { ...metadata, uid, resourceVersion: `${this.#writes}` },
    };
    this.#objects.set(registryKey(object), stored);
    return stored;
  }
}

/** What names an object among all. */
function registryKey(object: Pick<KubernetesObject, "kind" | "metadata">): string {
  return `${object.kind}/${keyOf(object)}`;
}

function isBeingDeleted({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function refusal(reason: string): EffectResult {
  return { ok: false, error: { reason, message: reason } };
}

/** A JSON merge patch; null gives a number of Pods its default, as the server does. */
function merged(value: unknown, patch: unknown): unknown {
  if (!isObject(patch as object)) return patch ?? 1;
  const members = new Map(Object.entries(isObject(value as object) ? (value as object) : {}));
  for (const [name, part] of Object.entries(patch as object)) {
    members.set(name, merged(members.get(name), part));
  }
  return Object.fromEntries(members);
}

/** The Jobs that a JobSet owns. */
export function childJobsOf(cluster: InMemoryCluster, jobSet: JobSet): readonly KubernetesObject[] {
  return cluster.objects.filter(
    (object) => object.kind === "Job" && controllerOf(object)?.uid === jobSet.metadata.uid,
  );
}
