import type { Unvalidated } from "@jobset-ts/api";
import { type KubernetesObject, namespacedName, type Pod } from "@jobset-ts/api/kubernetes";
import type { Effect, EffectError, EffectResult } from "@jobset-ts/core";

type UpdateStatusEffect = Extract<Effect, { verb: "updateStatus" }>;

/** A request that fails. Without a name, every request of the verb and kind fails. */
export interface Fault {
  readonly verb: string;
  readonly kind: string;
  readonly name?: string;
  readonly error: EffectError;
}

const resources: Readonly<Record<string, string>> = {
  Job: "jobs.batch",
  Service: "services",
  PersistentVolumeClaim: "persistentvolumeclaims",
};

/** An API server that fails on demand and records requests. */
export class RecordingServer {
  /** The requests in order, in the format of the recordings. */
  readonly effects: unknown[] = [];
  wroteStatus = false;
  readonly #names: Set<string>;
  readonly #faults: readonly Fault[];

  constructor(objects: readonly Unvalidated<KubernetesObject>[], faults: readonly Fault[]) {
    this.#names = new Set(objects.map((object) => registryKey(object)));
    this.#faults = faults;
  }

  /** Returns the error of a failing request. */
  getFault(verb: string, kind: string, name: string | undefined): EffectError | undefined {
    return this.#faults.find(
      (fault) =>
        fault.verb === verb &&
        fault.kind === kind &&
        (fault.name === undefined || name === undefined || fault.name === name),
    )?.error;
  }

  perform(effect: Effect): EffectResult {
    const { verb, target } = effect;
    const { kind, name } = target;
    const error = this.getFault(verb, kind, name) ?? this.#findConflict(effect);
    this.effects.push({
      verb,
      kind,
      name,
      ...createBody(effect),
      ...(error && { error: error.message }),
    });
    if (kind === "JobSet" && verb === "updateStatus") this.wroteStatus = true;
    if (error !== undefined) return { ok: false, error: toUpstreamError(error, effect) };
    return "object" in effect ? { ok: true, object: effect.object } : { ok: true };
  }

  #findConflict({ verb, target: { kind, namespace, name } }: Effect): EffectError | undefined {
    if (verb !== "create") return undefined;
    const key = registryKey({ kind, metadata: { namespace, name } });
    if (this.#names.has(key)) {
      const message = `${resources[kind]} "${name}" already exists`;
      return { message, reason: "AlreadyExists" };
    }
    this.#names.add(key);
    return undefined;
  }
}

/** Upstream deletes by name alone, so its recorded conflicts do not concern the UID, as ours would. */
function toUpstreamError({ message, reason }: EffectError, { verb }: Effect): EffectError {
  return verb === "delete" && reason === "Conflict" ? { message } : { message, reason };
}

function createBody(effect: Effect): object {
  switch (effect.verb) {
    case "create":
    case "update":
      return { object: effect.object };
    case "patch":
      return { patch: effect.patch };
    case "delete":
      return { propagationPolicy: effect.propagationPolicy };
    case "updateStatus":
      return { subresource: "status", ...getWrittenStatus(effect) };
  }
}

/** The recordings contain the whole Job, the status of a Pod, and the JobSet's status separately from the effects. */
function getWrittenStatus({ target: { kind }, object }: UpdateStatusEffect): object {
  if (kind === "JobSet") return {};
  return kind === "Pod" ? { status: (object as Unvalidated<Pod>).status } : { object };
}

/** Returns the unique key of an object. */
function registryKey(object: Unvalidated<KubernetesObject>): string {
  return `${object.kind}/${namespacedName(object)}`;
}
