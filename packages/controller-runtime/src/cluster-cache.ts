import { type KubernetesObject, namespacedName } from "@jobset-ts/api/kubernetes";
import { createSnapshot, SNAPSHOT_KINDS, type Snapshot, type SnapshotKind } from "@jobset-ts/core";
import type { ApiClient } from "./api-client.ts";
import type { ConditionReporter } from "./condition-log.ts";
import { type ListedObjects, Reflector } from "./reflector.ts";

/**
 * The kinds that must be current for a reconcile: all kinds that the library reads, except those that only explain a
 * state.
 *
 * @example cachedKinds.some(({ kind }) => kind === "Event") // => false
 */
export const cachedKinds: readonly SnapshotKind[] = [...SNAPSHOT_KINDS.values()].filter(
  ({ kind }) => kind !== "Event",
);

/** The objects that a {@link ClusterCache} keeps, and its change handlers. */
export interface CacheOptions {
  /** Default: {@link cachedKinds}. */
  readonly kinds?: readonly SnapshotKind[];
  /** Whether to keep an object. If a kind is only partly kept, the absence of its objects is unknown. */
  keeps?(object: KubernetesObject): boolean;
  onChange?(change: CacheChange): void;
  /** The delay before a failed list or watch is retried, in milliseconds. It doubles with each failure. */
  readonly firstPauseMs?: number;
}

/** An object before and after a change. A created object has no `before`, and a deleted one no `after`. */
export interface CacheChange {
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
}

/**
 * Maintains a snapshot of the cluster from lists, watches and own writes. Reconciles read {@link
 * ClusterCache.snapshot}, which is immutable.
 *
 * @example
 * const nodes = { metadata: { resourceVersion: "7" }, items: [{ metadata: { name: "n1", resourceVersion: "5" } }] };
 * const fetch: Fetch = async (url, { signal }) => {
 *   if (!url.includes("watch=true")) return Response.json(nodes);
 *   // A watch in which nothing happens.
 *   const { readable, writable } = new TransformStream();
 *   signal.addEventListener("abort", () => void writable.close());
 *   return new Response(readable);
 * };
 * const client = new ApiClient({ server: "https://10.0.0.1", fetch });
 * const kinds = cachedKinds.filter(({ kind }) => kind === "Node");
 * const cache = new ClusterCache(client, new ConditionLog(), { kinds });
 * const stopping = new AbortController();
 * const running = cache.run(stopping.signal);
 * await cache.synced;
 * cache.snapshot.nodes.length // => 1
 * stopping.abort();
 * await running;
 */
export class ClusterCache {
  /** Resolves when every kind has been listed. */
  readonly synced: Promise<void>;
  readonly #onChange: (change: CacheChange) => void;
  readonly #reflectors: ReadonlyMap<string, Reflector>;
  #snapshot: Snapshot = createSnapshot([]);

  constructor(
    client: ApiClient,
    conditions: ConditionReporter,
    {
      kinds = cachedKinds,
      keeps = () => true,
      onChange = () => {},
      firstPauseMs = 100,
    }: CacheOptions = {},
  ) {
    this.#onChange = onChange;
    let resolveSynced = () => {};
    this.synced = new Promise((resolve) => {
      resolveSynced = resolve;
    });
    this.#reflectors = new Map(
      kinds.map((cached) => {
        const store = {
          keeps,
          listed: (objects: ListedObjects, before: string) => {
            this.#replace(cached.kind, objects, before);
            if ([...this.#reflectors.values()].every(({ hasListed }) => hasListed)) resolveSynced();
          },
          changed: (type: string, object: KubernetesObject) =>
            type === "DELETED" || !keeps(object) ? this.#remove(object) : this.#put(object),
        };
        return [cached.kind, new Reflector(cached, client, conditions, store, firstPauseMs)];
      }),
    );
  }

  /** The current snapshot of the cluster. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Lists and watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#reflectors.values()].map((reflector) => reflector.run(signal)));
  }

  /** Adds the response to an own write, so that the next reconcile sees it before the watch event arrives. */
  recordWrite(object: KubernetesObject): void {
    const known = this.#reflectors.get(object.kind)?.resourceVersion;
    // Before its first list, the state of a kind is unknown.
    if (known && isNewer(getVersion(object), known)) this.#put(object);
  }

  #replace(kind: string, { items, resourceVersion }: ListedObjects, before: string): void {
    // The kind was read, even if the list is empty.
    const wasSetBack = isNewer(before, resourceVersion);
    const isOlder = (one: KubernetesObject) =>
      wasSetBack || !isNewer(getVersion(one), resourceVersion);
    const listed = new Set(items.map(namespacedName));
    const known = this.#snapshot.objects(kind) as readonly KubernetesObject[];
    const removed = known.filter(
      (object) => isOlder(object) && !listed.has(namespacedName(object)),
    );
    const changes = items
      .map((after): CacheChange => ({ before: this.#getKnownObject(after), after }))
      .filter(
        ({ before, after }) => before === undefined || (isOlder(before) && isOther(before, after)),
      );
    this.#snapshot = this.#snapshot.with({
      put: changes.map(({ after }) => after),
      remove: removed,
      // The kind was read even if the list is empty.
      kinds: [kind],
    });
    for (const change of changes) this.#onChange(change);
    for (const object of removed) this.#onChange({ before: object });
  }

  /** Stores an object unless a newer version is known. */
  #put(after: KubernetesObject): void {
    const before = this.#getKnownObject(after);
    if (before !== undefined && !isNewer(getVersion(after), getVersion(before))) return;
    this.#snapshot = this.#snapshot.with({ put: [after] });
    this.#onChange({ before, after });
  }

  #remove(object: KubernetesObject): void {
    const before = this.#getKnownObject(object);
    // A recorded write may have stored a new object of this name.
    if (before === undefined || before.metadata.uid !== object.metadata.uid) return;
    this.#snapshot = this.#snapshot.with({ remove: [object] });
    this.#onChange({ before });
  }

  #getKnownObject({ kind, metadata }: KubernetesObject): KubernetesObject | undefined {
    const { namespace = "", name = "" } = metadata;
    return this.#snapshot.object(kind, namespace, name) as KubernetesObject | undefined;
  }
}

function getVersion(object: KubernetesObject | undefined): string {
  return object?.metadata.resourceVersion ?? "";
}

function isOther(before: KubernetesObject, after: KubernetesObject | undefined): boolean {
  return getVersion(before) !== getVersion(after);
}

/** Reports whether a resource version is newer. A version that is not a number counts as newer. */
function isNewer(one: string, other: string): boolean {
  const areNumbers = /^\d+$/.test(one) && /^\d+$/.test(other);
  return areNumbers ? BigInt(one) > BigInt(other) : one !== other;
}
