export { faultyClusters, knownCauses } from "./arbitraries/troubled-clusters.ts";
export { type DiagnoseJobSet, diagnosisLaws } from "./laws/diagnosis-laws.ts";
