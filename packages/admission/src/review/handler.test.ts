import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { aPod } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonHostileValues } from "../../../testing/src/arbitraries/hostile-values.ts";
import { createWebhookHandler, type ReviewEvent, type WebhookHandlerOptions } from "./handler.ts";
import type { RequiredObject } from "./required-object.ts";
import { OpenSignal } from "./testing/open-signal.ts";
import type { WebRequest, WebResponse, WebSignal } from "./web.ts";
import { WEBHOOK_PATHS } from "./webhooks.ts";

// The parts of the runtime's own classes that these tests use.
declare const Request: new (url: string, init: object) => WebRequest;
declare const ReadableStream: new (
  source: object,
  strategy?: { readonly highWaterMark: number },
) => NonNullable<WebRequest["body"]>;
interface StreamController {
  enqueue(piece: unknown): void;
  close(): void;
  error(reason: Error): void;
}
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const AbortController: new () => { readonly signal: WebSignal; abort(): void };
declare const setTimeout: (call: () => void, milliseconds: number) => unknown;
declare const AbortSignal: { timeout(milliseconds: number): WebSignal };

const server = "https://127.0.0.1:9443";
const jobSetPath = "/validate-jobset-x-k8s-io-v1alpha2-jobset";
const podPath = "/validate--v1-pod";
const context = createContext({ now: "2026-11-21T12:00:00Z" });
const leader = aPod("train-w-0-0-abcde").exclusive("rack").onNode("n1");
const follower = aPod("train-w-0-1-fghij")
  .withAnnotations({ [JOBSET_NAME_KEY]: "train" })
  .exclusive("rack");

