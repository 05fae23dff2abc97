// Tests the whole program: it does its work, and a problem of one JobSet or one thread is logged once.
import type { EventEmitter } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aJob, aJobSet, aNode, aPod } from "@jobset-ts/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serverCertificate } from "../../../packages/controller-runtime/src/testing/certificates.ts";
import { eventually } from "../../../packages/controller-runtime/src/testing/eventually.ts";
import {
  type Fault,
  html,
  reset,
  status,
} from "../../../packages/controller-runtime/src/testing/fake-responses.ts";
import { temporaryFolder } from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import type { Options } from "./options.ts";
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
import { RunningProgram, startInTestThread } from "./testing/running-program.ts";
import type { ThreadCommand, ThreadHandle, ThreadName } from "./thread.ts";

prepareEachTest();

describe("the controller without faults", () => {
  it("the controller creates Jobs, writes the status and logs nothing", async () => {
    const running = await startWithJobs();
    expect(server.objects("Job").map(({ metadata }) => metadata.name)).toEqual([
      "train-workers-0",
      "train-workers-1",
    ]);
    expect(log.lines).toEqual([]);
    expect(await running.get("health", "/healthz")).toEqual({ code: 200, text: "ok\n" });
    expect((await running.get("health", "/metrics")).code).toBe(404);
  });

  it("the controller repairs exclusive placement", async () => {
    const exclusive = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
    const index = "batch.kubernetes.io/job-completion-index";
    const leader = aPod("train-workers-0-0-aaaaa")
      .withAnnotations({ ...exclusive, [index]: "0" })
      .withSpec({ nodeName: "n1" });
    const follower = aPod("train-workers-0-1-bbbbb")
      .withAnnotations({ ...exclusive, [index]: "1" })
      .withSpec({ nodeSelector: { rack: "b" } });
    const node = aNode("n1").withLabels({ rack: "a" });
    for (const object of [aJob("train-workers-0"), node, follower, leader]) server.put(object);
    const running = await RunningProgram.start(server.url);
    await running.ready();
    await eventually("the follower is deleted", () => server.objects("Pod").length === 1);
    expect(server.objects("Pod")[0]?.metadata.name).toBe("train-workers-0-0-aaaaa");
  });

  it("the controller repairs exclusive placement for a follower that is created late", async () => {
    const leader = aPod("train-workers-0-0-aaaaa").exclusive("rack").onNode("n1");
    const node = aNode("n1").withLabels({ rack: "a" });
    for (const object of [aJob("train-workers-0"), node, leader]) server.put(object);
    const running = await RunningProgram.start(server.url);
    await running.ready();
    const follower = aPod("train-workers-0-1-bbbbb").exclusive("rack");
    const names = () => server.objects("Pod").map(({ metadata }) => metadata.name);
    const misplaced = follower.withSpec({ nodeSelector: { rack: "b" } });
    server.put(misplaced);
    await eventually("the follower is deleted", () => names().length === 1);
    expect(names()).toEqual(["train-workers-0-0-aaaaa"]);
  });

  it("the controller serves metrics for Prometheus", async () => {
    server.put(train);
    const running = await RunningProgram.start(server.url, { metricsPort: 0 });
    await running.ready();
    const passes = /^jobset_passes_total\{controller="jobset",result="ok"\} [1-9]/m;
    await eventually("it is counted", async () =>
      passes.test((await running.get("metrics", "/metrics")).text),
    );
    const { text } = await running.get("metrics", "/metrics");
    expect(text).toMatch(/^jobset_sent_requests_total\{method="POST"\} [1-9]/m);
    expect(text).toMatch(/^jobset_queue_depth\{controller="pod"\} 0$/m);
  });

  it("the program runs no controller with --controllers none", async () => {
    server.put(train);
    const running = await RunningProgram.start(server.url, { controllers: new Set() });
    await running.ready();
    expect(server.requests.filter((line) => !/^(GET|WATCH) /.test(line))).toEqual([]);
  });

  it("the program applies switched feature gates at once", async () => {
    const running = await startWithJobs({ metricsPort: 0 });
    const { program } = running;
    const [one] = server.objects("JobSet");
    const wider = structuredClone(one?.spec);
    wider.replicatedJobs[0].template.spec.parallelism = 3;
    wider.replicatedJobs[0].template.spec.completions = 3;
    const passes = () => running.metric("jobset_passes_total");
    const before = await passes();
    server.put({ ...one, spec: wider } as never);
    await eventually("it has been seen", async () => (await passes()) > before);
    await expect(program.switchGates({ Nonsense: true })).rejects.toThrow("Nonsense");
    expect(server.objects("Job").map(({ spec }) => spec.parallelism)).toEqual([1, 1]);
    await program.switchGates({ ElasticJobSet: true });
    await eventually("the Jobs follow", () =>
      server.objects("Job").every(({ spec }) => spec.parallelism === 3),
    );
  });

  it("Events refer to the JobSet that the status write returned", async () => {
    await startWithJobs();
    const [job] = server.objects("Job");
    const condition = { type: "Failed", status: "True", reason: "x", message: "x" };
    server.put({ ...job, status: { conditions: [condition] } } as never);
    const event = () => server.objects("Event").find(({ reason }) => reason === "FailedJobs");
    await eventually("it is reported", () => event() !== undefined);
    const [jobSet] = server.objects("JobSet");
    expect(event()?.regarding.resourceVersion).toBe(jobSet?.metadata.resourceVersion);
  });

  it("one replica reconciles, and another replica takes over when it stops", async () => {
    const replica = (identity: string) =>
      RunningProgram.start(server.url, { leaderElection: { namespace: "ns", identity } });
    const [one, two] = [await replica("one"), await replica("two")];
    await Promise.all([one.ready(), two.ready()]);
    server.put(train);
    await jobCount(2);
    const agents = new Set(server.objects("Event").map((event) => event.reportingInstance));
    expect(agents.size).toBeLessThan(2);
    const [lease] = server.objects("Lease");
    await (lease?.spec.holderIdentity === "one" ? one : two).program.stop();
    server.put(other);
    await jobCount(3);
  });

  it("the program closes all its sockets when it stops", async () => {
    const { program } = await startWithJobs();
    expect(await server.openSockets).toBeGreaterThan(0);
    await program.stop();
    await eventually("no socket is open", async () => (await server.openSockets) === 0);
  });
});

