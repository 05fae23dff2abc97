// Tests the program as a process: exit codes, standard input and output, signals.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it, type TestContext } from "vitest";
import { serverCertificate } from "../../../packages/controller-runtime/src/testing/certificates.ts";
import { eventually } from "../../../packages/controller-runtime/src/testing/eventually.ts";
import { FakeApiServer } from "../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import { neverRespond } from "../../../packages/controller-runtime/src/testing/fake-responses.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { ControllerProcess } from "./testing/controller-process.ts";

/** Starts the program with a kubeconfig for the server. Stops it when the test ends. */
function startController(
  test: TestContext,
  server: string,
  ...args: readonly string[]
): Promise<ControllerProcess> {
  const folder = temporaryFolder(test.onTestFinished);
  const kubeconfig = writeKubeConfig(join(folder, "config"), server);
  return startWatchedController(test, ["--kubeconfig", kubeconfig, ...args]);
}

async function startWatchedController(
  { onTestFinished }: TestContext,
  args: readonly string[],
  input?: "ignore",
  nodeFlags?: readonly string[],
): Promise<ControllerProcess> {
  const controller = await ControllerProcess.start(args, input, nodeFlags);
  onTestFinished(async () => {
    controller.signal("SIGKILL");
    await controller.ended;
  });
  return controller;
}

async function aServer({ onTestFinished }: TestContext): Promise<FakeApiServer> {
  const server = await new FakeApiServer().start();
  onTestFinished(() => server.stop());
  return server;
}

