import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type ApiClient, type ClientRequest, sleep } from "@jobset-ts/controller-runtime";
import type { ObjectKey } from "@jobset-ts/core";
import {
  clusterPath,
  collectionPath,
  objectPath,
  type RequestPath,
} from "@jobset-ts/core/requests";

/** Who owns the fields that are applied. */
const FIELD_MANAGER = "jobset-ts";

const EVERY_MS = 1_000;

/** What an administrator does with objects; what the API server refuses is thrown as an `Error` with its words. */
export class Administrator {
  readonly #client: ApiClient;
  readonly #deadlineMs: number;

  /** @param waitSeconds - how long all that is waited for may take together */
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

  /** Creates an object in word only: it is admitted, and not stored. */
  tryToCreate(object: KubernetesObject): Promise<KubernetesObject> {
    return this.#send(kindAndName(object), {
      method: "POST",
      path: getCollection(getObjectKey(object)),
      query: { dryRun: "All" },
      contentType: "application/json",
      body: object,
    });
  }

  /** @returns undefined when there is none, or no such kind */
  async find(key: ObjectKey): Promise<KubernetesObject | undefined> {
    const found = await this.#client.send({ method: "GET", path: getPath(key) });
    if (found.ok) return found.object;
    if (found.error.code === 404) return undefined;
    throw new Error(`${key.kind} ${key.name}: ${found.error.message}`);
  }

  /** @returns undefined when there is no such kind */
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
   * Deletes an object with all that belongs to it, and waits until it is gone.
   *
   * @returns whether it was there
   */
  async remove(key: ObjectKey): Promise<boolean> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Foreground" };
    const contentType = "application/json";
    const request = { method: "DELETE", path: getPath(key), contentType, body } as const;
    const removed = await this.#client.send(request);
    if (!removed.ok && removed.error.code === 404) return false;
    if (!removed.ok) throw new Error(`${key.kind} ${key.name}: ${removed.error.message}`);
    await this.waitFor(async () => {
      return (await this.find(key)) === undefined || `${key.kind} ${key.name} is still there`;
    });
    return true;
  }

  /**
   * Waits until something holds.
   *
   * @param holds - answers with what does not hold yet
   * @throws Error with the last answer when the time is over
   */
  async waitFor(holds: () => Promise<true | string>): Promise<void> {
    for (;;) {
      const answer = await holds();
      if (answer === true) return;
      if (performance.now() > this.#deadlineMs) throw new Error(`${answer}; the time is over`);
      await sleep(EVERY_MS);
    }
  }

  async #send(name: string, request: ClientRequest): Promise<KubernetesObject> {
    const response = await this.#client.send(request);
    if (response.ok) return response.object;
    throw new Error(`${name}: ${response.error.message}`);
  }
}

/** A page of a collection. */
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

/** An object in words: its kind and its name. */
export function kindAndName({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name}`;
}

function getPath({ namespace, ...key }: ObjectKey): string {
  return certain(objectPath({ ...key, ...(namespace !== "" && { namespace }) }));
}

/** Where all of a kind are in a namespace, or in the cluster. */
function getCollection({ namespace, ...key }: Omit<ObjectKey, "name">): string {
  return namespace === "" ? clusterPath(key) : certain(collectionPath({ ...key, namespace }));
}

function certain(path: RequestPath): string {
  if (!path.ok) throw new Error(path.error.message);
  return path.path;
}
