import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ApiClient } from "@jobset-ts/controller-runtime";
import { renewCertificate } from "../webhook-certificate.ts";
import { type Administrator, getObjectKey, kindAndName } from "./administrator.ts";
import {
  type Deployment,
  type DeploymentSettings,
  deploymentWith,
  readPrerequisites,
} from "./manifests.ts";
import { findOtherControllers, isOurs } from "./other-controllers.ts";

/** The environment of a command. */
export interface InstallEnvironment {
  readonly client: ApiClient;
  readonly cluster: Administrator;
  /** Reports a completed step in one line. */
  say(line: string): void;
}

/**
 * Installs everything on a cluster or updates an installation, and waits until it works: the webhooks respond and the
 * API server accepts JobSets.
 *
 * @throws Error with a message for the user; if another JobSet controller is installed, nothing is changed
 */
export async function install(
  { client, cluster, say }: InstallEnvironment,
  wishes: DeploymentSettings,
): Promise<void> {
  const deployment = deploymentWith(wishes);
  const others = await findOtherControllers(cluster, Date.now());
  const before = (await cluster.find(getObjectKey(deployment))) as Deployment | undefined;
  if (before !== undefined && !isOurs(before) && others.length === 0) {
    others.push(`Deployment ${before.metadata.name} in ${before.metadata.namespace}`);
  }
  if (others.length > 0) {
    const list = others.map((other) => `  ${other}\n`).join("");
    throw new Error(
      `another JobSet controller is installed; nothing was changed. Remove it first, its JobSets stay:\n${list}`.trimEnd(),
    );
  }
  for (const object of readPrerequisites()) {
    await cluster.apply(object);
    say(`${kindAndName(object)}: applied`);
  }
  await cluster.waitFor(async () => {
    const renewal = await renewCertificate(client, Date.now());
    if (renewal.ok) {
      const { isNew, validTo } = renewal;
      say(`${CERTIFICATE}: ${isNew ? "issued" : "kept"}, valid to ${validTo}`);
      return true;
    }
    const words = `${CERTIFICATE}: ${renewal.error.message}`;
    // A running controller may check the certificate at the same time.
    if (renewal.error.code !== 409) throw new Error(words);
    return words;
  });
  await cluster.apply(deployment);
  say(`${kindAndName(deployment)}: applied`);
  await cluster.waitFor(async () => {
    const progress = getProgress(
      (await cluster.find(getObjectKey(deployment))) as Deployment | undefined,
    );
    return progress === true || `${progress}${await findPodTrouble(cluster, deployment)}`;
  });
  say(`${kindAndName(deployment)}: its Pods are ready`);
  await cluster.waitFor(() => checkWebhooks(cluster, deployment.metadata.namespace ?? ""));
  say("the webhooks respond: JobSets can be created");
}

const CERTIFICATE = "certificate of the webhooks";

/** Returns `true` if all Pods have the newest template and are available, otherwise the reason. */
function getProgress(deployment: Deployment | undefined): true | string {
  if (deployment === undefined) return "the Deployment does not exist";
  const { metadata, spec, status = {} } = deployment;
  const { replicas: desired = 1 } = spec;
  const {
    observedGeneration = 0,
    updatedReplicas = 0,
    availableReplicas = 0,
    replicas = 0,
  } = status;
  const isSeen = observedGeneration >= (metadata.generation ?? 0);
  if (isSeen && updatedReplicas >= desired && availableReplicas >= desired && replicas <= desired)
    return true;
  const count = isSeen ? Math.min(updatedReplicas, availableReplicas) : 0;
  return `${kindAndName(deployment)}: ${count} of ${desired} Pods are updated and ready`;
}

interface Pod extends KubernetesObject {
  readonly status?: {
    readonly containerStatuses?: readonly {
      readonly state?: {
        readonly waiting?: { readonly reason?: string; readonly message?: string };
      };
    }[];
  };
}

/** Returns why the first waiting container waits. */
async function findPodTrouble(
  cluster: Administrator,
  { metadata, spec }: Deployment,
): Promise<string> {
  const labels = Object.entries(spec.selector.matchLabels ?? {});
  const pods = await cluster.list(
    { apiVersion: "v1", kind: "Pod", namespace: metadata.namespace ?? "" },
    { labelSelector: labels.map((label) => label.join("=")).join() },
  );
  for (const { metadata, status } of (pods?.items ?? []) as readonly Pod[]) {
    const waiting = status?.containerStatuses?.find(({ state }) => state?.waiting)?.state?.waiting;
    if (waiting)
      return `; Pod ${metadata.name}: ${[waiting.reason, waiting.message].filter(Boolean).join(": ")}`;
  }
  return "";
}

/** Checks that a minimal JobSet is admitted and gets the defaults that only the webhooks set. */
async function checkWebhooks(cluster: Administrator, namespace: string): Promise<true | string> {
  const container = { name: "main", image: "example.com/main" };
  const template = { spec: { template: { spec: { containers: [container] } } } };
  const jobSet = {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { namespace, name: "admitted-only" },
    spec: { replicatedJobs: [{ name: "main", template }] },
  };
  try {
    const { spec } = (await cluster.createIfAllowed(jobSet)) as unknown as {
      readonly spec: { readonly successPolicy?: unknown };
    };
    return spec.successPolicy !== undefined || "the webhooks have not been called yet";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
