import { rmSync, utimesSync, writeFileSync } from "node:fs";
import * as https from "node:https";
import * as net from "node:net";
import { join } from "node:path";
import * as tls from "node:tls";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ConditionLog } from "../condition-log.ts";
import { type CapturedLog, captureLog } from "../testing/captured-log.ts";
import {
  type Certificate,
  clientCertificate,
  expiredCertificate,
  serverCertificate,
} from "../testing/certificates.ts";
import { eventually } from "../testing/eventually.ts";
import { temporaryFolder } from "../testing/kubeconfig.ts";
import { sendRequest } from "../testing/send-request.ts";
import {
  type ConnectionTimeouts,
  DEFAULT_TIMEOUTS,
  type WebhookHandler,
  WebhookServer,
} from "./webhook-server.ts";

let folder: string;
let log: CapturedLog;
let troubles: ConditionLog;

beforeEach(() => {
  log = captureLog();
  troubles = new ConditionLog();
  folder = temporaryFolder();
});

function install({ cert, key }: Certificate): void {
  writeFileSync(join(folder, "tls.crt"), cert);
  writeFileSync(join(folder, "tls.key"), key);
}

const echo: WebhookHandler = async (request) =>
  new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`, {
    status: 201,
    headers: { "x-kind": request.headers.get("content-type") ?? "" },
  });

/** Starts a server and returns its port. */
async function startServer(
  handler: WebhookHandler = echo,
  timeouts: ConnectionTimeouts = {},
): Promise<{ port: number; server: WebhookServer }> {
  const server = new WebhookServer(handler, folder, troubles, 5, timeouts);
  onTestFinished(() => server.close());
  return { port: await server.listen("127.0.0.1", 0), server };
}

describe("requests", () => {
  it("WebhookServer passes a request to the handler and its response back, with headers and body", async () => {
    install(serverCertificate);
    const { port } = await startServer();
    const headers = { "content-type": "application/json" };
    const result = await sendRequest(
      port,
      { method: "POST", path: "/validate?timeout=8s", headers },
      "ä",
    );
    expect(result).toMatchObject({ code: 201, kind: "application/json", text: "POST /validate ä" });
  });

  it("WebhookServer accepts a request on a connection that was idle as long as an API server keeps it", async () => {
    install(serverCertificate);
    const { port } = await startServer();
    const agent = new https.Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const { keepAlive = "" } = await sendRequest(port, { agent });
    expect(Number(/timeout=(\d+)/.exec(keepAlive)?.[1])).toBeGreaterThan(90);
  });

  it.each<[string, number, https.RequestOptions, WebhookHandler?]>([
    ["has a method that fetch does not support", 400, { method: "TRACE" }],
    ["has a malformed path", 400, { path: "*:x" }],
    ["makes the handler throw", 500, {}, () => Promise.reject(new Error("a bug"))],
  ])(
    "a request that %s gets status %i, and later requests succeed",
    async (_, code, options, handler = echo) => {
      install(serverCertificate);
      const { port } = await startServer((request) =>
        request.url.endsWith("/well") ? echo(request) : handler(request),
      );
      expect(await sendRequest(port, options)).toMatchObject({
        code,
        text: expect.stringContaining("Error: "),
      });
      expect(await sendRequest(port, { path: "/well" })).toMatchObject({ code: 201 });
    },
  );

  it.each([
    ["of a known length", { "content-length": 100_000 }],
    ["in chunks", { "transfer-encoding": "chunked" }],
  ])(
    "a request with a body %s gets a response even if the handler does not read all of it",
    async (_, headers) => {
      install(serverCertificate);
      const { port } = await startServer(async (request) => {
        const reader = request.body?.getReader();
        await reader?.read();
        await reader?.cancel();
        return new Response("enough", { status: 413, headers: { connection: "close" } });
      });
      const result = await sendRequest(port, { method: "POST", headers }, "x".repeat(100_000));
      expect(result).toMatchObject({ code: 413, text: "enough" });
    },
  );

  it("a request may be aborted within its body", async () => {
    install(serverCertificate);
    const errors: unknown[] = [];
    const { port } = await startServer(async (request) => {
      const reader = request.body?.getReader();
      await reader?.read(); // Reads half of the body.
      client.destroy();
      await reader?.read().catch((error) => errors.push(error));
      return new Response("late");
    });
    const headers = { "content-length": 1000 };
    const client = https.request({ port, method: "POST", headers, rejectUnauthorized: false });
    client.on("error", () => {});
    client.write("half");
    await eventually("the handler knows", () => errors.length === 1);
    expect(await sendRequest(port, { method: "POST" })).toMatchObject({ code: 200 });
  });
});

describe("certificates", () => {
  it("an expired certificate is logged once and fails readiness until it is replaced", async () => {
    install(expiredCertificate);
    const { port } = await startServer();
    const file = join(folder, "tls.crt");
    const cause = `${file}: it expired on Jan  1 00:00:00 2021 GMT`;
    expect(troubles.reasonsNotReady).toEqual([`webhook certificate: ${cause}`]);
    expect((await sendRequest(port)).shown).toBe(expiredCertificate.cert);
    install(serverCertificate);
    await eventually("it is ready", () => troubles.reasonsNotReady.length === 0);
    expect((await sendRequest(port)).shown).toBe(serverCertificate.cert);
    expect(log.messages).toEqual([
      `error webhook certificate: ${cause}`,
      "info webhook certificate: recovered",
    ]);
  });

  it("WebhookServer loads a replaced certificate even if it has an older date", async () => {
    install(serverCertificate);
    const { port } = await startServer();
    install(clientCertificate);
    for (const file of ["tls.crt", "tls.key"]) utimesSync(join(folder, file), 1, 1);
    await eventually(
      "it is shown",
      async () => (await sendRequest(port)).shown === clientCertificate.cert,
    );
    expect(log.messages).toEqual([]);
  });

  it("WebhookServer waits for a missing certificate", async () => {
    const { port, server } = await startServer();
    let isCertified = false;
    void server.certified.then(() => {
      isCertified = true;
    });
    expect(troubles.reasonsNotReady[0]).toContain(`open '${join(folder, "tls.crt")}'`);
    await expect(sendRequest(port)).rejects.toThrow();
    expect(isCertified).toBe(false);
    install(serverCertificate);
    await server.certified;
    expect(await sendRequest(port)).toMatchObject({ code: 201 });
    expect(log.messages).toHaveLength(2);
  });

  it("a certificate remains in use if its files are missing or partly replaced", async () => {
    install(serverCertificate);
    const { port } = await startServer();
    writeFileSync(join(folder, "tls.key"), clientCertificate.key);
    await eventually("it is noticed", () => troubles.reasonsNotReady.length === 1);
    expect(troubles.reasonsNotReady[0]).toMatch(/tls.crt: .*key values mismatch/);
    expect((await sendRequest(port)).shown).toBe(serverCertificate.cert);
    rmSync(join(folder, "tls.key"));
    await eventually("it is noticed", () => /ENOENT/.test(troubles.reasonsNotReady[0] ?? ""));
    expect((await sendRequest(port)).shown).toBe(serverCertificate.cert);
    install(serverCertificate);
    await eventually("it is ready", () => troubles.reasonsNotReady.length === 0);
  });
});

it("close waits for open requests", async () => {
  install(serverCertificate);
  let respond = (_: Response) => {};
  let isAsked = false;
  const { port, server } = await startServer(() => {
    isAsked = true;
    return new Promise((resolve) => {
      respond = resolve;
    });
  });
  const agent = new https.Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const requested = sendRequest(port, { agent });
  await eventually("it is called", () => isAsked);
  const closed = server.close();
  respond(new Response("at last"));
  expect(await requested).toMatchObject({ text: "at last" });
  await closed;
  await expect(sendRequest(port)).rejects.toThrow("ECONNREFUSED");
});

it("WebhookServer reports a port that is in use", async () => {
  install(serverCertificate);
  const { port } = await startServer();
  const second = new WebhookServer(echo, folder, troubles);
  await expect(second.listen("127.0.0.1", port)).rejects.toThrow("EADDRINUSE");
});

describe("slow clients", () => {
  /** Resolves with the data that a connection received until the server closed it. */
  function closedByServer(socket: net.Socket): Promise<string> {
    onTestFinished(() => void socket.destroy());
    return new Promise((resolve) => {
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
      });
      socket.on("error", () => {}); // The server may also close with a reset.
      socket.on("close", () => resolve(received));
    });
  }

  it("the server closes a connection that sends nothing of a TLS handshake", async () => {
    install(serverCertificate);
    const { port } = await startServer(echo, { handshakeMs: 20 });
    expect(await closedByServer(net.connect(port, "127.0.0.1"))).toBe("");
  });

  it("the server closes a connection that never ends its TLS handshake", async () => {
    install(serverCertificate);
    const { port } = await startServer(echo, { handshakeMs: 20 });
    const socket = net.connect(port, "127.0.0.1");
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])); // The start of a ClientHello of 512 bytes.
    expect(await closedByServer(socket)).toBe("");
  });

  it.each([
    ["headers never end", "POST / HTTP/1.1\r\nhost: w\r\n", { headersMs: 20 }],
    [
      "body never ends",
      "POST / HTTP/1.1\r\nhost: w\r\ncontent-length: 9\r\n\r\n{",
      { headersMs: 20, requestMs: 20 },
    ],
  ])("the server closes a connection whose %s", async (_, text, timeouts) => {
    install(serverCertificate);
    const { port } = await startServer(echo, timeouts);
    const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.write(text);
    expect(await closedByServer(socket)).toMatch(/^(HTTP\/1.1 408 |$)/);
  });

  it("the server waits ten seconds for a handshake by default", () => {
    expect(DEFAULT_TIMEOUTS).toEqual({ handshakeMs: 10_000, headersMs: 10_000, requestMs: 30_000 });
  });
});
