import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { selfSignedCertificate } from "../../../examples/controller/src/self-signed-certificate.ts";
import { Cluster, eventually, type Stored } from "./cluster.ts";
import { ControlPlane } from "./control-plane.ts";
import { addNode, Kubelet } from "./kubelet.ts";
import type { StoryResult } from "./play.ts";
import { PodProcesses } from "./pod-processes.ts";
import { listConditions } from "./scenario.ts";

/** The title of this suite, for the selection on the command line. */
export const INSTALLED = "installed as its README says";

const SYSTEM = "jobset-system";
const IMAGE = "registry.example.com/jobset-ts-controller:e2e";
const CRD = "jobsets.jobset.x-k8s.io";
const CONFIGURATIONS = [
  ["MutatingWebhookConfiguration", "jobset-mutating-webhooks"],
  ["ValidatingWebhookConfiguration", "jobset-validating-webhooks"],
] as const;

/**
 * Follows the controller's README exactly in an empty cluster. It runs the commands as written, with kubectl and a
 * stand-in for docker on the PATH, and the image's name in the variable that the README uses. Each step depends on the
 * previous one, so the first failure is the last step.
 */
export async function* followReadme(binary: string, root: string): AsyncGenerator<StoryResult> {
  const plane = await ControlPlane.start(binary, { reachesServices: true });
  const cluster = new Cluster(plane);
  const user = new User(root, plane, binary);
  const processes = new PodProcesses(plane, cluster, (image) => user.programIn(image));
  const kubelet = new Kubelet(cluster, (pod) => !processes.isOurs(pod));
  try {
    await addNode(cluster, "general", {}, 100);
    await processes.start();
    kubelet.start();
    const story = new Story(cluster, user, processes);
    for (const [name, step] of story.steps()) {
      const start = performance.now();
      const createResult = (): Omit<StoryResult, "error"> => {
        return { name: `${INSTALLED}: ${name}`, seconds: (performance.now() - start) / 1000 };
      };
      try {
        await step();
        yield createResult();
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error);
        const log = join(plane.folder, "controller.log");
        const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(-20) : [];
        yield { ...createResult(), error: [words, ...lines].join("\n") };
        return;
      }
    }
  } finally {
    await Promise.all([kubelet.stop(), processes.stop()]);
    await plane.stop();
  }
}

/** The result of a user's command. */
interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** A user who follows the README, in the workspace folder, with their own home folder and PATH. */
class User {
  readonly #root: string;
  readonly #home: string;
  /** The command blocks of the README's section. */
  readonly blocks: readonly string[];
  /** The blocks that have not been run yet. */
  readonly unfollowed: Set<string>;

