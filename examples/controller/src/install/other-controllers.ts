import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type Administrator, kindAndName } from "./administrator.ts";
import { type Deployment, readDeployment, readPrerequisites } from "./manifests.ts";

interface WebhookConfiguration extends KubernetesObject {
  readonly webhooks?: readonly {
    readonly clientConfig: { readonly service?: Service };
    readonly rules?: readonly { readonly apiGroups?: readonly string[] }[];
  }[];
}

interface Service {
  readonly namespace: string;
  readonly name: string;
}

interface Lease extends KubernetesObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly renewTime?: string;
    readonly leaseDurationSeconds?: number;
  };
}

/**
 * Lists the JobSet controllers in the cluster that are not ours, each with the command that removes it. Two controllers
 * would undo each other's work. Upstream's controller is recognized by its image, however it was installed.
 */
export async function findOtherControllers(cluster: Administrator, now: number): Promise<string[]> {
  const deployments = await cluster.list({
    apiVersion: "apps/v1",
    kind: "Deployment",
    namespace: "",
  });
  const found = (deployments?.items ?? [])
    .map((item) => ({ ...item, kind: "Deployment" }) as unknown as Deployment)
    .filter(isUpstream)
    .map((one) => {
      const { namespace, name } = one.metadata;
      return `Deployment ${name} in ${namespace}: kubectl delete deployment --namespace ${namespace} ${name}`;
    });
  for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]) {
    const apiVersion = "admissionregistration.k8s.io/v1";
    const configurations = await cluster.list({ apiVersion, kind, namespace: "" });
    for (const item of configurations?.items ?? []) {
      if (!callsOtherJobSetWebhooks(item)) continue;
      const command = `kubectl delete ${kind.toLowerCase()} ${item.metadata.name}`;
      found.push(`${kindAndName({ ...item, kind })}: ${command}`);
    }
  }
  const leases = await cluster.list({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    namespace: "",
  });
  for (const { metadata, spec = {} } of (leases?.items ?? []) as readonly Lease[]) {
    if (!metadata.name?.endsWith("jobset.x-k8s.io") || !spec.holderIdentity) continue;
    const { renewTime = "", leaseDurationSeconds = 0 } = spec;
    if (!(Date.parse(renewTime) + leaseDurationSeconds * 1000 > now)) continue;
    found.push(
      `Lease ${metadata.name} in ${metadata.namespace}, which ${spec.holderIdentity} holds: stop that program`,
    );
  }
  return found;
}

/** Returns whether a Deployment is ours, based on its Pod template and not on its image. */
export function isOurs({ spec }: Deployment): boolean {
  const ours = readDeployment().spec.selector.matchLabels?.app;
  return spec.selector.matchLabels?.app === ours;
}

function isUpstream(deployment: Deployment): boolean {
  if (isOurs(deployment)) return false;
  const images = deployment.spec.template.spec.containers.map(({ image = "" }) => image);
  const repositories = images.map((image) => image.replace(/(:[^/]*)?(@.*)?$/, ""));
  return (
    deployment.metadata.name === "jobset-controller-manager" ||
    repositories.some((repository) => /(^|\/)jobset$/.test(repository))
  );
}

function callsOtherJobSetWebhooks(configuration: KubernetesObject): boolean {
  const { webhooks = [] } = configuration as WebhookConfiguration;
  const ours = readPrerequisites().find(({ kind }) => kind === "Service")?.metadata;
  return webhooks.some(({ clientConfig: { service }, rules = [] }) => {
    const isAboutJobSets = rules.some(({ apiGroups = [] }) =>
      apiGroups.includes("jobset.x-k8s.io"),
    );
    return (
      isAboutJobSets &&
      `${service?.namespace}/${service?.name}` !== `${ours?.namespace}/${ours?.name}`
    );
  });
}