describe.concurrent("the controller program", () => {
  it("the controller reports readiness, switches gates, and exits when standard input closes", async (test) => {
    const server = await aServer(test);
    server.put(aJobSet("train").withReplicatedJob("workers"));
    const controller = await startController(
      test,
      server.url,
      "--feature-gates",
      "ElasticJobSet=false",
    );
    await controller.ready();
    expect(controller.said).toEqual([{ ready: true }]);
    await eventually("it works", () => server.objects("Job").length === 1);
    expect(await controller.request('{"featureGates":{"RestartJob":true}}')).toEqual({ ok: true });
    for (const [line, error] of [
      ['{"featureGates":{"RestartJob":"yes"}}', "featureGates.RestartJob is not a boolean"],
      ['{"featureGates":{"Nonsense":true}}', expect.stringContaining("Nonsense")],
      ['{"featureGates":[]}', "featureGates is not an object"],
      ["null", "featureGates is not an object"],
      ["nonsense", expect.stringContaining("JSON")],
    ] as const) {
      expect(await controller.request(line)).toEqual({ error });
    }
    controller.closeInput();
    expect(await controller.ended).toBe(0);
    expect(controller.logged).toMatchObject([
      { level: "info", message: "stopping", reason: "standard input has closed" },
    ]);
    await eventually("no socket is open", async () => (await server.openSockets) === 0);
  });

  it.runIf(process.platform === "linux")(
    "the controller gives the probe and webhook threads priority over the reconcile thread",
    async (test) => {
      const server = await aServer(test);
      const certDir = temporaryFolder(test.onTestFinished);
      writeFileSync(join(certDir, "tls.crt"), serverCertificate.cert);
      writeFileSync(join(certDir, "tls.key"), serverCertificate.key);
      const controller = await startController(
        test,
        server.url,
        "--webhook-port",
        "0",
        "--cert-dir",
        certDir,
      );
      await controller.ready();
      const [usual = 0] = controller.threadPriorities();
      const others = controller.threadPriorities().filter((priority) => priority !== usual);
      expect(others).toEqual([7]);
    },
  );

  it("the controller keeps running if standard input is /dev/null, as in a Pod", async (test) => {
    const server = await aServer(test);
    const kubeconfig = writeKubeConfig(join(temporaryFolder(test.onTestFinished), "c"), server.url);
    const controller = await startWatchedController(test, ["--kubeconfig", kubeconfig], "ignore");
    await controller.ready();
    expect(controller.logged).toEqual([]);
    controller.signal("SIGTERM");
    expect(await controller.ended).toBe(0);
    expect(controller.logged).toMatchObject([{ message: "stopping", reason: "SIGTERM" }]);
  });

  it("the controller waits for an unreachable API server, and exits on SIGTERM if the server is silent", async (test) => {
    const server = await aServer(test);
    await server.stop();
    const controller = await startController(test, server.url);
    await eventually("the cause is logged", () => controller.logged.length > 0);
    await server.start();
    await controller.ready();
    const faults = server.injectFault(/^POST/, neverRespond);
    server.put(aJobSet("train").withReplicatedJob("workers"));
    await eventually("a request is under way", () => faults() > 0);
    controller.signal("SIGTERM");
    expect(await controller.ended).toBe(0);
    expect(controller.logged.map(({ message }) => message)).toEqual([
      expect.stringContaining("ECONNREFUSED"),
      "recovered",
      "stopping",
    ]);
  });

  it("the controller exits with 1 if another replica takes the Lease", async (test) => {
    const server = await aServer(test);
    const controller = await startController(
      test,
      server.url,
      "--leader-elect",
      "--leader-elect-identity",
      "a",
    );
    await controller.ready();
    await eventually("it leads", () => server.objects("Lease").length === 1);
    const [lease] = server.objects("Lease");
    expect(lease).toMatchObject({
      metadata: { namespace: "jobset-system", name: "jobset-controller" },
      spec: { holderIdentity: "a" },
    });
    if (lease) server.put({ ...lease, spec: { ...lease.spec, holderIdentity: "b" } } as never);
    expect(await controller.ended).toBe(1);
    expect(server.objects("Lease")[0]?.spec.holderIdentity).toBe("b");
  });

  it.for([
    ["--help", /^A controller of JobSets/],
    ["--version", /^\d+\.\d+\.\d+\n$/],
  ] as const)(
    "the controller prints the response to %s and exits",
    async ([option, text], test) => {
      const controller = await startWatchedController(test, [option]);
      expect([await controller.ended, controller.logged]).toEqual([0, []]);
      expect(controller.text).toMatch(text);
    },
  );

  it("the controller uses a new identity for leader election in each process", async (test) => {
    const server = await aServer(test);
    const identities = new Set<string>();
    for (let start = 0; start < 2; start += 1) {
      const controller = await startController(test, server.url, "--leader-elect");
      await controller.ready();
      identities.add(server.objects("Lease")[0]?.spec.holderIdentity);
      controller.signal("SIGTERM");
      expect(await controller.ended).toBe(0);
    }
    expect([...identities]).toEqual(Array(2).fill(expect.stringMatching(/_[0-9a-f]{16}$/)));
  });

  /** Returns the ready program. Its reconcile thread runs this code as soon as gates are switched. */
  async function readyToFail(test: TestContext, code: string): Promise<ControllerProcess> {
    const server = await aServer(test);
    const folder = temporaryFolder(test.onTestFinished);
    const kubeconfig = writeKubeConfig(join(folder, "config"), server.url);
    const module = `import { writeSync } from "node:fs";
      import { parentPort, workerData } from "node:worker_threads";
      const fail = ({ kind }) => { if (kind === "SwitchGates") { ${code} } };
      if (workerData?.name === "passes") parentPort.on("message", fail);`;
    const preloaded = ["--import", `data:text/javascript,${encodeURIComponent(module)}`];
    const flags = ["--max-old-space-size=100", ...preloaded];
    const controller = await startWatchedController(
      test,
      ["--kubeconfig", kubeconfig],
      undefined,
      flags,
    );
    await controller.ready();
    controller.write('{"featureGates":{}}');
    return controller;
  }

  it.for([
    ["a mistake", 'throw new Error("a mistake");'],
    [
      "JS heap out of memory",
      "for (const all = []; ; ) all.push(new Array(1e6).fill(all.length));",
    ],
  ] as const)("the controller exits with 1 if a thread dies of %s", async ([cause, code], test) => {
    const controller = await readyToFail(test, code);
    expect(await controller.ended).toBe(1);
    expect(controller.logged.filter(({ level }) => level !== undefined)).toMatchObject([
      { level: "error", about: "thread of the passes", message: expect.stringContaining(cause) },
      { message: "stopping", reason: "the thread of the passes has ended" },
    ]);
  });

  it("the controller exits although a thread does not end", async (test) => {
    const forever = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
    const controller = await readyToFail(test, `writeSync(2, "{}\\n"); ${forever}`);
    await eventually("it waits forever", () => controller.logged.length > 0);
    controller.signal("SIGTERM");
    expect(await controller.ended).toBe(0);
    expect(controller.said).toEqual([{ ready: true }]);
  });

  it.for<readonly [string, (folder: string, port: string) => readonly string[]]>([
    ["Unknown option '--nonsense'", () => ["--nonsense"]],
    ["ENOENT", (folder) => ["--kubeconfig", join(folder, "nothing")]],
    [
      'the current context "" does not exist',
      (folder) => {
        writeFileSync(join(folder, "config"), "apiVersion: v1\nkind: Config\n");
        return ["--kubeconfig", join(folder, "config")];
      },
    ],
    [
      "EADDRINUSE",
      (folder, port) => {
        const config = writeKubeConfig(join(folder, "config"), `http://127.0.0.1:${port}`);
        return ["--kubeconfig", config, "--health-port", port];
      },
    ],
  ])("the controller exits with 2 and one line: %s", async ([sentence, argsIn], test) => {
    const { port } = new URL((await aServer(test)).url);
    const folder = temporaryFolder(test.onTestFinished);
    const controller = await startWatchedController(test, argsIn(folder, port));
    expect([await controller.ended, controller.said]).toEqual([2, []]);
    expect(controller.logged).toEqual([
      { time: expect.any(String), level: "error", message: expect.stringContaining(sentence) },
    ]);
  });
});
