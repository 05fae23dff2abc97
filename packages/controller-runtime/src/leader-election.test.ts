import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ApiClient, ApiResponse, ClientRequest } from "./api-client.ts";
import { ConditionLog } from "./condition-log.ts";
import { LeaderElection } from "./leader-election.ts";
import { type CapturedLog, captureLog } from "./testing/captured-log.ts";

const times = { durationMs: 15_000, renewWithinMs: 10_000, retryMs: 2_000 };

/** A Lease on an API server that responds at once. The clock moves only if a test advances it. */
class ALease {
  // biome-ignore lint/suspicious/noExplicitAny: tests read single members of the object
  stored: any;
  /** Replaces the responses of the server. */
  fault: ((method: string, signal?: AbortSignal) => Promise<ApiResponse> | undefined) | undefined;
  #version = 0;

  /** Writes the Lease as another client would. */
  put(holderIdentity: string, spec: object = {}): void {
    this.#version += 1;
    const usual = { leaseTransitions: 4, renewTime: "2020-01-01T00:00:00.000000Z" };
    this.stored = {
      metadata: { ...this.stored?.metadata, resourceVersion: `${this.#version}` },
      spec: { holderIdentity, leaseDurationSeconds: 15, ...usual, ...spec },
    };
  }

  replica(identity: string, conditions: ConditionLog): LeaderElection {
    const send = (request: ClientRequest, { signal }: { readonly signal?: AbortSignal } = {}) =>
      this.fault?.(request.method, signal) ?? Promise.resolve(this.#respond(request));
    const client = { send } as unknown as ApiClient;
    return new LeaderElection(
      client,
      { namespace: "ns", name: "jobset-controller", identity },
      conditions,
      times,
    );
  }

  #respond(request: ClientRequest): ApiResponse {
    const path = "/apis/coordination.k8s.io/v1/namespaces/ns/leases";
    const isPost = request.method === "POST";
    expect(request.path).toBe(isPost ? path : `${path}/jobset-controller`);
    if (request.method === "GET") {
      return this.stored === undefined
        ? createRejection(404, "there is none")
        : { ok: true, object: this.stored };
    }
    const { metadata, spec } = (request as { readonly body: ALease["stored"] }).body;
    const isOutOfDate = metadata.resourceVersion !== this.stored?.metadata.resourceVersion;
    if (isOutOfDate) return createRejection(409, "it has changed");
    this.#version += 1;
    this.stored = { metadata: { ...metadata, resourceVersion: `${this.#version}` }, spec };
    return { ok: true, object: this.stored };
  }
}

function createRejection(code: number, message: string): ApiResponse & { readonly ok: false } {
  return { ok: false, error: { code, message, isServerResponse: code === 502 } };
}

/** Records whether a promise has resolved, and its value. */
function recordValue<Value>(work: Promise<Value>): { readonly came: Value[] } {
  const came: Value[] = [];
  void work.then((value) => came.push(value));
  return { came };
}

let lease: ALease;
let log: CapturedLog;
let troubles: ConditionLog;
let stopping: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  log = captureLog();
  troubles = new ConditionLog();
  lease = new ALease();
  stopping = new AbortController();
});

