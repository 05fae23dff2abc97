// Tests the webhooks of the whole program over TLS.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { captureLog } from "../../../packages/controller-runtime/src/testing/captured-log.ts";
import {
  expiredCertificate,
  serverCertificate,
} from "../../../packages/controller-runtime/src/testing/certificates.ts";
import { eventually } from "../../../packages/controller-runtime/src/testing/eventually.ts";
import { FakeApiServer } from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import { temporaryFolder } from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { sendRequest } from "../../../packages/controller-runtime/src/testing/send-request.ts";
import { RunningProgram } from "./testing/running-program.ts";

const leader = aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode("n1");
const follower = aPod("train-workers-0-1-bbbbb")
  .withAnnotations({ [JOBSET_NAME_KEY]: "train" })
  .exclusive("rack")
  .withSpec({ nodeSelector: { rack: "a" } });

const jobSetKind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
const podKind = { group: "", version: "v1", kind: "Pod" };

let server: FakeApiServer;
let certDir: string;

beforeEach(async () => {
  captureLog();
  certDir = temporaryFolder();
  install(serverCertificate);
  server = await new FakeApiServer().start();
  onTestFinished(() => server.stop());
});

function install({ cert, key }: typeof serverCertificate): void {
  writeFileSync(join(certDir, "tls.crt"), cert);
  writeFileSync(join(certDir, "tls.key"), key);
}

function start(): Promise<RunningProgram> {
  const webhook = { host: "127.0.0.1", port: 0, certDir };
  return RunningProgram.start(server.url, { webhook, metricsPort: 0 });
}

/** Sends an object for review, as the API server does, and returns the response. */
async function review({ program }: RunningProgram, path: string, kind: object, object: object) {
  const body = {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", operation: "CREATE", kind, object },
  };
  const options = { method: "POST", path, headers: { "content-type": "application/json" } };
  const { text } = await sendRequest(
    program.ports.get("webhook") ?? 0,
    options,
    JSON.stringify(body),
  );
  return JSON.parse(text).response;
}

function validate(running: RunningProgram, pod: object) {
  return review(running, "/validate--v1-pod", podKind, pod);
}

describe("the four webhooks of the program", () => {
  it("the webhooks default and validate JobSets and Pods based on the caches", async () => {
    for (const object of [leader, aNode("n1").withLabels({ rack: "a" })]) server.put(object);
    const running = await start();
    await running.ready();
    const jobSet = aJobSet("train").withReplicatedJob("workers");
    const { spec: _, ...rest } = jobSet;
    const path = "jobset-x-k8s-io-v1alpha2-jobset";
    const defaulted = await review(running, `/mutate-${path}`, jobSetKind, { ...rest, spec: {} });
    expect(defaulted).toMatchObject({ uid: "u-1", allowed: true, patchType: "JSONPatch" });
    expect(await review(running, `/validate-${path}`, jobSetKind, jobSet)).toMatchObject({
      allowed: true,
    });
    expect(await review(running, "/mutate--v1-pod", podKind, follower)).toMatchObject({
      allowed: true,
    });
    expect(await validate(running, follower)).toMatchObject({ allowed: true });
    await eventually(
      "all are counted",
      async () => (await running.metric("jobset_reviews_total")) === 4,
    );
    const { text } = await running.get("metrics", "/metrics");
    for (const [kind, stage] of [
      ["JobSet", "mutate"],
      ["JobSet", "validate"],
      ["Pod", "mutate"],
      ["Pod", "validate"],
    ]) {
      expect(text).toMatch(
        new RegExp(`^jobset_reviews_total{kind="${kind}",stage="${stage}",.*} 1$`, "m"),
      );
    }
  });

  it("the webhooks respond that Pods are not listed yet, instead of denying because there is no leader", async () => {
    for (const object of [leader, aNode("n1").withLabels({ rack: "a" })]) server.put(object);
    await server.stop();
    const running = await start();
    expect(await validate(running, follower)).toMatchObject({
      allowed: false,
      status: {
        code: 500,
        message: expect.stringContaining("read: Pods are not listed yet"),
      },
    });
    const path = "/validate-jobset-x-k8s-io-v1alpha2-jobset";
    const jobSet = aJobSet("train").withReplicatedJob("workers");
    expect(await review(running, path, jobSetKind, jobSet)).toMatchObject({ allowed: true });
    await server.start();
    await running.ready();
    expect(await validate(running, follower)).toMatchObject({ allowed: true });
  });

  it("the webhooks read only the kinds that they need if no controller runs", async () => {
    const webhook = { host: "127.0.0.1", port: 0, certDir };
    const running = await RunningProgram.start(server.url, { webhook, controllers: new Set() });
    await running.ready();
    const read = new Set(server.requests.filter((line) => line.startsWith("GET ")));
    expect([...read].sort()).toEqual([
      "GET /api/v1/nodes",
      "GET /api/v1/persistentvolumeclaims",
      "GET /api/v1/pods",
    ]);
  });

  it("the webhooks notice a leader that is created, is deleted or leaves exclusive placement", async () => {
    server.put(aNode("n1").withLabels({ rack: "a" }));
    const running = await start();
    await running.ready();
    const waitForDecision = (allowed: boolean) =>
      eventually(`it is ${allowed ? "" : "not "}allowed`, async () => {
        return (await validate(running, follower)).allowed === allowed;
      });
    await waitForDecision(false);
    server.put(leader);
    await waitForDecision(true);
    server.put({ ...leader, metadata: { ...leader.metadata, annotations: {} } });
    await waitForDecision(false);
    server.put(leader);
    await waitForDecision(true);
    server.remove(leader);
    await waitForDecision(false);
  });

  it("the webhooks use switched gates when the switch is acknowledged", async () => {
    const running = await start();
    await running.ready();
    const path = "/validate-jobset-x-k8s-io-v1alpha2-jobset";
    const restarting = aJobSet("train")
      .withReplicatedJob("workers")
      .withSpec({
        failurePolicy: { rules: [{ name: "r", action: "RestartJob" }] },
      });
    const isAllowed = async () => (await review(running, path, jobSetKind, restarting)).allowed;
    expect(await isAllowed()).toBe(false);
    await running.program.switchGates({ RestartJob: true });
    expect(await isAllowed()).toBe(true);
  });
});

it("the program is not ready with an expired certificate, and names the file", async () => {
  install(expiredCertificate);
  const running = await start();
  await running.notReady(`webhook certificate: ${join(certDir, "tls.crt")}: it expired on Jan  1`);
});

it("the program becomes ready when a missing certificate appears", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  rmSync(join(certDir, "tls.crt"));
  const running = await start();
  let isReady = false;
  void running.program.ready.then(() => {
    isReady = true;
  });
  await running.notReady(`webhook certificate: ${join(certDir, "tls.crt")}: ENOENT`);
  const watches = () => server.requests.filter((line) => line.startsWith("WATCH")).length;
  await eventually("all caches are in sync", () => watches() === 9);
  expect(isReady).toBe(false);
  install(serverCertificate);
  vi.advanceTimersByTime(10_000);
  await running.ready();
  await running.program.ready;
});
