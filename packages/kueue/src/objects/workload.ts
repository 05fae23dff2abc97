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
 * What Kueue queues, admits and charges on behalf of a JobSet.
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

/** What a Workload asks for. */
export interface WorkloadSpec {
  /** In the order of the ReplicatedJobs; 1 to 18. */
  podSets?: PodSet[];
  /** Absent without a queue. */
  queueName?: string;
  priority?: number;
  /** Where the priority comes from; absent when nowhere. */
  priorityClassRef?: PriorityClassRef;
  /** `false` evicts it and keeps it from being admitted; default true. */
  active?: boolean;
  /** How long the Workload may run after admission. Absent means forever. */
  maximumExecutionTimeSeconds?: number;
}

/** Equal Pods, and how many of them. */
export interface PodSet {
  /** The name of the ReplicatedJob in lower case. */
  name: string;
  template: PodTemplateSpec;
  count: number;
  /** With how few it would do; JobSets never say so. */
  minCount?: number;
  topologyRequest?: PodSetTopologyRequest;
}

/** How the Pods of a set are to be placed. */
export interface PodSetTopologyRequest {
  /** The level of which all Pods must share a domain. */
  required?: string;
  /** The level of which all Pods had better share a domain. */
  preferred?: string;
  unconstrained?: boolean;
  /** The Pod label that counts Pods within a subgroup. */
  podIndexLabel?: string;
  /** The Pod label that counts subgroups. */
  subGroupIndexLabel?: string;
  /** How many subgroups there are: the replicas. */
  subGroupCount?: number;
  /** Sets of one name share flavor and domain. */
  podSetGroupName?: string;
  /** The level of which the Pods of a slice must share a domain. */
  podSetSliceRequiredTopology?: string;
  podSetSliceSize?: number;
  /** Slices in slices, the outermost first. */
  podsetSliceRequiredTopologyConstraints?: SliceConstraint[];
}

/** One layer of slices; an empty topology and a size of zero are left out. */
export interface SliceConstraint {
  topology?: string;
  size?: number;
}

/** The class that a priority comes from. */
export interface PriorityClassRef {
  group: string;
  kind: string;
  name: string;
}

/** What Kueue has decided about a Workload. */
export interface WorkloadStatus {
  conditions?: Condition[];
  /** Present while quota is reserved. */
  admission?: Admission;
  admissionChecks?: AdmissionCheckState[];
  /** Pods whose quota is no longer needed. */
  reclaimablePods?: ReclaimablePod[];
  /** How long it ran in earlier admissions. */
  accumulatedPastExecutionTimeSeconds?: number;
}

/** The quota that was reserved. */
export interface Admission {
  clusterQueue: string;
  /** By the order of the Pod sets. */
  podSetAssignments?: PodSetAssignment[];
}

/** What one Pod set was given. */
export interface PodSetAssignment {
  name: string;
  /** The ResourceFlavor of each resource. */
  flavors?: Record<string, string>;
  count?: number;
  /** Which domains the Pods go to; what is in it does not matter here. */
  topologyAssignment?: object;
}

/** How one admission check stands. */
export interface AdmissionCheckState {
  name: string;
  state: "Pending" | "Ready" | "Retry" | "Rejected";
  message: string;
  lastTransitionTime: string;
  /** What the check adds to the templates of Pod sets. */
  podSetUpdates?: PodSetUpdate[];
  retryCount?: number;
}

/** What an admission check adds to the Pods of a set. */
export interface PodSetUpdate {
  name: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}

/** How many Pods of a set need no quota any more. */
export interface ReclaimablePod {
  name: string;
  count: number;
}

/** What admission changes about the Pods of a set. A map or list that would be empty is absent. */
export interface PodSetInfo {
  name: string;
  /** Carried along; nothing of a JobSet follows from it. */
  count: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  nodeSelector?: Record<string, string>;
  /** Carried along; never merged. */
  affinity?: Affinity;
  tolerations?: Toleration[];
  schedulingGates?: PodSchedulingGate[];
}

/**
 * Whether a Workload may run.
 *
 * @example isAdmitted({ status: { conditions: [{ type: "Admitted", status: "True" }] } }) // => true
 */
export function isAdmitted(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "Admitted");
}

/**
 * Whether quota is set aside for a Workload, admitted or not.
 *
 * @example hasQuotaReserved({ status: { conditions: [{ type: "QuotaReserved", status: "False" }] } }) // => false
 */
export function hasQuotaReserved(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "QuotaReserved");
}

/**
 * Whether a Workload has ended, well or badly.
 *
 * @example isWorkloadFinished({ status: { conditions: [{ type: "Finished", status: "True" }] } }) // => true
 */
export function isWorkloadFinished(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "Finished");
}

/**
 * Whether a Workload has to stop and give its quota back.
 *
 * @example isEvicted({ status: { conditions: [{ type: "Evicted", status: "True" }] } }) // => true
 */
export function isEvicted(workload: Unvalidated<Workload> | undefined): boolean {
  return hasTrueCondition(workload, "Evicted");
}

function hasTrueCondition(workload: Unvalidated<Workload> | undefined, type: string): boolean {
  return isConditionTrue(workload?.status?.conditions, type);
}
