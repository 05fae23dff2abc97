export {
  evaluateDeleteRemote,
  evaluateSyncRemote,
  isMultiKueueEligible,
  missingJobSet,
  prebuiltWorkloadKey,
} from "./workload/multikueue.ts";
