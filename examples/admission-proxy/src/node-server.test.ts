import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Certificate } from "./certificate.ts";
import { serveOverTls } from "./node-server.ts";
import type { Server } from "./program.ts";
import { CertificateAuthority } from "./testing/certificate-authority.ts";
import { freePort } from "./testing/free-port.ts";
import { beginningOf, type Came, sendOverTls, sendText } from "./testing/https-client.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const authority = new CertificateAuthority();
let certDir = "";
let port = 0;
let server: Server | undefined;
let remove = () => {};

beforeEach(async () => {
  ({ folder: certDir, remove } = temporaryFolder());
  write(authority.issue());
  port = await freePort();
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  remove();
});

const CHECK_MS = 10;

function write({ cert, key }: Certificate): void {
  writeFileSync(join(certDir, "tls.key"), key);
  writeFileSync(join(certDir, "tls.crt"), cert);
}

async function serve(answer: (request: Request) => Promise<Response>): Promise<void> {
  server = await serveOverTls(answer, {
    host: "127.0.0.1",
    port,
    certDir,
    certificateCheckMs: CHECK_MS,
  });
}

function send(method: string, path: string, body?: string): Promise<Came> {
  return sendOverTls({ port, ca: authority.cert, method, path, body });
}

/** The serial number of the certificate that a new connection is shown. */
function servedSerial(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "localhost", port, ca: authority.cert }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

it("passes requests on as the web's, and answers back", async () => {
  await serve(async (request) => {
    const { method, url } = request;
    const text = JSON.stringify({ method, url, body: await request.text() });
    return new Response(text, { status: 201 });
  });
  const { status, text } = await send("POST", "/validate?timeout=10s", "{}");
  expect(status).toBe(201);
  expect(JSON.parse(text)).toEqual({
    method: "POST",
    url: "https://proxy/validate?timeout=10s",
    body: "{}",
  });
});

it.each([
  ["TRACE", "/"],
  ["OPTIONS", "https://["],
])("survives a request that the web has no word for: %s %s", async (method, path) => {
  await serve(async () => new Response("ok"));
  expect((await send(method, path)).status).toBe(400);
  expect(await send("GET", "/")).toEqual({ status: 200, text: "ok" });
});

it.each([
  ["chunked", { "transfer-encoding": "chunked" }, `14\r\n${"x".repeat(20)}\r\n`],
  ["of a known length", { "content-length": 100 }, "x".repeat(20)],
])(
  "answers a body that is left half read, and closes its connection: %s",
  async (_, headers, body) => {
    let isCancelled = false;
    await serve(async (request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      isCancelled = true;
      return new Response("enough\n", { status: 413, headers: { connection: "close" } });
    });
    const came = await sendText({
      port,
      ca: authority.cert,
      text: beginningOf("/", headers, body),
    });
    expect(isCancelled).toBe(true);
    expect(came).toMatch(/^HTTP\/1.1 413 .*\r\nconnection: close\r\n.*\r\nenough\n/is);
  },
);

it("shows a new certificate when the files have changed", async () => {
  await serve(async () => new Response("ok"));
  const first = await servedSerial();
  write(authority.issue());
  await until(async () => (await servedSerial()) !== first);
  expect((await send("GET", "/")).status).toBe(200);
});

it("keeps its certificate while the files do not fit together, and says so once", async () => {
  const intervals = vi.spyOn(globalThis, "setInterval");
  await serve(async () => new Response("ok"));
  const check = intervals.mock.calls.find(([, everyMs]) => everyMs === CHECK_MS)?.[0];
  intervals.mockRestore();
  const first = await servedSerial();
  const lines: string[] = [];
  const print = console.error;
  console.error = (line: string) => lines.push(line);
  try {
    writeFileSync(join(certDir, "tls.key"), authority.issue().key);
    await until(() => lines.length > 0);
    for (let time = 0; time < 3; time += 1) check?.();
    expect(check).toBeDefined();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "error",
      message: expect.stringMatching(/^the certificate stays: .*key values mismatch/),
    });
    expect(await servedSerial()).toBe(first);

    renameSync(join(certDir, "tls.crt"), join(certDir, "old.crt"));
    await until(() => lines.length > 1);
    expect(lines[1]).toContain("ENOENT");
  } finally {
    console.error = print;
  }
  write(authority.issue());
  await until(async () => (await servedSerial()) !== first);
});

it("does not start without a certificate, nor on a port that is taken", async () => {
  await serve(async () => new Response("ok"));
  const options = { host: "127.0.0.1", port, certDir };
  await expect(serveOverTls(async () => new Response(), options)).rejects.toThrow("EADDRINUSE");
  rmSync(join(certDir, "tls.key"));
  await expect(serveOverTls(async () => new Response(), options)).rejects.toThrow("ENOENT");
});

it("lets the requests under way end when it stops", async () => {
  let release = () => {};
  const arrived = new Promise<void>((arrive) => {
    void serve(async () => {
      arrive();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return new Response("late");
    });
  });
  await until(() => server !== undefined);
  const sent = send("GET", "/");
  await arrived;
  const stopped = server?.stop();
  server = undefined;
  release();
  expect(await sent).toEqual({ status: 200, text: "late" });
  await stopped;
  await expect(send("GET", "/")).rejects.toThrow("ECONNREFUSED");
});
