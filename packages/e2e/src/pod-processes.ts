import { mkdirSync, writeFileSync } from "node:fs";
import * as http from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { Cluster, Stored, WatchEvent } from "./cluster.ts";
import { type ControlPlane, freePorts, kubeconfigText } from "./control-plane.ts";
import { Process } from "./process.ts";

/** A Pod whose container runs as a process on this machine. */
interface Running {
  readonly process: Process;
  /** The process's port for each container port. */
  readonly ports: ReadonlyMap<number, number>;
  isReady: boolean;
}

/**
 * Replaces the kubelets and the network for Pods whose images are our programs. Each container is a process with the
 * arguments, Secrets and service account of its Pod. Ports and folders of a Pod are mapped to free ones. Connections of
 * the API server to a Service reach a ready Pod of the Service.
 */
export class PodProcesses {
  readonly #plane: ControlPlane;
  readonly #cluster: Cluster;
  readonly #getProgram: (image: string) => string | undefined;
  readonly #stopping = new AbortController();
  readonly #network = http.createServer();
  readonly #pods = new Map<string, Stored>();
  readonly #running = new Map<string, Running>();
  #loop: Promise<void> | undefined;
  #turn = 0;

  /** @param compileProgram - returns the file that an image runs; undefined for other images */
  constructor(
    plane: ControlPlane,
    cluster: Cluster,
    programOf: (image: string) => string | undefined,
  ) {
    this.#plane = plane;
    this.#cluster = cluster;
    this.#getProgram = programOf;
  }

