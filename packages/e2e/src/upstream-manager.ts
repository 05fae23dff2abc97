import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { eventually } from "./cluster.ts";
import { freePorts } from "./control-plane.ts";
import { Process } from "./process.ts";

/** Upstream's own controller, to compare its measurements with ours. */
export class UpstreamManager {
  readonly #process: Process;
  readonly #healthPort: number;

  private constructor(process: Process, healthPort: number) {
    this.#process = process;
    this.#healthPort = healthPort;
  }

  static async start(
    binary: string,
    options: {
      readonly folder: string;
      readonly kubeconfig: string;
      readonly certDir: string;
      readonly webhookPort: number;
    },
  ): Promise<UpstreamManager> {
    const { folder, kubeconfig, certDir, webhookPort } = options;
    const [healthPort = 0] = await freePorts(1);
    const config = join(folder, "upstream.yaml");
    writeFileSync(
      config,
      stringify({
        apiVersion: "config.jobset.x-k8s.io/v1alpha1",
        kind: "Configuration",
        leaderElection: { leaderElect: false },
        internalCertManagement: { enable: false },
        webhook: { host: "127.0.0.1", port: webhookPort, certDir },
        metrics: { bindAddress: "0" },
        health: { healthProbeBindAddress: `127.0.0.1:${healthPort}` },
      }),
    );
    // The log level of an installation.
    const args = ["--config", config, "--kubeconfig", kubeconfig, "--zap-devel=false"];
    const logFile = join(folder, "upstream.log");
    return new UpstreamManager(new Process(binary, args, { logFile }), healthPort);
  }

  async ready(): Promise<void> {
    await eventually("upstream's controller is ready", async () => {
      if (this.#process.hasEnded) throw new Error("the process has exited");
      return (await fetch(`http://127.0.0.1:${this.#healthPort}/readyz`)).ok;
    });
  }

  cpuSeconds(): number {
    return this.#process.cpuSeconds();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