describe("a request that is not an AdmissionReview", () => {
  it("the handler returns 404 for an unknown path", async () => {
    for (const path of ["", "/", "/validate--v1-pods", "/__proto__", "/mutate--v1-pod/"]) {
      expect(await getStatus(sendPost(path, "{}"))).toBe(404);
    }
  });

  it.each(["GET", "PUT", "DELETE"])("the handler returns 405 for the method %s", async (method) => {
    const response = await handle()(new Request(server + podPath, { method }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("the handler rejects another content type", async () => {
    for (const type of ["text/plain", "application/jsonx", "application/yaml", ""]) {
      expect(await getStatus(sendPost(podPath, "{}", { "content-type": type }))).toBe(415);
    }
    for (const type of ["application/json", "Application/JSON ; charset=utf-8"]) {
      expect(await getStatus(sendPost(podPath, "{}", { "content-type": type }))).toBe(400);
    }
  });

  it("the handler rejects a compressed body", async () => {
    const type = { "content-type": "application/json" };
    for (const encoding of ["gzip", "br", "identity, gzip", "x"]) {
      const headers = { ...type, "content-encoding": encoding };
      const response = await handle()(sendPost(podPath, reviewText(), headers));
      expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"]);
      expect(await response.text()).toMatch(/must not be compressed/);
    }
    for (const encoding of ["identity", " Identity ", ""]) {
      const headers = { ...type, "content-encoding": encoding };
      expect(await getStatus(sendPost(podPath, reviewText(), headers))).toBe(200);
    }
  });

  it("the handler rejects a request that is not an AdmissionReview in plain text", async () => {
    const text = { "content-type": "text/plain" };
    for (const [request, status, words] of [
      [sendPost("/", "{}"), 404, "no webhook is registered at this path\n"],
      [
        { ...createBareRequest(podPath, null), method: "GET" },
        405,
        "an AdmissionReview must be sent by POST\n",
      ],
      [sendPost(podPath, "{}", text), 415, "an AdmissionReview must be sent as application/json\n"],
    ] as const) {
      const response = await handle()(request);
      expect([response.status, await response.text()]).toEqual([status, words]);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
  });

  it("the handler rejects a body whose Content-Length exceeds the limit", async () => {
    const body = { getReader: () => expect.fail("read although it is too large") };
    const request = { ...createBareRequest(podPath, "11"), body };
    for (const limit of [{ maxBytes: 10 }, { maxBytesInFlight: 10 }]) {
      const response = await handle(limit)(request);
      expect([response.status, response.headers.get("connection")]).toEqual([413, "close"]);
      expect(await response.text()).toBe("the body is too large; the limit is 10 bytes\n");
    }
  });

  it.each([null, "1", "-1", "x"])(
    "the handler rejects a body over the limit, although its header declares %j",
    async (length) => {
      const read = { pieces: 0, isCancelled: false };
      const body = new ReadableStream({
        pull(controller: { enqueue(piece: Uint8Array): void }) {
          read.pieces += 1;
          controller.enqueue(new Uint8Array(4));
        },
        cancel() {
          read.isCancelled = true;
        },
      });
      const response = await handle({ maxBytes: 10 })({
        ...createBareRequest(podPath, length),
        body,
      });
      expect([response.status, await response.text()]).toEqual([
        413,
        "the body is too large; the limit is 10 bytes\n",
      ]);
      expect(read.isCancelled).toBe(true);
      expect(read.pieces).toBeLessThanOrEqual(4);
    },
  );

  it("the handler accepts a body of exactly the maximum size", async () => {
    const text = reviewText();
    const bytes = new TextEncoder().encode(text).length;
    expect(await getStatus(sendPost(podPath, text), { maxBytes: bytes })).toBe(200);
    expect(await getStatus(sendPost(podPath, text), { maxBytes: bytes - 1 })).toBe(413);
  });

  it("the handler accepts a body of any size if the limit is infinite", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const limits = { maxBytes: most, maxBytesInFlight: most };
    expect(await getStatus(sendPost(podPath, reviewText()), limits)).toBe(200);
  });

  it("the handler rejects a body that does not arrive in time", async () => {
    const controller = new AbortController();
    const deadline = () => controller.signal;
    const answer = handle({ deadline })({
      ...createBareRequest(podPath, null),
      body: new ReadableStream({}),
    });
    controller.abort();
    const { status, headers } = await answer;
    expect([status, headers.get("connection")]).toEqual([408, "close"]);
    const late = handle({ deadline })({
      ...createBareRequest(podPath, null),
      body: new ReadableStream({}),
    });
    expect((await late).status).toBe(408);
  });
});

describe("bodies in transfer", () => {
  const text = reviewText();
  const size = new TextEncoder().encode(text).length;
  // The budget has room for four bodies. All bodies share half of it. The other half is reserved for the two oldest bodies.
  const limits = { maxBytes: size, maxBytesInFlight: 4 * size };

  it("bodies wait for budget, and get 503 if none becomes free in time", async () => {
    const signals = Array.from({ length: 8 }, () => new OpenSignal());
    const waiting = [...signals];
    const handler = handle({ ...limits, deadline: () => waiting.shift() as OpenSignal });
    // All but the last byte of each body has arrived.
    const senders = signals.map(() => new Sender(text, size - 1));
    const answers = senders.map((sender) =>
      handler({ ...createBareRequest(podPath, null), ...sender.request }),
    );
    await Promise.all(senders.slice(0, 2).map((sender) => sender.waitForReads(2)));
    const late = senders.length - 1;
    signals[late]?.abort();
    const { status, headers } = (await answers[late]) as WebResponse;
    expect([status, headers.get("connection")]).toEqual([503, "close"]);
    expect(senders.map(({ pulls }) => pulls)).toEqual([2, 2, 1, 1, 1, 1, 1, 1]);
    expect(senders[late]?.isCancelled).toBe(true);

    // The oldest bodies complete first, and then the others, one after the other.
    for (const [index, sender] of senders.slice(0, late).entries()) {
      await sender.waitForReads(2);
      sender.sendRest();
      expect((await answers[index])?.status).toBe(200);
    }
    expect(signals.map(({ listenerCount }) => listenerCount)).toEqual(signals.map(() => 0));
  });

  it("bodies in transfer are read even if others declare a size and send nothing", async () => {
    const handler = handle({ ...limits, deadline: () => new OpenSignal() });
    for (let count = 0; count < 20; count++) {
      void handler({ ...createBareRequest(podPath, String(size)), body: new ReadableStream({}) });
    }
    for (const length of [null, "0", "1", String(size), "x"]) {
      const body = new Sender(text, size).request;
      expect((await handler({ ...createBareRequest(podPath, length), ...body })).status).toBe(200);
    }
  });

  it.each<[string, SenderFault, number]>([
    ["breaks off", "BreaksOff", 400],
    ["is too slow", "Stalls", 408],
    ["sends too much", "SendsTooMuch", 413],
    ["sends another thing", "SendsText", 400],
  ])("a body releases its budget when the sender %s", async (_what, sent, status) => {
    const signals: OpenSignal[] = [];
    const deadline = () => {
      const signal = new OpenSignal();
      signals.push(signal);
      return signal;
    };
    const handler = handle({ ...limits, deadline });
    for (let count = 0; count < 20; count++) {
      const sender = new Sender(text, size - 1);
      const answer = handler({ ...createBareRequest(podPath, null), ...sender.request });
      await sender.waitForReads(2);
      if (sent === "BreaksOff") sender.breakOff();
      if (sent === "SendsTooMuch") sender.send(new Uint8Array(2));
      if (sent === "SendsText") sender.send("text");
      if (sent === "Stalls") signals.at(-1)?.abort();
      expect((await answer).status).toBe(status);
    }
    // Two parallel bodies use the whole shared half of the budget.
    const senders = [1, 2, 3].map(() => new Sender(text, size - 1));
    const answers = senders.map((sender) =>
      handler({ ...createBareRequest(podPath, null), ...sender.request }),
    );
    await Promise.all(senders.map((sender) => sender.waitForReads(1)));
    for (const [index, sender] of senders.entries()) {
      await sender.waitForReads(2);
      sender.sendRest();
      expect((await answers[index])?.status).toBe(200);
    }
    expect(signals.every(({ listenerCount }) => listenerCount === 0)).toBe(true);
  });

  it("a body keeps its budget while the cluster is read", async () => {
    const release: (() => void)[] = [];
    const readSnapshot = () =>
      new Promise<Snapshot>((resolve) => {
        release.push(() => resolve(createSnapshot([leader], { kinds: ["Pod", "Node", "Event"] })));
      });
    const senders = Array.from({ length: 6 }, () => new Sender(text, size));
    const handler = handle({ ...limits, deadline: () => new OpenSignal(), readSnapshot });
    const answers: Promise<{ readonly status: number }>[] = [];
    for (const [index, sender] of senders.entries()) {
      answers.push(handler({ ...createBareRequest(podPath, null), ...sender.request }));
      while (index < 3 && release.length <= index) await Promise.resolve();
    }
    await Promise.all(senders.slice(3, 5).map((sender) => sender.waitForReads(1)));
    // The budget has room for one more body, and the two oldest incomplete bodies were read by one more piece.
    expect(release).toHaveLength(3);
    expect(senders.map(({ pulls }) => pulls)).toEqual([2, 2, 2, 1, 1, 0]);
    for (const [index] of senders.entries()) {
      while (release.length <= index) await Promise.resolve();
      release[index]?.();
      expect((await answers[index])?.status).toBe(200);
    }
  });
});

describe("a body without a request that could be answered", () => {
  it.each(["", "{", "null", "[]", reviewText().slice(0, -1), '{"request":{"uid":""}}'])(
    "a body without a valid request is rejected in an AdmissionReview with status 400: %j",
    async (text) => {
      const response = await handle()(sendPost(podPath, text));
      expect([response.status, response.headers.get("content-type")]).toEqual([
        400,
        "application/json",
      ]);
      expect(JSON.parse(await response.text())).toMatchObject({
        kind: "AdmissionReview",
        response: { uid: "", allowed: false, status: { code: 400 } },
      });
    },
  );

  it.each([
    ["hunter2", "the text is not JSON"],
    ["{", "the text is not JSON"],
    ["null", "found null"],
    ["[]", "found a list"],
    ["", "the body is empty"],
  ])(
    "the response to a body without a valid request states the error and quotes nothing: %j",
    async (text, why) => {
      const response = await handle()(sendPost(podPath, text));
      const { message } = JSON.parse(await response.text()).response.status;
      expect(message).toBe(`expected an AdmissionReview in JSON, but ${why}`);
    },
  );

  it("an incomplete body is rejected as unreadable", async () => {
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("connection reset")) });
    const response = await handle()({ ...createBareRequest(podPath, null), body });
    const { message } = JSON.parse(await response.text()).response.status;
    expect(message).toBe("expected an AdmissionReview in JSON, but the body could not be read");
  });

  it("a review without a UID is rejected, even if everything else is valid", async () => {
    expect(await getStatus(sendPost(podPath, reviewText({ ...podRequest, uid: "" })))).toBe(400);
  });

  it("a review of another version is rejected", async () => {
    const text = reviewText().replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1");
    expect(await getStatus(sendPost(podPath, text))).toBe(400);
  });

  it("an empty body contains no request", async () => {
    expect(await getStatus(createBareRequest(podPath, null))).toBe(400);
    expect(await getStatus(createBareRequest(podPath, "0"))).toBe(400);
  });

  it("a body that was read already or that breaks off is rejected", async () => {
    const body = new ReadableStream({});
    body.getReader();
    expect(await getStatus({ ...createBareRequest(podPath, null), body })).toBe(400);
    const broken = new ReadableStream({
      pull: () => Promise.reject(new Error("connection reset")),
    });
    expect(await getStatus({ ...createBareRequest(podPath, null), body: broken })).toBe(400);
    const text = { getReader: () => ({ read: async () => ({ done: false, value: "{}" }) }) };
    const invalidRequest = {
      ...createBareRequest(podPath, null),
      body: text as unknown as WebRequest["body"],
    };
    expect(await getStatus(invalidRequest)).toBe(400);
  });
});

describe("an AdmissionReview", () => {
  it("an AdmissionReview for a kind that does not match the path is denied in the response", async () => {
    const response = await handle()(sendPost(jobSetPath, reviewText()));
    expect(response.status).toBe(200);
    expect(JSON.parse(await response.text()).response).toMatchObject({
      uid: "u-1",
      status: { code: 400, message: expect.stringContaining("request.kind: ") },
    });
  });

  it("the handler selects the webhook by path and ignores the query", async () => {
    expect(Object.fromEntries(WEBHOOK_PATHS)).toEqual({
      "/mutate--v1-pod": { kind: "Pod", stage: "mutate" },
      "/validate--v1-pod": { kind: "Pod", stage: "validate" },
      "/mutate-jobset-x-k8s-io-v1alpha2-jobset": { kind: "JobSet", stage: "mutate" },
      "/validate-jobset-x-k8s-io-v1alpha2-jobset": { kind: "JobSet", stage: "validate" },
    });
    for (const [path, webhook] of WEBHOOK_PATHS) {
      const seen: ReviewEvent[] = [];
      const options = { onReview: (answered: ReviewEvent) => seen.push(answered) };
      const text = webhook.kind === "Pod" ? reviewText() : reviewText(jobSetRequest);
      const response = await handle(options)(sendPost(`${path}?timeout=10s`, text));
      expect(response.status).toBe(200);
      expect(seen).toMatchObject([{ webhook, request: { uid: "u-1" } }]);
      expect(JSON.parse(await response.text())).toEqual(seen[0]?.response);
    }
  });

  it("readSnapshot receives the objects with the namespace from the API server", async () => {
    const { namespace: _, ...metadata } = follower.metadata;
    const pod = { ...follower, metadata };
    for (const members of [
      { operation: "CREATE", object: pod },
      { operation: "UPDATE", object: follower, oldObject: pod },
      { operation: "DELETE", object: null, oldObject: pod },
    ]) {
      const request = { ...podRequest, namespace: "default", oldObject: null, ...members };
      const { request: reportedRequest } = (await observeReview({}, request)).answered;
      for (const object of [reportedRequest?.object, reportedRequest?.oldObject]) {
        if (object !== null) expect(object).toMatchObject({ metadata: { namespace: "default" } });
      }
    }
  });

  it("the handler accepts a body in chunks that split characters", async () => {
    const object = { ...follower, metadata: { ...follower.metadata, name: "größer-€-𝄞" } };
    const bytes = new TextEncoder().encode(reviewText({ ...podRequest, object }));
    const seen: ReviewEvent[] = [];
    const body = new ReadableStream({
      start(controller: { enqueue(piece: Uint8Array): void; close(): void }) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    await handle({ onReview: (one) => seen.push(one) })({
      ...createBareRequest(podPath, null),
      body,
    });
    expect(seen[0]?.request?.object).toMatchObject({ metadata: { name: "größer-€-𝄞" } });
  });

  it("an error in the onReview callback does not affect the response", async () => {
    const onReview = () => {
      throw new Error("no disk");
    };
    expect(await getStatus(sendPost(podPath, reviewText()), { onReview })).toBe(200);
  });
});

describe("the snapshot", () => {
  it("readSnapshot is called in rounds, each for the objects that the last one showed to be missing", async () => {
    const rounds: (readonly RequiredObject[])[] = [];
    const readSnapshot = (
      _: unknown,
      required: readonly RequiredObject[],
      { snapshot }: { snapshot: Snapshot },
    ) => {
      rounds.push(required);
      const kinds = rounds.flat().map(({ kind }) => kind);
      return Promise.resolve(createSnapshot([...snapshot.objects("Pod"), leader], { kinds }));
    };
    const { response } = await observeReview({ readSnapshot });
    expect(rounds.map(([first]) => first?.kind)).toEqual(["Pod", "Node"]);
    expect(response.status.message).toBe(
      'nodes "n1" not found (root cause: leader train-w-0-0-abcde is on node n1, which does not exist)',
    );
  });

  it("readSnapshot is not called if no object is required", async () => {
    const readSnapshot = () => expect.fail("asked although nothing is missing");
    const leading = { ...podRequest, object: { ...follower, ...leader } };
    expect((await observeReview({ readSnapshot }, leading)).response.allowed).toBe(true);
  });

  it("readSnapshot is not called again if its snapshot still lacks a required kind", async () => {
    let calls = 0;
    const readSnapshot = () => {
      calls += 1;
      return createSnapshot([]);
    };
    const { response } = await observeReview({ readSnapshot });
    expect([calls, response.allowed]).toEqual([1, false]);
    expect(response.status.code).toBe(500);
  });

  it.each<[string, WebhookHandlerOptions["readSnapshot"], string]>([
    [
      "throws",
      () => {
        throw new Error("no route\nto host");
      },
      "no route to host",
    ],
    ["rejects", () => Promise.reject(new Error("forbidden")), "forbidden"],
    ["rejects with text", () => Promise.reject("no"), "no"],
    ["rejects with nothing", () => Promise.reject(), "unknown error"],
    ["hangs", () => new Promise<never>(() => {}), "it did not arrive in time"],
  ])("if readSnapshot %s, the response follows the failure policy", async (_what, read, cause) => {
    /** The deadline expires right after the call of readSnapshot. */
    const untilDeadline = (): Partial<WebhookHandlerOptions> => {
      const late = new AbortController();
      return {
        deadline: () => late.signal,
        readSnapshot: (...args) => {
          setTimeout(() => late.abort(), 0);
          return read(...args);
        },
      };
    };
    const closed = await observeReview(untilDeadline());
    const message = `the cluster's state could not be read: ${cause}`;
    expect(closed.response).toEqual({
      uid: "u-1",
      allowed: false,
      status: {
        metadata: {},
        status: "Failure",
        message: `Internal error occurred: ${message}`,
        reason: "InternalError",
        code: 500,
      },
    });
    expect(closed.answered).toMatchObject({ outcome: "Unanswered", message });

    const open = await observeReview({ ...untilDeadline(), failurePolicy: "Ignore" });
    expect(open.response).toEqual({
      uid: "u-1",
      allowed: true,
      status: { metadata: {}, code: 200 },
      warnings: [`not reviewed by JobSet's webhook: ${message}`],
    });
  });

  it("an invalid snapshot has the same effect as a missing one", async () => {
    for (const value of commonHostileValues) {
      const answer = await observeReview({ readSnapshot: () => value as Snapshot });
      expect(answer.answered.outcome).toBe("Unanswered");
    }
  });

  it("readSnapshot receives the signal of the deadline", async () => {
    const { signal } = new AbortController();
    const signals: unknown[] = [];
    const readSnapshot = (_: unknown, __: unknown, reading: { signal: unknown }) => {
      signals.push(reading.signal);
      return createSnapshot([]);
    };
    await observeReview({ readSnapshot, deadline: () => signal });
    expect(signals).toEqual([signal]);
  });

  it("a rejection after the deadline is ignored", async () => {
    const deadline = () => AbortSignal.timeout(1);
    const readSnapshot = () =>
      new Promise<never>((_, reject) =>
        AbortSignal.timeout(20).addEventListener("abort", reject as () => void),
      );
    expect((await observeReview({ readSnapshot, deadline })).answered.outcome).toBe("Unanswered");
    await new Promise<void>((resolve) =>
      AbortSignal.timeout(40).addEventListener("abort", resolve),
    );
  });
});

describe("the caller's own functions", () => {
  it("the caller's functions provide the time of each request", async () => {
    let callCount = 0;
    const now = () => {
      callCount += 1;
      return context;
    };
    const handler = handle({ context: now });
    await handler(sendPost(podPath, reviewText()));
    await handler(sendPost(podPath, reviewText()));
    expect(callCount).toBe(2);
  });

  it.each([
    ["/validate--v1-pod?timeout=30s", 30_000],
    ["/validate--v1-pod?timeout=15s", 15_000],
    ["/validate--v1-pod?dryRun=All&timeout=1s#top", 1_000],
    ["/validate--v1-pod", 10_000],
    ["/validate--v1-pod?timeout=0s", 10_000],
    ["/validate--v1-pod?timeout=31s", 10_000],
    ["/validate--v1-pod?timeout=1h", 10_000],
    ["/validate--v1-pod?idletimeout=5s", 10_000],
  ])("the deadline gets the API server's timeout: %s", async (path, waitsMs) => {
    const reported: number[] = [];
    const deadline = (ms: number) => {
      reported.push(ms);
      return AbortSignal.timeout(ms);
    };
    expect(await getStatus(sendPost(path, reviewText()), { deadline })).toBe(200);
    expect(reported).toEqual([waitsMs]);
  });

  it("the caller's functions may throw", async () => {
    const fail = () => {
      throw new Error("no clock");
    };
    expect((await observeReview({ context: fail })).answered.outcome).toBe("Unanswered");
    expect(await getStatus(sendPost(podPath, reviewText()), { deadline: fail })).toBe(500);
  });
});

it("the handler returns a documented status for any bytes", async () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => new TextEncoder().encode(text)),
    fc.constantFrom(reviewText(), reviewText(jobSetRequest)).chain((text) => {
      const whole = new TextEncoder().encode(text);
      return fc
        .tuple(fc.nat(whole.length - 1), fc.nat(255))
        .map(([at, byte]) => whole.map((old, index) => (index === at ? byte : old)));
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...WEBHOOK_PATHS.keys()), bytes, async (path, body) => {
      const response = await handle()(sendPost(path, body));
      expect([200, 400]).toContain(response.status);
      const { allowed, status } = JSON.parse(await response.text()).response;
      expect([typeof allowed, typeof status.code]).toEqual(["boolean", "number"]);
    }),
    { numRuns: 200 },
  );
});

