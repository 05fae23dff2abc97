export type { FindingId } from "./diagnosis/checks/finding-ids.ts";
export {
  type Diagnosis,
  diagnose,
  diagnoseAll,
} from "./diagnosis/engine/diagnose.ts";
export type { DiagnosisStatus } from "./diagnosis/engine/status.ts";
export type { DiagnosisChain, DiagnosisFinding } from "./diagnosis/engine/told-findings.ts";
export type { Violation } from "./diagnosis/invariants/violation.ts";
export { violations } from "./diagnosis/invariants/violations.ts";
export { type DiagnosisData, diagnosisData } from "./diagnosis/report/diagnosis-data.ts";
export { type JobSetPhase, jobSetPhase, type PhaseOfJobSet } from "./diagnosis/report/phase.ts";
export { markdownOfDiagnosis, renderDiagnosis } from "./diagnosis/report/render.ts";
export { type ClusterFacts, clusterFacts } from "./diagnosis/view/cluster-facts.ts";
export { diagnosedKinds, newestTime } from "./diagnosis/view/newest-time.ts";
export { explainFailure, type FailureExplanation } from "./failures/explain-failure.ts";
export { type NameBudget, nameBudget } from "./names/name-budget.ts";
