// Tests that large or slow objects of one user delay nothing else: probes, the Lease and the webhooks still
// respond.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { expect, it, onTestFinished } from "vitest";
import { serverCertificate } from "../../../packages/controller-runtime/src/testing/certificates.ts";
import { FakeApiServer } from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import { status } from "../../../packages/controller-runtime/src/testing/fake-responses.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { sendRequest } from "../../../packages/controller-runtime/src/testing/send-request.ts";
import { freePort } from "../../admission-proxy/src/testing/free-port.ts";
import { ControllerProcess } from "./testing/controller-process.ts";
import { HOSTILE_NAMESPACE, hostileObjects } from "./testing/hostile-objects.ts";

/** The number of changes of each object. The fastest one counts, because CPU time varies on a busy machine. */
const CHANGES = 2;

/** The minimum number of Lease renewals during the test. */
const MIN_RENEWALS = 1;

/** Makes each thread report its thread ID in the operating system, which Node does not expose. */
const reportingThreads = `
  import { readlinkSync, writeSync } from "node:fs";
  import { workerData } from "node:worker_threads";
  const thread = readlinkSync("/proc/thread-self");
  writeSync(2, JSON.stringify({ message: "thread", name: workerData?.name ?? "main", thread }) + "\\n");
`;

it.runIf(process.platform === "linux")(
  "probes, Lease and webhooks do not wait for a pass over hostile objects",
  async () => {
    const server = await new FakeApiServer().start();
    onTestFinished(() => server.stop());
    const hostile = hostileObjects();
    for (const object of hostile) server.put(object);
    // Otherwise, the stored responses would exhaust the memory of the tests.
    server.injectFault(
      `POST /apis/batch/v1/namespaces/${HOSTILE_NAMESPACE}/jobs`,
      status(403, "F", "no"),
    );
    const leader = aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode("n1");
    for (const object of [leader, aNode("n1").withLabels({ rack: "a" })]) server.put(object);
    const { controller, port } = await startProgram(server);

    const cpuMs = (thread: "main" | "passes" | "webhooks") => {
      const threads = controller.logged.filter(({ message }) => message === "thread");
      // Work without its own thread runs in the main thread.
      const [one] = ["main", thread]
        .flatMap((of) => threads.filter(({ name }) => name === of))
        .reverse();
      // The first number is the CPU time in nanoseconds.
      const [nanoseconds] = readFileSync(`/proc/${one?.thread}/schedstat`, "utf8").split(" ");
      return Number(nanoseconds) / 1e6;
    };
    /** The CPU time of the slowest response of each round in milliseconds, by the object that changed just before. */
    const slowest = new Map<KubernetesObject, number[]>();
    let took: number[] = [];
    let renewals = 0;
    let cpuMsBefore = 0;
    let continueRun = () => {};
    server.onRequest = (line) => {
      continueRun();
      if (!line.endsWith("/leases/jobset-controller")) return;
      if (line.startsWith("GET")) cpuMsBefore = cpuMs("main");
      else {
        took.push(cpuMs("main") - cpuMsBefore);
        renewals += 1;
      }
    };
    const passesFrom = cpuMs("passes");
    // The first responses include compilation and warm-up, so they are ignored.
    let changed: KubernetesObject | undefined;
    for (let round = 0; round <= CHANGES * hostile.length || renewals < MIN_RENEWALS; round += 1) {
      const main = cpuMs("main");
      const health = await fetch(`http://127.0.0.1:${port("health")}/healthz`);
      expect(await health.text()).toBe("ok\n");
      took.push(cpuMs("main") - main);
      for (const [path, kind, object] of reviews) {
        const webhooks = cpuMs("webhooks");
        expect(await review(port("webhook"), path, kind, object)).toMatchObject({ allowed: true });
        took.push(cpuMs("webhooks") - webhooks);
      }
      if (changed) slowest.set(changed, [...(slowest.get(changed) ?? []), Math.max(...took)]);
      took = [];
      // The Pods change when the reconcile thread reaches them, just before the next responses are measured.
      await new Promise<void>((resolve) => {
        continueRun = resolve;
      });
      changed = hostile[round % hostile.length] as KubernetesObject;
      const labels = { round: `${round}` };
      server.put({ ...changed, metadata: { ...changed.metadata, labels } });
    }
    const floorMs = Math.min(...[1, 2, 3].map(() => measureCpuMs(() => roundTrip(hostile))));
    expect(cpuMs("passes") - passesFrom).toBeGreaterThan(floorMs);
    const inTheBestRound = [...slowest.values()].map((rounds) => Math.min(...rounds));
    expect(inTheBestRound).toHaveLength(hostile.length);
    expect(Math.max(...inTheBestRound)).toBeLessThan(floorMs);
  },
);

const jobSetKind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
const podKind = { group: "", version: "v1", kind: "Pod" };
const follower = aPod("train-workers-0-1-bbbbb")
  .withAnnotations({ [JOBSET_NAME_KEY]: "train" })
  .exclusive("rack")
  .withSpec({ nodeSelector: { rack: "a" } });
const jobSet = aJobSet("train").withReplicatedJob("workers");

/** Ordinary requests, one for each webhook. */
const reviews = [
  ["/mutate-jobset-x-k8s-io-v1alpha2-jobset", jobSetKind, jobSet],
  ["/validate-jobset-x-k8s-io-v1alpha2-jobset", jobSetKind, jobSet],
  ["/mutate--v1-pod", podKind, follower],
  ["/validate--v1-pod", podKind, follower],
] as const;

/** Measures the CPU time of a call in this process, in milliseconds. */
function measureCpuMs(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Serializes and parses the hostile objects. This is the lower bound for the measured times. */
function roundTrip(objects: readonly KubernetesObject[]): unknown {
  return JSON.parse(JSON.stringify(objects));
}

/** Sends an object for review, as the API server does, and returns the response. */
async function review(port: number, path: string, kind: object, object: object) {
  const request = { uid: "u-1", operation: "CREATE", kind, object };
  const body = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
  const options = { method: "POST", path, headers: { "content-type": "application/json" } };
  const { text } = await sendRequest(port, options, JSON.stringify(body));
  return JSON.parse(text).response;
}

/** Starts the whole program and waits until it is ready. */
async function startProgram(server: FakeApiServer) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "tls.crt"), serverCertificate.cert);
  writeFileSync(join(folder, "tls.key"), serverCertificate.key);
  const ports = { webhook: await freePort(), health: await freePort() };
  const controller = await ControllerProcess.start(
    [
      ...["--kubeconfig", writeKubeConfig(join(folder, "config"), server.url), "--leader-elect"],
      ...["--webhook-port", `${ports.webhook}`, "--cert-dir", folder],
      ...["--health-port", `${ports.health}`],
    ],
    "pipe",
    ["--import", `data:text/javascript,${encodeURIComponent(reportingThreads)}`],
  );
  onTestFinished(async () => {
    controller.signal("SIGKILL");
    await controller.ended;
  });
  await controller.ready();
  return { controller, port: (of: "webhook" | "health") => ports[of] };
}