const podRequest = { kind: { group: "", version: "v1", kind: "Pod" }, object: follower as object };
const jobSetRequest = {
  kind: { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" },
  object: { metadata: { name: "js" }, spec: {} } as object,
};

function reviewText(
  request: object = { kind: { group: "", version: "v1", kind: "Pod" }, object: follower },
): string {
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", operation: "CREATE", ...request },
  });
}

function handle(options: Partial<WebhookHandlerOptions> = {}) {
  return createWebhookHandler({
    readSnapshot: () => createSnapshot([leader], { kinds: ["Pod", "Node", "Event"] }),
    context,
    deadline: () => AbortSignal.timeout(10_000),
    ...options,
  });
}

async function observeReview(
  options: Partial<WebhookHandlerOptions>,
  request: object = podRequest,
) {
  const seen: ReviewEvent[] = [];
  const onReview = (one: ReviewEvent) => seen.push(one);
  await handle({ onReview, ...options })(sendPost(podPath, reviewText(request)));
  const [one] = seen;
  if (one === undefined || seen.length > 1) throw new Error("expected one review and one report");
  return { response: one.response.response, answered: one };
}

type SenderFault = "BreaksOff" | "Stalls" | "SendsTooMuch" | "SendsText";

/** A client that sends a body: the first bytes on the first read, the rest on request. */
class Sender {
  readonly #rest: Uint8Array;
  #controller: StreamController | undefined;
  #awaited: { readonly pulls: number; readonly reached: () => void } | undefined;
  readonly request: { readonly body: NonNullable<WebRequest["body"]> };
  /** The number of reads. */
  pulls = 0;
  isCancelled = false;

