import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type ApiClient, type ClientRequest, sleep } from "@jobset-ts/controller-runtime";
import type { ObjectKey } from "@jobset-ts/core";
import {
  clusterPath,
  collectionPath,
  objectPath,
  type RequestPath,
} from "@jobset-ts/core/requests";

/** The field manager for server-side apply. */
const FIELD_MANAGER = "jobset-ts";

const POLL_INTERVAL_MS = 1_000;

/**
 * Performs an administrator's operations on objects. Throws an `Error` with the API server's message if a request
 * fails.
 */
export class Administrator {
  readonly #client: ApiClient;
  readonly #deadlineMs: number;

  /** @param waitSeconds - the maximum duration of all waits together */
  constructor(client: ApiClient, waitSeconds: number) {
    this.#client = client;
    this.#deadlineMs = performance.now() + waitSeconds * 1000;
  }

  /** Applies an object, and takes over its fields from other field managers. */
  apply(object: KubernetesObject): Promise<KubernetesObject> {
    return this.#send(kindAndName(object), {
      method: "PATCH",
      path: getPath(getObjectKey(object)),
      query: { fieldManager: FIELD_MANAGER, force: "true" },
      contentType: "application/apply-patch+yaml",
      body: object,
    });
  }

  /** Creates an object as a dry run: it passes admission, but is not stored. */
  createIfAllowed(object: KubernetesObject): Promise<KubernetesObject> {
    return this.#send(kindAndName(object), {
      method: "POST",
      path: getCollection(getObjectKey(object)),
      query: { dryRun: "All" },
      contentType: "application/json",
      body: object,
    });
  }

  /** @returns undefined if the object or its kind does not exist */
  async find(key: ObjectKey): Promise<KubernetesObject | undefined> {
    const found = await this.#client.send({ method: "GET", path: getPath(key) });
    if (found.ok) return found.object;
    if (found.error.code === 404) return undefined;
    throw new Error(`${key.kind} ${key.name}: ${found.error.message}`);
  }

  /** @returns undefined if the kind does not exist */
  async list(
    key: Omit<ObjectKey, "name">,
    query: Readonly<Record<string, string | number>> = {},
  ): Promise<ObjectList | undefined> {
    const found = await this.#client.send({ method: "GET", path: getCollection(key), query });
    if (found.ok) return found.object as unknown as ObjectList;
    if (found.error.code === 404) return undefined;
    throw new Error(`${key.kind}s: ${found.error.message}`);
  }

  /**
   * Deletes an object with its dependents, and waits until it is gone.
   *
   * @returns whether the object existed
   */
  async remove(key: ObjectKey): Promise<boolean> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" };
    const contentType = "application/json";
    const request = { method: "DELETE", path: getPath(key), contentType, body } as const;
    const removed = await this.#client.send(request);
    if (!removed.ok && removed.error.code === 404) return false;
    if (!removed.ok) throw new Error(`${key.kind} ${key.name}: ${removed.error.message}`);
    await this.waitFor(async () => {
      return (await this.find(key)) === undefined || `${key.kind} ${key.name} still exists`;
    });
    return true;
  }

  /**
   * Waits until a condition holds.
   *
   * @param holds - returns `true`, or the reason why the condition does not hold yet
   * @throws Error with the last reason if the wait times out
   */
  async waitFor(holds: () => Promise<true | string>): Promise<void> {
    for (;;) {
      const result = await holds();
      if (result === true) return;
      if (performance.now() > this.#deadlineMs) throw new Error(`timed out: ${result}`);
      await sleep(POLL_INTERVAL_MS);
    }
  }

  async #send(name: string, request: ClientRequest): Promise<KubernetesObject> {
    const response = await this.#client.send(request);
    if (response.ok) return response.object;
    throw new Error(`${name}: ${response.error.message}`);
  }
}

/** One page of a list. */
export interface ObjectList {
  readonly items: readonly KubernetesObject[];
  readonly metadata: { readonly remainingItemCount?: number };
}

export function getObjectKey({
  apiVersion = "",
  kind = "",
  metadata,
}: KubernetesObject): ObjectKey {
  const { namespace = "", name = "" } = metadata;
  return { apiVersion, kind, namespace, name };
}

/** Formats an object as its kind and name. */
export function kindAndName({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name}`;
}

function getPath({ namespace, ...key }: ObjectKey): string {
  return requirePath(objectPath({ ...key, ...(namespace !== "" && { namespace }) }));
}

/** Returns the API path of a kind, in a namespace or in the whole cluster. */
function getCollection({ namespace, ...key }: Omit<ObjectKey, "name">): string {
  return namespace === "" ? clusterPath(key) : requirePath(collectionPath({ ...key, namespace }));
}

function requirePath(path: RequestPath): string {
  if (!path.ok) throw new Error(path.error.message);
  return path.path;
}