  async start(): Promise<void> {
    this.#network.on("connect", (request, socket, head) => {
      void this.#proxyConnection(request.url ?? "", socket, head).catch(() => socket.destroy());
    });
    await new Promise<void>((resolve) =>
      this.#network.listen(this.#plane.networkSocket, () => resolve()),
    );
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await Promise.all([...this.#running.values()].map(({ process }) => process.kill()));
    this.#network.closeAllConnections();
    this.#network.close();
  }

  isOurs({ spec }: Stored): boolean {
    return this.#getProgram(spec.containers[0].image) !== undefined;
  }

  /** Returns the ports of the processes for a container port. */
  getPorts(containerPort: number): readonly number[] {
    return [...this.#running.values()].flatMap(({ ports }) => ports.get(containerPort) ?? []);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const following = this.#cluster.follow("Pod", (event) => this.#handleWatchEvent(event), signal);
    while (!signal.aborted) {
      await Promise.all([...this.#pods.values()].map((pod) => this.#observePod(pod)));
      await setTimeout(300, undefined, { signal }).catch(() => {});
    }
    await following;
  }

  #handleWatchEvent({ type, object }: WatchEvent): void {
    if (!this.isOurs(object)) return;
    if (type === "DELETED") this.#pods.delete(object.metadata.uid);
    else this.#pods.set(object.metadata.uid, object);
  }

  async #observePod(pod: Stored): Promise<void> {
    try {
      await this.#act(pod);
    } catch {
      // The Pod has changed or the server is unavailable. The watch reports the Pod again.
    }
  }

  async #act(pod: Stored): Promise<void> {
    const { metadata, spec } = pod;
    if (spec.nodeName === undefined) return;
    const running = this.#running.get(metadata.uid);
    if (metadata.deletionTimestamp !== undefined) {
      await running?.process.stop();
      this.#running.delete(metadata.uid);
      await this.#cluster.end(pod);
      this.#pods.delete(metadata.uid);
      return;
    }
    await this.#mountSecrets(pod);
    if (running === undefined || running.process.hasEnded) {
      this.#running.set(metadata.uid, await this.#startContainer(pod));
      return;
    }
    const { path, port } = spec.containers[0].readinessProbe.httpGet;
    const isReady = await isResponding(running.ports.get(getPort(pod, port)) ?? 0, path);
    if (isReady !== running.isReady) await this.#report(pod, isReady);
    running.isReady = isReady;
  }

  async #startContainer(pod: Stored): Promise<Running> {
    const { metadata, spec } = pod;
    const [{ image, args, ports = [], volumeMounts = [] }] = spec.containers;
    const folder = this.#getFolder(pod);
    const token = await this.#cluster.token(metadata.namespace, spec.serviceAccountName);
    const kubeconfig = join(folder, "kubeconfig");
    const { certificate } = this.#plane.servingCertificate;
    writeFileSync(kubeconfig, kubeconfigText(this.#plane.server, certificate, token));
    const free = await freePorts(ports.length);
    const own = new Map<number, number>(
      ports.map(({ containerPort }: Stored, index: number) => [containerPort, free[index]]),
    );
    const translated = args.map((arg: string) => {
      const [, option, value = ""] = /^(--[^=]+)=(.*)$/.exec(arg) ?? [];
      const isMount = volumeMounts.some(({ mountPath }: Stored) => mountPath === value);
      if (isMount) return `${option}=${join(folder, value)}`;
      return own.has(Number(value)) ? `${option}=${own.get(Number(value))}` : arg;
    });
    const logFile = join(this.#plane.folder, "controller.log");
    const program = this.#getProgram(image) ?? "";
    const env = { KUBECONFIG: kubeconfig };
    const container = new Process(process.execPath, [program, ...translated], { logFile, env });
    await this.#report(pod, false);
    return { process: container, ports: own, isReady: false };
  }

  /** Writes the Secrets to the container's folders, and again when they change. */
  async #mountSecrets(pod: Stored): Promise<void> {
    const { metadata, spec } = pod;
    for (const { name, mountPath } of spec.containers[0].volumeMounts ?? []) {
      const volume = spec.volumes.find((one: Stored) => one.name === name);
      if (volume?.secret === undefined) continue;
      const { secretName } = volume.secret;
      const secret = await this.#cluster.get("Secret", metadata.namespace, secretName);
      const folder = join(this.#getFolder(pod), mountPath);
      mkdirSync(folder, { recursive: true });
      for (const [file, content] of Object.entries<string>(secret?.data ?? {})) {
        writeFileSync(join(folder, file), Buffer.from(content, "base64"));
      }
    }
  }

  #getFolder({ metadata }: Stored): string {
    const folder = join(this.#plane.folder, "pods", metadata.uid);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async #report(pod: Stored, isReady: boolean): Promise<void> {
    const now = new Date().toISOString();
    const ready = {
      type: "Ready",
      status: isReady ? "True" : "False",
      lastTransitionTime: now,
    };
    const containerStatuses = pod.spec.containers.map(({ name, image }: Stored) => {
      const state = { running: { startedAt: now } };
      return { name, image, imageID: image, ready: isReady, restartCount: 0, state };
    });
    const status = { phase: "Running", startTime: now, conditions: [ready], containerStatuses };
    await this.#cluster.patch(pod, { status }, "status");
  }

  /** Forwards a connection for a Service to one of its Pods. */
  async #proxyConnection(address: string, socket: Duplex, head: Buffer): Promise<void> {
    const [host, port] = address.split(":");
    const services = await this.#cluster.list("Service");
    const service = services.find(({ spec }) => spec.clusterIP === host);
    const target = service?.spec.ports.find((one: Stored) => String(one.port) === port)?.targetPort;
    const selector = Object.entries(service?.spec.selector ?? {});
    const behind = [...this.#pods].flatMap(([uid, { metadata }]) => {
      const running = this.#running.get(uid);
      const isSelected = selector.every(([key, value]) => metadata.labels?.[key] === value);
      return running?.isReady && isSelected ? [running.ports.get(target) ?? 0] : [];
    });
    this.#turn += 1;
    const to = behind[this.#turn % behind.length];
    if (to === undefined) {
      socket.end("HTTP/1.1 503 Service Unavailable\r\n\r\n");
      return;
    }
    const onward: Socket = connect(to, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.length > 0) onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.on("close", () => onward.destroy());
  }
}

/** Returns a port by its name or number. */
function getPort({ spec }: Stored, port: string | number): number {
  const named = spec.containers[0].ports.find(({ name }: Stored) => name === port);
  return named?.containerPort ?? Number(port);
}

function isResponding(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("error", () => resolve(false));
    request.setTimeout(5_000, () => request.destroy());
  });
}
