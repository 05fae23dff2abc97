export type { FindingId } from "./diagnosis/checks/finding-ids.ts";
export {
  type Diagnosis,
  diagnose,
  diagnoseAll,
} from "./diagnosis/engine/diagnose.ts";
export type { DiagnosisChain, DiagnosisFinding } from "./diagnosis/engine/report-findings.ts";
export type { DiagnosisStatus } from "./diagnosis/engine/status.ts";
export type { InvariantViolation } from "./diagnosis/invariants/violation.ts";
export { findInvariantViolations } from "./diagnosis/invariants/violations.ts";
export { type DiagnosisJson, toDiagnosisJson } from "./diagnosis/report/diagnosis-data.ts";
export { type JobSetPhase, type JobSetPhaseResult, jobSetPhase } from "./diagnosis/report/phase.ts";
export { renderDiagnosis, renderDiagnosisMarkdown } from "./diagnosis/report/render.ts";
export { type ClusterIndex, indexCluster } from "./diagnosis/view/cluster-facts.ts";
export { diagnosedKinds, latestTimestamp } from "./diagnosis/view/latest-timestamp.ts";
export { explainFailure, type FailureExplanation } from "./failures/explain-failure.ts";
export { type NameBudget, nameBudget } from "./names/name-budget.ts";
