import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { parseAllDocuments } from "yaml";
import crd from "../../manifests/crd.yaml";
import deployment from "../../manifests/deployment.yaml";
import namespace from "../../manifests/namespace.yaml";
import rbac from "../../manifests/rbac.yaml";
import webhooks from "../../manifests/webhooks.yaml";

/** The fields of a Deployment that are used here. */
export interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly replicas?: number;
  };
}

interface Container {
  readonly image?: string;
  readonly args?: readonly string[];
}

/** The settings that override the Deployment's manifest. */
export interface DeploymentSettings {
  readonly image: string;
  readonly replicas?: number;
  /** In the format of `--feature-gates`. */
  readonly featureGates?: string;
}

/** Returns the objects that must exist before the controller starts, in the order of their creation. */
export function readPrerequisites(): readonly KubernetesObject[] {
  return [namespace, crd, rbac, webhooks].flatMap((text) => objectsIn(text));
}

/** Returns the Deployment of the manifests. */
export function readDeployment(): Deployment {
  return objectsIn(deployment)[0] as Deployment;
}

export function deploymentWith({ image, replicas, featureGates }: DeploymentSettings): Deployment {
  const shipped = readDeployment();
  const { template } = shipped.spec;
  const gates = featureGates ? [`--feature-gates=${featureGates}`] : [];
  const containers = template.spec.containers.map((container) => ({
    ...container,
    image,
    args: [...(container.args ?? []), ...gates],
  }));
  return {
    ...shipped,
    spec: {
      ...shipped.spec,
      ...(replicas !== undefined && { replicas }),
      template: { ...template, spec: { ...template.spec, containers } },
    },
  };
}

function objectsIn(text: string): readonly KubernetesObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}
