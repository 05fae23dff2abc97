export {
  type JobSetName,
  type ReadCluster,
  type TroubledCluster,
  type Truth,
  troubledClusters,
  trueCauses,
} from "./arbitraries/troubled-clusters.ts";
export {
  type Diagnosed,
  type DiagnosedRoot,
  type DiagnoseJobSet,
  type DiagnosisCases,
  jobSetsThatAreWellHaveNoCauses,
  rootCauseComesFirst,
  statusFollowsTheCause,
  symptomsAreNotBlamed,
  whatWasNotReadMakesNothingCertain,
} from "./laws/diagnosis-laws.ts";
