export { faultyClusters, knownCauses } from "./arbitraries/troubled-clusters.ts";
export {
  type DiagnoseJobSet,
  healthyJobSetsHaveNoRootCause,
  rootCauseComesFirst,
  statusMatchesRootCause,
  symptomsAreNotRootCauses,
  unreadKindsLowerConfidence,
} from "./laws/diagnosis-laws.ts";
