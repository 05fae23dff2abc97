import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { TroubleLog } from "../log.ts";
import { type CapturedLog, captureLog } from "../testing/captured-log.ts";
import { eventually } from "../testing/eventually.ts";
import { FakeApiServer, html, silence, status } from "../testing/fake-api-server.ts";
import { temporaryFolder, writeKubeConfig } from "../testing/kubeconfig.ts";
import { ApiClient } from "./api-client.ts";
import { loadKubeConfig } from "./kube-config.ts";
import { LeaderElection } from "./leader-election.ts";

const times = { durationMs: 1_000, renewWithinMs: 200, retryMs: 10 };
const everything = /^/;

let server: FakeApiServer;
let log: CapturedLog;
let troubles: TroubleLog;

beforeEach(async () => {
  log = captureLog();
  troubles = new TroubleLog();
  server = await new FakeApiServer().start();
  onTestFinished(() => server.stop());
});

function aReplica(identity: string, ownTroubles = troubles): LeaderElection {
  const file = writeKubeConfig(`${temporaryFolder()}/config`, server.url);
  const client = new ApiClient(() => loadKubeConfig(file));
  onTestFinished(() => client.close());
  return new LeaderElection(client, { namespace: "ns", identity }, ownTroubles, times);
}

/** Tries to lead until the test ends. */
function acquiring(replica: LeaderElection, stopping = new AbortController()): Promise<boolean> {
  return endingWithTheTest(stopping, replica.acquire(stopping.signal));
}

/** Keeps the Lease until the test ends. */
function keeping(replica: LeaderElection): Promise<void> {
  const stopping = new AbortController();
  return endingWithTheTest(stopping, replica.keep(stopping.signal));
}

function endingWithTheTest<Value>(stopping: AbortController, work: Promise<Value>): Promise<Value> {
  onTestFinished(async () => {
    stopping.abort();
    await work;
  });
  return work;
}

function lease() {
  return server.objects("Lease")[0];
}

function aLeaseOf(holderIdentity: string, spec: object = {}) {
  const metadata = { name: "jobset-controller", namespace: "ns" };
  const kind = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
  const times = { renewTime: "2020-01-01T00:00:00.000000Z", leaseDurationSeconds: 1 };
  return { ...kind, metadata, spec: { holderIdentity, leaseTransitions: 4, ...times, ...spec } };
}

describe("the Lease", () => {
  it("is created by the first, and renewed for as long as it works", async () => {
    const replica = aReplica("a");
    expect(await acquiring(replica)).toBe(true);
    expect(lease()).toMatchObject({
      metadata: { name: "jobset-controller", namespace: "ns" },
      spec: { holderIdentity: "a", leaseDurationSeconds: 1, leaseTransitions: 0 },
    });
    const { acquireTime, renewTime } = lease()?.spec ?? {};
    void keeping(replica);
    await eventually("it is renewed", () => lease()?.spec.renewTime > renewTime);
    expect(lease()?.spec.acquireTime).toBe(acquireTime);
    expect(log.lines.map(({ message }) => message)).toEqual(["this replica leads"]);
  });

  it("is waited for until its holder has let it be for its duration, on our own clock", async () => {
    server.put(aLeaseOf("gone", { leaseDurationSeconds: 0.3 }));
    const startMs = performance.now();
    expect(await acquiring(aReplica("a"))).toBe(true);
    expect(performance.now() - startMs).toBeGreaterThan(300); // although its time is long ago
    expect(lease()?.spec).toMatchObject({ holderIdentity: "a", leaseTransitions: 5 });
  });

  it("is not taken from who renews it", async () => {
    server.put(aLeaseOf("b"));
    const waiting = new AbortController();
    const acquired = acquiring(aReplica("a"), waiting);
    for (let renewals = 0; renewals < 12; renewals += 1) {
      server.put(aLeaseOf("b", { leaseDurationSeconds: 0.3, renewals }));
      await setTimeout(50);
    }
    waiting.abort();
    expect(await acquired).toBe(false);
    expect(lease()?.spec.holderIdentity).toBe("b");
  });

  it("is waited for although what holds it is no whole Lease", async () => {
    server.answer(/^GET/, (_, response) => {
      response.end('{"spec":{"holderIdentity":"b","leaseDurationSeconds":0.1}}');
    });
    server.put(aLeaseOf("b"));
    expect(await acquiring(aReplica("a"))).toBe(true);
  });

  it("goes to one of two who take it at once", async () => {
    const led: string[] = [];
    for (const identity of ["a", "b"]) {
      void acquiring(aReplica(identity)).then((leads) => leads && led.push(identity));
    }
    await eventually("one leads", () => led.length > 0);
    await setTimeout(100);
    expect(led).toEqual([lease()?.spec.holderIdentity]);
    expect(log.told).toEqual([]);
  });

  it("is released for the next one", async () => {
    const holder = aReplica("a");
    await acquiring(holder);
    await holder.release();
    expect(lease()?.spec.holderIdentity).toBe("");
    const startMs = performance.now();
    await acquiring(aReplica("b"));
    expect(performance.now() - startMs).toBeLessThan(500);
    expect(lease()?.spec).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
    await holder.release(); // it is not ours any longer
    expect(lease()?.spec.holderIdentity).toBe("b");
  });
});

