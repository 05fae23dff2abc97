export { admit, restore } from "./admission/admit.ts";
export { infosFromAdmission } from "./admission/infos-from-admission.ts";
export { infosFromWorkload, mergeInfo } from "./admission/pod-set-info.ts";
export { stop } from "./admission/stop.ts";
export { type KueueFeatures, kueueFeatureGates, kueueFeaturesOf } from "./features.ts";
export { QUEUE_NAME_KEY } from "./keys.ts";
export type { KueueCluster } from "./objects/cluster.ts";
export type { KueueConfig } from "./objects/config.ts";
export type { KueueEvent } from "./objects/event.ts";
export type { KueueRefusal } from "./objects/refusal.ts";
export type { PodSet, PodSetInfo, ReclaimablePod, Workload } from "./objects/workload.ts";
export { podCount, podsPerReplica } from "./pod-sets/pod-counts.ts";
export { jobPodSets, podSets } from "./pod-sets/pod-sets.ts";
export { topologyRequest } from "./pod-sets/topology-request.ts";
export type { KueueContext } from "./reconcile/draft.ts";
export type { KueueEffect } from "./reconcile/effects.ts";
export { ensureOneWorkload } from "./reconcile/ensure-one.ts";
export { type KueueRule, reconcileKueue } from "./reconcile/reconcile.ts";
export { finished, isActive, podLabelSelector, podsReady } from "./status/jobset-state.ts";
export { podsReadyCondition, podsReadyDiffers } from "./status/pods-ready-condition.ts";
export {
  limitedReclaimablePods,
  reclaimablePods,
  reclaimableUpdateErrors,
  sameReclaimablePods,
} from "./status/reclaimable-pods.ts";
export { isEquivalent } from "./workload/equivalent.ts";
export { newWorkload } from "./workload/new-workload.ts";
export { priorityChange, workloadPriority } from "./workload/priority.ts";
export { prebuiltWorkloadName, workloadName } from "./workload/workload-name.ts";