describe("a JobSet with a problem", () => {
  it("a failing JobSet is retried while others are reconciled and the program stays ready", async () => {
    const fault = status(500, "InternalError", "quota cannot be determined");
    server.injectFault("POST /apis/batch/v1/namespaces/sick/jobs", fault);
    server.put(other.inNamespace("sick"));
    const running = await startWithJobs();
    await eventually("the cause is logged", () => log.messages.length > 0);
    expect((await running.readiness()).code).toBe(200);
    server.clearFaults();
    await jobCount(3);
    await expectRecovery("JobSet sick/other", "quota cannot be determined");
    await eventually("Events tell of it", () =>
      server.objects("Event").some(({ reason }) => reason === "JobCreationFailed"),
    );
  });

  it("a rejected request is one log line and one Event, however its message varies", async () => {
    let refusals = 0;
    server.injectFault("POST /apis/batch/v1/namespaces/sick/jobs", (request, response) => {
      refusals += 1;
      return status(403, "Forbidden", `no Job ${refusals}`)(request, response);
    });
    server.put(other.inNamespace("sick"));
    await startWithJobs();
    const events = () =>
      server.objects("Event").filter(({ reason }) => reason === "JobCreationFailed");
    await eventually("it is refused often", () => refusals > 6);
    await eventually("it is counted", () => events().some(({ series }) => series !== undefined));
    expect(events()).toMatchObject([
      { note: expect.stringMatching(/no Job 1$/), series: { count: 2 } },
    ]);
    server.clearFaults();
    await jobCount(3);
    await expectRecovery("JobSet sick/other", "no Job 1");
  });

  it("a JobSet without a plan is retried while others are reconciled", async () => {
    const finished = { type: "Completed", status: "True", reason: "x", message: "x" } as const;
    const rejected = aJobSet("refused").withSpec({ ttlSecondsAfterFinished: 60 });
    server.put(rejected.withStatus({ conditions: [finished as never] }));
    const running = await startWithJobs();
    await eventually("the cause is logged", () => log.messages.length > 0);
    expect((await running.readiness()).code).toBe(200);
    server.remove(rejected);
    await expectRecovery(
      "JobSet default/refused",
      "unable to find the time when the JobSet default/refused finished",
    );
  });

  it("a cause that affects many JobSets is logged once", async () => {
    const running = await startWithJobs();
    const answered = server.injectFault(/^(POST|PUT|PATCH)/, html(503));
    for (const name of ["a", "b", "c"]) server.put(aJobSet(name).withReplicatedJob("workers"));
    await eventually("they try again", () => answered() > 6);
    server.clearFaults();
    await jobCount(5);
    await eventually("it has recovered", () => log.messages.length >= 2);
    await running.ready();
    expectLoggedOnce("JobSet default/a", "SERVER returned 503 with text/html");
  });

  const sick = /^POST .*\/namespaces\/sick\//;
  it.each<[string, Fault, string]>([
    [
      "429 with a long Retry-After",
      status(429, "TooManyRequests", "come again later", { "retry-after": "3600" }),
      "SERVER returned 429: come again later",
    ],
    ["401, as an admission webhook may", status(401, "Unauthorized", "no"), "SERVER returned 401"],
    ["HTML of a proxy, to which it is too large", html(413), "SERVER returned 413 with text/html"],
    ["nothing: a proxy hangs up", reset, "SERVER cannot be reached: socket hang up"],
  ])("a JobSet with %s does not affect readiness and does not delay others", async (...of) => {
    const [, fault, cause] = of;
    const answered = server.injectFault(sick, fault);
    // The number is larger than the number of workers.
    for (let index = 0; index < 40; index += 1) {
      server.put(aJobSet(`s${index}`).inNamespace("sick").withReplicatedJob("workers"));
    }
    const running = await RunningProgram.start(server.url);
    await running.ready();
    await eventually("all are refused", () => answered() >= 40);
    server.put(train);
    await jobCount(2);
    expect(await running.readiness()).toEqual({ code: 200, text: "ok\n" });
    expect(log.messages).toEqual([expect.stringContaining(cause.replace("SERVER", server.url))]);
  });

  it.each([null, 7, "x", [], { replicatedJobs: [null] }, { replicatedJobs: "x", suspend: 3 }])(
    "a JobSet with the spec %j does not block other JobSets",
    async (spec) => {
      server.put({ ...aJobSet("hostile"), spec } as never);
      await startWithJobs();
    },
  );
});