afterEach(async () => {
  stopping.abort();
  await advanceTime(0);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

async function advanceTime(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

/** Starts a replica that holds the Lease and renews it. `lost` shows whether it has lost the Lease. */
async function startLeader(identity: string, ownTroubles = troubles) {
  const replica = lease.replica(identity, ownTroubles);
  expect(await replica.acquire(stopping.signal)).toBe(true);
  return { replica, lost: recordValue(replica.renew(stopping.signal)) };
}

/** Starts a replica that tries to acquire the Lease. */
function startStandby(identity: string, ownTroubles = troubles) {
  return recordValue(lease.replica(identity, ownTroubles).acquire(stopping.signal));
}

describe("acquire and keep", () => {
  it("acquire creates the Lease, and keep renews it", async () => {
    const { lost } = await startLeader("a");
    const { acquireTime, renewTime } = lease.stored.spec;
    expect(lease.stored).toMatchObject({
      metadata: { name: "jobset-controller", namespace: "ns" },
      spec: { holderIdentity: "a", leaseDurationSeconds: 15, leaseTransitions: 0 },
    });
    await advanceTime(60_000);
    expect(Date.parse(lease.stored.spec.renewTime) - Date.parse(renewTime)).toBe(60_000);
    expect(lease.stored.spec.acquireTime).toBe(acquireTime);
    expect(lost.came).toEqual([]);
    expect(log.lines).toEqual([]);
  });

  it("acquire waits until the holder has not renewed the Lease for its duration on the local clock", async () => {
    lease.put("gone", { leaseDurationSeconds: 5 });
    const { came } = startStandby("a");
    await advanceTime(5_000);
    expect(came).toEqual([]); // The timestamp in the Lease is long past.
    await advanceTime(times.retryMs);
    expect(came).toEqual([true]);
    expect(lease.stored.spec).toMatchObject({ holderIdentity: "a", leaseTransitions: 5 });
  });

  it("acquire does not replace a holder that renews the Lease", async () => {
    const { came } = startStandby("a");
    lease.put("b", { leaseDurationSeconds: 3 });
    for (let renewals = 0; renewals < 12; renewals += 1) {
      await advanceTime(2_500);
      lease.put("b", { leaseDurationSeconds: 3, renewals });
    }
    expect(came).toEqual([]);
    stopping.abort();
    await advanceTime(0);
    expect(came).toEqual([false]);
    expect(lease.stored.spec.holderIdentity).toBe("b");
  });

  it("acquire waits although the object is not a complete Lease", async () => {
    lease.stored = { spec: { holderIdentity: "b", leaseDurationSeconds: 1 } };
    const { came } = startStandby("a");
    lease.fault = (method) =>
      method === "PUT" ? Promise.resolve({ ok: true, object: lease.stored }) : undefined;
    await advanceTime(0);
    expect(came).toEqual([]);
    await advanceTime(times.retryMs);
    expect(came).toEqual([true]);
  });

  it("only one of two concurrent replicas acquires the Lease", async () => {
    const [one, other] = [startStandby("a"), startStandby("b")];
    await advanceTime(0);
    const led = [...one.came.map(() => "a"), ...other.came.map(() => "b")];
    expect(led).toEqual([lease.stored.spec.holderIdentity]);
    expect(log.messages).toEqual([]);
  });

  it("release lets another replica acquire the Lease", async () => {
    const holder = lease.replica("a", troubles);
    await holder.acquire(stopping.signal);
    const { came } = startStandby("b");
    await advanceTime(0);
    expect(came).toEqual([]);
    await holder.release();
    expect(lease.stored.spec.holderIdentity).toBe("");
    await advanceTime(times.retryMs);
    expect(came).toEqual([true]);
    expect(lease.stored.spec).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
    await holder.release(); // The Lease belongs to another replica.
    expect(lease.stored.spec.holderIdentity).toBe("b");
  });

  it("release waits for an open renewal", async () => {
    const { replica } = await startLeader("a");
    let respond = (_: ApiResponse | undefined) => {};
    lease.fault = (method) =>
      method === "GET"
        ? new Promise((resolve) => {
            respond = () => resolve({ ok: true, object: lease.stored });
          })
        : undefined;
    await advanceTime(times.retryMs);
    stopping.abort();
    const released = replica.release();
    respond(undefined);
    await released;
    expect(lease.stored.spec.holderIdentity).toBe("");
  });
});

describe("losing the Lease", () => {
  it("acquire waits while another replica holds the Lease", async () => {
    const { replica, lost } = await startLeader("a");
    lease.put("b");
    await advanceTime(times.retryMs);
    expect(lost.came).toHaveLength(1);
    await replica.release();
    expect(lease.stored.spec.holderIdentity).toBe("b");
  });

  it.each<[string, ALease["fault"]]>([
    ["returns an error", () => Promise.resolve(createRejection(502, "bad gateway"))],
    [
      "is silent",
      (_, signal) =>
        new Promise((resolve) => {
          signal?.addEventListener("abort", () => resolve(createRejection(502, "silent")));
        }),
    ],
  ])("keep ends when the server %s for the renew deadline", async (_, fault) => {
    const { lost } = await startLeader("a");
    lease.fault = fault;
    await advanceTime(times.renewWithinMs - 1);
    expect(lost.came).toEqual([]);
    await advanceTime(times.retryMs);
    expect(lost.came).toHaveLength(1);
    expect(troubles.reasonsNotReady).toHaveLength(1);
  });

  it("keep survives short failures and conflicts", async () => {
    const { lost } = await startLeader("a");
    lease.fault = () => Promise.resolve(createRejection(502, "bad gateway"));
    await advanceTime(3 * times.retryMs);
    lease.fault = (method) =>
      method === "PUT" ? Promise.resolve(createRejection(409, "it has changed")) : undefined;
    await advanceTime(times.retryMs);
    lease.fault = undefined;
    await advanceTime(60_000);
    expect(lost.came).toEqual([]);
    expect(log.messages).toEqual([
      "error leader election: bad gateway",
      "info leader election: recovered",
    ]);
  });
});

describe("waiting for the Lease", () => {
  it("acquire raises a condition only while the server fails", async () => {
    await startLeader("a", new ConditionLog());
    const { came } = startStandby("b");
    lease.fault = () => Promise.resolve(createRejection(403, "no leases"));
    await advanceTime(times.retryMs);
    expect(troubles.reasonsNotReady).toEqual(["leader election: no leases"]);
    lease.fault = undefined;
    await advanceTime(times.retryMs);
    expect([troubles.reasonsNotReady, came]).toEqual([[], []]);
  });

  it("aborting the signal ends acquire", async () => {
    lease.put("b");
    const { came } = startStandby("a");
    await advanceTime(3_000);
    stopping.abort();
    await advanceTime(0);
    expect(came).toEqual([false]);
  });
});

it.each(["", "..", "a/b"])("LeaderElection rejects the namespace %j", (namespace) => {
  const client = {} as ApiClient; // No request is sent.
  expect(
    () => new LeaderElection(client, { namespace, name: "l", identity: "a" }, new ConditionLog()),
  ).toThrow(`invalid Lease "l" in namespace "${namespace}"`);
});
