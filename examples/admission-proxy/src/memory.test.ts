// Tests the memory that requests use: none after their response, and at most the limit before it.
import { getEventListeners, setMaxListeners } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  createWebhookHandler,
  type WebhookHandlerOptions,
  type WebRequest,
} from "@jobset-ts/admission/http";
import { ConditionLog } from "@jobset-ts/controller-runtime";
import { WebhookServer } from "@jobset-ts/controller-runtime/node";
import { createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { admissionProxy } from "./proxy.ts";
import { CertificateAuthority } from "./testing/certificate-authority.ts";
import { fakeFetch, SERVER, statusResponse } from "./testing/fake-api-server.ts";
import { sendOverTls } from "./testing/https-client.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const MB = 1_000_000;
const path = "/validate-jobset-x-k8s-io-v1alpha2-jobset?timeout=30s";
const context = createContext({ now: 0 });

/** Returns the heap size in bytes after garbage collection. */
async function measureHeapBytes(): Promise<number> {
  for (let time = 0; time < 3; time++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

/** Returns how much the heap grows over a number of handled requests. */
async function retainedBy(
  respond: (request: Request) => Promise<Response>,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): Promise<number> {
  const text = reviewText(bytes);
  const burst = async (size: number) => {
    const statuses = await Promise.all(
      Array.from({ length: size }, async () => {
        const response = await respond(createRequest(text));
        await response.text();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  };
  await burst(20); // Warm up, so that one-time allocations are not counted.
  const before = await measureHeapBytes();
  for (let sent = 0; sent < count; sent += 20) await burst(20);
  return (await measureHeapBytes()) - before;
}

/** Returns a review of a JobSet that needs a PVC, padded to this size. */
function reviewText(bytes: number): string {
  const volumeMounts = [{ name: "data", mountPath: "/data" }];
  const podSpec = {
    restartPolicy: "Never",
    containers: [{ name: "m", image: "m:1", volumeMounts }],
  };
  const template = { spec: { completionMode: "Indexed", template: { spec: podSpec } } };
  const claim = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"] } };
  const object = {
    metadata: { name: "train", namespace: "ml", annotations: { filler: "x".repeat(bytes) } },
    spec: {
      replicatedJobs: [{ name: "w", groupName: "default", replicas: 1, template }],
      volumeClaimPolicies: [{ templates: [claim] }],
    },
  };
  const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
  const request = { uid: "u-1", kind, operation: "CREATE", object };
  return JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
}

function createRequest(text: string): Request {
  const headers = { "content-type": "application/json" };
  return new Request(`https://proxy${path}`, { method: "POST", headers, body: text });
}

// The limits: less than a quarter of the large texts, and less than two kilobytes for each small
// text.
const bursts = [
  { count: 40, bytes: MB, most: 10 * MB },
  { count: 2_000, bytes: 100, most: 4 * MB },
];

describe("memory of answered requests while their deadlines are open", () => {
  it.each(bursts)(
    "the handler retains almost nothing of $count answered reviews of $bytes bytes and more",
    async (burst) => {
      // All requests share one signal, so it retains only data that the requests leave behind.
      const { signal } = new AbortController();
      setMaxListeners(0, signal);
      const options: WebhookHandlerOptions = {
        context,
        deadline: () => signal,
        readSnapshot: async (_review, _required, { snapshot }) =>
          snapshot.with({
            put: [{ apiVersion: "v1", kind: "PersistentVolumeClaimList", items: [] }],
          }),
      };
      expect(await retainedBy(createWebhookHandler(options), burst)).toBeLessThan(burst.most);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    },
  );

  it("the handler retains almost nothing of reviews that timed out while their reads continue", async () => {
    const readings: (() => void)[] = [];
    const signals = new Map<AbortSignal, () => void>();
    const respond = createWebhookHandler({
      context,
      deadline: () => {
        const controller = new AbortController();
        signals.set(controller.signal, () => controller.abort());
        return controller.signal;
      },
      readSnapshot: (_review, _required, { signal }) => {
        setImmediate(signals.get(signal) ?? expect.fail);
        return new Promise<Snapshot>((resolve) => {
          readings.push(() => resolve(createSnapshot([])));
        });
      },
    });
    expect(await retainedBy(respond, { count: 40, bytes: MB })).toBeLessThan(10 * MB);
    expect(readings).toHaveLength(60);
    for (const signal of signals.keys()) expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it.each(bursts)(
    "the proxy retains almost nothing of $count answered reviews of $bytes bytes and more",
    async (burst) => {
      const { fetch } = fakeFetch(() => statusResponse(404, "NotFound", "there is none"));
      const proxy = admissionProxy({ server: SERVER, fetch, log: () => {} });
      expect(await retainedBy(proxy, burst)).toBeLessThan(burst.most);
    },
  );
});

describe("60 concurrent uploads of a megabyte", () => {
  const maxBytesInFlight = 4 * MB;

  it("the proxy responds to all uploads, and never stores more bytes than the limit plus one chunk each", async () => {
    const underWay = new Count();
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    const webhooks = createWebhookHandler({
      context,
      deadline: () => signal,
      readSnapshot: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return createSnapshot([], { kinds: ["PersistentVolumeClaim"] });
      },
      maxBytes: 1.5 * MB,
      maxBytesInFlight,
    });
    const { port, ca, stop } = await startServer((request) =>
      underWay.measureRequest(request, webhooks),
    );
    const sent = { port, ca, method: "POST", path, body: reviewText(MB) };
    const responses = await Promise.all(Array.from({ length: 60 }, () => sendOverTls(sent)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(underWay.bytes).toBe(0);
    expect(underWay.most).toBeGreaterThan(maxBytesInFlight / 2);
    expect(underWay.most).toBeLessThanOrEqual(maxBytesInFlight + 60 * underWay.largestPiece);
    // Node reads 64 KiB of a connection at a time, and adds what it has already buffered.
    expect(underWay.largestPiece).toBeLessThan(2 * 65_536);
    await stop();
  });
});

/** Counts the bytes that were read for unanswered requests. */
class Count {
  bytes = 0;
  most = 0;
  largestPiece = 0;

  async measureRequest(
    { url, method, headers, body }: Request,
    respond: (request: WebRequest) => Promise<Response>,
  ): Promise<Response> {
    let own = 0;
    const reader = body?.getReader();
    const read = async () => {
      const next = (await reader?.read()) ?? { done: true as const, value: undefined };
      const length = next.value?.length ?? 0;
      own += length;
      this.bytes += length;
      this.most = Math.max(this.most, this.bytes);
      this.largestPiece = Math.max(this.largestPiece, length);
      return next;
    };
    const counted = { getReader: () => ({ read, cancel: async () => reader?.cancel() }) };
    const response = await respond({ url, method, headers, body: counted });
    this.bytes -= own;
    return response;
  }
}

async function startServer(respond: (request: Request) => Promise<Response>) {
  const authority = new CertificateAuthority();
  const { folder, remove } = temporaryFolder();
  const { cert, key } = authority.issue();
  writeFileSync(join(folder, "tls.crt"), cert);
  writeFileSync(join(folder, "tls.key"), key);
  const server = new WebhookServer(respond, folder, new ConditionLog());
  const port = await server.listen("127.0.0.1", 0);
  const stop = async () => {
    await server.close();
    remove();
  };
  return { port, ca: authority.cert, stop };
}
