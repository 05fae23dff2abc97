import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { aJob, aNode, aPod } from "@jobset-ts/testing";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { ApiClient, ApiResponse, ClientRequest, WatchOptions } from "./api-client.ts";
import type { ApiError } from "./api-error.ts";
import { type CacheChange, ClusterCache, cachedKinds } from "./cluster-cache.ts";
import { ConditionLog } from "./condition-log.ts";
import { captureLog } from "./testing/captured-log.ts";
import { eventually } from "./testing/eventually.ts";

beforeEach(() => {
  captureLog();
});

/** A client that returns scripted responses for Jobs and empty lists for all other kinds. */
class ScriptedClient {
  readonly server = "https://server";
  /** The queries of all lists of Jobs, as text. */
  readonly lists: string[] = [];
  /** The resource versions from which Jobs were watched. */
  readonly watches: string[] = [];
  /** The responses to lists of Jobs. The last one repeats. */
  readonly pages: ApiResponse[] = [];
  #endWatch: (error?: ApiError) => void = () => {};
  #options: WatchOptions | undefined;

  async send(request: ClientRequest): Promise<ApiResponse> {
    if (!request.path.endsWith("/jobs")) return page([], "1");
    this.lists.push("query" in request ? (JSON.stringify(request.query) ?? "") : "");
    const [next = page([], "1")] = this.pages.length > 1 ? this.pages.splice(0, 1) : this.pages;
    return next;
  }

  watch(path: string, version: string, options: WatchOptions): Promise<ApiError | undefined> {
    return new Promise((resolve) => {
      options.signal.addEventListener("abort", () => resolve(undefined));
      options.onOpen();
      if (!path.endsWith("/jobs")) return;
      this.watches.push(version);
      this.#options = options;
      this.#endWatch = resolve;
    });
  }

  sendWatchEvent(
    type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK",
    object: KubernetesObject,
  ): void {
    this.#options?.onEvent({ type, object });
  }

  /** Ends the watch of Jobs and waits for the next one. */
  async endWatch(error?: ApiError): Promise<void> {
    const { length } = this.watches;
    this.#endWatch(error);
    await eventually("it watches again", () => this.watches.length > length);
  }
}

function page(items: readonly KubernetesObject[], resourceVersion: string, more?: string) {
  const metadata = { resourceVersion, ...(more !== undefined && { continue: more }) };
  return { ok: true, object: { items, metadata } as never } as const;
}

const expired: ApiError = { code: 410, reason: "Expired", message: "old", isServerResponse: false };

/** Creates a Job with a resource version. A recreated Job has another UID. */
function job(name: string, resourceVersion: number, uid = `${name}-uid`): KubernetesObject {
  const { kind: _, apiVersion: __, ...item } = aJob(`train-workers-${name}`).withUid(uid);
  const metadata = { ...item.metadata, resourceVersion: String(resourceVersion) };
  return { ...item, metadata } as never;
}

const withKind = (item: KubernetesObject) => ({ ...item, apiVersion: "batch/v1", kind: "Job" });

/** Starts a cache and waits until it has listed all kinds and watches them. */
async function running(
  client: ScriptedClient,
  onChange: (change: CacheChange) => void = () => {},
  keeps?: (object: KubernetesObject) => boolean,
) {
  const stopping = new AbortController();
  const cache = new ClusterCache(client as unknown as ApiClient, new ConditionLog(), {
    ...{ kinds: cachedKinds, onChange, firstPauseMs: 0, ...(keeps && { keeps }) },
  });
  const ended = cache.run(stopping.signal);
  await eventually("it watches", () => client.watches.length > 0);
  await cache.synced;
  const stop = async () => {
    stopping.abort();
    await ended;
  };
  return { cache, stop };
}

/** Returns the cached Jobs with their resource versions. */
function cachedVersions(cache: ClusterCache): Readonly<Record<string, string | undefined>> {
  const jobs = cache.snapshot.objects("Job") as readonly KubernetesObject[];
  return Object.fromEntries(
    jobs.map(({ metadata }) => [metadata.name?.at(-1), metadata.resourceVersion]),
  );
}

