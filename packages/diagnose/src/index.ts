export type { FindingId } from "./diagnosis/checks/finding-ids.ts";
export {
  type Diagnosis,
  diagnose,
  diagnoseAll,
} from "./diagnosis/engine/diagnose.ts";
export {
  type JobSetSettleInput,
  type JobSetSettleState,
  type SettleOptions,
  settleJobSet,
  startSettling,
} from "./diagnosis/engine/settle.ts";
export type { DiagnosisStatus } from "./diagnosis/engine/status.ts";
export type { DiagnosisChain, DiagnosisFinding } from "./diagnosis/engine/told-findings.ts";
export type { InvariantId, Violation } from "./diagnosis/invariants/violation.ts";
export { violations } from "./diagnosis/invariants/violations.ts";
export { type DiagnosisData, diagnosisData } from "./diagnosis/report/diagnosis-data.ts";
export { type JobSetPhase, jobSetPhase, type PhaseOfJobSet } from "./diagnosis/report/phase.ts";
export {
  type DiagnosisLine,
  markdownOfDiagnosis,
  renderDiagnosis,
} from "./diagnosis/report/render.ts";
export { type ClusterFacts, clusterFacts } from "./diagnosis/view/cluster-facts.ts";
export { diagnosedKinds, newestTime } from "./diagnosis/view/newest-time.ts";
export type { PodNumbers } from "./diagnosis/view/numbers.ts";
export {
  type ExplainedRule,
  explainFailure,
  type FailureExplanation,
  type FailureMiss,
} from "./failures/explain-failure.ts";
export type { FailureEnding, FailureOrders } from "./failures/failure-orders.ts";
export type { RestartCounts } from "./failures/restart-counts.ts";
export {
  type NameBudget,
  type NameUse,
  type NameUseId,
  nameBudget,
} from "./names/name-budget.ts";
export type { NameCollision, NameCollisions } from "./names/name-collisions.ts";
export {
  type WriteCost,
  type WriteCostOptions,
  type WriteOperation,
  writeCost,
} from "./writes/write-cost.ts";
export type { WriteCount, WritingController } from "./writes/write-tally.ts";
