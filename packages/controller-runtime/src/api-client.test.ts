import dns from "node:dns";
import { getEventListeners } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Effect } from "@jobset-ts/core";
import { beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from "vitest";
import {
  ApiClient,
  type ClientOptions,
  type ClientTimeouts,
  type WatchEvent,
} from "./api-client.ts";
import type { ApiError } from "./api-error.ts";
import type { Connection, Fetch } from "./connection.ts";
import {
  clientCertificate,
  expiredCertificate,
  serverCertificate,
} from "./testing/certificates.ts";
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
import {
  connectionIn,
  type KubeConfigParts,
  temporaryFolder,
  writeKubeConfig,
} from "./testing/kubeconfig.ts";

const pods = "/api/v1/pods";
const list = { method: "GET", path: pods } as const;

let server: FakeApiServer;

beforeEach(async () => {
  server = await startServer(new FakeApiServer());
});

async function startServer(one: FakeApiServer): Promise<FakeApiServer> {
  await one.start();
  onTestFinished(() => one.stop());
  return one;
}

interface Options extends KubeConfigParts, Pick<ClientOptions, "onRequest"> {
  readonly file?: string;
  readonly url?: string;
  readonly timeouts?: Partial<ClientTimeouts>;
}

/** Creates a client as a Node program does. */
function aClient({ url = server.url, timeouts, onRequest, ...options }: Options = {}): ApiClient {
  const { file = join(temporaryFolder(), "config"), ...parts } = options;
  const connection = connectionIn(writeKubeConfig(file, url, parts));
  // Long timeouts, so that a busy machine does not trigger them.
  const usual = { responseMs: 60_000, watchMs: 60_000, ...timeouts };
  const client = new ApiClient(connection, { onRequest, timeouts: usual });
  onTestFinished(() => client.close());
  return client;
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

async function toFieldError(client: ApiClient): Promise<ApiError> {
  const response = await client.send(list);
  if (response.ok) throw new Error("it is answered");
  return response.error;
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
    const client = aClient();
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
    expect(await aClient().perform(effect as Effect)).toEqual({
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
    const client = aClient({ url: `${server.url}/clusters/a/` });
    await client.send({ ...list, query: { limit: 5, continue: undefined } });
    expect(server.requests).toEqual([`GET /clusters/a${pods}`]);
  });

  it("ApiClient reuses a connection, also if the server has just closed it", async () => {
    const client = aClient();
    for (let i = 0; i < 3; i += 1) expect(await client.send(list)).toMatchObject({ ok: true });
    expect(await server.openSockets).toBe(1);
    server.injectFault(/./, reset, 1);
    expect(await client.send(list)).toMatchObject({ ok: true });
  });

  it("close aborts open requests and rejects new ones", async () => {
    server.injectFault(/./, neverRespond);
    const client = aClient();
    const sent = toFieldError(client);
    await eventually("it has come", () => server.requests.length === 1);
    client.close();
    expect((await sent).message).toContain("cannot be reached");
    await toFieldError(client);
    expect(server.requests).toHaveLength(1);
  });

  it("ApiClient calls onSent with the method of each request", async () => {
    const sent: string[] = [];
    await aClient({ onRequest: (method) => sent.push(method) }).send(list);
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
    const error = await toFieldError(aClient());
    expect(error).toMatchObject({ ...expected, message: message?.replace("SERVER", server.url) });
  });

  it("an error omits values from the request body", async () => {
    const quoting = status(403, "Forbidden", 'TOKEN "hunter2-in-env" is not allowed');
    server.injectFault(/./, quoting);
    const spec = { containers: [{ env: [{ name: "TOKEN", value: "hunter2-in-env" }] }] };
    const body = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec };
    const request = { method: "POST", path: pods, contentType: "application/json", body } as const;
    const response = await aClient().send(request);
    const message = 'TOKEN "(redacted 1)" is not allowed';
    expect(response).toMatchObject({ ok: false, error: { code: 403, message } });
  });

  it("an error omits the start of a JSON response, which may be that of a Secret", async () => {
    const start = '{"kind":"Secret","data":{"token":"aHVudGVyMg=="';
    server.injectFault(/./, (_, response) => void response.end(start));
    const error = await toFieldError(aClient());
    expect(error.message).toBe(`${server.url} returned 200 without JSON`);
    expect(JSON.stringify(error)).not.toContain("aHVudGVyMg");
  });

  it("a request fails if the server stays silent", async () => {
    server.injectFault(/./, neverRespond);
    const message = `${server.url} cannot be reached: it is silent`;
    const error = await toFieldError(aClient({ timeouts: { responseMs: 50 } }));
    expect(error).toMatchObject({ message, isServerResponse: true });
  });

  it("a request fails if the response is truncated", async () => {
    const client = anImpatientClient("{");
    const message = "https://a ended its response early";
    expect(await toFieldError(client)).toMatchObject({ message, isServerResponse: true });
  });

  it("an error reports the cause for each address of a hostname", async () => {
    const { port } = new URL(server.url);
    await server.stop();
    const addresses = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
    const lookup = vi.spyOn(dns, "lookup") as unknown as MockInstance;
    lookup.mockImplementation((_name, _options, found) => found(null, addresses));
    onTestFinished(() => lookup.mockRestore());
    const { message } = await toFieldError(aClient({ url: `http://api.test:${port}` }));
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
  async function startPendingRequest(client = aClient()) {
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
    const response = await aClient().send(list, { waitsAtMostSeconds: 1 });
    expect(response).toMatchObject({ ok: false, error: { code: 429, retryAfterSeconds: 2 } });
    expect(server.requests).toHaveLength(1);
  });

  it("ApiClient sends a request at most six times", async () => {
    vi.useRealTimers();
    server.injectFault(/./, tooMany("0"));
    expect(await toFieldError(aClient())).toMatchObject({ code: 429, retryAfterSeconds: 0 });
    expect(server.requests).toHaveLength(6);
  });

  it("ApiClient retries a 503 response only if it has Retry-After", async () => {
    vi.useRealTimers();
    server.injectFault(/./, status(503, "ServiceUnavailable", "soon", { "retry-after": "0" }), 2);
    expect(await aClient().send(list)).toMatchObject({ ok: true });
    server.injectFault(/./, status(503, "ServiceUnavailable", "never"), 1);
    expect(await toFieldError(aClient())).toMatchObject({ code: 503, message: "never" });
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
    const client = aClient();
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
    const { opened, events, error } = await watchUntilEnd(aClient());
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
    const { events, error } = await watchUntilEnd(aClient());
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
    const watching = aClient().watch(pods, "100", { signal, onOpen: () => {}, onEvent });
    await expect(watching).rejects.toThrow("a bug");
    await eventually("its connection has gone", async () => (await server.openSockets) === 0);
  });

  it("watch calls onOpen only after the server's response", async () => {
    server.injectFault(/./, neverRespond);
    const { opened, error } = await watchUntilEnd(aClient({ timeouts: { responseMs: 50 } }));
    expect([opened, error?.message]).toEqual([0, `${server.url} cannot be reached: it is silent`]);
  });

  it("aborting the signal ends a watch without an error", async () => {
    const stopping = new AbortController();
    const ended = watchUntilEnd(aClient(), stopping.signal, () => stopping.abort());
    expect(await ended).toMatchObject({ opened: 1, error: undefined });
    await eventually("its connection has gone", async () => (await server.openSockets) === 0);
  });
});

describe("credentials", () => {
  const { cert, key } = serverCertificate;
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it("ApiClient sends a token and reads the certificate authority from a file", async () => {
    const tls = await startServer(new FakeApiServer(serverCertificate));
    const file = join(temporaryFolder(), "ca.crt");
    writeFileSync(file, cert);
    const cluster = { "certificate-authority": file };
    const client = aClient({ url: tls.url, cluster, user: { token: "abc" } });
    expect(await client.send(list)).toMatchObject({ ok: true });
    expect(tls.lastHeaders.authorization).toBe("Bearer abc");
    await client.send(list);
    expect(await tls.openSockets).toBe(1);
  });

  it("ApiClient uses a client certificate and an authority from inline data", async () => {
    const ca = clientCertificate.cert;
    const tls = await startServer(
      new FakeApiServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }),
    );
    const cluster = { "certificate-authority-data": base64(cert) };
    const user = {
      "client-certificate-data": base64(clientCertificate.cert),
      "client-key-data": base64(clientCertificate.key),
    };
    expect(await aClient({ url: tls.url, cluster, user }).send(list)).toMatchObject({ ok: true });
    expect(await aClient({ url: tls.url, cluster }).send(list)).toMatchObject({ ok: false });
  });

  it("ApiClient verifies the server certificate unless the kubeconfig disables it", async () => {
    const tls = await startServer(new FakeApiServer(serverCertificate));
    const { message } = await toFieldError(aClient({ url: tls.url, cluster: {} }));
    // Newer releases of Node append advice.
    const [cause] = message.split(";");
    expect(cause).toBe(`${tls.url} cannot be reached: self-signed certificate`);
    expect(await aClient({ url: tls.url }).send(list)).toMatchObject({ ok: true });
  });

  it("ApiClient accepts a renewed server certificate after an expired one", async () => {
    const tls = await startServer(new FakeApiServer(expiredCertificate));
    const cluster = { "certificate-authority-data": base64(expiredCertificate.cert) };
    const client = aClient({ url: tls.url, cluster });
    const { message } = await toFieldError(client);
    expect(message).toBe(`${tls.url} cannot be reached: certificate has expired`);
  });

  it("credentials in a missing file are reported with the file name, and used once the file exists", async () => {
    const tls = await startServer(new FakeApiServer(serverCertificate));
    const file = join(temporaryFolder(), "ca.crt");
    const client = aClient({ url: tls.url, cluster: { "certificate-authority": file } });
    expect((await toFieldError(client)).message).toContain(
      `ENOENT: no such file or directory, open '${file}'`,
    );
    writeFileSync(file, cert);
    expect(await client.send(list)).toMatchObject({ ok: true });
  });

  it("ApiClient reloads the credentials after a 401 response, once per request", async () => {
    const file = join(temporaryFolder(), "config");
    const client = aClient({ file, user: { token: "old" } });
    const unauthorized = status(401, "Unauthorized", "Unauthorized");
    server.injectFault(/./, (request, response) =>
      request.headers.authorization === "Bearer new"
        ? void response.end("{}")
        : unauthorized(request, response),
    );
    expect(await toFieldError(client)).toMatchObject({
      code: 401,
      message: `${server.url} returned 401: Unauthorized`,
      isServerResponse: true,
    });
    expect(server.requests).toHaveLength(2);
    writeKubeConfig(file, server.url, { user: { token: "new" } });
    expect(await client.send(list)).toMatchObject({ ok: true });
    await client.send(list);
    expect(server.requests).toHaveLength(5);
  });

  it("ApiClient keeps its credentials if it cannot reload them", async () => {
    const file = join(temporaryFolder(), "config");
    const client = aClient({ file });
    server.injectFault(/./, status(401, "Unauthorized", "Unauthorized"), 1);
    rmSync(file);
    expect(await toFieldError(client)).toMatchObject({ code: 401 });
  });
});

