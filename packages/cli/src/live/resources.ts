/** A kind that kubectl can list. */
interface LiveResource {
  /** kubectl's name for it. Without a version, kubectl chooses the one that the server prefers. */
  readonly resource: string;
  /** The information that a user lacks if the kind cannot be read. */
  readonly hides: string;
  readonly isClusterScoped?: true;
}

/**
 * The kinds that commands read from a cluster. Secrets are not among them. `Event` is the kind of `v1`: the server returns
 * the Events of `events.k8s.io` in this form, too.
 */
export const liveResources = {
  JobSet: { resource: "jobsets.v1alpha2.jobset.x-k8s.io", hides: "the JobSets" },
  Job: { resource: "jobs.v1.batch", hides: "the state of child Jobs" },
  Pod: { resource: "pods", hides: "the state of Pods and their containers" },
  Event: {
    resource: "events.v1.",
    hides: "messages of the scheduler, the kubelets and controllers",
  },
  Service: { resource: "services", hides: "problems of headless and webhook Services" },
  PersistentVolumeClaim: { resource: "persistentvolumeclaims", hides: "unbound volumes" },
  EndpointSlice: {
    resource: "endpointslices.discovery.k8s.io",
    hides: "webhooks without endpoints",
  },
  ResourceQuota: { resource: "resourcequotas", hides: "exhausted quotas" },
  LimitRange: { resource: "limitranges", hides: "limits of a namespace" },
  ResourceClaim: { resource: "resourceclaims.resource.k8s.io", hides: "claims of devices" },
  ResourceClaimTemplate: {
    resource: "resourceclaimtemplates.resource.k8s.io",
    hides: "templates of claims of devices",
  },
  Node: {
    resource: "nodes",
    hides: "topology domains, taints and lost nodes",
    isClusterScoped: true,
  },
  Namespace: {
    resource: "namespaces",
    hides: "namespaces that are being deleted",
    isClusterScoped: true,
  },
  PersistentVolume: {
    resource: "persistentvolumes",
    hides: "volumes in another zone",
    isClusterScoped: true,
  },
  StorageClass: {
    resource: "storageclasses.storage.k8s.io",
    hides: "how volumes are provisioned",
    isClusterScoped: true,
  },
  PriorityClass: {
    resource: "priorityclasses.scheduling.k8s.io",
    hides: "missing priority classes",
    isClusterScoped: true,
  },
  ValidatingWebhookConfiguration: {
    resource: "validatingwebhookconfigurations.admissionregistration.k8s.io",
    hides: "webhooks that deny objects",
    isClusterScoped: true,
  },
  MutatingWebhookConfiguration: {
    resource: "mutatingwebhookconfigurations.admissionregistration.k8s.io",
    hides: "webhooks that change objects",
    isClusterScoped: true,
  },
  CustomResourceDefinition: {
    resource: "customresourcedefinitions.apiextensions.k8s.io",
    hides: "the installed version of JobSet",
    isClusterScoped: true,
  },
  Deployment: { resource: "deployments.v1.apps", hides: "the state of controllers" },
  Workload: { resource: "workloads.kueue.x-k8s.io", hides: "why Kueue does not admit a JobSet" },
  LocalQueue: { resource: "localqueues.kueue.x-k8s.io", hides: "missing and stopped queues" },
  ClusterQueue: {
    resource: "clusterqueues.kueue.x-k8s.io",
    hides: "the quota of queues",
    isClusterScoped: true,
  },
  Cohort: {
    resource: "cohorts.kueue.x-k8s.io",
    hides: "quota that queues share",
    isClusterScoped: true,
  },
  AdmissionCheck: {
    resource: "admissionchecks.kueue.x-k8s.io",
    hides: "inactive admission checks",
    isClusterScoped: true,
  },
  ResourceFlavor: {
    resource: "resourceflavors.kueue.x-k8s.io",
    hides: "missing resource flavors",
    isClusterScoped: true,
  },
  Topology: {
    resource: "topologies.kueue.x-k8s.io",
    hides: "missing topologies",
    isClusterScoped: true,
  },
  ProvisioningRequest: {
    resource: "provisioningrequests.autoscaling.x-k8s.io",
    hides: "requests to the autoscaler",
  },
  TrainJob: { resource: "trainjobs.trainer.kubeflow.org", hides: "the TrainJobs above JobSets" },
  TrainingRuntime: {
    resource: "trainingruntimes.trainer.kubeflow.org",
    hides: "the runtimes of TrainJobs",
  },
  ClusterTrainingRuntime: {
    resource: "clustertrainingruntimes.trainer.kubeflow.org",
    hides: "the shared runtimes of TrainJobs",
    isClusterScoped: true,
  },
} as const satisfies Readonly<Record<string, LiveResource>>;

/** A kind that commands read from a cluster. */
export type LiveKind = keyof typeof liveResources;

/** Returns kubectl's name of a kind. */
export function getResource(kind: LiveKind): string {
  return liveResources[kind].resource;
}

/** Returns whether objects of a kind have no namespace. */
export function isClusterScoped(kind: LiveKind): boolean {
  return "isClusterScoped" in liveResources[kind];
}

/**
 * Returns the kind that an API server names by its resource and group, as in `jobs.batch`. Undefined for other kinds.
 */
export function findLiveKind(resource: string, group: string): LiveKind | undefined {
  return liveKindsByResource.get(group === "" ? resource : `${resource}.${group}`);
}

/** Returns the name of a kind in the output of `kubectl api-resources`: without a version. */
export function getServedName(kind: LiveKind): string {
  return getResource(kind)
    .replace(/\.v\d\w*(?=\.|$)\.?/, ".")
    .replace(/\.$/, "");
}

const liveKindsByResource: ReadonlyMap<string, LiveKind> = new Map(
  (Object.keys(liveResources) as LiveKind[]).map((kind) => [getServedName(kind), kind]),
);
