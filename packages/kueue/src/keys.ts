// Kueue's labels, annotations and other strings, exactly as Kueue spells them.

/** The `apiVersion` of the Kueue objects that this package reads and writes. */
export const KUEUE_API_VERSION = "kueue.x-k8s.io/v1beta2";

/** JobSet label: the name of its LocalQueue. */
export const QUEUE_NAME_KEY = "kueue.x-k8s.io/queue-name";
/** JobSet label: the name of its WorkloadPriorityClass. */
export const PRIORITY_CLASS_KEY = "kueue.x-k8s.io/priority-class";
/** JobSet label: the maximum run time in seconds. */
export const MAX_EXECUTION_TIME_KEY = "kueue.x-k8s.io/max-exec-time-seconds";
/** JobSet label or annotation: the name of a Workload that another client created for it. */
export const PREBUILT_WORKLOAD_KEY = "kueue.x-k8s.io/prebuilt-workload-name";
/**
 * JobSet and Workload annotation: a comma-separated list of gates. Kueue admits the Workload only if the list is empty.
 */
export const ADMISSION_GATED_BY_KEY = "kueue.x-k8s.io/admission-gated-by";
/** Annotation: `true` requests scaling through Workload slices, which JobSets do not support. */
export const ELASTIC_JOB_KEY = "kueue.x-k8s.io/elastic-job";
/** Workload label: the UID of its owner. */
export const JOB_UID_KEY = "kueue.x-k8s.io/job-uid";
/** The prefix of the annotations that a Workload copies from its JobSet. */
export const PROVISIONING_PREFIX = "provreq.kueue.x-k8s.io/";

/** Workload finalizer that is present while its JobSet may use quota. */
export const RESOURCE_IN_USE_FINALIZER = "kueue.x-k8s.io/resource-in-use";

/** Pod label: the name of its Pod set. */
export const POD_SET_KEY = "kueue.x-k8s.io/podset";
/** Pod label: the LocalQueue of its Workload. */
export const LOCAL_QUEUE_NAME_KEY = "kueue.x-k8s.io/local-queue-name";
/** Pod label: the ClusterQueue that admitted its Workload. */
export const CLUSTER_QUEUE_NAME_KEY = "kueue.x-k8s.io/cluster-queue-name";
/** Pod annotation: the name of its Workload. */
export const WORKLOAD_KEY = "kueue.x-k8s.io/workload";
/** Annotation: the first Workload in a chain of slices. */
export const WORKLOAD_SLICE_NAME_KEY = "kueue.x-k8s.io/workload-slice-name";
/** Scheduling gate of Pods that wait for a topology domain from Kueue. */
export const TOPOLOGY_GATE = "kueue.x-k8s.io/topology";

/** Template annotation: the topology level at which all Pods of the set must share a domain. */
export const REQUIRED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-required-topology";
/** Template annotation: the topology level at which all Pods of the set should share a domain. */
export const PREFERRED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-preferred-topology";
/** Template annotation: `true` if any placement is acceptable. */
export const UNCONSTRAINED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-unconstrained-topology";
/** Template annotation: the topology level at which the Pods of a slice must share a domain. */
export const SLICE_REQUIRED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-slice-required-topology";
/** Template annotation: the number of Pods in a slice. */
export const SLICE_SIZE_KEY = "kueue.x-k8s.io/podset-slice-size";
/** Template annotation: nested slices, as JSON. */
export const SLICE_CONSTRAINTS_KEY = "kueue.x-k8s.io/podset-slice-required-topology-constraints";
/** Template annotation: Pod sets with the same group name share flavor and topology domain. */
export const POD_SET_GROUP_KEY = "kueue.x-k8s.io/podset-group-name";

/**
 * The controller name of MultiKueue's admission checks, and the `spec.managedBy` of a JobSet that runs on a worker
 * cluster.
 */
export const MULTIKUEUE_CONTROLLER_NAME = "kueue.x-k8s.io/multikueue";
/** Label of the objects that MultiKueue creates on a worker cluster: the name of their manager cluster. */
export const MULTIKUEUE_ORIGIN_KEY = "kueue.x-k8s.io/multikueue-origin";
/** Label of Pods on a MultiKueue worker cluster, always `true`. */
export const MULTIKUEUE_WORKER_POD_KEY = "kueue.x-k8s.io/multikueue-worker-workload-pod";

/** The LocalQueue of JobSets that name no queue, if the namespace has one of this name. */
export const DEFAULT_LOCAL_QUEUE = "default";
/** The WorkloadPriorityClass of JobSets that name none, if one of this name exists. */
export const DEFAULT_PRIORITY_CLASS = "default";
