export { troubledClusters, trueCauses } from "./arbitraries/troubled-clusters.ts";
export {
  type DiagnoseJobSet,
  jobSetsThatAreWellHaveNoCauses,
  rootCauseComesFirst,
  statusFollowsTheCause,
  symptomsAreNotBlamed,
  whatWasNotReadMakesNothingCertain,
} from "./laws/diagnosis-laws.ts";
