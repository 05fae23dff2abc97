import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  asString,
  getName,
  getNamespace,
  isObject,
  type KubernetesObject,
} from "@jobset-ts/api/kubernetes";
import type { Redactor } from "@jobset-ts/api/redaction";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { keepForDiagnosis } from "./keep-for-diagnosis.ts";
import type { Kubectl } from "./kubectl.ts";
import {
  type ClusterFailure,
  createJobSetQuery,
  type LiveCluster,
  type LiveOptions,
  type LiveQuery,
  readLive,
} from "./live-cluster.ts";

/** The kinds that a diagnosis uses. Those with many objects are read separately, in parallel to the others. */
const diagnosedKinds: LiveQuery["kinds"] = [
  "Pod",
  "Job",
  "Event",
  [
    "Service",
    "PersistentVolumeClaim",
    "EndpointSlice",
    "ResourceQuota",
    "LimitRange",
    "ResourceClaim",
    "ResourceClaimTemplate",
    "Workload",
    "LocalQueue",
    "ProvisioningRequest",
    "TrainJob",
    "TrainingRuntime",
  ],
  [
    "Node",
    "Namespace",
    "PersistentVolume",
    "StorageClass",
    "PriorityClass",
    "ValidatingWebhookConfiguration",
    "MutatingWebhookConfiguration",
    "ClusterQueue",
    "Cohort",
    "AdmissionCheck",
    "ResourceFlavor",
    "Topology",
    "ClusterTrainingRuntime",
  ],
  "Deployment",
  "CustomResourceDefinition",
];

/** The kinds of the control plane that are read in the namespaces of controllers and webhooks. */
const controllerKinds = ["Pod", "Service", "EndpointSlice", "Event"] as const;

/** The maximum number of namespaces of controllers and webhooks that are read. */
const MAX_CONTROLLER_NAMESPACES = 8;

/** The names of controllers that a JobSet depends on. */
const CONTROLLERS = /jobset|kueue|trainer|training-operator/;

/**
 * Reads everything that a diagnosis uses: the namespaces of the options, the cluster-scoped objects, and the namespaces
 * of the controllers and webhooks. Never reads Secrets.
 */
export async function readDiagnosedCluster(
  options: LiveOptions,
  kubectl: Kubectl,
  redactor: Redactor,
): Promise<LiveCluster | ClusterFailure> {
  const query = {
    ...createJobSetQuery(diagnosedKinds, options),
    everywhere: ["Deployment"],
    podsOfJobSetsOnly: false,
    hasOptionalKinds: true,
    keep: keepForDiagnosis,
  } as const;
  const read = await readLive(query, options, kubectl, redactor);
  if (read.failure !== undefined) return read;
  const namespaces = listControllerNamespaces(read.objects.map(({ value }) => value));
  const objects = read.objects.filter(
    ({ value }) =>
      value.kind !== "Deployment" ||
      namespaces.includes(getNamespace(value as Unvalidated<KubernetesObject>)),
  );
  const unread = namespaces.filter((name) => !isIn(query.namespaces, name));
  if (unread.length === 0) return { ...read, objects };
  const controllers = await readLive(
    { kinds: [controllerKinds], namespaces: unread, keep: keepForDiagnosis },
    options,
    kubectl,
    redactor,
  );
  if (controllers.failure !== undefined) return controllers;
  const hidden: Diagnostic = {
    severity: "warning",
    message: `the controllers in ${unread.join(", ")} cannot be read; this hides whether they run`,
  };
  const isHidden = Object.keys(controllers.readErrors).length > 0;
  return {
    ...read,
    objects: [...objects, ...controllers.objects],
    notes: isHidden ? [hidden] : [],
  };
}

function isIn(scope: LiveQuery["namespaces"], namespace: string): boolean {
  return scope === "all" || scope.includes(namespace);
}

/** Returns the namespaces of the webhooks for Jobs, Pods and JobSets, and of the controllers that a JobSet depends on. */
function listControllerNamespaces(values: readonly InputObject["value"][]): readonly string[] {
  const namespaces = values.flatMap((value) => {
    const object = value as Unvalidated<KubernetesObject>;
    if (value.kind === "Deployment")
      return CONTROLLERS.test(asString(getName(object))) ? [getNamespace(object)] : [];
    return listWebhooks(value).flatMap(({ clientConfig, rules }) => {
      const isRelevant = asArray(rules).some((rule) =>
        asArray(asRecord(rule).resources).some((resource) =>
          reviewedResources.test(asString(resource)),
        ),
      );
      return isRelevant ? [asString(asRecord(asRecord(clientConfig).service).namespace)] : [];
    });
  });
  const unique = new Set(namespaces.filter((name) => name !== ""));
  return [...unique].slice(0, MAX_CONTROLLER_NAMESPACES);
}

const reviewedResources = /^(?:\*|\*\/\*|jobs|jobsets|pods|services|workloads)(?:\/.*)?$/;

interface Webhook {
  readonly clientConfig?: Unvalidated<{
    readonly service: Unvalidated<{ readonly namespace: string }>;
  }>;
  readonly rules?: readonly Unvalidated<{ readonly resources: readonly string[] }>[];
}

function listWebhooks({ kind, webhooks }: InputObject["value"]): readonly Webhook[] {
  if (kind !== "ValidatingWebhookConfiguration" && kind !== "MutatingWebhookConfiguration")
    return [];
  return Array.isArray(webhooks) ? (webhooks.filter(isObject) as readonly Webhook[]) : [];
}
