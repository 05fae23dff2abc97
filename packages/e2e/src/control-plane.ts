import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../../examples/admission-proxy/src/testing/free-port.ts";
import { Process } from "./process.ts";

/** The maximum startup time of a control plane component, also on a busy machine. */
export const READY_WITHIN_MS = 300_000;

/** The settings of a control plane. */
export interface ControlPlaneOptions {
  /**
   * Whether Jobs run: a Job controller creates their Pods, and a scheduler binds them. Otherwise the tests create the
   * Pods and write the statuses, and nothing else changes them.
   */
  readonly runsJobs?: boolean;
  /** Whether the API server reaches Services through {@link ControlPlane.networkSocket}. The test must listen on it. */
  readonly reachesServices?: boolean;
  /**
   * Called when the API server is ready and before the controllers start, because running controllers notice new kinds
   * late.
   */
  prepare?(plane: ControlPlane): Promise<void>;
}

/** An etcd, kube-apiserver, kube-controller-manager and kube-scheduler on this machine's loopback. */
export class ControlPlane {
  /** The folder for certificates, logs and the kubeconfig. {@link stop} removes it. */
  readonly folder: string;
  readonly kubeconfig: string;
  /** The program that contains all control plane components and kubectl. */
  readonly binary: string;
  /** A kubeconfig with the permissions of the controller's manifests. */
  readonly controllerKubeconfig: string;
  /** A token with the permissions of the admission proxy's manifests. */
  readonly proxyTokenFile: string;
  readonly server: string;
  readonly runsJobs: boolean;
  readonly token = randomBytes(16).toString("hex");
  readonly #ports: Ports;
  readonly #reachesServices: boolean;
  readonly #parts = new Map<string, Process>();

  static async start(
    binary: string,
    {
      runsJobs = true,
      reachesServices = false,
      prepare = async () => {},
    }: ControlPlaneOptions = {},
  ): Promise<ControlPlane> {
    const [etcd, peer, apiServer, controllerManager, scheduler] = await freePorts(5);
    const ports = { etcd, peer, apiServer, controllerManager, scheduler } as Ports;
    const plane = new ControlPlane(binary, ports, { runsJobs, reachesServices });
    try {
      await plane.#startStorage();
      await plane.#startApiServer();
      await prepare(plane);
      await plane.#startControllers();
    } catch (error) {
      await plane.stop();
      throw error;
    }
    return plane;
  }

  private constructor(
    binary: string,
    ports: Ports,
    { runsJobs, reachesServices }: Required<Omit<ControlPlaneOptions, "prepare">>,
  ) {
    this.binary = binary;
    this.#ports = ports;
    this.runsJobs = runsJobs;
    this.#reachesServices = reachesServices;
    this.folder = mkdtempSync(join(tmpdir(), "jobset-e2e-"));
    this.kubeconfig = join(this.folder, "kubeconfig");
    this.controllerKubeconfig = join(this.folder, "jobset-controller.kubeconfig");
    this.proxyTokenFile = join(this.folder, "jobset-admission-proxy.token");
    this.server = `https://127.0.0.1:${ports.apiServer}`;
    this.#writeFiles();
  }

  /** The certificate authority of the API server. */
  get certificateAuthority(): string {
    return readFileSync(this.servingCertificate.certificate, "utf8");
  }

  /** The paths of the API server's self-signed certificate for the loopback interface, and of its key. */
  get servingCertificate(): { readonly certificate: string; readonly key: string } {
    const file = join(this.folder, "certs", "apiserver");
    return { certificate: `${file}.crt`, key: `${file}.key` };
  }

  /** The path of a Unix socket for an HTTP proxy that replaces the cluster network. */
  get networkSocket(): string {
    return join(this.folder, "network.sock");
  }

  /** Kills the API server and starts it again on the same data and port. */
  async restartApiServer(downMs: number): Promise<void> {
    await this.#parts.get("kube-apiserver")?.kill();
    await setTimeout(downMs);
    await this.#startApiServer();
  }

