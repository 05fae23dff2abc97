export type {
  AdmissionCheck,
  ClusterQueue,
  LocalQueue,
  PriorityClass,
  ResourceFlavor,
} from "./objects/cluster.ts";
export {
  type Admission,
  type AdmissionCheckState,
  hasQuotaReserved,
  isAdmitted,
  isEvicted,
  isWorkloadFinished,
  type PodSetAssignment,
  type PodSetTopologyRequest,
  type PodSetUpdate,
  type PriorityClassRef,
  type SliceConstraint,
  type WorkloadSpec,
  type WorkloadStatus,
} from "./objects/workload.ts";