  constructor(root: string, plane: ControlPlane, binary: string) {
    this.#root = root;
    this.#home = join(plane.folder, "home");
    for (const folder of [".kube", "bin", "images"]) {
      mkdirSync(join(this.#home, folder), { recursive: true });
    }
    copyFileSync(plane.kubeconfig, join(this.#home, ".kube", "config"));
    symlinkSync(binary, join(this.#home, "bin", "kubectl"));
    const docker = join(this.#home, "bin", "docker");
    writeFileSync(docker, DOCKER);
    chmodSync(docker, 0o755);
    const readme = readFileSync(join(root, "examples", "controller", "README.md"), "utf8");
    const [, section = ""] = /\n## Run it\n(.*?)\n## /s.exec(readme) ?? [];
    this.blocks = [...section.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    this.unfollowed = new Set(this.blocks);
  }

  /** Returns the file that a built and pushed image runs. */
  programIn(image: string): string | undefined {
    const program = join(this.#home, "images", image, "controller.mjs");
    return existsSync(program) ? program : undefined;
  }

  /** Runs the first block that contains this text. */
  follow(words: string): Promise<CommandResult> {
    const block = this.blocks.find((one) => one.includes(words));
    if (block === undefined) throw new Error(`the README has no command with "${words}"`);
    this.unfollowed.delete(block);
    return this.run(block);
  }

  run(script: string): Promise<CommandResult> {
    const { KUBECONFIG: _, ...inherited } = process.env;
    const env = {
      ...inherited,
      HOME: this.#home,
      PATH: `${join(this.#home, "bin")}:${process.env.PATH}`,
      IMAGES: join(this.#home, "images"),
      IMAGE,
    };
    const options = { cwd: this.#root, env } as const;
    const child = spawn("sh", ["-e", "-c", script], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    return new Promise((resolve) => {
      child.once("close", (code) => resolve({ code: code ?? 1, output }));
    });
  }
}

/**
 * A fake docker that keeps only the file that the Dockerfile copies into an image. It cannot push an image that was not
 * built.
 */
const DOCKER = `#!/bin/sh -e
case "$1 $2" in
  "build --tag") mkdir -p "$IMAGES/$3"; cp "$4/dist/controller.mjs" "$IMAGES/$3/unpushed.mjs" ;;
  push*) mv "$IMAGES/$2/unpushed.mjs" "$IMAGES/$2/controller.mjs" ;;
  *) echo "docker $*: not known here" >&2; exit 1 ;;
esac
`;

class Story {
  readonly #cluster: Cluster;
  readonly #user: User;
  readonly #processes: PodProcesses;

  constructor(cluster: Cluster, user: User, processes: PodProcesses) {
    this.#cluster = cluster;
    this.#user = user;
    this.#processes = processes;
  }

  steps(): readonly (readonly [name: string, step: () => Promise<void>])[] {
    return [
      ["installing beside upstream's controller changes nothing", () => this.#checkRejections()],
      ["one command installs the controller, and a JobSet completes", () => this.#install()],
      [
        "running install again updates the installation and keeps the certificate",
        () => this.#upgrade(),
      ],
      [
        "an expiring certificate is renewed and served without a restart",
        () => this.#renewCertificate(),
      ],
      ["uninstall keeps the JobSets", () => this.#uninstall()],
      ["uninstall --delete-crd deletes the JobSets", () => this.#deletesCrd()],
      ["the manifests can be applied by hand", () => this.#applyByHand()],
    ];
  }

  async #checkRejections(): Promise<void> {
    await this.#cluster.create({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "elsewhere" },
    });
    const labels = { "control-plane": "controller-manager" };
    const containers = [{ name: "manager", image: "registry.k8s.io/jobset/jobset:v0.12.0" }];
    await this.#cluster.create({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace: "elsewhere", name: "our-jobset" },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    await this.#cluster.create(upstreamWebhooks);
    const { code, output } = await this.#user.follow(" install ");
    assert.equal(code, 1, output);
    for (const command of [
      "kubectl delete deployment --namespace elsewhere our-jobset",
      "kubectl delete validatingwebhookconfiguration jobset-validating-webhook-configuration",
    ]) {
      assert.ok(output.includes(`: ${command}\n`), output);
      const removed = await this.#user.run(command);
      assert.equal(removed.code, 0, removed.output);
    }
    assert.equal(await this.#cluster.get("Namespace", "", SYSTEM), undefined);
    assert.equal(await this.#cluster.get("CustomResourceDefinition", "", CRD), undefined);
  }

  async #install(): Promise<void> {
    await this.#expectSuccess(this.#user.follow(" install "));
    await this.#expectSuccess(this.#user.follow("kind: JobSet"));
    const jobSet = await this.#cluster.get("JobSet", "default", "hello");
    assert.deepEqual(
      listConditions(jobSet).map(({ type, status }) => `${type}=${status}`),
      ["Completed=True"],
    );
  }

  async #upgrade(): Promise<void> {
    const before = await this.#secret();
    const output = await this.#expectSuccess(this.#user.follow(" install "));
    assert.match(output, /certificate of the webhooks: kept/);
    assert.deepEqual((await this.#secret()).data, before.data);
  }

  async #renewCertificate(): Promise<void> {
    const now = Date.now();
    const day = 86_400_000;
    const host = `jobset-webhooks.${SYSTEM}.svc`;
    const old = selfSignedCertificate(host, { fromMs: now - 300 * day, toMs: now + 65 * day });
    const data = { "tls.crt": base64(old.cert), "tls.key": base64(old.key) };
    await this.#cluster.patch(await this.#secret(), { data });
    const before = this.#processes.getPorts(9443);
    assert.equal(before.length, 2);
    // The holder of the Lease at the start of the step. Any other holder afterwards is a new one.
    const lease = await this.#cluster.get("Lease", SYSTEM, "jobset-controller");
    await this.#cluster.patch(lease, { spec: { holderIdentity: "another-program" } });
    const renewed = await eventually("the certificate is renewed", async () => {
      const { data } = await this.#secret();
      return data["tls.crt"] !== base64(old.cert) && decodeBase64(data["tls.crt"]);
    });
    for (const [kind, name] of CONFIGURATIONS) {
      const { webhooks } = await this.#cluster.get(kind, "", name);
      for (const { clientConfig } of webhooks) {
        const trusted = decodeBase64(clientConfig.caBundle);
        assert.ok(trusted.includes(renewed) && trusted.includes(old.cert), trusted);
      }
    }
    await eventually("every replica serves the new certificate", async () => {
      const ports = this.#processes.getPorts(9443);
      const shown = await Promise.all(ports.map(readServedCertificate));
      return ports.length === 2 && shown.every((cert) => cert === renewed);
    });
    // The replica that lost the Lease has restarted. The other one continues.
    const after = this.#processes.getPorts(9443);
    assert.equal(after.filter((port) => before.includes(port)).length, 1);
    await this.#expectSuccess(this.#user.run("kubectl delete jobset hello"));
    await this.#expectSuccess(this.#user.follow("kind: JobSet"));
  }

  async #uninstall(): Promise<void> {
    const output = await this.#expectSuccess(this.#user.follow(" uninstall "));
    assert.match(
      output,
      /--delete-crd deletes it, and with it all JobSets with their Jobs, currently 1\n/,
    );
    assert.ok(await this.#cluster.get("JobSet", "default", "hello"));
    for (const [kind, name] of CONFIGURATIONS) {
      assert.equal(await this.#cluster.get(kind, "", name), undefined);
    }
    assert.deepEqual(await this.#cluster.list("Pod", SYSTEM), []);
    assert.equal(await this.#cluster.get("Secret", SYSTEM, "jobset-webhooks"), undefined);
  }

  async #deletesCrd(): Promise<void> {
    const output = await this.#expectSuccess(this.#user.follow("--delete-crd"));
    assert.match(output, /deleting it deletes all JobSets with their Jobs, currently 1\n/);
    assert.equal(await this.#cluster.get("CustomResourceDefinition", "", CRD), undefined);
    await eventually("the Jobs are gone", async () => {
      return (await this.#cluster.list("Job", "default")).length === 0;
    });
  }

  async #applyByHand(): Promise<void> {
    await this.#expectSuccess(this.#user.follow("rollout status"));
    await this.#expectSuccess(this.#user.follow("kind: JobSet"));
    assert.deepEqual([...this.#user.unfollowed], []);
  }

  #secret(): Promise<Stored> {
    return this.#cluster.get("Secret", SYSTEM, "jobset-webhooks");
  }

  async #expectSuccess(running: Promise<CommandResult>): Promise<string> {
    const { code, output } = await running;
    assert.equal(code, 0, output);
    return output;
  }
}

const upstreamWebhooks = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "jobset-validating-webhook-configuration" },
  webhooks: [
    {
      name: "vjobset.kb.io",
      clientConfig: { service: { namespace: "elsewhere", name: "jobset-webhook-service" } },
      rules: [
        {
          apiGroups: ["jobset.x-k8s.io"],
          apiVersions: ["v1alpha2"],
          resources: ["jobsets"],
          operations: ["CREATE"],
        },
      ],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    },
  ],
};

/** Returns the certificate that a server on this machine presents, as PEM text. */
function readServedCertificate(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      const lines =
        socket
          .getPeerCertificate()
          .raw.toString("base64")
          .match(/.{1,64}/g) ?? [];
      socket.end();
      resolve(`-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`);
    });
    socket.on("error", reject);
  });
}

function decodeBase64(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("utf8");
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