describe("ApiClient with the web's fetch", () => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };

  it("fetch appends request paths to the server's path and does not follow redirects", async () => {
    const requests: [string, RequestInit][] = [];
    const fetch: Fetch = async (url, { signal: _, ...request }) => {
      requests.push([url, request]);
      return Response.json(pod);
    };
    const client = new ApiClient({ server: "https://gateway/k8s/c-1/", fetch });
    expect(await client.send(list)).toEqual({ ok: true, object: pod });
    const headers = { accept: "application/json", "user-agent": "jobset-ts" };
    expect(requests).toEqual([
      [`https://gateway/k8s/c-1${pods}`, { method: "GET", headers, redirect: "manual" }],
    ]);
  });

  it("fetch gets the token for each request and sends none if it is empty", async () => {
    const tokens = ["first\n", "second", ""];
    const sent: unknown[] = [];
    const fetch: Fetch = async (_, { headers }) => {
      sent.push(headers.authorization);
      return Response.json(pod);
    };
    const token = async () => tokens.shift() ?? "";
    const client = new ApiClient({ server: "https://a", fetch, token });
    for (let i = 0; i < 3; i += 1) await client.send(list);
    expect(sent).toEqual(["Bearer first", "Bearer second", undefined]);
  });

  it.each<[string, Connection["token"], string]>([
    [
      "reports the reason",
      () => Promise.reject(new Error("ENOENT: no such file")),
      "ENOENT: no such file",
    ],
    [
      "does not reveal an invalid token",
      () => "secret\r\nx: y",
      "the token contains invalid characters",
    ],
  ])("fetch without a token %s", async (_, token, words) => {
    const client = new ApiClient({ server: "https://a", token });
    expect((await toFieldError(client)).message).toBe(`https://a cannot be reached: ${words}`);
  });

  it("ApiClient uses the runtime's fetch by default", async () => {
    const request = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(pod));
    onTestFinished(() => request.mockRestore());
    expect(await new ApiClient({ server: "https://a" }).send(list)).toMatchObject({ ok: true });
    expect(request.mock.calls[0]?.[0]).toBe(`https://a${pods}`);
  });

  it("fetch reads and watches a real server, and close ends both", async () => {
    server.put({ ...pod, metadata: { name: "a", namespace: "x" } });
    const client = new ApiClient({ server: server.url });
    expect(await client.send(list)).toMatchObject({
      object: { items: [{ metadata: { name: "a" } }] },
    });
    const events: WatchEvent[] = [];
    const ended = client.watch(pods, "100", {
      signal: new AbortController().signal,
      onOpen: () => {},
      onEvent: (event) => events.push(event),
    });
    await eventually("it watches", () => events.length > 0);
    await server.stop();
    expect(await ended).toBe(undefined);
    expect((await toFieldError(client)).message).toContain("cannot be reached: fetch failed: ");
  });

  it("fetch leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    const client = new ApiClient({ server: "https://a", fetch: async () => Response.json(pod) });
    await client.send(list, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

it.each(["", "api-server:6443", "file:///etc/passwd", "https://"])(
  "connectionFromKubeConfig rejects the invalid server %j",
  (text) => {
    expect(() => new ApiClient({ server: text })).toThrow(`"${text}" is not a URL`);
  },
);