/** Formats changes as `+a`, `-a` and `a`. */
function listChanges(changes: readonly CacheChange[]): readonly string[] {
  return changes.map(({ before, after }) => {
    const sign = before === undefined ? "+" : after === undefined ? "-" : "";
    return `${sign}${(after ?? before)?.metadata.name?.at(-1)}`;
  });
}

describe("lists", () => {
  it("the cache reads a list in pages and watches from its resource version", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10", "next"), page([job("1", 6)], "10"));
    const changes: CacheChange[] = [];
    const { cache, stop } = await running(client, (change) => changes.push(change));
    expect(client.lists).toEqual(['{"limit":200}', '{"limit":200,"continue":"next"}']);
    expect(client.watches).toEqual(["10"]);
    expect(cachedVersions(cache)).toEqual({ 0: "5", 1: "6" });
    expect(listChanges(changes)).toEqual(["+0", "+1"]);
    await stop();
  });

  it("the cache restarts a list whose continue token expired", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10", "next"), { ok: false, error: expired });
    client.pages.push(page([job("1", 6)], "20"));
    const { cache, stop } = await running(client);
    expect(cachedVersions(cache)).toEqual({ 1: "6" });
    expect(client.watches).toEqual(["20"]);
    await stop();
  });

  it("the cache counts a kind without objects as read", async () => {
    const { cache, stop } = await running(new ScriptedClient());
    expect(cache.snapshot.kindStatus("PersistentVolumeClaim").outcome).toBe("Read");
    await stop();
  });

  it.each([
    [{ ok: true, object: { items: null } as never }],
    [{ ok: true, object: { items: [null] } as never }],
    [{ ok: true, object: { items: [{ metadata: null }] } as never }],
  ] as const)("a malformed list is requested again: %j", async (broken) => {
    const client = new ScriptedClient();
    client.pages.push(broken, page([job("0", 5)], "10"));
    const { cache, stop } = await running(client);
    expect(cachedVersions(cache)).toEqual({ 0: "5" });
    await stop();
  });

  it("the cache keeps the selected objects of a kind, also if the selection changes", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5), job("1", 6)], "10"));
    const changes: CacheChange[] = [];
    const isEven = ({ kind, metadata }: KubernetesObject) =>
      kind === "Job" && Number(metadata.resourceVersion) % 2 === 0;
    const note = (change: CacheChange) => void changes.push(change);
    const { cache, stop } = await running(client, note, isEven);
    expect(cachedVersions(cache)).toEqual({ 1: "6" });
    client.sendWatchEvent("MODIFIED", withKind(job("0", 12)));
    client.sendWatchEvent("MODIFIED", withKind(job("1", 13)));
    expect(cachedVersions(cache)).toEqual({ 0: "12" });
    expect(listChanges(changes)).toEqual(["+1", "+0", "-1"]);
    await stop();
  });

  it("the cache removes managed fields and adds a missing kind", async () => {
    const client = new ScriptedClient();
    const { metadata, ...rest } = job("0", 5);
    client.pages.push(page([{ ...rest, metadata: { ...metadata, managedFields: [{}] } }], "10"));
    const { cache, stop } = await running(client);
    const [kept] = cache.snapshot.objects("Job");
    expect(kept).toMatchObject({ apiVersion: "batch/v1", kind: "Job" });
    expect(kept?.metadata).not.toHaveProperty("managedFields");
    await stop();
  });
});

