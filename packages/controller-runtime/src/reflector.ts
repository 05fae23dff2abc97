import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { SnapshotKind } from "@jobset-ts/core";
import { clusterPath } from "@jobset-ts/core/requests";
import { type ApiClient, hasMetadata, type WatchEvent } from "./api-client.ts";
import type { ApiError } from "./api-error.ts";
import type { ConditionReporter } from "./condition-log.ts";
import { sleep } from "./sleep.ts";

/** All objects of a kind at one resource version. */
export interface ListedObjects {
  readonly items: readonly KubernetesObject[];
  readonly resourceVersion: string;
}

/** Stores the objects that a {@link Reflector} reads. */
export interface ObjectStore {
  /** Whether to keep an object. Others are dropped from a list as soon as they arrive. */
  keeps(object: KubernetesObject): boolean;
  /** @param before - the resource version up to which the kind was known; empty the first time */
  listed(objects: ListedObjects, before: string): void;
  changed(type: "ADDED" | "MODIFIED" | "DELETED", object: KubernetesObject): void;
}

interface ListPage {
  readonly items: readonly KubernetesObject[];
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

/** Larger pages create more garbage at a time. With 20,000 Pods, pages of 500 need 60 MB more. */
const LIST_PAGE_SIZE = 200;
const MAX_PAUSE_MS = 30_000;

/** A watch counts as healthy if it was open this long or delivered a change. */
const HEALTHY_WATCH_MS = 1_000;

/** Lists and watches one kind, and lists it again when the watch cannot resume. */
export class Reflector {
  readonly #kind: SnapshotKind;
  readonly #path: string;
  readonly #client: ApiClient;
  readonly #conditions: ConditionReporter;
  readonly #keeper: ObjectStore;
  readonly #firstPauseMs: number;
  #hasListed = false;
  #mustList = true;
  #resourceVersion = "";
  #failures = 0;

  /**
   * @param firstPauseMs - the pause before the first retry after a failure; doubled after each
   * further failure
   */
  constructor(
    kind: SnapshotKind,
    client: ApiClient,
    conditions: ConditionReporter,
    store: ObjectStore,
    firstPauseMs: number,
  ) {
    this.#kind = kind;
    this.#path = clusterPath(kind);
    this.#client = client;
    this.#conditions = conditions;
    this.#keeper = store;
    this.#firstPauseMs = firstPauseMs;
  }

  /** Whether the kind has been listed once. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  /** The resource version up to which changes are known. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Lists and watches until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const error = await this.#listAndWatch(signal);
      if (error === undefined || signal.aborted) continue;
      this.#report(error);
      // If the server rejects a request or sends an invalid response, the request is not repeated. The next step is a
      // new list.
      if (!error.isServerResponse) this.#mustList = true;
      const { retryAfterSeconds = 0 } = error;
      const pauseMs = Math.max(this.#firstPauseMs * 2 ** this.#failures, retryAfterSeconds * 1000);
      this.#failures += 1;
      // The signal ends the wait early.
      await sleep(Math.min(pauseMs, MAX_PAUSE_MS), signal);
    }
  }

  /** @returns the error that ended it, if any */
  async #listAndWatch(signal: AbortSignal): Promise<ApiError | undefined> {
    try {
      const error = this.#mustList ? await this.#list(signal) : undefined;
      return error ?? (await this.#watch(signal));
    } catch (error) {
      // A bug in this library. Retrying is better than never watching the kind again.
      return { message: `${error}`, isServerResponse: false };
    }
  }

  async #list(signal: AbortSignal): Promise<ApiError | undefined> {
    const items: KubernetesObject[] = [];
    const onThrottled = (error: ApiError) => this.#report(error);
    for (let continuation: string | undefined; ; ) {
      const query = { limit: LIST_PAGE_SIZE, continue: continuation };
      const request = { method: "GET", path: this.#path, query } as const;
      const response = await this.#client.send(request, { signal, onThrottled });
      if (!response.ok) return response.error;
      const page = response.object as unknown as ListPage;
      if (!Array.isArray(page.items) || !page.items.every(hasMetadata)) {
        return { message: `${this.#path} did not return a list`, isServerResponse: false };
      }
      for (const item of page.items) {
        const object = dropManagedFields(item, this.#kind);
        if (this.#keeper.keeps(object)) items.push(object);
      }
      const { resourceVersion = "", continue: more } = page.metadata ?? {};
      continuation = more || undefined;
      if (continuation === undefined) {
        const before = this.#resourceVersion;
        this.#resourceVersion = resourceVersion;
        this.#hasListed = true;
        this.#mustList = false;
        this.#keeper.listed({ items, resourceVersion }, before);
        return undefined;
      }
    }
  }

  async #watch(signal: AbortSignal): Promise<ApiError | undefined> {
    let hasWorked = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const markHealthy = () => {
      hasWorked = true;
      this.#failures = 0;
      this.#conditions.resolve(this.#about);
    };
    try {
      const error = await this.#client.watch(this.#path, this.#resourceVersion, {
        signal,
        onOpen: () => {
          timer = setTimeout(markHealthy, HEALTHY_WATCH_MS);
        },
        onEvent: (event) => {
          markHealthy();
          this.#take(event);
        },
      });
      if (error !== undefined || hasWorked) return error;
    } finally {
      clearTimeout(timer);
    }
    return {
      message: `${this.#client.server} closes watches immediately`,
      isServerResponse: true,
    };
  }

  #take({ type, object }: WatchEvent): void {
    this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
    if (type !== "BOOKMARK") this.#keeper.changed(type, dropManagedFields(object, this.#kind));
  }

  #report({ code, message, isServerResponse, responseText }: ApiError): void {
    const { apiVersion, kind } = this.#kind;
    const { server } = this.#client;
    let cause =
      isServerResponse || code === undefined ? message : `${server} returned ${code}: ${message}`;
    if (code === 404) {
      const advice = kind === "JobSet" ? "; install the CustomResourceDefinition" : "";
      cause = `${server} does not serve ${kind}s of ${apiVersion}${advice}`;
    }
    // Servers compact old changes, which is normal. A new list misses nothing.
    const affectsReadiness = code !== 410;
    this.#conditions.raise(this.#about, cause, {
      affectsReadiness,
      fields: { response: responseText },
    });
  }

  get #about(): string {
    return `watch ${this.#kind.kind}`;
  }
}

/** Adds the kind, which list items lack, and removes managed fields. */
function dropManagedFields(
  object: KubernetesObject,
  { apiVersion, kind }: SnapshotKind,
): KubernetesObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, apiVersion, kind, metadata };
}