describe("the Lease is lost", () => {
  it("when somebody else holds it", async () => {
    const replica = aReplica("a");
    await acquiring(replica);
    const kept = keeping(replica);
    server.put(aLeaseOf("b"));
    await kept;
    await replica.release();
    expect(lease()?.spec.holderIdentity).toBe("b");
  });

  it.each([
    ["refuses", html(502)],
    ["says nothing", silence],
  ])("when the server %s for as long as it holds", async (_, fault) => {
    const replica = aReplica("a");
    await acquiring(replica);
    const startMs = performance.now();
    const kept = keeping(replica);
    server.answer(everything, fault);
    await kept;
    const tookMs = performance.now() - startMs;
    expect(tookMs).toBeGreaterThan(150);
    expect(tookMs).toBeLessThan(times.durationMs - 300);
    expect(troubles.reasonsNotReady).toHaveLength(1);
  });

  it("not by a short trouble, nor by a conflict", async () => {
    const replica = aReplica("a");
    await acquiring(replica);
    void keeping(replica);
    server.answer(everything, html(502), 3);
    server.answer(/^PUT/, status(409, "Conflict", "it has changed"), 2);
    await eventually("it has recovered", () => log.told.length === 2);
    expect(troubles.reasonsNotReady).toEqual([]);
  });
});

describe("who waits", () => {
  it("is in trouble only while the server is", async () => {
    const holder = aReplica("a", new TroubleLog());
    await acquiring(holder);
    void keeping(holder);
    server.answer(/^GET/, status(403, "Forbidden", "no leases"), 12);
    void acquiring(aReplica("b"));
    await eventually("it is in trouble", () => troubles.reasonsNotReady.length === 1);
    expect(troubles.reasonsNotReady).toEqual(["leader election: no leases"]);
    await eventually("it has recovered", () => troubles.reasonsNotReady.length === 0);
  });

  it("ends with the signal", async () => {
    server.put(aLeaseOf("b", { leaseDurationSeconds: 60 }));
    const stopping = new AbortController();
    const acquired = acquiring(aReplica("a"), stopping);
    await setTimeout(30);
    stopping.abort();
    expect(await acquired).toBe(false);
  });
});

it.each(["", "..", "a/b"])("holds no Lease in a namespace %j", (namespace) => {
  const file = writeKubeConfig(`${temporaryFolder()}/config`, server.url);
  const client = new ApiClient(() => loadKubeConfig(file));
  onTestFinished(() => client.close());
  expect(() => new LeaderElection(client, { namespace, identity: "a" }, troubles)).toThrow(
    `there can be no Lease in "${namespace}"`,
  );
});
