export { faultyClusters, knownCauses } from "./arbitraries/faulty-clusters.ts";
export { type DiagnoseJobSet, diagnosisLaws } from "./laws/diagnosis-laws.ts";
