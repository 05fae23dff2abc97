import { createSnapshot, type Snapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonHostileValues } from "../../../testing/src/arbitraries/hostile-values.ts";
import type { ReviewEvent, WebhookHandlerOptions } from "./handler.ts";
import type { RequiredObject } from "./required-object.ts";
import {
  context,
  createBareRequest,
  createHandler,
  createPost,
  follower,
  getStatus,
  jobSetPath,
  jobSetRequest,
  leader,
  podPath,
  podRequest,
  reviewText,
  server,
} from "./testing/review-requests.ts";
import type { WebRequest, WebSignal } from "./web.ts";
import { WEBHOOK_PATHS } from "./webhooks.ts";

// The parts of the runtime's own classes that this file uses.
declare const Request: new (url: string, init: object) => WebRequest;
declare const ReadableStream: new (
  source: object,
  strategy?: { readonly highWaterMark: number },
) => NonNullable<WebRequest["body"]>;
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
declare const AbortController: new () => { readonly signal: WebSignal; abort(): void };
declare const setTimeout: (call: () => void, milliseconds: number) => unknown;
declare const AbortSignal: { timeout(milliseconds: number): WebSignal };

describe("a request that is not an AdmissionReview", () => {
  it("the handler returns 404 for an unknown path", async () => {
    for (const path of ["", "/", "/validate--v1-pods", "/__proto__", "/mutate--v1-pod/"]) {
      expect(await getStatus(createPost(path, "{}"))).toBe(404);
    }
  });

  it.each(["GET", "PUT", "DELETE"])("the handler returns 405 for the method %s", async (method) => {
    const response = await createHandler()(new Request(server + podPath, { method }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("the handler rejects another content type", async () => {
    for (const type of ["text/plain", "application/jsonx", "application/yaml", ""]) {
      expect(await getStatus(createPost(podPath, "{}", { "content-type": type }))).toBe(415);
    }
    for (const type of ["application/json", "Application/JSON ; charset=utf-8"]) {
      expect(await getStatus(createPost(podPath, "{}", { "content-type": type }))).toBe(400);
    }
  });

  it("the handler rejects a compressed body", async () => {
    const type = { "content-type": "application/json" };
    for (const encoding of ["gzip", "br", "identity, gzip", "x"]) {
      const headers = { ...type, "content-encoding": encoding };
      const response = await createHandler()(createPost(podPath, reviewText(), headers));
      expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"]);
      expect(await response.text()).toMatch(/must not be compressed/);
    }
    for (const encoding of ["identity", " Identity ", ""]) {
      const headers = { ...type, "content-encoding": encoding };
      expect(await getStatus(createPost(podPath, reviewText(), headers))).toBe(200);
    }
  });

  it("the handler rejects a request that is not an AdmissionReview in plain text", async () => {
    const text = { "content-type": "text/plain" };
    for (const [request, status, words] of [
      [createPost("/", "{}"), 404, "no webhook is registered at this path\n"],
      [
        { ...createBareRequest(podPath, null), method: "GET" },
        405,
        "an AdmissionReview must be sent by POST\n",
      ],
      [
        createPost(podPath, "{}", text),
        415,
        "an AdmissionReview must be sent as application/json\n",
      ],
    ] as const) {
      const response = await createHandler()(request);
      expect([response.status, await response.text()]).toEqual([status, words]);
      expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    }
  });
});

describe("a body without a request that could be answered", () => {
  it.each(["", "{", "null", "[]", reviewText().slice(0, -1), '{"request":{"uid":""}}'])(
    "a body without a valid request is rejected in an AdmissionReview with status 400: %j",
    async (text) => {
      const response = await createHandler()(createPost(podPath, text));
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
      const response = await createHandler()(createPost(podPath, text));
      const { message } = JSON.parse(await response.text()).response.status;
      expect(message).toBe(`expected an AdmissionReview in JSON, but ${why}`);
    },
  );

  it("an incomplete body is rejected as unreadable", async () => {
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("connection reset")) });
    const response = await createHandler()({ ...createBareRequest(podPath, null), body });
    const { message } = JSON.parse(await response.text()).response.status;
    expect(message).toBe("expected an AdmissionReview in JSON, but the body could not be read");
  });

  it("a review without a UID is rejected, even if everything else is valid", async () => {
    expect(await getStatus(createPost(podPath, reviewText({ ...podRequest, uid: "" })))).toBe(400);
  });

  it("a review of another version is rejected", async () => {
    const text = reviewText().replace("admission.k8s.io/v1", "admission.k8s.io/v1beta1");
    expect(await getStatus(createPost(podPath, text))).toBe(400);
  });

  it("an empty body contains no request", async () => {
    expect(await getStatus(createBareRequest(podPath, null))).toBe(400);
    expect(await getStatus(createBareRequest(podPath, "0"))).toBe(400);
  });
});

describe("an AdmissionReview", () => {
  it("an AdmissionReview for a kind that does not match the path is denied in the response", async () => {
    const response = await createHandler()(createPost(jobSetPath, reviewText()));
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
      const response = await createHandler(options)(createPost(`${path}?timeout=10s`, text));
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
    await createHandler({ onReview: (one) => seen.push(one) })({
      ...createBareRequest(podPath, null),
      body,
    });
    expect(seen[0]?.request?.object).toMatchObject({ metadata: { name: "größer-€-𝄞" } });
  });

  it("an error in the onReview callback does not affect the response", async () => {
    const onReview = () => {
      throw new Error("no disk");
    };
    expect(await getStatus(createPost(podPath, reviewText()), { onReview })).toBe(200);
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
    const handler = createHandler({ context: now });
    await handler(createPost(podPath, reviewText()));
    await handler(createPost(podPath, reviewText()));
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
    expect(await getStatus(createPost(path, reviewText()), { deadline })).toBe(200);
    expect(reported).toEqual([waitsMs]);
  });

  it("the caller's functions may throw", async () => {
    const fail = () => {
      throw new Error("no clock");
    };
    expect((await observeReview({ context: fail })).answered.outcome).toBe("Unanswered");
    expect(await getStatus(createPost(podPath, reviewText()), { deadline: fail })).toBe(500);
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
      const response = await createHandler()(createPost(path, body));
      expect([200, 400]).toContain(response.status);
      const { allowed, status } = JSON.parse(await response.text()).response;
      expect([typeof allowed, typeof status.code]).toEqual(["boolean", "number"]);
    }),
    { numRuns: 200 },
  );
});

async function observeReview(
  options: Partial<WebhookHandlerOptions>,
  request: object = podRequest,
) {
  const seen: ReviewEvent[] = [];
  const onReview = (one: ReviewEvent) => seen.push(one);
  await createHandler({ onReview, ...options })(createPost(podPath, reviewText(request)));
  const [one] = seen;
  if (one === undefined || seen.length > 1) throw new Error("expected one review and one report");
  return { response: one.response.response, answered: one };
}
