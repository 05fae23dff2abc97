// What one user can store keeps nobody waiting: probes, Lease and webhooks are answered meanwhile.
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { expect, it, onTestFinished } from "vitest";
import { ask } from "../../../packages/controller-runtime/src/testing/ask.ts";
import { serverCertificate } from "../../../packages/controller-runtime/src/testing/certificates.ts";
import {
  FakeApiServer,
  status,
} from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { ControllerProcess } from "./testing/controller-process.ts";
import { HOSTILE_NAMESPACE, hostileObjects } from "./testing/hostile-objects.ts";

/** What one answer may take of the thread that gives it. */
const MAX_MS = 100;

/** How long passes have to compute meanwhile: ten times longer than any of the answers may wait. */
const MIN_PASSES_MS = 1_000;

/** How often the Lease has to be renewed meanwhile. */
const MIN_RENEWALS = 2;

/** Lets each thread say by which number the system knows it; Node does not tell. */
const tellingThreads = `
  import { readlinkSync, writeSync } from "node:fs";
  import { workerData } from "node:worker_threads";
  const thread = readlinkSync("/proc/thread-self");
  writeSync(2, JSON.stringify({ message: "thread", name: workerData?.name ?? "main", thread }) + "\\n");
`;

it.runIf(process.platform === "linux")(
  "probes, Lease and webhooks are answered within 100 ms of their own thread, whatever there is to pass over",
  async () => {
    const server = await new FakeApiServer().start();
    onTestFinished(() => server.stop());
    const hostile = hostileObjects();
    for (const object of hostile) server.put(object);
    // It would take the memory of the tests otherwise.
    server.answer(
      `POST /apis/batch/v1/namespaces/${HOSTILE_NAMESPACE}/jobs`,
      status(403, "F", "no"),
    );
    const leader = aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode("n1");
    for (const object of [leader, aNode("n1").withLabels({ rack: "a" })]) server.put(object);
    const { controller, port } = await started(server);

    const cpuMs = (thread: "main" | "passes" | "webhooks") => {
      const told = controller.logged.filter(({ message }) => message === "thread");
      // What has no thread of its own is done by the main one.
      const [one] = ["main", thread]
        .flatMap((of) => told.filter(({ name }) => name === of))
        .reverse();
      // To begin with, the nanoseconds on a processor.
      const [nanoseconds] = readFileSync(`/proc/${one?.thread}/schedstat`, "utf8").split(" ");
      return Number(nanoseconds) / 1e6;
    };
    const took = { health: [] as number[], lease: [] as number[], webhooks: [] as number[] };
    let asked = 0;
    let goOn = () => {};
    server.onRequest = (line) => {
      goOn();
      if (!line.endsWith("/leases/jobset-controller")) return;
      if (line.startsWith("GET")) asked = cpuMs("main");
      else took.lease.push(cpuMs("main") - asked);
    };
    const passesFrom = cpuMs("passes");
    for (let round = 0; !isEnough(); round += 1) {
      const main = cpuMs("main");
      const health = await fetch(`http://127.0.0.1:${port("health")}/healthz`);
      expect(await health.text()).toBe("ok\n");
      took.health.push(cpuMs("main") - main);
      for (const [path, kind, object] of reviews) {
        const webhooks = cpuMs("webhooks");
        expect(await review(port("webhook"), path, kind, object)).toMatchObject({ allowed: true });
        took.webhooks.push(cpuMs("webhooks") - webhooks);
      }
      // Once the passes are that far, and right before the next answers are wanted, they change, too.
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const changed = hostile[round % hostile.length];
      if (changed)
        server.put({
          ...changed,
          metadata: { ...changed.metadata, labels: { round: `${round}` } },
        });
    }
    function isEnough(): boolean {
      const passesMs = cpuMs("passes") - passesFrom;
      const haveAllChanged = took.health.length > hostile.length;
      return passesMs >= MIN_PASSES_MS && took.lease.length >= MIN_RENEWALS && haveAllChanged;
    }
    for (const milliseconds of Object.values(took)) {
      expect(Math.max(...milliseconds)).toBeLessThan(MAX_MS);
    }
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

/** Sends an object for review as the API server does, and answers the response. */
async function review(port: number, path: string, kind: object, object: object) {
  const request = { uid: "u-1", operation: "CREATE", kind, object };
  const body = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
  const options = { method: "POST", path, headers: { "content-type": "application/json" } };
  const { text } = await ask(port, options, JSON.stringify(body));
  return JSON.parse(text).response;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The whole program, ready. */
async function started(server: FakeApiServer) {
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
    ["--import", `data:text/javascript,${encodeURIComponent(tellingThreads)}`],
  );
  onTestFinished(async () => {
    controller.signal("SIGKILL");
    await controller.ended;
  });
  await controller.ready();
  return { controller, port: (of: "webhook" | "health") => ports[of] };
}
