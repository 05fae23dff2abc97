import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { NO_QUIRKS } from "@jobset-ts/core";
import { onTestFinished } from "vitest";
import { eventually } from "../../../../packages/controller-runtime/src/testing/eventually.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import type { Options } from "../options.ts";
import { Program, serveThread } from "../program.ts";
import type { ThreadHandle, ThreadStart } from "../thread.ts";

/** Runs a thread's function in the test's own thread, with the same message channel. */
export function startInTestThread(start: ThreadStart): ThreadHandle {
  const { port1, port2 } = new MessageChannel();
  void serveThread(port2, start);
  const terminate = async () => {
    port1.close();
    return 0;
  };
  return Object.assign(port1, { terminate });
}

/** A program under test, with the probes and metrics that Kubernetes and Prometheus read. */
export class RunningProgram {
  readonly program: Program;

  private constructor(program: Program) {
    this.program = program;
  }

  /** Starts the program against a server, with a health port, and stops it when the test ends. */
  static async start(
    server: string,
    options: Partial<Options> = {},
    startThread: (start: ThreadStart) => ThreadHandle = startInTestThread,
  ): Promise<RunningProgram> {
    const all: Options = {
      kubeconfig: writeKubeConfig(join(temporaryFolder(), "kubeconfig"), server),
      controllers: new Set(["jobset", "pod"]),
      featureGates: {},
      quirks: NO_QUIRKS,
      healthPort: 0,
      ...options,
    };
    const program = await Program.start(all, startThread);
    const running = new RunningProgram(program);
    onTestFinished(() => program.stop());
    return running;
  }

  /** Returns the response of `/readyz`. */
  async readiness(): Promise<{ readonly code: number; readonly text: string }> {
    return this.get("health", "/readyz");
  }

  /** Waits until the program is ready. */
  async ready(): Promise<void> {
    await eventually("it is ready", async () => (await this.readiness()).code === 200);
  }

  /** Waits until the program is not ready for this reason. */
  async notReady(reason: string | RegExp): Promise<void> {
    await eventually(`it is not ready: ${reason}`, async () => {
      const { code, text } = await this.readiness();
      return code === 503 && text.search(reason) >= 0;
    });
  }

  async get(port: "health" | "metrics", path: string) {
    const url = `http://127.0.0.1:${this.program.ports.get(port)}${path}`;
    const response = await fetch(url, { headers: { connection: "close" } });
    return { code: response.status, text: await response.text() };
  }

  /** Returns the sum of a metric's samples. */
  async metric(name: string): Promise<number> {
    const { text } = await this.get("metrics", "/metrics");
    const samples = text.matchAll(new RegExp(`^${name}(?:{.*})? (\\S+)$`, "gm"));
    return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
  }
}