describe("an older CRD", () => {
  it("the program detects an older CRD by the dropped fields, and is not ready until it is replaced", async () => {
    server.prune = ({ replicatedJobsStatus = [] }) => {
      for (const one of replicatedJobsStatus as { suspended?: number }[]) delete one.suspended;
    };
    const suspended = [train.suspended(), other.suspended()];
    for (const jobSet of suspended) server.put(jobSet);
    const running = await RunningProgram.start(server.url);
    await running.notReady("JobSet default/train: the CustomResourceDefinition");
    await running.notReady("JobSet default/other");
    await jobCount(3);
    const countStatusWrites = () =>
      server.requests.filter((line) => line.endsWith("/status")).length;
    const before = countStatusWrites();
    server.put(aJobSet("third").withReplicatedJob("workers"));
    await jobCount(4);
    await eventually("its status is written", () => getStatus("third") !== undefined);
    const ofThird = server.requests.filter((line) => line.endsWith("/third/status")).length;
    expect(countStatusWrites() - before).toBe(ofThird); // The program does not retry immediately.

    server.prune = () => {};
    for (const jobSet of suspended) server.put(jobSet.withLabels({ seen: "again" }));
    await running.ready();
    const cause =
      "the CustomResourceDefinition of JobSets is older than this controller, and drops status.replicatedJobsStatus.suspended";
    expectLoggedOnce("JobSet default/", cause);
  });
});

describe("the threads of the program", () => {
  /** Starts the program with threads that a test can block. */
  async function withThreads(options: Partial<Options> = {}) {
    const threads = new Map<ThreadName, EventEmitter & ThreadHandle>();
    const isDeaf = new Set<ThreadName>();
    /** The messages to blocked threads, delivered when the threads are unblocked. */
    const unheard: (() => void)[] = [];
    const running = await RunningProgram.start(server.url, options, (start) => {
      const thread = startInTestThread(start);
      const send = thread.postMessage.bind(thread);
      threads.set(
        start.name,
        Object.assign(thread, {
          postMessage: (order: ThreadCommand) => {
            if (order.kind !== "Answer" || !isDeaf.has(start.name)) send(order);
            else unheard.push(() => send(order));
          },
        }) as never,
      );
      return thread;
    });
    return { running, threads, isDeaf, unheard };
  }

  it("the program ends if a thread dies, and logs the reason", async () => {
    const { running, threads } = await withThreads();
    await running.ready();
    threads.get("passes")?.emit("error", new Error("JS heap out of memory"));
    expect(await running.program.ended).toBe("the thread of the passes has ended");
    expect(log.messages).toEqual(["error thread of the passes: JS heap out of memory"]);
  });

  it("a watch that ends silently is replaced", async () => {
    const { running, threads } = await withThreads();
    threads.get("passes")?.emit("exit", 0);
    await running.program.ended;
    expect(log.messages).toEqual(["error thread of the passes: the thread ended unexpectedly"]);
  });

  it("a thread that does not respond for half a minute is logged, with the JobSet that it reconciles", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    server.put(train);
    const { running, isDeaf, unheard } = await withThreads();
    await running.ready();
    await jobCount(2);
    isDeaf.add("passes");
    vi.advanceTimersByTime(34_999);
    expect(log.messages).toEqual([]);
    vi.advanceTimersByTime(1);
    const cause = "it has not responded for 30 s; its last pass is over JobSet default/train";
    expect(log.messages).toEqual([`error thread of the passes: ${cause}`]);
    expect(await running.readiness()).toMatchObject({ code: 200 });
    expect(unheard).toHaveLength(1);
    for (const hear of unheard) hear();
    await eventually("it answers", () => log.messages.length === 2);
    expect(log.messages[1]).toBe("info thread of the passes: recovered");
  });

  it("the program is not ready while the webhook thread does not respond", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const certDir = temporaryFolder();
    writeFileSync(join(certDir, "tls.crt"), serverCertificate.cert);
    writeFileSync(join(certDir, "tls.key"), serverCertificate.key);
    const webhook = { host: "127.0.0.1", port: 0, certDir };
    const { running, isDeaf } = await withThreads({ webhook });
    await running.ready();
    isDeaf.add("webhooks");
    vi.advanceTimersByTime(35_000);
    await running.notReady("thread of the webhooks: it has not responded for 30 s");
  });
});
