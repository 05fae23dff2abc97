import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Cluster } from "./cluster.ts";
import { ControlPlane, type ControlPlaneOptions, freePorts } from "./control-plane.ts";
import { ControllerProcess } from "./controller-process.ts";
import { install } from "./installation.ts";
import { type Kubectl, kubectlWithPlugin } from "./kubectl.ts";
import { addNode, Kubelet } from "./kubelet.ts";
import { UpstreamManager } from "./upstream-manager.ts";

/** A control plane with nodes and everything installed, and functions to start controllers. */
export class TestBed {
  readonly plane: ControlPlane;
  readonly cluster: Cluster;
  readonly kubelet: Kubelet;
  readonly #root: string;
  readonly #examples: string;
  readonly #certDir: string;
  readonly #webhookPort: number;
  #kubectl: ReturnType<typeof kubectlWithPlugin> | undefined;

  /** Starts a control plane and installs everything on it. */
  static async start(
    binary: string,
    root: string,
    { runsJobs = true }: Pick<ControlPlaneOptions, "runsJobs"> = {},
  ): Promise<TestBed> {
    const [port = 0] = await freePorts(1);
    const prepare = async (plane: ControlPlane) => {
      const cluster = new Cluster(plane);
      await install(cluster, join(root, "examples"), {
        url: `https://127.0.0.1:${port}`,
        caBundle: plane.certificateAuthority,
      });
      await addNode(cluster, "general", { pool: "general", zone: "a" }, 10_000);
    };
    const plane = await ControlPlane.start(binary, { runsJobs, prepare });
    const bed = new TestBed(plane, root, port);
    if (plane.runsJobs) bed.kubelet.start();
    return bed;
  }

  private constructor(plane: ControlPlane, root: string, webhookPort: number) {
    this.plane = plane;
    this.cluster = new Cluster(plane);
    this.kubelet = new Kubelet(this.cluster);
    this.#root = root;
    this.#examples = join(root, "examples");
    this.#webhookPort = webhookPort;
    this.#certDir = join(plane.folder, "webhook-certs");
    mkdirSync(this.#certDir);
    // The webhooks use the API server's certificate, which is valid for the same address.
    const { certificate, key } = plane.servingCertificate;
    copyFileSync(certificate, join(this.#certDir, "tls.crt"));
    copyFileSync(key, join(this.#certDir, "tls.key"));
  }

  /** Starts the program, or one of its two parts. With `--leader-elect`, several controllers may run. */
  start(
    parts: "everything" | "controllers" | "webhooks",
    { gates = [], args = [] }: { gates?: readonly string[]; args?: readonly string[] } = {},
  ): ControllerProcess {
    const program = join(this.#examples, "controller", "controller.mjs");
    const all = [
      ...["--kubeconfig", this.plane.controllerKubeconfig],
      ...["--controllers", parts === "webhooks" ? "none" : "jobset,pod"],
      ...["--feature-gates", enableAll(gates)],
      ...(parts === "controllers" ? [] : this.#webhookArgs),
      ...args,
    ];
    return ControllerProcess.start(program, all, this.#logFile);
  }

  /** Starts the admission proxy instead of the webhooks. */
  startProxy({ gates }: { readonly gates: readonly string[] }): ControllerProcess {
    const { plane } = this;
    const program = join(this.#examples, "admission-proxy", "proxy.mjs");
    const args = [
      ...["--server", plane.server, "--token-file", plane.proxyTokenFile],
      ...["--host", "127.0.0.1", "--port", String(this.#webhookPort)],
      ...["--cert-dir", this.#certDir, "--feature-gates", enableAll(gates)],
      "--upstream-messages",
    ];
    const trust = { NODE_EXTRA_CA_CERTS: plane.servingCertificate.certificate };
    return ControllerProcess.start(program, args, this.#logFile, trust);
  }

  /** Starts upstream's controller instead of ours. */
  startUpstream(binary: string): Promise<UpstreamManager> {
    const { kubeconfig, folder } = this.plane;
    return UpstreamManager.start(binary, {
      ...{ kubeconfig, folder },
      ...{ certDir: this.#certDir, webhookPort: this.#webhookPort },
    });
  }

  /** Calls kubectl with the plugin `kubectl jobset`. */
  readonly kubectl: Kubectl = async (
    args,
    { kubeconfig = this.plane.kubeconfig, input = "", env = {} } = {},
  ) => {
    this.#kubectl ??= kubectlWithPlugin(this.plane.binary, this.plane.folder, this.#root);
    return (await this.#kubectl)(args, { kubeconfig, input, env });
  };

  get #logFile(): string {
    return join(this.plane.folder, "controller.log");
  }

  get #webhookArgs(): readonly string[] {
    const address = ["--webhook-host", "127.0.0.1", "--webhook-port", String(this.#webhookPort)];
    return [...address, "--cert-dir", this.#certDir, "--upstream-messages"];
  }

  async stop(): Promise<void> {
    await this.kubelet.stop();
    await this.plane.stop();
  }
}

function enableAll(gates: readonly string[]): string {
  return gates.map((gate) => `${gate}=true`).join(",");
}