  async stop(): Promise<void> {
    // Components stop before the ones that they depend on.
    const parts = [...this.#parts.values()].reverse();
    for (const part of parts) await part.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #startStorage(): Promise<void> {
    const { etcd, peer } = this.#ports;
    const [client, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`];
    await this.#start("etcd", `${client}/readyz`, [
      `--data-dir=${join(this.folder, "etcd")}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=default=${peers}`,
      "--unsafe-no-fsync",
    ]);
  }

  async #startControllers(): Promise<void> {
    const { controllerManager, scheduler } = this.#ports;
    const common = (port: number, name: string) => [
      `--kubeconfig=${this.kubeconfig}`,
      "--leader-elect=false",
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${join(this.folder, `certs-${name}`)}`,
      // The defaults are 20 and 50 requests per second, which would slow everything down.
      "--kube-api-qps=1000",
      "--kube-api-burst=1000",
    ];
    const health = (port: number) => `https://127.0.0.1:${port}/healthz`;
    await Promise.all([
      this.#start("kube-controller-manager", health(controllerManager), [
        ...common(controllerManager, "controller-manager"),
        `--service-account-private-key-file=${join(this.folder, "service-account.key")}`,
        // The default is five concurrent Jobs, each of which waits for the webhooks.
        "--concurrent-job-syncs=20",
        `--controllers=${this.runsJobs ? "*,-node-lifecycle-controller" : withoutJobs.join()}`,
        "--allocate-node-cidrs=false",
      ]),
      this.runsJobs &&
        this.#start("kube-scheduler", health(scheduler), common(scheduler, "scheduler")),
    ]);
  }

  async #startApiServer(): Promise<void> {
    await this.#start("kube-apiserver", `${this.server}/readyz`, [
      `--etcd-servers=http://127.0.0.1:${this.#ports.etcd}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      `--secure-port=${this.#ports.apiServer}`,
      `--cert-dir=${join(this.folder, "certs")}`,
      "--service-cluster-ip-range=10.0.0.0/24",
      "--authorization-mode=RBAC",
      // As on clusters of kubeadm and of all cloud providers.
      "--allow-privileged=true",
      `--token-auth-file=${join(this.folder, "tokens.csv")}`,
      "--endpoint-reconciler-type=none",
      `--service-account-key-file=${join(this.folder, "service-account.pub")}`,
      `--service-account-signing-key-file=${join(this.folder, "service-account.key")}`,
      `--service-account-issuer=${this.server}`,
      ...(this.#reachesServices ? [`--egress-selector-config-file=${this.#egressFile}`] : []),
    ]);
  }

  get #egressFile(): string {
    return join(this.folder, "egress.json");
  }

  async #start(part: string, readyUrl: string, args: readonly string[]): Promise<void> {
    const logFile = join(this.folder, `${part}.log`);
    const process = new Process(this.binary, [part, ...args], { logFile, cwd: this.folder });
    this.#parts.set(part, process);
    for (
      const deadline = Date.now() + READY_WITHIN_MS;
      Date.now() < deadline;
      await setTimeout(50)
    ) {
      if (process.hasEnded) {
        const lines = readFileSync(logFile, "utf8").trim().split("\n");
        throw new Error(`${part} has ended: ${lines.slice(-3).join(" | ")}`);
      }
      if ((await getStatus(readyUrl, this.token)) === 200) return;
    }
    throw new Error(`${part} is not ready after ${READY_WITHIN_MS / 1000} s`);
  }

  #writeFiles(): void {
    const write = (name: string, text: string) =>
      writeFileSync(join(this.folder, name), text, { mode: 0o600 });
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    write("service-account.key", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
    write("service-account.pub", publicKey.export({ type: "spki", format: "pem" }).toString());
    const users = [[this.token, "admin", "admin", "system:masters"]];
    const ca = this.servingCertificate.certificate;
    write("kubeconfig", kubeconfigText(this.server, ca, this.token));
    for (const account of accounts) {
      const token = randomBytes(16).toString("hex");
      // The name of the service account, so that the client has exactly the permissions of its role.
      const user = `system:serviceaccount:jobset-system:${account}`;
      users.push([token, user, account, "system:serviceaccounts"]);
      write(`${account}.token`, token);
      write(`${account}.kubeconfig`, kubeconfigText(this.server, ca, token));
    }
    write("egress.json", egressText(this.networkSocket));
    write("tokens.csv", users.map((user) => `${user.join(",")}\n`).join(""));
  }
}

/** The service accounts of the examples. */
const accounts = ["jobset-controller", "jobset-admission-proxy"];

/** Returns a kubeconfig with one cluster and one user. */
export function kubeconfigText(
  server: string,
  certificateAuthority: string,
  token: string,
): string {
  const name = "e2e";
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority": certificateAuthority } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
}

/** Configures the API server to connect to Services through an HTTP proxy on a Unix socket. */
function egressText(udsName: string): string {
  const connection = { proxyProtocol: "HTTPConnect", transport: { uds: { udsName } } };
  return JSON.stringify({
    apiVersion: "apiserver.k8s.io/v1beta1",
    kind: "EgressSelectorConfiguration",
    egressSelections: [{ name: "cluster", connection }],
  });
}

/** The controllers that run if Jobs do not. */
const withoutJobs = [
  "garbage-collector-controller",
  "namespace-controller",
  "serviceaccount-controller",
  "persistentvolumeclaim-protection-controller",
];

interface Ports {
  readonly etcd: number;
  readonly peer: number;
  readonly apiServer: number;
  readonly controllerManager: number;
  readonly scheduler: number;
}

/** Returns different ports on which no process listens. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Returns the HTTP status of a page, or 0 without a response. Any certificate is accepted. */
function getStatus(url: string, token: string): Promise<number> {
  const { get } = url.startsWith("https:") ? https : http;
  return new Promise((resolve) => {
    const options = {
      headers: { authorization: `Bearer ${token}` },
      rejectUnauthorized: false,
      timeout: 10_000,
    };
    const request = get(url, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(0));
  });
}
