export {
  type DeleteRemoteDecision,
  evaluateDeleteRemote,
  evaluateSyncRemote,
  isMultiKueueEligible,
  missingJobSet,
  type MultiKueueEligibility,
  prebuiltWorkloadKey,
  remoteJobSet,
  type SyncRemoteDecision,
} from "./workload/multikueue.ts";
