import dns from "node:dns";
import { setImmediate } from "node:timers/promises";
import type { Effect } from "@jobset-ts/core";
import { beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from "vitest";
import { ApiClient, type WatchEvent } from "./api-client.ts";
import type { ApiError } from "./api-error.ts";
import type { Fetch } from "./connection.ts";
import {
  aClient,
  type ClientParts,
  getListError,
  list,
  pods,
  startServer,
} from "./testing/a-client.ts";
import { eventually } from "./testing/eventually.ts";
import { FakeApiServer } from "./testing/fake-api-server.ts";
import {
  brokenWatch,
  type Fault,
  html,
  neverRespond,
  reset,
  status,
  truncatedResponse,
} from "./testing/fake-responses.ts";

let server: FakeApiServer;

beforeEach(async () => {
  server = await startServer(new FakeApiServer());
});

/** Creates a client of the current server. */
function createClient(parts: Partial<ClientParts> = {}): ApiClient {
  return aClient({ url: server.url, ...parts });
}

/** Creates a client with short timeouts. Its server sends a response that never completes. */
function anImpatientClient(beginning: string): ApiClient {
  const fetch: Fetch = async (_, { signal }) => {
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode(beginning));
        signal?.addEventListener("abort", () => stream.error(signal.reason));
      },
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const client = new ApiClient(
    { server: "https://a", fetch },
    { timeouts: { responseMs: 50, watchMs: 50 } },
  );
  onTestFinished(() => client.close());
  return client;
}

describe("requests", () => {
  it("ApiClient reads a response whose stream is not iterable, as in some browsers", async () => {
    const pieces = ['{"items":', "[]}"].map((text) => new TextEncoder().encode(text));
    const reader = {
      read: async () => ({ done: pieces.length === 0, value: pieces.shift() }),
      cancel: async () => {},
    };
    const headers = new Headers({ "content-type": "application/json" });
    const fetch: Fetch = async () => ({ status: 200, headers, body: { getReader: () => reader } });
    const response = await new ApiClient({ server: "https://10.0.0.1", fetch }).send(list);
    expect(response).toMatchObject({ ok: true, object: { items: [] } });
  });

  it("ApiClient sends the token, the content type and the content length, also for a DELETE", async () => {
    const client = createClient();
    server.put({ apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "x" } });
    const path = "/api/v1/namespaces/x/pods/a";
    const body = { kind: "DeleteOptions", propagationPolicy: "Foreground" };
    await client.send({ method: "DELETE", path, contentType: "application/json", body });
    expect(server.lastHeaders).toMatchObject({
      authorization: "Bearer secret",
      "content-type": "application/json",
      "content-length": String(JSON.stringify(body).length),
    });
    expect(server.objects()).toEqual([]);
  });

  it("ApiClient does not send a request for an invalid object name", async () => {
    const target = { apiVersion: "v1", kind: "Pod", namespace: "x", name: ".." };
    const effect = {
      verb: "delete",
      target,
      propagationPolicy: "Background",
      onNotFound: "Succeed",
    };
    expect(await createClient().perform(effect as Effect)).toEqual({
      ok: false,
      error: {
        reason: "Invalid",
        message: 'invalid name of a Pod: ".."',
        code: 422,
        isServerResponse: false,
      },
    });
    expect(server.requests).toEqual([]);
  });

  it("ApiClient appends request paths to the path of the server's URL", async () => {
    const client = createClient({ url: `${server.url}/clusters/a/` });
    await client.send({ ...list, query: { limit: 5, continue: undefined } });
    expect(server.requests).toEqual([`GET /clusters/a${pods}`]);
  });

  it("ApiClient reuses a connection, also if the server has just closed it", async () => {
    const client = createClient();
    for (let i = 0; i < 3; i += 1) expect(await client.send(list)).toMatchObject({ ok: true });
    expect(await server.openSockets).toBe(1);
    server.injectFault(/./, reset, 1);
    expect(await client.send(list)).toMatchObject({ ok: true });
  });

  it("close aborts open requests and rejects new ones", async () => {
    server.injectFault(/./, neverRespond);
    const client = createClient();
    const sent = getListError(client);
    await eventually("it has come", () => server.requests.length === 1);
    client.close();
    expect((await sent).message).toContain("cannot be reached");
    await getListError(client);
    expect(server.requests).toHaveLength(1);
  });

  it("ApiClient calls onSent with the method of each request", async () => {
    const sent: string[] = [];
    await createClient({ onRequest: (method) => sent.push(method) }).send(list);
    expect(sent).toEqual(["GET"]);
  });
});

