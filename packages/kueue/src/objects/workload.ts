import type { Unvalidated } from "@jobset-ts/api";
import type {
  Affinity,
  Condition,
  ObjectMeta,
  PodSchedulingGate,
  PodTemplateSpec,
  Toleration,
} from "@jobset-ts/api/kubernetes";
import type { KUEUE_API_VERSION } from "../keys.ts";
import { isConditionTrue } from "./conditions.ts";

/**
 * The object that Kueue queues and admits for a JobSet.
 *
 * @see Kueue v1beta2 `Workload`
 */
export interface Workload {
  apiVersion: typeof KUEUE_API_VERSION;
  kind: "Workload";
  metadata: ObjectMeta;
  spec: WorkloadSpec;
  status?: WorkloadStatus;
}

/** The resources that a Workload requests. */
export interface WorkloadSpec {
  /** In the order of the ReplicatedJobs; 1 to 18. */
  podSets?: PodSet[];
  /** Absent if the JobSet has no queue. */
  queueName?: string;
  priority?: number;
  /** The source of the priority. Absent if there is none. */
  priorityClassRef?: PriorityClassRef;
  /** `false` evicts the Workload and prevents its admission. The default is true. */
  active?: boolean;
  /** The maximum run time after admission. Absent means unlimited. */
  maximumExecutionTimeSeconds?: number;
}

/** A number of identical Pods. */
export interface PodSet {
  /** The name of the ReplicatedJob in lower case. */
  name: string;
  template: PodTemplateSpec;
  count: number;
  /** The minimum number of Pods. JobSets never set it. */
  minCount?: number;
  topologyRequest?: PodSetTopologyRequest;
}

/** The topology request of a Pod set. */
export interface PodSetTopologyRequest {
  /** The level at which all Pods must share a domain. */
  required?: string;
  /** The level at which all Pods should share a domain. */
  preferred?: string;
  unconstrained?: boolean;
  /** The Pod label with the index of a Pod in its subgroup. */
  podIndexLabel?: string;
  /** The Pod label with the index of a subgroup. */
  subGroupIndexLabel?: string;
  /** The number of subgroups, which equals the number of replicas. */
  subGroupCount?: number;
  /** Pod sets with the same group name share flavor and domain. */
  podSetGroupName?: string;
  /** The level at which the Pods of a slice must share a domain. */
  podSetSliceRequiredTopology?: string;
  podSetSliceSize?: number;
  /** Nested slices, outermost first. */
  podsetSliceRequiredTopologyConstraints?: SliceConstraint[];
}

/** One layer of slices. An empty topology and a size of zero are omitted. */
export interface SliceConstraint {
  topology?: string;
  size?: number;
}

/** The class that defines a priority. */
export interface PriorityClassRef {
  group: string;
  kind: string;
  name: string;
}

/** Kueue's decisions about a Workload. */
export interface WorkloadStatus {
  conditions?: Condition[];
  /** Present while quota is reserved. */
  admission?: Admission;
  admissionChecks?: AdmissionCheckState[];
  /** The Pods that no longer need quota. */
  reclaimablePods?: ReclaimablePod[];
  /** The run time in earlier admissions. */
  accumulatedPastExecutionTimeSeconds?: number;
}

/** The reserved quota. */
export interface Admission {
  clusterQueue: string;
  /** In the order of the Pod sets. */
  podSetAssignments?: PodSetAssignment[];
}

/** The quota that one Pod set received. */
export interface PodSetAssignment {
  name: string;
  /** The ResourceFlavor of each resource. */
  flavors?: Record<string, string>;
  count?: number;
  /** The topology domains of the Pods. Its content does not matter here. */
  topologyAssignment?: object;
}

/** The state of one admission check. */
export interface AdmissionCheckState {
  name: string;
  state: "Pending" | "Ready" | "Retry" | "Rejected";
  message: string;
  lastTransitionTime: string;
  /** The directives that the check adds to the Pod templates. */
  podSetUpdates?: PodSetUpdate[];
  retryCount?: number;
}

/** The directives that an admission check adds to the Pods of a set. */
export interface PodSetUpdate {
  name: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}

/** The number of Pods of a set that no longer need quota. */
export interface ReclaimablePod {
  name: string;
  count: number;
}

/** The directives that admission adds to the Pods of a set. Empty maps and lists are absent. */
export interface PodSetInfo {
  name: string;
  /** Kept for callers. It does not affect the JobSet. */
  count: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  nodeSelector?: Record<string, string>;
  /** Kept for callers. It is never merged. */
  affinity?: Affinity;
  tolerations?: Toleration[];
  schedulingGates?: PodSchedulingGate[];
}

/**
 * Reports whether a Workload is admitted and may run.
 *
 * @example isAdmitted({ status: { conditions: [{ type: "Admitted", status: "True" }] } }) // => true
 */
export function isAdmitted(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "Admitted");
}

/**
 * Reports whether quota is reserved for a Workload, admitted or not.
 *
 * @example hasQuotaReserved({ status: { conditions: [{ type: "QuotaReserved", status: "False" }] } }) // => false
 */
export function hasQuotaReserved(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "QuotaReserved");
}

/**
 * Reports whether a Workload has finished, successfully or not.
 *
 * @example isWorkloadFinished({ status: { conditions: [{ type: "Finished", status: "True" }] } }) // => true
 */
export function isWorkloadFinished(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "Finished");
}

/**
 * Reports whether a Workload is evicted and must release its quota.
 *
 * @example isEvicted({ status: { conditions: [{ type: "Evicted", status: "True" }] } }) // => true
 */
export function isEvicted(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "Evicted");
}

function hasTrueCondition(workload: Unvalidated<Workload> | undefined, type: string): boolean {
  return isConditionTrue(workload?.status?.conditions, type);
}
