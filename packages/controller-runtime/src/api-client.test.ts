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
import {
  brokenWatch,
  FakeApiServer,
  type Fault,
  html,
  reset,
  silence,
  status,
  truncatedResponse,
} from "./testing/fake-api-server.ts";
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

interface Options extends KubeConfigParts, Pick<ClientOptions, "onSent"> {
  readonly file?: string;
  readonly url?: string;
  readonly patience?: Partial<ClientTimeouts>;
}

/** A client as a program in Node has it. */
function aClient({ url = server.url, patience, onSent, ...options }: Options = {}): ApiClient {
  const { file = join(temporaryFolder(), "config"), ...parts } = options;
  const connection = connectionIn(writeKubeConfig(file, url, parts));
  // Long timeouts, so that a busy machine does not count as silence.
  const usual = { answerMs: 60_000, watchMs: 60_000, ...patience };
  const client = new ApiClient(connection, { onSent, patience: usual });
  onTestFinished(() => client.close());
  return client;
}

/** A client that soon calls its server silent, which answers at once, and with a beginning only. */
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
    { patience: { answerMs: 50, watchMs: 50 } },
  );
  onTestFinished(() => client.close());
  return client;
}

async function toFieldError(client: ApiClient): Promise<ApiError> {
  const response = await client.send(list);
  if (response.ok) throw new Error("it is answered");
  return response.error;
}

