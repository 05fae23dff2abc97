// The labels, annotations, node labels and taints that JobSet writes or reads.

export {
  JOBSET_API_VERSION,
  JOBSET_CONTROLLER_NAME,
  JOBSET_GROUP,
  JOBSET_KIND,
  JOBSET_VERSION,
} from "./jobset.ts";

/** The name of the JobSet. Also the selector of the headless Service and a label of the PVCs. */
export const JOBSET_NAME_KEY = "jobset.sigs.k8s.io/jobset-name";
/** The UID of the JobSet. */
export const JOBSET_UID_KEY = "jobset.sigs.k8s.io/jobset-uid";
/** The name of the ReplicatedJob. */
export const REPLICATED_JOB_NAME_KEY = "jobset.sigs.k8s.io/replicatedjob-name";
/** The number of Jobs in the ReplicatedJob. */
export const REPLICATED_JOB_REPLICAS_KEY = "jobset.sigs.k8s.io/replicatedjob-replicas";
/** The number of Jobs in the JobSet. */
export const GLOBAL_REPLICAS_KEY = "jobset.sigs.k8s.io/global-replicas";
/** The Job's index in its ReplicatedJob, from 0. */
export const JOB_INDEX_KEY = "jobset.sigs.k8s.io/job-index";
/** The Job's index in the JobSet, from 0, in the order of `spec.replicatedJobs`. */
export const JOB_GLOBAL_INDEX_KEY = "jobset.sigs.k8s.io/job-global-index";
/** Lower-case hex SHA-1 of `<namespace>/<Job name>`. Stable across restarts. */
export const JOB_KEY_KEY = "jobset.sigs.k8s.io/job-key";
/** The ReplicatedJob's `groupName`. */
export const GROUP_NAME_KEY = "jobset.sigs.k8s.io/group-name";
/** The number of Jobs in the group. */
export const GROUP_REPLICAS_KEY = "jobset.sigs.k8s.io/group-replicas";
/** The Job's index in its group, from 0. */
export const JOB_GROUP_INDEX_KEY = "jobset.sigs.k8s.io/job-group-index";
/** The JobSet's `status.restarts` when the Job was created. */
export const RESTART_ATTEMPT_KEY = "jobset.sigs.k8s.io/restart-attempt";
/** The number of restarts of this Job alone (gate `RestartJob`). */
export const JOB_RESTART_ATTEMPT_KEY = "jobset.sigs.k8s.io/job-restart-attempt";
/** The hostname and the subdomain of the coordinator Pod. */
export const COORDINATOR_KEY = "jobset.sigs.k8s.io/coordinator";
/** The Pod's priority, a label that limits exclusive placement to Pods of one priority. */
export const PRIORITY_KEY = "jobset.sigs.k8s.io/priority";

/** Annotation: the node label that defines topology domains. Each domain runs the Pods of one Job only. */
export const EXCLUSIVE_TOPOLOGY_KEY = "alpha.jobset.sigs.k8s.io/exclusive-topology";
/** Annotation: use node labels instead of affinity for placement. Its value is ignored. */
export const NODE_SELECTOR_STRATEGY_KEY = "alpha.jobset.sigs.k8s.io/node-selector";
/** Node label and node selector: `<namespace>_<Job name>` of the only Job that may run there. */
export const NAMESPACED_JOB_KEY = "alpha.jobset.sigs.k8s.io/namespaced-job";
/** Taint of the nodes that the node selector strategy reserves. */
export const NO_SCHEDULE_TAINT_KEY = "alpha.jobset.sigs.k8s.io/no-schedule";

/** Pod annotation of the in-place restart agent: the attempt that the Pod has reached. */
export const IN_PLACE_RESTART_ATTEMPT_KEY = "jobset.sigs.k8s.io/in-place-restart-attempt";
/** JobSet annotation: agents do not block their workers. Its value is ignored. */
export const DISABLE_IN_PLACE_RESTART_KEY = "jobset.sigs.k8s.io/disable-in-place-restart";

/** Pod annotation and label of the Job controller: the Pod's index in an Indexed Job. `0` marks the leader. */
export const JOB_COMPLETION_INDEX_KEY = "batch.kubernetes.io/job-completion-index";
