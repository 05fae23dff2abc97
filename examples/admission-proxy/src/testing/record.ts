// Records recordings/*.json again. It starts a control plane on this machine, installs the proxy and the example
// controller with the permissions of their manifests, and plays the scenarios below.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConditionLog } from "@jobset-ts/controller-runtime";
import { WebhookServer } from "@jobset-ts/controller-runtime/node";
import { Cluster, eventually, type Stored } from "../../../../packages/e2e/src/cluster.ts";
import { ControlPlane } from "../../../../packages/e2e/src/control-plane.ts";
import { controlPlaneBinary } from "../../../../packages/e2e/src/control-plane-binary.ts";
import { ControllerProcess } from "../../../../packages/e2e/src/controller-process.ts";
import { install } from "../../../../packages/e2e/src/installation.ts";
import { addNode } from "../../../../packages/e2e/src/kubelet.ts";
import { CertificateAuthority } from "./certificate-authority.ts";
import { type Exchange, fetchTrusting, recordingProxy } from "./recorder.ts";

const RACK = "example.com/rack";

const claimSpec = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
};

// The bundle of this program is in another folder, so the command passes the workspace root.
const [root = ""] = process.argv.slice(2);
const examples = join(root, "examples");

/** Selects an exchange. */
type Predicate = (exchange: Exchange) => boolean;

const isMutated = ({ request }: Exchange) => request.path.startsWith("/mutate");
const isAllowed = ({ answer }: Exchange) => (answer.body as Stored).response.allowed;
const isAbout = (kind: string, name: string) => (exchange: Exchange) => {
  const { object } = (exchange.request.body as Stored).request;
  return (
    object.kind === kind && (object.metadata.name ?? object.metadata.generateName).startsWith(name)
  );
};
const all =
  (...claims: readonly Predicate[]) =>
  (exchange: Exchange) =>
    claims.every((holds) => holds(exchange));
const not = (holds: Predicate) => (exchange: Exchange) => !holds(exchange);
const isReadOf = (kind: string) => (exchange: Exchange) =>
  exchange.reads.some(({ body }) => (body as Stored).kind === kind);

const binary = controlPlaneBinary(join(root, "packages", "e2e", "controlplane"), console.error);
if (binary.outcome !== "Found") throw new Error(binary.reason);
const plane = await ControlPlane.start(binary.path);
try {
  await record(plane);
} finally {
  await plane.stop();
}
process.exit();

async function record(plane: ControlPlane): Promise<void> {
  const cluster = new Cluster(plane);
  const exchanges: Exchange[] = [];
  const authority = new CertificateAuthority();
  const url = await serveRecording(plane, authority, (exchange) => exchanges.push(exchange));
  await install(cluster, examples, { url, caBundle: authority.cert });
  const controller = ControllerProcess.start(
    join(examples, "controller", "controller.mjs"),
    ["--kubeconfig", plane.controllerKubeconfig],
    join(plane.folder, "controller.log"),
  );
  await controller.ready();
  await play(cluster, exchanges);
  await controller.stop();
}

/** Keeps the first exchange for which a predicate holds, under a name. */
type KeepRecording = (name: string, story: string, isSelected: Predicate) => Promise<void>;

/** Plays all scenarios, and keeps the selected exchanges under their names. */
async function play(cluster: Cluster, exchanges: Exchange[]): Promise<void> {
  const keep: KeepRecording = async (name, story, isSelected) => {
    const exchange = await eventually(name, async () => exchanges.find(isSelected));
    const text = JSON.stringify({ story, ...exchange }, null, 2);
    writeFileSync(join(examples, "admission-proxy", "recordings", `${name}.json`), `${text}\n`);
  };
  await playVolumeClaims(cluster, keep);
  await playExclusivePlacement(cluster, keep);
  await playSharedPods(cluster, keep);
}

/** PVCs from templates: a new PVC, and one whose name a different PVC uses. */
async function playVolumeClaims(cluster: Cluster, keep: KeepRecording): Promise<void> {
  await cluster.create(namespaceNamed("storage"));
  await cluster.create(jobSet("storage", "fresh", createStored("data")));
  const fresh = isAbout("JobSet", "fresh");
  await keep(
    "jobset-create-mutate",
    "A new JobSet gets its defaults; nothing is read.",
    all(fresh, isMutated),
  );
  await keep(
    "jobset-create-allowed",
    "A new JobSet is admitted because its PersistentVolumeClaim does not exist yet.",
    all(fresh, not(isMutated)),
  );
  await cluster.create(claim("storage", "data-taken"));
  await expectRejection(cluster.create(jobSet("storage", "taken", createStored("data"))));
  await keep(
    "jobset-create-denied",
    "A new JobSet is denied because it would delete an existing PersistentVolumeClaim.",
    all(isAbout("JobSet", "taken"), not(isMutated)),
  );
}

