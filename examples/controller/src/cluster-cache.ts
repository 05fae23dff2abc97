import { setTimeout } from "node:timers/promises";
import type { KubernetesObject } from "@jobset-ts/api";
import { collectionPath, objectPath, type Snapshot, snapshotOf } from "@jobset-ts/core";
import type { ApiClient, ApiError, WatchEvent } from "./api-client.ts";
import type { TroubleLog } from "./log.ts";

/** A kind that is kept up to date. */
export interface CachedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The kinds that the library asks a snapshot about. */
export const cachedKinds: readonly CachedKind[] = [
  { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" },
  { apiVersion: "batch/v1", kind: "Job" },
  { apiVersion: "v1", kind: "Service" },
  { apiVersion: "v1", kind: "PersistentVolumeClaim" },
  { apiVersion: "v1", kind: "Pod" },
  { apiVersion: "v1", kind: "Node" },
];

/** An object before and after a change; one of them is absent when it came or went. */
export interface Change {
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
}

const LIST_PAGE_SIZE = 500;
const LONGEST_PAUSE_MS = 30_000;

/**
 * The cluster as one snapshot that keeps up with it: each kind is listed, then watched, and listed again when the
 * watch can no longer be resumed. Passes read {@link ClusterCache.snapshot}, which never changes under them.
 */
export class ClusterCache {
  readonly #client: ApiClient;
  readonly #troubles: TroubleLog;
  readonly #onChange: (change: Change) => void;
  readonly #kinds = new Map<string, KindState>();
  #snapshot: Snapshot = snapshotOf([]);

  constructor(client: ApiClient, troubles: TroubleLog, onChange: (change: Change) => void) {
    this.#client = client;
    this.#troubles = troubles;
    this.#onChange = onChange;
  }

  /** The cluster at this instant, as far as it is known. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Whether every kind has been listed. */
  get isSynced(): boolean {
    return cachedKinds.every(({ kind }) => this.#kinds.get(kind)?.isListed === true);
  }

  /** Keeps up until the signal is given. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(cachedKinds.map((cached) => this.#keepUp(cached, signal)));
  }

  /**
   * Takes the answer to a write of ours at once, so that the next pass sees it; the watch brings it a moment later.
   */
  wrote(object: KubernetesObject): void {
    const state = this.#kinds.get(object.kind);
    if (state === undefined || !isNewer(object, state.resourceVersion)) return;
    const before = this.#known(object);
    if (before === undefined || isNewer(object, before.metadata.resourceVersion)) this.#put(object);
  }

  async #keepUp(cached: CachedKind, signal: AbortSignal): Promise<void> {
    const path = collectionPath({ ...cached, namespace: "" });
    const state: KindState = { isListed: false, resourceVersion: "" };
    this.#kinds.set(cached.kind, state);
    for (let failures = 0; !signal.aborted; ) {
      const error =
        (state.resourceVersion === "" ? await this.#list(cached, path, state) : undefined) ??
        (await this.#client.watch(
          path,
          state.resourceVersion,
          (event) => this.#take(cached, event, state),
          signal,
        ));
      if (signal.aborted) return;
      if (error === undefined) {
        failures = 0;
        continue;
      }
      // What the server no longer has the history of is listed again; so is what we cannot make sense of.
      if (error.code !== undefined) state.resourceVersion = "";
      if (error.code === 410) continue;
      this.#troubles.begins(`watch ${cached.kind}`, error.message);
      await pause(Math.min(100 * 2 ** failures, LONGEST_PAUSE_MS), signal);
      failures += 1;
    }
  }

  async #list(cached: CachedKind, path: string, state: KindState): Promise<ApiError | undefined> {
    const listed = new Map<string, KubernetesObject>();
    let resourceVersion = "";
    for (let continuation: string | undefined; ; ) {
      const query = { limit: LIST_PAGE_SIZE, continue: continuation };
      const response = await this.#client.send({ method: "GET", path, query });
      if (!response.ok) return response.error;
      const page = response.object as unknown as ListPage;
      if (!Array.isArray(page.items)) return { code: 200, message: `${path} answers no list` };
      for (const item of page.items)
        listed.set(keyOf({ ...item, ...cached }), trimmed(item, cached));
      resourceVersion = page.metadata?.resourceVersion ?? "";
      continuation = page.metadata?.continue || undefined;
      if (continuation === undefined) break;
    }
    const gone = this.#snapshot
      .objects(cached.kind)
      .map((object) => object as KubernetesObject)
      // What we wrote after the list was made is not in it.
      .filter((object) => !listed.has(keyOf(object)) && !isNewer(object, resourceVersion));
    const changes = [...listed.values()].map((after) => ({ before: this.#known(after), after }));
    this.#snapshot = this.#snapshot.with({
      put: [...listed.values(), listOf(cached)],
      remove: gone,
    });
    state.resourceVersion = resourceVersion;
    state.isListed = true;
    this.#troubles.ends(`watch ${cached.kind}`);
    for (const { before, after } of changes) {
      const isSame = before?.metadata.resourceVersion === after.metadata.resourceVersion;
      if (!isSame) this.#onChange({ ...(before !== undefined && { before }), after });
    }
    for (const before of gone) this.#onChange({ before });
    return undefined;
  }

  #take(cached: CachedKind, event: WatchEvent, state: KindState): void {
    const { resourceVersion } = event.object.metadata ?? {};
    if (typeof resourceVersion === "string") state.resourceVersion = resourceVersion;
    this.#troubles.ends(`watch ${cached.kind}`);
    if (event.type === "BOOKMARK") return;
    const object = trimmed(event.object, cached);
    const before = this.#known(object);
    if (event.type === "DELETED") {
      // A new object of the name may be known already, from our own write.
      if (before === undefined || before.metadata.uid !== object.metadata.uid) return;
      this.#snapshot = this.#snapshot.with({ remove: [object] });
      this.#onChange({ before });
      return;
    }
    if (before === undefined || isNewer(object, before.metadata.resourceVersion)) this.#put(object);
  }

  #put(after: KubernetesObject): void {
    const before = this.#known(after);
    this.#snapshot = this.#snapshot.with({ put: [after] });
    this.#onChange({ ...(before !== undefined && { before }), after });
  }

  #known({ kind, metadata }: KubernetesObject): KubernetesObject | undefined {
    const { namespace = "", name = "" } = metadata;
    return this.#snapshot.object(kind, namespace, name) as KubernetesObject | undefined;
  }
}

