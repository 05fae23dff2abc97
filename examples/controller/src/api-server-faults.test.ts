// Tests the whole program with faults of the API server: each cause is logged once, may affect readiness, and recovers by
// itself.
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  expiredCertificate,
  serverCertificate,
} from "../../../packages/controller-runtime/src/testing/certificates.ts";
import { eventually } from "../../../packages/controller-runtime/src/testing/eventually.ts";
import { FakeApiServer } from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import {
  brokenWatch,
  type Fault,
  html,
  neverRespond,
  reset,
  status,
  truncatedResponse,
} from "../../../packages/controller-runtime/src/testing/fake-responses.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import {
  expectLoggedOnce,
  expectRecovery,
  getStatus,
  jobCount,
  log,
  other,
  prepareEachTest,
  server,
  startWithJobs,
  train,
} from "./testing/program-test.ts";
import { RunningProgram } from "./testing/running-program.ts";

const jobs = "/apis/batch/v1/jobs";
const jobSets = "/apis/jobset.x-k8s.io/v1alpha2/jobsets";
const trainStatus = `PUT /apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets/train/status`;
const everything = /^/;

prepareEachTest();

describe("the controller while the API server is unreachable", () => {
  const rejected = "SERVER cannot be reached: connect ECONNREFUSED 127.0.0.1:";

  it("the program waits for the API server at startup", async () => {
    server.put(train);
    await server.stop();
    const running = await RunningProgram.start(server.url);
    await running.notReady("watch JobSet, watch Job, watch Pod, watch Service");
    await server.start();
    await running.ready();
    await jobCount(2);
    expectLoggedOnce("watch JobSet", rejected);
  });

  it("the program waits until the API server is reachable again", async () => {
    const running = await startWithJobs();
    await server.stop();
    await running.notReady("ECONNREFUSED");
    server.put(other);
    await server.start();
    await running.ready();
    await jobCount(3);
    expectLoggedOnce("watch", rejected);
  });

  it("the program stops at once while the API server does not respond", async () => {
    const { program } = await startWithJobs();
    server.injectFault(everything, neverRespond);
    server.put(other);
    await eventually(
      "a request is under way",
      () => server.requests.at(-1)?.startsWith("POST") === true,
    );
    await program.stop(100); // The server never responds.
    expect(log.lines).toEqual([]);
  });
});

describe("an API server with an expired certificate", () => {
  it("the program trusts the API server again after a certificate renewal", async () => {
    const tls = await new FakeApiServer(expiredCertificate).start();
    onTestFinished(() => tls.stop());
    tls.put(train);
    const ca = Buffer.from(expiredCertificate.cert + serverCertificate.cert).toString("base64");
    const file = join(temporaryFolder(), "kubeconfig");
    const cluster = { "certificate-authority-data": ca };
    const kubeconfig = writeKubeConfig(file, tls.url, { cluster });
    const running = await RunningProgram.start(tls.url, { kubeconfig });
    await running.notReady(`${tls.url} cannot be reached: certificate has expired`);
    tls.showCertificate(serverCertificate);
    await running.ready();
    await eventually("there are Jobs", () => tls.objects("Job").length === 2);
    expect(log.messages).toHaveLength(2);
  });
});