/** A leader waits for capacity, and its follower is denied. Then capacity becomes available. */
async function playExclusivePlacement(cluster: Cluster, keep: KeepRecording): Promise<void> {
  await cluster.create(namespaceNamed("ml"));
  await addNode(cluster, "small", { [RACK]: "rack-1" }, 2);
  const train = await cluster.create(jobSet("ml", "train", exclusiveWorkers()));
  const [leader, follower] = [
    isAbout("Pod", "train-workers-0-0-"),
    isAbout("Pod", "train-workers-0-1-"),
  ];
  await keep(
    "pod-leader-mutate",
    "A leader gets the affinity terms that reserve its rack for its Job. Nothing is read.",
    all(leader, isMutated),
  );
  await keep(
    "pod-leader-allowed",
    "A leader is admitted; nothing is read.",
    all(leader, not(isMutated)),
  );
  const waits = all(follower, not(isMutated), not(isAllowed), isReadOf("EventList"));
  await keep(
    "pod-follower-leader-pending",
    "A follower is denied while no node has capacity for its leader, and the log names the shortage as the cause.",
    all(waits, ({ log }) => JSON.stringify(log).includes("insufficient-capacity")),
  );
  const twice = { ...train.spec.replicatedJobs[0], replicas: 2 };
  await expectRejection(cluster.patch(train, { spec: { replicatedJobs: [twice] } }));
  await keep(
    "jobset-update-denied",
    "An update is denied because the number of replicas is immutable.",
    all(isAbout("JobSet", "train"), not(isMutated), not(isAllowed)),
  );

  // Capacity becomes available.
  await addNode(cluster, "large", { [RACK]: "rack-2" }, 16);
  await keep(
    "pod-follower-mutate",
    "A follower gets the node selector for the rack of its leader's node.",
    all(follower, isMutated, isReadOf("Node")),
  );
  await keep(
    "pod-follower-allowed",
    "A follower that selects its leader's rack is admitted.",
    all(follower, not(isMutated), isAllowed),
  );
}

/** The Pods have no exclusive placement. */
async function playSharedPods(cluster: Cluster, keep: KeepRecording): Promise<void> {
  await cluster.create(namespaceNamed("web"));
  await cluster.create(jobSet("web", "shared", {}));
  const shared = isAbout("Pod", "shared-workers-0-0-");
  await keep(
    "pod-shared-mutate",
    "A Pod without exclusive placement is not changed; nothing is read.",
    all(shared, isMutated),
  );
  await keep(
    "pod-shared-allowed",
    "A Pod without exclusive placement is admitted; nothing is read.",
    all(shared, not(isMutated)),
  );
}

/** Expects the request to be rejected. */
async function expectRejection(request: Promise<unknown>): Promise<void> {
  await request.then(
    () => {
      throw new Error("the request was admitted unexpectedly");
    },
    () => {},
  );
}

async function serveRecording(
  plane: ControlPlane,
  authority: CertificateAuthority,
  keep: (exchange: Exchange) => void,
): Promise<string> {
  const certDir = join(plane.folder, "proxy-certs");
  mkdirSync(certDir);
  const { cert, key } = authority.issue();
  writeFileSync(join(certDir, "tls.crt"), cert);
  writeFileSync(join(certDir, "tls.key"), key);
  const fetch = fetchTrusting(plane.certificateAuthority);
  let token: Promise<string> | undefined;
  const proxy = recordingProxy(
    { server: plane.server, fetch, token: () => (token ??= accountToken(plane)) },
    keep,
  );
  const server = new WebhookServer(proxy, certDir, new ConditionLog());
  const port = await server.listen("127.0.0.1", 0);
  return `https://127.0.0.1:${port}`;
}

/** Returns a token of the proxy's service account, so that the proxy has exactly the permissions of its role. */
async function accountToken(plane: ControlPlane): Promise<string> {
  const account = "/api/v1/namespaces/jobset-system/serviceaccounts/jobset-admission-proxy/token";
  const response = await fetchTrusting(plane.certificateAuthority)(plane.server + account, {
    method: "POST",
    headers: { authorization: `Bearer ${plane.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {},
    }),
  });
  const { status } = (await response.json()) as { status: { token: string } };
  return status.token;
}

function namespaceNamed(name: string): Stored {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

function jobSet(namespace: string, name: string, spec: Stored): Stored {
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { namespace, name },
    spec: { replicatedJobs: [workers({})], ...spec },
  };
}

/** Returns a JobSet of two Pods with exclusive placement by rack. Each Pod is too large for a small node. */
function exclusiveWorkers(): Stored {
  const annotations = { "alpha.jobset.sigs.k8s.io/exclusive-topology": RACK };
  return { replicatedJobs: [workers({ annotations, cpu: "8" })] };
}

function workers({
  annotations = {},
  cpu = "1",
  volumeMounts = [],
}: {
  readonly annotations?: Stored;
  readonly cpu?: string;
  readonly volumeMounts?: Stored;
}): Stored {
  const container = {
    name: "main",
    image: "example.com/main:1",
    resources: { requests: { cpu } },
    volumeMounts,
  };
  return {
    name: "workers",
    template: {
      metadata: { annotations },
      spec: {
        parallelism: 2,
        completions: 2,
        template: { spec: { restartPolicy: "Never", containers: [container] } },
      },
    },
  };
}

/** Returns a JobSet with a PVC that is deleted with it. */
function createStored(name: string): Stored {
  return {
    replicatedJobs: [workers({ volumeMounts: [{ name, mountPath: "/data" }] })],
    volumeClaimPolicies: [
      {
        templates: [{ metadata: { name }, spec: claimSpec }],
        retentionPolicy: { whenDeleted: "Delete" },
      },
    ],
  };
}

function claim(namespace: string, name: string): Stored {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace, name },
    spec: claimSpec,
  };
}
