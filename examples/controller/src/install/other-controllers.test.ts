import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { FakeApiServer } from "../../../../packages/controller-runtime/src/testing/fake-api-server.ts";
import {
  temporaryFolder,
  writeKubeConfig,
} from "../../../../packages/controller-runtime/src/testing/kubeconfig.ts";
import { clientFor } from "../kube-config.ts";
import { Administrator } from "./administrator.ts";
import { deploymentWith, readPrerequisites } from "./manifests.ts";
import { findOtherControllers } from "./other-controllers.ts";

const now = Date.parse("2026-03-01T00:00:00Z");
const registration = "admissionregistration.k8s.io/v1";

let server: FakeApiServer;
let cluster: Administrator;

beforeEach(async () => {
  server = await new FakeApiServer().start();
  onTestFinished(() => server.stop());
  server.served.add("/apis/apps/v1/deployments");
  for (const kind of ["mutating", "validating"]) {
    server.served.add(`/apis/${registration}/${kind}webhookconfigurations`);
  }
  const file = writeKubeConfig(join(temporaryFolder(), "config"), server.url);
  const client = clientFor(file);
  onTestFinished(() => client.close());
  cluster = new Administrator(client, 1);
});

function putDeployment(name: string, image: string): void {
  const labels = { "control-plane": "controller-manager" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "manager", image }] } };
  const spec = { selector: { matchLabels: labels }, template };
  server.put({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "ns", name },
    spec,
  } as never);
}

function putWebhooks(name: string, service: string): void {
  const clientConfig = { service: { namespace: "jobset-system", name: service } };
  const webhook = { name: "any", clientConfig, rules: [{ apiGroups: ["jobset.x-k8s.io"] }] };
  const kind = "ValidatingWebhookConfiguration";
  server.put({ apiVersion: registration, kind, metadata: { name }, webhooks: [webhook] } as never);
}

function putLease(renewTime: string, holderIdentity: string): void {
  server.put({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace: "ns", name: "6d4f6a47.jobset.x-k8s.io" },
    spec: { holderIdentity, renewTime, leaseDurationSeconds: 15 },
  } as never);
}

it("findOtherControllers finds nothing on an empty cluster or beside our own controller, whatever its image", async () => {
  expect(await findOtherControllers(cluster, now)).toEqual([]);
  const isWebhooks = ({ kind = "" }) => kind.endsWith("WebhookConfiguration");
  for (const object of readPrerequisites().filter(isWebhooks)) server.put(object);
  server.put(deploymentWith({ image: "example.com/jobset:1" }));
  putDeployment("kueue", "registry.k8s.io/kueue/kueue:v0.17.0");
  expect(await findOtherControllers(cluster, now)).toEqual([]);
});

it.each([
  ["jobset-controller-manager", "example.com/mirrored:v1"],
  // Upstream's chart and our manifests use the same name.
  ["jobset-controller", "registry.k8s.io/jobset/jobset:v0.12.0"],
  ["mine", "localhost:5000/jobset@sha256:0123"],
  ["mine", "jobset"],
])("findOtherControllers finds upstream's Deployment %s of %s", async (name, image) => {
  putDeployment(name, image);
  expect(await findOtherControllers(cluster, now)).toEqual([
    `Deployment ${name} in ns: kubectl delete deployment --namespace ns ${name}`,
  ]);
});

it("findOtherControllers finds JobSet webhooks that call another Service, also under our names", async () => {
  putWebhooks("jobset-validating-webhooks", "jobset-admission-proxy");
  putWebhooks("jobset-validating-webhook-configuration", "jobset-webhook-service");
  const kind = "validatingwebhookconfiguration";
  expect(await findOtherControllers(cluster, now)).toEqual([
    `ValidatingWebhookConfiguration jobset-validating-webhooks: kubectl delete ${kind} jobset-validating-webhooks`,
    `ValidatingWebhookConfiguration jobset-validating-webhook-configuration: kubectl delete ${kind} jobset-validating-webhook-configuration`,
  ]);
});

it("findOtherControllers finds a program that holds upstream's Lease, until the Lease expires", async () => {
  putLease("2026-02-28T23:59:50.000000Z", "other-program");
  expect(await findOtherControllers(cluster, now)).toEqual([
    "Lease 6d4f6a47.jobset.x-k8s.io in ns, which other-program holds: stop that program",
  ]);
  expect(await findOtherControllers(cluster, now + 5_000)).toEqual([]);
  putLease("2026-02-28T23:59:50.000000Z", "");
  expect(await findOtherControllers(cluster, now)).toEqual([]);
});
