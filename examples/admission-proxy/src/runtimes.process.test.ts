// Runs the same source in four runtimes, each in its own process with TLS, against recorded reviews.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../packages/controller-runtime/src/testing/eventually.ts";
import { CertificateAuthority } from "./testing/certificate-authority.ts";
import { findRecordedRead } from "./testing/fake-api-server.ts";
import { freePort } from "./testing/free-port.ts";
import { type Recording, readRecordings } from "./testing/recording.ts";
import { RunningProxy } from "./testing/running-proxy.ts";
import { type Runtime, runtimes } from "./testing/runtimes.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const START_WITHIN_MS = 60_000;

const example = join(import.meta.dirname, "..");
const authority = new CertificateAuthority();
const { folder, remove } = temporaryFolder();

/** The recording that the API server replays. */
let currentRecording: Recording | undefined;
let requests: { readonly path: string; readonly token: string | undefined }[] = [];
const apiServer = https.createServer(authority.issue(), ({ url = "", headers }, response) => {
  requests.push({ path: url, token: headers.authorization });
  const version = { status: 200, body: { major: "1" } };
  const { status, body } =
    url === "/version" || currentRecording === undefined
      ? version
      : findRecordedRead(currentRecording, url);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
const tokenFile = join(folder, "service-account", "token");

beforeAll(async () => {
  const { cert, key } = authority.issue();
  writeFileSync(join(folder, "tls.crt"), cert);
  writeFileSync(join(folder, "tls.key"), key);
  writeFileSync(join(folder, "ca.crt"), authority.cert);
  mkdirSync(join(folder, "service-account"));
  writeFileSync(tokenFile, "first\n");
  const shipped = readFileSync(join(example, "workerd.capnp"), "utf8");
  const messages = '(name = "UPSTREAM_MESSAGES", text = "false")';
  expect(shipped).toContain(messages);
  const config = shipped.replace(messages, messages.replace("false", "true"));
  writeFileSync(join(folder, "workerd.capnp"), config);
  const trust = 'trustedCertificates = [embed "ca.crt"]';
  expect(config).toContain(trust);
  writeFileSync(join(folder, "workerd-without-trust.capnp"), config.replace(trust, ""));
  const { bundle } = await import(/* @vite-ignore */ join(example, "bundle.mjs"));
  await Promise.all(runtimes.map(({ entry }) => bundle(entry, join(folder, `${entry}.mjs`))));
  await new Promise<void>((resolve) => apiServer.listen(0, "127.0.0.1", resolve));
}, START_WITHIN_MS);

afterAll(async () => {
  for (const proxy of started) proxy.signal("SIGKILL");
  await Promise.all(started.map(({ ended }) => ended));
  apiServer.close();
  apiServer.closeAllConnections();
  remove();
});

const started: RunningProxy[] = [];

async function start(
  runtime: Runtime,
  { isTrusting = true, args = [] }: { isTrusting?: boolean; args?: readonly string[] } = {},
): Promise<RunningProxy> {
  const port = await freePort();
  const { port: apiServerPort } = apiServer.address() as AddressInfo;
  const place = { folder, port, apiServerPort, isTrusting };
  const child = runtime.start(runtime.binary ?? "", place, args);
  const proxy = new RunningProxy(child, port, authority.cert);
  started.push(proxy);
  return proxy;
}

describe.each(runtimes.filter(({ binary }) => binary !== undefined))(
  "the proxy in $name",
  (runtime) => {
    let proxy: RunningProxy;

    beforeAll(async () => {
      writeFileSync(tokenFile, "first\n");
      proxy = await start(runtime);
      await proxy.waitUntilListening();
    }, START_WITHIN_MS);

    it.each([...readRecordings()])("%s", async (_name, recording) => {
      currentRecording = recording;
      requests = [];
      expect(await proxy.review(recording)).toEqual(recording.answer);
      const token = "Bearer first";
      expect(requests).toEqual(recording.reads.map(({ path }) => ({ path, token })));
    });

    it("the proxy is ready, also after a renewal of its token", async () => {
      writeFileSync(tokenFile, "second\n");
      requests = [];
      expect(await proxy.get("/readyz")).toEqual({ status: 200, text: "ok\n" });
      expect(requests).toEqual([{ path: "/version", token: "Bearer second" }]);
    });

    it("the proxy logs denials with their root causes, and nothing else", async () => {
      const denialLines = [...readRecordings().values()].flatMap(({ log }) => log);
      // A log line may arrive a moment later than its response.
      await eventually("all is logged", () => proxy.logLines().length >= denialLines.length);
      expect(proxy.logLines()).toMatchObject(denialLines);
    });

    const path = "/validate-jobset-x-k8s-io-v1alpha2-jobset?timeout=1s";

    // In Deno the client must close the connection; the others close it themselves. The cases run concurrently because
    // they mostly wait.
    it.concurrent.each<[string, number, Readonly<Record<string, string | number>>, string]>([
      ["says to be too large", 413, { "content-length": 8_000_000 }, ""],
      ["does not come to its end in time", 408, { "content-length": 1_000 }, "{"],
      ["does not come at all", 408, { "transfer-encoding": "chunked" }, ""],
    ])("the proxy stops reading a body that %s", async (_what, status, headers, body) => {
      const came = await proxy.sendPartially(path, headers, body);
      expect(came).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(came).toMatch(/^connection: close\r$/im);
      expect(came).toContain("the body ");
    });

    it("the proxy rejects a compressed body", async () => {
      const headers = { "content-encoding": "gzip", "content-length": 2 };
      const came = await proxy.sendPartially(path, headers, "{}");
      expect(came).toMatch(/^HTTP\/1.1 415 /);
      expect(came).toMatch(/^accept-encoding: identity\r$/im);
      expect(came).toContain("must not be compressed");
    });

    it("the proxy rejects an API server whose CA it does not trust", async () => {
      const suspicious = await start(runtime, { isTrusting: false });
      await suspicious.waitUntilListening();
      requests = [];
      const { status, text } = await suspicious.get("/readyz");
      expect(status, text).toBe(503);
      expect(text).toMatch(/^GET \/version: .+\n$/);
      expect(requests).toEqual([]);
    });
  },
);

describe.each(runtimes.filter(({ binary, hasCommandLine }) => binary && hasCommandLine))(
  "the command line in $name",
  (runtime) => {
    it("the proxy reports readiness and exits on SIGTERM", async () => {
      const proxy = await start(runtime);
      await proxy.waitUntilListening();
      proxy.signal("SIGTERM");
      expect(await proxy.ended).toBe(0);
      expect(proxy.output).toBe('{"ready":true}\n');
    });

    it.each([
      ["--help", /^JobSet's webhooks, /],
      ["--version", /^\d+\.\d+\.\d+\n$/],
    ])("the proxy prints the response to %s and exits", async (option, text) => {
      const proxy = await start(runtime, { args: [option] });
      expect(await proxy.ended).toBe(0);
      expect(proxy.output).toMatch(text);
      expect(proxy.logLines()).toEqual([]);
    });

    it("the proxy exits when standard input closes", async () => {
      const proxy = await start(runtime);
      await proxy.waitUntilListening();
      proxy.closeInput();
      expect(await proxy.ended).toBe(0);
    });

    it("the proxy rejects an invalid option with one line", async () => {
      const proxy = await start(runtime, { args: ["--failure-policy", "Maybe"] });
      expect(await proxy.ended).toBe(2);
      const message = 'failure policy: "Maybe" is not Fail or Ignore';
      expect(proxy.logLines()).toMatchObject([{ level: "error", message }]);
      expect(proxy.output).toBe("");
    });
  },
);

/** Returns a JobSet with extremely many ReplicatedJobs, as large as a request may be. */
function hostileUpdate(): Recording["request"] {
  const containers = [{ name: "main", image: "example.com/main" }];
  const template = { spec: { template: { spec: { restartPolicy: "Never", containers } } } };
  const replicatedJobs = Array.from({ length: 15_000 }, (_, index) => {
    return { name: `r${index}`, replicas: 1, groupName: "default", template };
  });
  const oldObject = {
    metadata: { name: "hostile", namespace: "default" },
    spec: { replicatedJobs },
  };
  const object = { ...oldObject, metadata: { ...oldObject.metadata, labels: { another: "one" } } };
  const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
  const request = { uid: "u-1", operation: "UPDATE", kind, object, oldObject };
  const body = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
  return { path: "/validate-jobset-x-k8s-io-v1alpha2-jobset", body };
}

it.runIf(process.platform === "linux")(
  "in Node, the probes do not wait for a hostile review",
  async () => {
    const [node] = runtimes;
    const proxy = await start(node as Runtime);
    await proxy.waitUntilListening();
    const request = hostileUpdate();
    const [allBefore, mainBefore] = [proxy.allThreadsMs(), proxy.mainThreadMs()];
    const reviews = Array.from({ length: 4 }, () => proxy.replay({ request }));
    let areUnderWay = true;
    const all = Promise.allSettled(reviews).finally(() => {
      areUnderWay = false;
    });
    const took: number[] = [];
    while (areUnderWay) {
      const before = proxy.mainThreadMs();
      expect(await proxy.get("/healthz")).toEqual({ status: 200, text: "ok\n" });
      took.push(proxy.mainThreadMs() - before);
    }
    await all;
    const answers = await Promise.all(reviews);
    // On a busy machine, some requests may time out while they wait. They use little main-thread time as
    // well.
    const reviewed = answers.filter(({ status }) => status === 200);
    expect(reviewed.length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const elsewhere = proxy.allThreadsMs() - allBefore - (proxy.mainThreadMs() - mainBefore);
    // The CPU time of one review in other threads. A probe takes much less time, unless it waited for a review.
    expect(Math.max(...took)).toBeLessThan(elsewhere / reviewed.length / 4);
  },
);

const platform = `${process.platform}-${process.arch}`;
const { header } = process.report.getReport() as unknown as { header: Record<string, unknown> };
const hasAll = platform === "linux-x64" && header.glibcVersionRuntime !== undefined;

it.each(runtimes.filter(({ binary }) => binary === undefined))(
  "$name is skipped because it has no binary for this platform",
  ({ name }) => {
    console.warn(`${name} is not tested here: it has no binary for ${platform}`);
    expect(hasAll, "on Linux with glibc, x64, every runtime has a binary").toBe(false);
  },
);
