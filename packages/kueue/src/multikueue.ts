export {
  type DeleteRemoteDecision,
  evaluateDeleteRemote,
  evaluateSyncRemote,
  isMultiKueueEligible,
  type MultiKueueEligibility,
  missingJobSet,
  prebuiltWorkloadKey,
  remoteJobSet,
  type SyncRemoteDecision,
} from "./workload/multikueue.ts";
