export type { DiagnosisExtension } from "./diagnosis/checks/extension.ts";
export type { FindingId } from "./diagnosis/checks/finding-ids.ts";
export {
  type Diagnosis,
  type DiagnosisOptions,
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
export type { Thresholds } from "./diagnosis/view/thresholds.ts";
export { explainFailure, type FailureExplanation } from "./failures/explain-failure.ts";
export { type NameBudget, nameBudget } from "./names/name-budget.ts";