describe("error responses", () => {
  it.each<[string, Fault, Partial<ApiError>]>([
    [
      "of the API server has its message",
      status(404, "NotFound", "no such thing"),
      { code: 404, reason: "NotFound", message: "no such thing", isServerResponse: false },
    ],
    [
      "of the API server without a message says so",
      status(403, "", ""),
      { code: 403, message: "no reason given", isServerResponse: false },
    ],
    [
      "of a proxy names the server and keeps the start of the response",
      html(502),
      {
        code: 502,
        message: "SERVER returned 502 with text/html instead of a Status",
        responseText: "<html><body><h1>502 Bad Gateway</h1></body></html>",
        isServerResponse: true,
      },
    ],
    [
      "is a success without JSON",
      html(200),
      { code: 200, message: "SERVER returned 200 without JSON", isServerResponse: true },
    ],
    [
      "is JSON that is not an object",
      (_, response) => void response.end("[1]"),
      { code: 200, message: "SERVER returned 200 without JSON", isServerResponse: true },
    ],
    [
      "is an answer that breaks off",
      truncatedResponse,
      { message: "SERVER ended its response early", isServerResponse: true },
    ],
    ["is a connection that breaks", reset, { message: "SERVER cannot be reached: socket hang up" }],
  ])("an error %s", async (_, fault, { message, ...expected }) => {
    server.injectFault(/./, fault);
    const error = await getListError(createClient());
    expect(error).toMatchObject({ ...expected, message: message?.replace("SERVER", server.url) });
  });

  it("an error omits values from the request body", async () => {
    const quoting = status(403, "Forbidden", 'TOKEN "hunter2-in-env" is not allowed');
    server.injectFault(/./, quoting);
    const spec = { containers: [{ env: [{ name: "TOKEN", value: "hunter2-in-env" }] }] };
    const body = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec };
    const request = { method: "POST", path: pods, contentType: "application/json", body } as const;
    const response = await createClient().send(request);
    const message = 'TOKEN "(redacted 1)" is not allowed';
    expect(response).toMatchObject({ ok: false, error: { code: 403, message } });
  });

  it("an error omits the start of a JSON response, which may be that of a Secret", async () => {
    const start = '{"kind":"Secret","data":{"token":"aHVudGVyMg=="';
    server.injectFault(/./, (_, response) => void response.end(start));
    const error = await getListError(createClient());
    expect(error.message).toBe(`${server.url} returned 200 without JSON`);
    expect(JSON.stringify(error)).not.toContain("aHVudGVyMg");
  });

  it("a request fails if the server stays silent", async () => {
    server.injectFault(/./, neverRespond);
    const message = `${server.url} cannot be reached: it is silent`;
    const error = await getListError(createClient({ timeouts: { responseMs: 50 } }));
    expect(error).toMatchObject({ message, isServerResponse: true });
  });

  it("a request fails if the response is truncated", async () => {
    const client = anImpatientClient("{");
    const message = "https://a ended its response early";
    expect(await getListError(client)).toMatchObject({ message, isServerResponse: true });
  });

  it("an error reports the cause for each address of a hostname", async () => {
    const { port } = new URL(server.url);
    await server.stop();
    const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
    const lookup = vi.spyOn(dns, "lookup") as unknown as MockInstance;
    lookup.mockImplementation((_name, _options, found) => found(null, addresses));
    onTestFinished(() => lookup.mockRestore());
    const { message } = await getListError(createClient({ url: `http://api.test:${port}` }));
    expect(message).toBe(
      `http://api.test:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}, connect ECONNREFUSED 127.0.0.2:${port}`,
    );
  });
});

