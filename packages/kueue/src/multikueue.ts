export {
  evaluateDeleteRemote,
  evaluateSyncRemote,
  isMultiKueueEligible,
} from "./workload/multikueue.ts";