interface KindState {
  isListed: boolean;
  /** Up to which the changes of the kind are known; empty when it has to be listed. */
  resourceVersion: string;
}

interface ListPage {
  readonly items: readonly KubernetesObject[];
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

/** An empty list tells a snapshot that the kind was read, also when there is none of it. */
function listOf({ apiVersion, kind }: CachedKind): unknown {
  return { apiVersion, kind: `${kind}List`, items: [] };
}

/** Items of lists lack their kind; and nobody here asks who set which field. */
function trimmed(object: KubernetesObject, { apiVersion, kind }: CachedKind): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata as KubernetesObject["metadata"] & {
    managedFields?: unknown;
  };
  return { ...object, apiVersion, kind, metadata };
}

function keyOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  const { namespace = "", name = "" } = metadata;
  return objectPath({ apiVersion, kind, namespace, name });
}

/** Resource versions are numbers that may be compared; text of any other form is taken for newer. */
function isNewer({ metadata }: KubernetesObject, than: string | undefined): boolean {
  const [one, other] = [metadata.resourceVersion ?? "", than ?? ""];
  const areNumbers = /^\d+$/.test(one) && /^\d+$/.test(other);
  return areNumbers ? BigInt(one) > BigInt(other) : one !== other;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {}); // an early end is what the signal asks for
}