describe("a request", () => {
  it("reads a response whose stream cannot be iterated, as in some browsers", async () => {
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

  it("carries the token, the kind of its body and its length, also when it deletes", async () => {
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

  it("is not sent for an effect on what no object can be called", async () => {
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
        message: 'there can be no Pod named ".."',
        code: 422,
        isServerResponse: false,
      },
    });
    expect(server.requests).toEqual([]);
  });

  it("goes below the path of the server's URL", async () => {
    const client = aClient({ url: `${server.url}/clusters/a/` });
    await client.send({ ...list, query: { limit: 5, continue: undefined } });
    expect(server.requests).toEqual([`GET /clusters/a${pods}`]);
  });

  it("uses the connection of the one before, also when the server has just closed it", async () => {
    const client = aClient();
    for (let i = 0; i < 3; i += 1) expect(await client.send(list)).toMatchObject({ ok: true });
    expect(await server.openSockets).toBe(1);
    server.answer(/./, reset, 1);
    expect(await client.send(list)).toMatchObject({ ok: true });
  });

  it("ends with the client, and none begins afterwards", async () => {
    server.answer(/./, silence);
    const client = aClient();
    const sent = toFieldError(client);
    await eventually("it has come", () => server.requests.length === 1);
    client.close();
    expect((await sent).message).toContain("cannot be reached");
    await toFieldError(client);
    expect(server.requests).toHaveLength(1);
  });

  it("onSent is called with the method of each request", async () => {
    const sent: string[] = [];
    await aClient({ onSent: (method) => sent.push(method) }).send(list);
    expect(sent).toEqual(["GET"]);
  });
});

describe("an error", () => {
  it.each<[string, Fault, Partial<ApiError>]>([
    [
      "of the API server is in its words",
      status(404, "NotFound", "no such thing"),
      { code: 404, reason: "NotFound", message: "no such thing", isServerResponse: false },
    ],
    [
      "that the API server does not explain says so",
      status(403, "", ""),
      { code: 403, message: "it gives no reason", isServerResponse: false },
    ],
    [
      "of a proxy names the server, and keeps the beginning of what came",
      html(502),
      {
        code: 502,
        message: "SERVER answers 502 with text/html, not with a Status",
        answer: "<html><body><h1>502 Bad Gateway</h1></body></html>",
        isServerResponse: true,
      },
    ],
    [
      "is a success without JSON",
      html(200),
      { code: 200, message: "SERVER answers 200 without JSON", isServerResponse: true },
    ],
    [
      "is JSON that is not an object",
      (_, response) => void response.end("[1]"),
      { code: 200, message: "SERVER answers 200 without JSON", isServerResponse: true },
    ],
    [
      "is an answer that breaks off",
      truncatedResponse,
      { message: "SERVER broke off its answer", isServerResponse: true },
    ],
    ["is a connection that breaks", reset, { message: "SERVER cannot be reached: socket hang up" }],
  ])("%s", async (_, fault, { message, ...expected }) => {
    server.answer(/./, fault);
    const error = await toFieldError(aClient());
    expect(error).toMatchObject({ ...expected, message: message?.replace("SERVER", server.url) });
  });

  it("leaves out values of the body that was sent", async () => {
    const quoting = status(403, "Forbidden", 'TOKEN "hunter2-in-env" is not allowed');
    server.answer(/./, quoting);
    const spec = { containers: [{ env: [{ name: "TOKEN", value: "hunter2-in-env" }] }] };
    const body = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec };
    const request = { method: "POST", path: pods, contentType: "application/json", body } as const;
    const answer = await aClient().send(request);
    const message = 'TOKEN "(redacted 1)" is not allowed';
    expect(answer).toMatchObject({ ok: false, error: { code: 403, message } });
  });

  it("does not keep the beginning of JSON, which may be that of a Secret", async () => {
    const start = '{"kind":"Secret","data":{"token":"aHVudGVyMg=="';
    server.answer(/./, (_, response) => void response.end(start));
    const error = await toFieldError(aClient());
    expect(error.message).toBe(`${server.url} answers 200 without JSON`);
    expect(JSON.stringify(error)).not.toContain("aHVudGVyMg");
  });

  it("is silence", async () => {
    server.answer(/./, silence);
    const message = `${server.url} cannot be reached: it is silent`;
    const error = await toFieldError(aClient({ patience: { answerMs: 50 } }));
    expect(error).toMatchObject({ message, isServerResponse: true });
  });

  it("is an answer that stops", async () => {
    const client = anImpatientClient("{");
    const message = "https://a broke off its answer";
    expect(await toFieldError(client)).toMatchObject({ message, isServerResponse: true });
  });

  it("says why each address of a name cannot be reached", async () => {
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

describe("a server that asks us to wait", () => {
  const tooMany = (retryAfter: string) =>
    status(429, "TooManyRequests", "slowly", { "retry-after": retryAfter });

  beforeEach(() => {
    // Those by which clients wait, not those of the connections.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
  });

  /** A request that the server has asked to wait. */
  async function waiting(client = aClient()) {
    const told: string[] = [];
    const onThrottled = ({ message }: ApiError) => told.push(message);
    const sent = client.send(list, { onThrottled });
    await eventually("it waits", () => told.length > 0);
    return { sent, told };
  }

  it("a request is sent again after Retry-After, and onSent is called again", async () => {
    server.answer(/./, tooMany("2"), 1);
    const { sent, told } = await waiting();
    vi.advanceTimersByTime(1_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await sent).toMatchObject({ ok: true });
    expect(told).toEqual([`${server.url} answers 429: slowly`]);
  });

  it("for longer than we want to is not asked again", async () => {
    server.answer(/./, tooMany("2"), 1);
    const response = await aClient().send(list, { waitsAtMostSeconds: 1 });
    expect(response).toMatchObject({ ok: false, error: { code: 429, retryAfterSeconds: 2 } });
    expect(server.requests).toHaveLength(1);
  });

  it("a request is sent six times at most", async () => {
    vi.useRealTimers();
    server.answer(/./, tooMany("0"));
    expect(await toFieldError(aClient())).toMatchObject({ code: 429, retryAfterSeconds: 0 });
    expect(server.requests).toHaveLength(6);
  });

  it("may say so with 503, and otherwise is not asked again", async () => {
    vi.useRealTimers();
    server.answer(/./, status(503, "ServiceUnavailable", "soon", { "retry-after": "0" }), 2);
    expect(await aClient().send(list)).toMatchObject({ ok: true });
    server.answer(/./, status(503, "ServiceUnavailable", "never"), 1);
    expect(await toFieldError(aClient())).toMatchObject({ code: 503, message: "never" });
  });

  it.each(["", "soon", "-1", "Fri, 31 Dec 2027 23:59:59 GMT"])(
    "and says %j for how long gets a second",
    async (retryAfter) => {
      server.answer(/./, tooMany(retryAfter), 1);
      const { sent } = await waiting();
      vi.advanceTimersByTime(999);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      expect(await sent).toMatchObject({ ok: true });
    },
  );

  it("does not keep who ends meanwhile", async () => {
    server.answer(/./, tooMany("86400"));
    const client = aClient();
    const { sent } = await waiting(client);
    client.close();
    expect(await sent).toMatchObject({ error: { code: 429, retryAfterSeconds: 86_400 } });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a watch", () => {
  /** Watches until it ends. */
  async function watched(
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

  it("brings lines in whatever pieces they come", async () => {
    const text = `${line("a")}\n${line("ä€😀")}`;
    server.answer(/./, async (_, response) => {
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte));
        await setImmediate();
      }
      response.end();
    });
    const { opened, events, error } = await watched(aClient());
    expect([opened, error]).toEqual([1, undefined]);
    expect(events.map(({ object }) => object.metadata.name)).toEqual(["a", "ä€😀"]);
  });

  it.each<[string, Fault, Partial<ApiError> | undefined]>([
    ["in order", brokenWatch(line("a")), undefined],
    ["with its connection, between two lines", brokenWatch(line("a"), "is cut"), undefined],
    [
      "in the middle of a line",
      brokenWatch(`${line("a")}{"ty`, "is cut"),
      { message: "SERVER cut a watch in the middle of a line", isServerResponse: true },
    ],
    [
      "in order in the middle of a line",
      brokenWatch(`${line("a")}{"ty`),
      { message: "SERVER cut a watch in the middle of a line" },
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
      { message: "SERVER sent a line that tells of no change", isServerResponse: false },
    ],
  ])("may end %s", async (_, fault, expected) => {
    server.answer(/./, fault);
    const { events, error } = await watched(aClient());
    expect(events).toHaveLength(1);
    if (expected === undefined) expect(error).toBe(undefined);
    else {
      const message = expected.message?.replace("SERVER", server.url);
      expect(error).toMatchObject({ ...expected, ...(message && { message }) });
    }
  });

  it("may end with silence", async () => {
    const { opened, events, error } = await watched(anImpatientClient(line("a")));
    expect([opened, events.length, error]).toEqual([1, 1, undefined]);
  });

  it("does not take a mistake of who follows it for a trouble of the connection", async () => {
    server.answer(/./, brokenWatch(line("a")));
    const { signal } = new AbortController();
    const onEvent = () => {
      throw new TypeError("a mistake");
    };
    const watching = aClient().watch(pods, "100", { signal, onOpen: () => {}, onEvent });
    await expect(watching).rejects.toThrow("a mistake");
    await eventually("its connection has gone", async () => (await server.openSockets) === 0);
  });

  it("is not open before the server says so", async () => {
    server.answer(/./, silence);
    const { opened, error } = await watched(aClient({ patience: { answerMs: 50 } }));
    expect([opened, error?.message]).toEqual([0, `${server.url} cannot be reached: it is silent`]);
  });

  it("ends with the signal, without an error", async () => {
    const stopping = new AbortController();
    const ended = watched(aClient(), stopping.signal, () => stopping.abort());
    expect(await ended).toMatchObject({ opened: 1, error: undefined });
    await eventually("its connection has gone", async () => (await server.openSockets) === 0);
  });
});

describe("credentials", () => {
  const { cert, key } = serverCertificate;
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  it("are a token, beside a file with the authority", async () => {
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

  it("are a client's certificate, beside the authority, all as data", async () => {
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

  it("of the server are checked, unless that is not wanted", async () => {
    const tls = await startServer(new FakeApiServer(serverCertificate));
    const { message } = await toFieldError(aClient({ url: tls.url, cluster: {} }));
    // Newer releases of Node add advice.
    const [cause] = message.split(";");
    expect(cause).toBe(`${tls.url} cannot be reached: self-signed certificate`);
    expect(await aClient({ url: tls.url }).send(list)).toMatchObject({ ok: true });
  });

  it("of the server may have expired, until they are renewed", async () => {
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

  it("are read again when the server does not accept them, once for each request", async () => {
    const file = join(temporaryFolder(), "config");
    const client = aClient({ file, user: { token: "old" } });
    const unauthorized = status(401, "Unauthorized", "Unauthorized");
    server.answer(/./, (request, response) =>
      request.headers.authorization === "Bearer new"
        ? void response.end("{}")
        : unauthorized(request, response),
    );
    expect(await toFieldError(client)).toMatchObject({
      code: 401,
      message: `${server.url} answers 401: Unauthorized`,
      isServerResponse: true,
    });
    expect(server.requests).toHaveLength(2);
    writeKubeConfig(file, server.url, { user: { token: "new" } });
    expect(await client.send(list)).toMatchObject({ ok: true });
    await client.send(list);
    expect(server.requests).toHaveLength(5);
  });

  it("stay as they were when they cannot be read again", async () => {
    const file = join(temporaryFolder(), "config");
    const client = aClient({ file });
    server.answer(/./, status(401, "Unauthorized", "Unauthorized"), 1);
    rmSync(file);
    expect(await toFieldError(client)).toMatchObject({ code: 401 });
  });
});

describe("over the web's own fetch, a request", () => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };

  it("goes below the path of the server's URL, and is not sent elsewhere", async () => {
    const asked: [string, RequestInit][] = [];
    const fetch: Fetch = async (url, { signal: _, ...request }) => {
      asked.push([url, request]);
      return Response.json(pod);
    };
    const client = new ApiClient({ server: "https://gateway/k8s/c-1/", fetch });
    expect(await client.send(list)).toEqual({ ok: true, object: pod });
    const headers = { accept: "application/json", "user-agent": "jobset-ts" };
    expect(asked).toEqual([
      [`https://gateway/k8s/c-1${pods}`, { method: "GET", headers, redirect: "manual" }],
    ]);
  });

  it("asks for the token each time, and sends none when there is none", async () => {
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
    ["says why", () => Promise.reject(new Error("ENOENT: no such file")), "ENOENT: no such file"],
    ["does not show one that is none", () => "secret\r\nx: y", "the token is none"],
  ])("without a token %s", async (_, token, words) => {
    const client = new ApiClient({ server: "https://a", token });
    expect((await toFieldError(client)).message).toBe(`https://a cannot be reached: ${words}`);
  });

  it("takes the runtime's fetch when it is given none", async () => {
    const asked = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(pod));
    onTestFinished(() => asked.mockRestore());
    expect(await new ApiClient({ server: "https://a" }).send(list)).toMatchObject({ ok: true });
    expect(asked.mock.calls[0]?.[0]).toBe(`https://a${pods}`);
  });

  it("reads and watches a real server, and ends with it", async () => {
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

  it("leaves no listener on the signal that may end it", async () => {
    const { signal } = new AbortController();
    const client = new ApiClient({ server: "https://a", fetch: async () => Response.json(pod) });
    await client.send(list, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

it.each(["", "api-server:6443", "file:///etc/passwd", "https://"])(
  "connectionFromKubeConfig rejects %j, which is not a server",
  (text) => {
    expect(() => new ApiClient({ server: text })).toThrow(`"${text}" is not a URL`);
  },
);
