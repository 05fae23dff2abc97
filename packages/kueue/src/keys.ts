// Labels, annotations and other wire strings of Kueue, to the letter.

/** Kueue's API group. */
export const KUEUE_GROUP = "kueue.x-k8s.io";
/** The `apiVersion` of Kueue's objects that this package reads and writes. */
export const KUEUE_API_VERSION = "kueue.x-k8s.io/v1beta2";

/** JobSet label: the LocalQueue that it waits in. */
export const QUEUE_NAME_KEY = "kueue.x-k8s.io/queue-name";
/** JobSet label: its WorkloadPriorityClass. */
export const PRIORITY_CLASS_KEY = "kueue.x-k8s.io/priority-class";
/** JobSet label: for how many seconds it may run. */
export const MAX_EXECUTION_TIME_KEY = "kueue.x-k8s.io/max-exec-time-seconds";
/** JobSet label or annotation: the name of a Workload that another client has created for it. */
export const PREBUILT_WORKLOAD_KEY = "kueue.x-k8s.io/prebuilt-workload-name";
/** Annotation of JobSet and Workload: gates, by commas, that have to go before the Workload is admitted. */
export const ADMISSION_GATED_BY_KEY = "kueue.x-k8s.io/admission-gated-by";
/** Annotation: `true` asks for scaling by Workload slices, which JobSets do not have. */
export const ELASTIC_JOB_KEY = "kueue.x-k8s.io/elastic-job";
/** Workload label: the UID of its owner. */
export const JOB_UID_KEY = "kueue.x-k8s.io/job-uid";
/** How annotations begin that a Workload takes over from its JobSet. */
export const PROVISIONING_PREFIX = "provreq.kueue.x-k8s.io/";

/** Finalizer of a Workload, for as long as its JobSet may use quota. */
export const RESOURCE_IN_USE_FINALIZER = "kueue.x-k8s.io/resource-in-use";

/** Pod label: the Pod set that the Pod belongs to. */
export const POD_SET_KEY = "kueue.x-k8s.io/podset";
/** Pod label: the LocalQueue of its Workload. */
export const LOCAL_QUEUE_NAME_KEY = "kueue.x-k8s.io/local-queue-name";
/** Pod label: the ClusterQueue that has admitted its Workload. */
export const CLUSTER_QUEUE_NAME_KEY = "kueue.x-k8s.io/cluster-queue-name";
/** Pod annotation: its Workload. */
export const WORKLOAD_KEY = "kueue.x-k8s.io/workload";
/** Annotation: the first Workload of a chain of slices. */
export const WORKLOAD_SLICE_NAME_KEY = "kueue.x-k8s.io/workload-slice-name";
/** Scheduling gate of Pods that wait until Kueue has assigned a topology domain. */
export const TOPOLOGY_GATE = "kueue.x-k8s.io/topology";

/** Template annotation: all Pods of the set must be in one domain of this level. */
export const REQUIRED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-required-topology";
/** Template annotation: all Pods of the set had better be in one domain of this level. */
export const PREFERRED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-preferred-topology";
/** Template annotation: `true` when any placement will do. */
export const UNCONSTRAINED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-unconstrained-topology";
/** Template annotation: each slice of the set must be in one domain of this level. */
export const SLICE_REQUIRED_TOPOLOGY_KEY = "kueue.x-k8s.io/podset-slice-required-topology";
/** Template annotation: how many Pods are a slice. */
export const SLICE_SIZE_KEY = "kueue.x-k8s.io/podset-slice-size";
/** Template annotation: slices in slices, as JSON. */
export const SLICE_CONSTRAINTS_KEY = "kueue.x-k8s.io/podset-slice-required-topology-constraints";
/** Template annotation: two Pod sets of one name share flavor and topology domain. */
export const POD_SET_GROUP_KEY = "kueue.x-k8s.io/podset-group-name";

/** The controller of MultiKueue's admission checks, and the `spec.managedBy` of a JobSet that runs elsewhere. */
export const MULTIKUEUE_CONTROLLER_NAME = "kueue.x-k8s.io/multikueue";
/** Label of what MultiKueue creates on a worker cluster: which manager it comes from. */
export const MULTIKUEUE_ORIGIN_KEY = "kueue.x-k8s.io/multikueue-origin";
/** Label of Pods that run on a worker cluster of MultiKueue, always `true`. */
export const MULTIKUEUE_WORKER_POD_KEY = "kueue.x-k8s.io/multikueue-worker-workload-pod";

/** The LocalQueue that JobSets without a queue are given, where a namespace has one of that name. */
export const DEFAULT_LOCAL_QUEUE = "default";
/** The WorkloadPriorityClass that JobSets without one are given, where there is one of that name. */
export const DEFAULT_PRIORITY_CLASS = "default";
