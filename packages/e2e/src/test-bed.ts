import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Cluster } from "./cluster.ts";
import { type ControlPlane, freePorts } from "./control-plane.ts";
import { ControllerProcess } from "./controller-process.ts";
import { install } from "./installation.ts";
import { Kubelet } from "./kubelet.ts";

/** A control plane with everything installed, nodes, and the means to start controllers. */
export class TestBed {
  readonly plane: ControlPlane;
  readonly cluster: Cluster;
  readonly kubelet: Kubelet;
  readonly #program: string;
  readonly #certDir: string;
  readonly #webhookPort: number;

  static async prepare(plane: ControlPlane, root: string): Promise<TestBed> {
    const [port = 0] = await freePorts(1);
    const bed = new TestBed(plane, root, port);
    const caBundle = readFileSync(join(bed.#certDir, "tls.crt"), "utf8");
    const url = `https://127.0.0.1:${port}`;
    await install(bed.cluster, join(root, "examples", "controller", "manifests"), {
      url,
      caBundle,
    });
    await bed.kubelet.addNode("general", { pool: "general", zone: "a" }, 10_000);
    bed.kubelet.start();
    return bed;
  }

  private constructor(plane: ControlPlane, root: string, webhookPort: number) {
    this.plane = plane;
    this.cluster = new Cluster(plane);
    this.kubelet = new Kubelet(this.cluster);
    this.#program = join(root, "examples", "controller", "controller.mjs");
    this.#webhookPort = webhookPort;
    this.#certDir = join(plane.folder, "webhook-certs");
    mkdirSync(this.#certDir);
    // The scheduler has made itself a certificate for this very address; the webhooks borrow it.
    const scheduler = join(plane.folder, "certs-scheduler", "kube-scheduler");
    copyFileSync(`${scheduler}.crt`, join(this.#certDir, "tls.crt"));
    copyFileSync(`${scheduler}.key`, join(this.#certDir, "tls.key"));
  }

  /** Starts a controller; several may run beside each other with `--leader-elect`. */
  startController(
    more: readonly string[] = [],
    webhookPort = this.#webhookPort,
  ): ControllerProcess {
    const args = [
      ...["--kubeconfig", this.plane.controllerKubeconfig],
      ...["--webhook-host", "127.0.0.1", "--webhook-port", String(webhookPort)],
      ...["--cert-dir", this.#certDir],
      ...more,
    ];
    return ControllerProcess.start(this.#program, args, join(this.plane.folder, "controller.log"));
  }

  async stop(): Promise<void> {
    await this.kubelet.stop();
  }
}
