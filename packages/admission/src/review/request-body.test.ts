import { createSnapshot, type Snapshot } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { OpenSignal } from "./testing/open-signal.ts";
import {
  createBareRequest,
  createHandler,
  createPost,
  getStatus,
  leader,
  podPath,
  reviewText,
} from "./testing/review-requests.ts";
import type { WebRequest, WebResponse, WebSignal } from "./web.ts";

// The parts of the runtime's own classes that this file uses.
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

describe("the size and the duration of a body", () => {
  it("the handler rejects a body whose Content-Length exceeds the limit", async () => {
    const body = { getReader: () => expect.fail("read although it is too large") };
    const request = { ...createBareRequest(podPath, "11"), body };
    for (const limit of [{ maxBytes: 10 }, { maxBytesInFlight: 10 }]) {
      const response = await createHandler(limit)(request);
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
      const response = await createHandler({ maxBytes: 10 })({
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
    expect(await getStatus(createPost(podPath, text), { maxBytes: bytes })).toBe(200);
    expect(await getStatus(createPost(podPath, text), { maxBytes: bytes - 1 })).toBe(413);
  });

  it("the handler accepts a body of any size if the limit is infinite", async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const limits = { maxBytes: most, maxBytesInFlight: most };
    expect(await getStatus(createPost(podPath, reviewText()), limits)).toBe(200);
  });

  it("the handler rejects a body that does not arrive in time", async () => {
    const controller = new AbortController();
    const deadline = () => controller.signal;
    const answer = createHandler({ deadline })({
      ...createBareRequest(podPath, null),
      body: new ReadableStream({}),
    });
    controller.abort();
    const { status, headers } = await answer;
    expect([status, headers.get("connection")]).toEqual([408, "close"]);
    const late = createHandler({ deadline })({
      ...createBareRequest(podPath, null),
      body: new ReadableStream({}),
    });
    expect((await late).status).toBe(408);
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

describe("bodies in transfer", () => {
  const text = reviewText();
  const size = new TextEncoder().encode(text).length;
  // The budget has room for four bodies. All bodies share half of it. The other half is reserved for the two oldest bodies.
  const limits = { maxBytes: size, maxBytesInFlight: 4 * size };

  it("bodies wait for budget, and get 503 if none becomes free in time", async () => {
    const signals = Array.from({ length: 8 }, () => new OpenSignal());
    const waiting = [...signals];
    const handler = createHandler({ ...limits, deadline: () => waiting.shift() as OpenSignal });
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
    const handler = createHandler({ ...limits, deadline: () => new OpenSignal() });
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
    const handler = createHandler({ ...limits, deadline });
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
    const handler = createHandler({ ...limits, deadline: () => new OpenSignal(), readSnapshot });
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