  constructor(text: string, atOnce: number) {
    const bytes = new TextEncoder().encode(text);
    this.#rest = bytes.slice(atOnce);
    const source = {
      pull: (controller: StreamController) => {
        this.pulls += 1;
        this.#controller = controller;
        if (this.pulls === 1) controller.enqueue(bytes.slice(0, atOnce));
        else if (this.#rest.length === 0) controller.close();
        if (this.pulls === this.#awaited?.pulls) this.#awaited.reached();
      },
      cancel: () => {
        this.isCancelled = true;
      },
    };
    this.request = { body: new ReadableStream(source, { highWaterMark: 0 }) };
  }

  /** Resolves after a number of reads. */
  waitForReads(pulls: number): Promise<void> {
    if (this.pulls >= pulls) return Promise.resolve();
    return new Promise((reached) => {
      this.#awaited = { pulls, reached };
    });
  }

  send(piece: unknown): void {
    this.#controller?.enqueue(piece);
  }

  sendRest(): void {
    this.send(this.#rest);
    this.#controller?.close();
  }

  breakOff(): void {
    this.#controller?.error(new Error("connection reset"));
  }
}

async function getStatus(request: WebRequest, options: Partial<WebhookHandlerOptions> = {}) {
  return (await handle(options)(request)).status;
}

function sendPost(
  path: string,
  body: string | Uint8Array,
  headers: object = { "content-type": "application/json" },
) {
  return new Request(server + path, { method: "POST", body, headers });
}

/** A request without a body, and with a header that a `Request` rejects. */
function createBareRequest(path: string, length: string | null) {
  const headers = new Map<string, string | null>([
    ["content-type", "application/json"],
    ["content-length", length],
  ]);
  return {
    url: server + path,
    method: "POST",
    headers: { get: (name: string) => headers.get(name) ?? null },
    body: null,
  };
}