describe("watches", () => {
  it("the cache reports created, changed and deleted objects", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10"));
    const changes: CacheChange[] = [];
    const { cache, stop } = await running(client, (change) => changes.push(change));
    client.sendWatchEvent("ADDED", job("1", 11));
    client.sendWatchEvent("MODIFIED", job("0", 12));
    client.sendWatchEvent("DELETED", job("1", 13));
    expect(cachedVersions(cache)).toEqual({ 0: "12" });
    expect(listChanges(changes)).toEqual(["+0", "+1", "0", "-1"]);
    await stop();
  });

  it("a watch continues from the last change or bookmark", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([], "10"));
    const { stop } = await running(client);
    client.sendWatchEvent("ADDED", job("0", 11));
    await client.endWatch();
    client.sendWatchEvent("BOOKMARK", { metadata: { resourceVersion: "40" } } as never);
    await client.endWatch();
    expect(client.watches).toEqual(["10", "11", "40"]);
    expect(client.lists).toHaveLength(1);
    await stop();
  });

  it("a watch continues after a server error without a new list", async () => {
    const client = new ScriptedClient();
    const { stop } = await running(client);
    client.sendWatchEvent("ADDED", job("0", 11));
    await client.endWatch({ message: "server cannot be reached", isServerResponse: true });
    expect(client.lists).toHaveLength(1);
    await stop();
  });

  it("the cache lists again if a watch cannot continue, and reports deleted objects", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5), job("1", 6), job("2", 7)], "10"));
    client.pages.push(page([job("0", 5), job("1", 15), job("3", 16)], "20"));
    const changes: CacheChange[] = [];
    const { cache, stop } = await running(client, (change) => changes.push(change));
    changes.length = 0;
    await client.endWatch(expired);
    expect(cachedVersions(cache)).toEqual({ 0: "5", 1: "15", 3: "16" });
    expect(listChanges(changes)).toEqual(["1", "+3", "-2"]);
    await stop();
  });

  it("an error in a change handler does not stop the cache", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10"), page([job("0", 5), job("1", 11)], "20"));
    let mistakes = 1;
    const { cache, stop } = await running(client, () => {
      mistakes -= 1;
      if (mistakes === 0) throw new TypeError("a bug");
    });
    await eventually("it has listed again", () => cachedVersions(cache)[1] === "11");
    await stop();
  });
});

describe("own writes", () => {
  it("recordWrite makes a write visible at once, and its watch event is ignored", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10"));
    const changes: CacheChange[] = [];
    const { cache, stop } = await running(client, (change) => changes.push(change));
    cache.recordWrite(withKind(job("0", 12)));
    expect(cachedVersions(cache)).toEqual({ 0: "12" });
    client.sendWatchEvent("MODIFIED", job("0", 11)); // An earlier change.
    client.sendWatchEvent("MODIFIED", job("0", 12)); // The event about the controller's write.
    expect(cachedVersions(cache)).toEqual({ 0: "12" });
    expect(listChanges(changes)).toEqual(["+0", "0"]);
    await stop();
  });

  it("recordWrite ignores an object that is older than the cached one", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10"));
    const { cache, stop } = await running(client);
    client.sendWatchEvent("DELETED", job("0", 13));
    cache.recordWrite(withKind(job("0", 12)));
    expect(cachedVersions(cache)).toEqual({});
    await stop();
  });

  it("a recorded object survives the deletion event of its predecessor", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10"));
    const { cache, stop } = await running(client);
    cache.recordWrite(withKind(job("0", 14, "new-uid")));
    client.sendWatchEvent("DELETED", job("0", 13));
    expect(cachedVersions(cache)).toEqual({ 0: "14" });
    await stop();
  });

  it("a recorded object survives an older list", async () => {
    const client = new ScriptedClient();
    client.pages.push(page([job("0", 5)], "10"), page([job("0", 5)], "20"));
    const { cache, stop } = await running(client);
    cache.recordWrite(withKind(job("0", 21)));
    cache.recordWrite(withKind(job("1", 22)));
    await client.endWatch(expired);
    expect(cachedVersions(cache)).toEqual({ 0: "21", 1: "22" });
    await stop();
  });

  it("recordWrite does not mark a kind as read before its list", () => {
    const client = new ScriptedClient() as unknown as ApiClient;
    const cache = new ClusterCache(client, new ConditionLog(), { kinds: cachedKinds });
    cache.recordWrite(withKind(job("0", 5)));
    expect(cache.snapshot.kindStatus("Job").outcome).toBe("NotRead");
  });

  it("recordWrite ignores a kind that is not cached", async () => {
    const { cache, stop } = await running(new ScriptedClient());
    cache.recordWrite({ apiVersion: "v1", kind: "Secret", metadata: { name: "x" } });
    expect(cache.snapshot.objects("Secret")).toEqual([]);
    await stop();
  });
});

