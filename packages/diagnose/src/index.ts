export { type ClusterFacts, clusterFacts } from "./diagnosis/cluster-facts.ts";
export {
  type Diagnosis,
  diagnose,
  diagnoseAll,
} from "./diagnosis/diagnose.ts";
export { type DiagnosisData, diagnosisData } from "./diagnosis/diagnosis-data.ts";
export type { FindingId } from "./diagnosis/finding-ids.ts";
export { diagnosedKinds, newestTime } from "./diagnosis/newest-time.ts";
export type { PodNumbers } from "./diagnosis/numbers.ts";
export { type JobSetPhase, jobSetPhase, type PhaseOfJobSet } from "./diagnosis/phase.ts";
export { type DiagnosisLine, markdownOfDiagnosis, renderDiagnosis } from "./diagnosis/render.ts";
export {
  type JobSetSettleInput,
  type JobSetSettleState,
  type SettleOptions,
  settleJobSet,
  startSettling,
} from "./diagnosis/settle.ts";
export type { DiagnosisStatus } from "./diagnosis/status.ts";
export type { DiagnosisChain, DiagnosisFinding } from "./diagnosis/told-findings.ts";
export type { InvariantId, Violation } from "./diagnosis/violation.ts";
export { violations } from "./diagnosis/violations.ts";
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