describe("faults of the API server", () => {
  /** Runs the program with a fault from the start until the server recovers. */
  async function waitForFault(requests: string | RegExp, fault: Fault, reason: string) {
    server.put(train);
    const answered = server.injectFault(requests, fault);
    const running = await RunningProgram.start(server.url);
    await running.notReady(reason);
    await eventually("it tries again", () => answered() > (requests instanceof RegExp ? 6 : 1));
    server.clearFaults();
    await running.ready();
    await jobCount(2);
  }

  it.each<[string, Fault, string]>([
    [
      "429",
      status(429, "TooManyRequests", "too many", { "retry-after": "0" }),
      "SERVER returned 429: too many",
    ],
    [
      "500",
      status(500, "InternalError", "etcd has no leader"),
      "SERVER returned 500: etcd has no leader",
    ],
    ["HTML", html(502), "SERVER returned 502 with text/html instead of a Status"],
    ["HTML as if all were well", html(200), "SERVER returned 200 without JSON"],
    ["half of the JSON", truncatedResponse, "SERVER ended its response early"],
    ["not at all, and hangs up", reset, "SERVER cannot be reached: socket hang up"],
    ["401", status(401, "Unauthorized", "Unauthorized"), "SERVER returned 401: Unauthorized"],
  ])("%s", async (_, fault, cause) => {
    await waitForFault(everything, fault, cause.replace("SERVER", server.url));
    expectLoggedOnce("watch", cause);
  });

  it("the program recovers from 403 for one kind", async () => {
    const fault = status(403, "Forbidden", "jobs.batch is forbidden");
    await waitForFault(
      `GET ${jobs}`,
      fault,
      "watch Job: SERVER returned 403: jobs.batch is forbidden".replace("SERVER", server.url),
    );
    expectLoggedOnce("watch Job", "SERVER returned 403: jobs.batch is forbidden");
  });

  it("the program recovers from 403 for a watch if lists succeed", async () => {
    const answered = server.injectFault(`WATCH ${jobs}`, status(403, "Forbidden", "no watch"));
    const running = await RunningProgram.start(server.url);
    await running.notReady("no watch");
    await eventually("it tries again", () => answered() > 2);
    server.clearFaults();
    await running.ready();
    expectLoggedOnce("watch Job", "SERVER returned 403: no watch");
  });

  it("the program recovers from 404 for JobSets because the CRD is missing", async () => {
    server.served.delete(jobSets);
    const running = await RunningProgram.start(server.url);
    await running.notReady(
      /does not serve JobSets of jobset.x-k8s.io\/v1alpha2; install the CustomResourceDefinition/,
    );
    server.served.add(jobSets);
    server.put(train);
    await running.ready();
    await jobCount(2);
    expectLoggedOnce(
      "watch JobSet",
      "SERVER does not serve JobSets of jobset.x-k8s.io/v1alpha2; install the CustomResourceDefinition",
    );
  });

  it("a conflict of a status write is retried without a log line", async () => {
    server.put(train);
    server.injectFault(trainStatus, status(409, "Conflict", "the object has been modified"), 2);
    const running = await RunningProgram.start(server.url);
    await running.ready();
    await eventually("the status is written", () => getStatus("train") !== undefined);
    expect(server.requests.filter((line) => line === trainStatus).length).toBeGreaterThan(2);
    expect(log.lines).toEqual([]);
  });

  it("a conflict about an existing object is logged if it persists", async () => {
    server.put(train);
    const path = "POST /apis/batch/v1/namespaces/default/jobs";
    const late = server.injectFault(path, status(409, "AlreadyExists", "it exists"), 4);
    const running = await RunningProgram.start(server.url);
    await running.ready();
    await jobCount(2);
    expect([late(), log.lines]).toEqual([4, []]);

    server.injectFault(path, status(409, "AlreadyExists", "it exists"));
    server.put(other);
    await eventually("the cause is logged", () => log.messages.length > 0);
    server.clearFaults();
    await jobCount(3);
    await expectRecovery("JobSet default/other", "it exists");
  });

  it("the program lists again after 410 for a resumed watch", async () => {
    await startWithJobs();
    server.compact();
    server.endWatches();
    server.put(other);
    await jobCount(3);
    await expectRecovery("watch", "SERVER returned 410: too old resource version");
  });

  it("the program does not log repeated 410 responses but lists again", async () => {
    const running = await startWithJobs();
    const answered = server.injectFault(`WATCH ${jobSets}`, status(410, "Expired", "too old"));
    server.endWatches();
    await eventually("it tries again", () => answered() > 1);
    expect(await running.readiness()).toMatchObject({ code: 200 });
    server.put(other);
    await jobCount(3);
    server.clearFaults();
    await expectRecovery("watch JobSet", "SERVER returned 410: too old");
  });

  it("the program lists again after 410 within a watch", async () => {
    await startWithJobs();
    const object = { kind: "Status", code: 410, reason: "Expired", message: "too old" };
    server.sendToWatches(jobSets, `${JSON.stringify({ type: "ERROR", object })}\n`);
    server.put(other);
    await jobCount(3);
    await expectRecovery("watch JobSet", "SERVER returned 410: too old");
  });

  it("the program resumes a watch that was cut in the middle of a line", async () => {
    const running = await startWithJobs();
    server.sendToWatches(jobSets, '{"type":"ADDED","obj', { thenCut: true });
    server.put(other);
    await jobCount(3);
    await running.ready();
    expectLoggedOnce("watch JobSet", "SERVER ended a watch in the middle of a line");
  });

  it("the program logs if all watches are cut", async () => {
    await waitForFault(
      /^WATCH/,
      brokenWatch('{"type":', "is cut"),
      "ended a watch in the middle of a line",
    );
    expectLoggedOnce("watch", "SERVER ended a watch in the middle of a line");
  });

  it("the program logs if all watches end at once", async () => {
    await waitForFault(/^WATCH/, brokenWatch(""), "closes watches immediately");
    expectLoggedOnce("watch", "SERVER closes watches immediately");
  });

  it("the program logs watches that return other objects", async () => {
    await waitForFault(
      `WATCH ${jobSets}`,
      brokenWatch('{"type":"ADDED","object":null}\n'),
      "sent an invalid watch event",
    );
    expectLoggedOnce("watch JobSet", "SERVER sent an invalid watch event");
  });
});