it("the cache accepts a server that was restored to an earlier state", async () => {
  const client = new ScriptedClient();
  client.pages.push(page([job("0", 905), job("1", 906)], "910"), page([job("0", 105)], "110"));
  const { cache, stop } = await running(client);
  const error = {
    code: 504,
    reason: "Timeout",
    message: "too large version",
    isServerResponse: false,
  };
  await client.endWatch(error);
  expect(cachedVersions(cache)).toEqual({ 0: "105" });
  expect(client.watches).toEqual(["910", "110"]);
  await stop();
});

it("the cache accepts resource versions that are not numbers", async () => {
  const client = new ScriptedClient();
  const { cache, stop } = await running(client);
  const createVersionedJob = (resourceVersion: string) => {
    const { metadata, ...rest } = job("0", 0);
    return { ...rest, metadata: { ...metadata, resourceVersion } };
  };
  client.sendWatchEvent("ADDED", createVersionedJob("b"));
  client.sendWatchEvent("MODIFIED", createVersionedJob("a"));
  expect(cachedVersions(cache)).toEqual({ 0: "a" });
  await stop();
});

describe("changes in any order", () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ write: fc.constantFrom("0", "1", "2"), byUs: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ remove: fc.constantFrom("0", "1", "2") }) },
    { weight: 4, arbitrary: fc.record({ deliver: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.constant({ relist: true } as const) },
  );

  it("the snapshot converges to the cluster and never goes back", async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const client = new ScriptedClient();
      const { cache, stop } = await running(client);
      const cluster = new Map<string, KubernetesObject>();
      const untold: (() => void)[] = [];
      const newest = new Map<string, number>();
      let version = 10;
      for (const one of steps) {
        version += 1;
        if ("write" in one) {
          const before = cluster.get(one.write);
          const written = job(one.write, version, before?.metadata.uid ?? `uid-${version}`);
          cluster.set(one.write, written);
          untold.push(() =>
            client.sendWatchEvent(before === undefined ? "ADDED" : "MODIFIED", written),
          );
          if (one.byUs) cache.recordWrite(withKind(written));
        } else if ("remove" in one) {
          const before = cluster.get(one.remove);
          if (before === undefined) continue;
          const removed = job(one.remove, version, before.metadata.uid);
          cluster.delete(one.remove);
          untold.push(() => client.sendWatchEvent("DELETED", removed));
        } else if ("deliver" in one) {
          for (const report of untold.splice(0, one.deliver)) report();
        } else {
          untold.length = 0;
          client.pages.splice(0, 1, page([...cluster.values()], String(version)));
          await client.endWatch({ ...expired });
        }
        for (const [name, resourceVersion] of Object.entries(cachedVersions(cache))) {
          expect(Number(resourceVersion)).toBeGreaterThanOrEqual(newest.get(name) ?? 0);
          newest.set(name, Number(resourceVersion));
        }
      }
      for (const report of untold) report();
      const actual = [...cluster].map(([name, { metadata }]) => [name, metadata.resourceVersion]);
      expect(cachedVersions(cache)).toEqual(Object.fromEntries(actual));
      await stop();
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

it("the cache watches each kind that the library reads", async () => {
  const client = new ScriptedClient();
  const { cache, stop } = await running(client);
  for (const object of [aPod("train-workers-0-0-aaaaa"), aNode("n1")]) {
    cache.recordWrite({ ...object, metadata: { ...object.metadata, resourceVersion: "7" } });
  }
  expect(cache.snapshot.objects("Pod")).toHaveLength(1);
  expect(cache.snapshot.node("n1")).toBeDefined();
  await stop();
});