describe("Retry-After", () => {
  const tooMany = (retryAfter: string) =>
    status(429, "TooManyRequests", "slowly", { "retry-after": retryAfter });

  beforeEach(() => {
    // Fake only the timers that the client waits for, not those of connections.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
  });

  /** Starts a request that the server asks to retry later. */
  async function startPendingRequest(client = createClient()) {
    const reported: string[] = [];
    const onThrottled = ({ message }: ApiError) => reported.push(message);
    const sent = client.send(list, { onThrottled });
    await eventually("it waits", () => reported.length > 0);
    return { sent, told: reported };
  }

  it("ApiClient sends a request again after Retry-After and calls onSent again", async () => {
    server.injectFault(/./, tooMany("2"), 1);
    const { sent, told } = await startPendingRequest();
    vi.advanceTimersByTime(1_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await sent).toMatchObject({ ok: true });
    expect(told).toEqual([`${server.url} returned 429: slowly`]);
  });

  it("ApiClient does not retry if Retry-After exceeds the limit", async () => {
    server.injectFault(/./, tooMany("2"), 1);
    const response = await createClient().send(list, { waitsAtMostSeconds: 1 });
    expect(response).toMatchObject({ ok: false, error: { code: 429, retryAfterSeconds: 2 } });
    expect(server.requests).toHaveLength(1);
  });

  it("ApiClient sends a request at most six times", async () => {
    vi.useRealTimers();
    server.injectFault(/./, tooMany("0"));
    expect(await getListError(createClient())).toMatchObject({ code: 429, retryAfterSeconds: 0 });
    expect(server.requests).toHaveLength(6);
  });

  it("ApiClient retries a 503 response only if it has Retry-After", async () => {
    vi.useRealTimers();
    server.injectFault(/./, status(503, "ServiceUnavailable", "soon", { "retry-after": "0" }), 2);
    expect(await createClient().send(list)).toMatchObject({ ok: true });
    server.injectFault(/./, status(503, "ServiceUnavailable", "never"), 1);
    expect(await getListError(createClient())).toMatchObject({ code: 503, message: "never" });
  });

  it.each(["", "soon", "-1", "Fri, 31 Dec 2027 23:59:59 GMT"])(
    "ApiClient waits one second if Retry-After is %j",
    async (retryAfter) => {
      server.injectFault(/./, tooMany(retryAfter), 1);
      const { sent } = await startPendingRequest();
      vi.advanceTimersByTime(999);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      expect(await sent).toMatchObject({ ok: true });
    },
  );

  it("aborting the signal ends the wait", async () => {
    server.injectFault(/./, tooMany("86400"));
    const client = createClient();
    const { sent } = await startPendingRequest(client);
    client.close();
    expect(await sent).toMatchObject({ error: { code: 429, retryAfterSeconds: 86_400 } });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("watches", () => {
  /** Watches until the watch ends. */
  async function watchUntilEnd(
    client: ApiClient,
    signal = new AbortController().signal,
    whenOpen = () => {},
  ) {
    const events: WatchEvent[] = [];
    let opened = 0;
    const error = await client.watch(pods, "100", {
      signal,
      onOpen: () => {
        opened += 1;
        whenOpen();
      },
      onEvent: (event) => events.push(event),
    });
    return { opened, events, error };
  }
  const line = (name: string) =>
    `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`;

  it("watch parses lines for any split of the stream", async () => {
    const text = `${line("a")}\n${line("ä€😀")}`;
    server.injectFault(/./, async (_, response) => {
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte));
        await setImmediate();
      }
      response.end();
    });
    const { opened, events, error } = await watchUntilEnd(createClient());
    expect([opened, error]).toEqual([1, undefined]);
    expect(events.map(({ object }) => object.metadata.name)).toEqual(["a", "ä€😀"]);
  });

  it.each<[string, Fault, Partial<ApiError> | undefined]>([
    ["between two events", brokenWatch(line("a")), undefined],
    ["of the connection between two lines", brokenWatch(line("a"), "is cut"), undefined],
    [
      "in the middle of a line",
      brokenWatch(`${line("a")}{"ty`, "is cut"),
      { message: "SERVER ended a watch in the middle of a line", isServerResponse: true },
    ],
    [
      "in the middle of a line without a connection error",
      brokenWatch(`${line("a")}{"ty`),
      { message: "SERVER ended a watch in the middle of a line" },
    ],
    [
      "with an error",
      brokenWatch(
        `${line("a")}{"type":"ERROR","object":{"code":410,"reason":"Expired","message":"old"}}\n`,
      ),
      { code: 410, reason: "Expired", message: "old", isServerResponse: false },
    ],
    ["with an error that says nothing", brokenWatch(`${line("a")}{"type":"ERROR"}\n`), {}],
    [
      "with something else",
      brokenWatch(`${line("a")}<html>\n`),
      { message: "SERVER sent an invalid watch event", isServerResponse: false },
    ],
  ])("watch reports an end %s", async (_, fault, expected) => {
    server.injectFault(/./, fault);
    const { events, error } = await watchUntilEnd(createClient());
    expect(events).toHaveLength(1);
    if (expected === undefined) expect(error).toBe(undefined);
    else {
      const message = expected.message?.replace("SERVER", server.url);
      expect(error).toMatchObject({ ...expected, ...(message && { message }) });
    }
  });

  it("watch reports a silent server", async () => {
    const { opened, events, error } = await watchUntilEnd(anImpatientClient(line("a")));
    expect([opened, events.length, error]).toEqual([1, 1, undefined]);
  });

  it("watch does not report an error in the change handler as a connection error", async () => {
    server.injectFault(/./, brokenWatch(line("a")));
    const { signal } = new AbortController();
    const onEvent = () => {
      throw new TypeError("a bug");
    };
    const watching = createClient().watch(pods, "100", { signal, onOpen: () => {}, onEvent });
    await expect(watching).rejects.toThrow("a bug");
    await eventually("its connection has gone", async () => (await server.openSockets) === 0);
  });

  it("watch calls onOpen only after the server's response", async () => {
    server.injectFault(/./, neverRespond);
    const { opened, error } = await watchUntilEnd(createClient({ timeouts: { responseMs: 50 } }));
    expect([opened, error?.message]).toEqual([0, `${server.url} cannot be reached: it is silent`]);
  });

  it("aborting the signal ends a watch without an error", async () => {
    const stopping = new AbortController();
    const ended = watchUntilEnd(createClient(), stopping.signal, () => stopping.abort());
    expect(await ended).toMatchObject({ opened: 1, error: undefined });
    await eventually("its connection has gone", async () => (await server.openSockets) === 0);
  });
});
