/** A kind that the API server can list. */
interface LiveResource {
  /** The name of the kind in paths. */
  readonly resource: string;
  /** The version that is read. Absent means the version that the server prefers. */
  readonly apiVersion?: string;
  /** The group of a kind without `apiVersion`. */
  readonly group?: string;
  /** The information that a user lacks if the kind cannot be read. */
  readonly hides: string;
  readonly isClusterScoped?: true;
}

/**
 * The kinds that commands read from a cluster. Secrets are not among them. `Event` is the kind of `v1`: the server returns
 * the Events of `events.k8s.io` in this form, too.
 */
export const liveResources = {
  JobSet: {
    resource: "jobsets",
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    hides: "the JobSets",
  },
  Job: { resource: "jobs", apiVersion: "batch/v1", hides: "the state of child Jobs" },
  Pod: {
    resource: "pods",
    apiVersion: "v1",
    hides: "the state of Pods and their containers",
  },
  Event: {
    resource: "events",
    apiVersion: "v1",
    hides: "messages of the scheduler, the kubelets and controllers",
  },
  Service: {
    resource: "services",
    apiVersion: "v1",
    hides: "problems of headless and webhook Services",
  },
  PersistentVolumeClaim: {
    resource: "persistentvolumeclaims",
    apiVersion: "v1",
    hides: "unbound volumes",
  },
  EndpointSlice: {
    resource: "endpointslices",
    apiVersion: "discovery.k8s.io/v1",
    hides: "webhooks without endpoints",
  },
  ResourceQuota: {
    resource: "resourcequotas",
    apiVersion: "v1",
    hides: "exhausted quotas",
  },
  LimitRange: {
    resource: "limitranges",
    apiVersion: "v1",
    hides: "limits of a namespace",
  },
  ResourceClaim: {
    resource: "resourceclaims",
    group: "resource.k8s.io",
    hides: "claims of devices",
  },
  ResourceClaimTemplate: {
    resource: "resourceclaimtemplates",
    group: "resource.k8s.io",
    hides: "templates of claims of devices",
  },
  NodeClaim: {
    resource: "nodeclaims",
    group: "karpenter.sh",
    hides: "nodes that Karpenter is adding",
    isClusterScoped: true,
  },
  NodePool: {
    resource: "nodepools",
    group: "karpenter.sh",
    hides: "NodePools that launch no nodes",
    isClusterScoped: true,
  },
  Node: {
    resource: "nodes",
    apiVersion: "v1",
    hides: "topology domains, taints and lost nodes",
    isClusterScoped: true,
  },
  Namespace: {
    resource: "namespaces",
    apiVersion: "v1",
    hides: "namespaces that are being deleted",
    isClusterScoped: true,
  },
  PersistentVolume: {
    resource: "persistentvolumes",
    apiVersion: "v1",
    hides: "volumes in another zone",
    isClusterScoped: true,
  },
  StorageClass: {
    resource: "storageclasses",
    apiVersion: "storage.k8s.io/v1",
    hides: "how volumes are provisioned",
    isClusterScoped: true,
  },
  PriorityClass: {
    resource: "priorityclasses",
    apiVersion: "scheduling.k8s.io/v1",
    hides: "missing priority classes",
    isClusterScoped: true,
  },
  ValidatingWebhookConfiguration: {
    resource: "validatingwebhookconfigurations",
    apiVersion: "admissionregistration.k8s.io/v1",
    hides: "webhooks that deny objects",
    isClusterScoped: true,
  },
  MutatingWebhookConfiguration: {
    resource: "mutatingwebhookconfigurations",
    apiVersion: "admissionregistration.k8s.io/v1",
    hides: "webhooks that change objects",
    isClusterScoped: true,
  },
  CustomResourceDefinition: {
    resource: "customresourcedefinitions",
    apiVersion: "apiextensions.k8s.io/v1",
    hides: "the installed version of JobSet",
    isClusterScoped: true,
  },
  Deployment: {
    resource: "deployments",
    apiVersion: "apps/v1",
    hides: "the state of controllers",
  },
  Workload: {
    resource: "workloads",
    group: "kueue.x-k8s.io",
    hides: "why Kueue does not admit a JobSet",
  },
  LocalQueue: {
    resource: "localqueues",
    group: "kueue.x-k8s.io",
    hides: "missing and stopped queues",
  },
  ClusterQueue: {
    resource: "clusterqueues",
    group: "kueue.x-k8s.io",
    hides: "the quota of queues",
    isClusterScoped: true,
  },
  Cohort: {
    resource: "cohorts",
    group: "kueue.x-k8s.io",
    hides: "quota that queues share",
    isClusterScoped: true,
  },
  AdmissionCheck: {
    resource: "admissionchecks",
    group: "kueue.x-k8s.io",
    hides: "inactive admission checks",
    isClusterScoped: true,
  },
  ResourceFlavor: {
    resource: "resourceflavors",
    group: "kueue.x-k8s.io",
    hides: "missing resource flavors",
    isClusterScoped: true,
  },
  Topology: {
    resource: "topologies",
    group: "kueue.x-k8s.io",
    hides: "missing topologies",
    isClusterScoped: true,
  },
  ProvisioningRequest: {
    resource: "provisioningrequests",
    group: "autoscaling.x-k8s.io",
    hides: "requests to the autoscaler",
  },
  TrainJob: {
    resource: "trainjobs",
    group: "trainer.kubeflow.org",
    hides: "the TrainJobs above JobSets",
  },
  TrainingRuntime: {
    resource: "trainingruntimes",
    group: "trainer.kubeflow.org",
    hides: "the runtimes of TrainJobs",
  },
  ClusterTrainingRuntime: {
    resource: "clustertrainingruntimes",
    group: "trainer.kubeflow.org",
    hides: "the shared runtimes of TrainJobs",
    isClusterScoped: true,
  },
} as const satisfies Readonly<Record<string, LiveResource>>;

/** A kind that commands read from a cluster. */
export type LiveKind = keyof typeof liveResources;

/** Returns whether objects of a kind have no namespace. */
export function isClusterScoped(kind: LiveKind): boolean {
  return "isClusterScoped" in liveResources[kind];
}

/** Returns whether a kind is read in the version that the server prefers. Not every server serves such a kind. */
export function isOptional(kind: LiveKind): boolean {
  return "group" in liveResources[kind];
}

/** The versions that a server prefers, by resource and group, as in `jobs.batch` or `pods`. */
export type ServedVersions = ReadonlyMap<string, string>;

/** Returns the version in which a kind is read. Undefined for an optional kind that the server does not serve. */
export function findApiVersion(kind: LiveKind, versions: ServedVersions): string | undefined {
  const found = liveResources[kind];
  return "group" in found ? versions.get(`${found.resource}.${found.group}`) : found.apiVersion;
}

/**
 * Parses the output of `kubectl api-resources --no-headers`.
 *
 * @example parseServedVersions("jobs  batch/v1  true  Job") // => new Map([["jobs.batch", "batch/v1"]])
 */
export function parseServedVersions(text: string): ServedVersions {
  return new Map(
    text.split("\n").flatMap((line): readonly (readonly [string, string])[] => {
      // Not every resource has short names in its second column.
      const [name = "", ...columns] = line.trim().split(/\s+/);
      const apiVersion = columns.at(-3);
      if (apiVersion === undefined) return [];
      const end = apiVersion.indexOf("/");
      return [[end === -1 ? name : `${name}.${apiVersion.slice(0, end)}`, apiVersion]];
    }),
  );
}
