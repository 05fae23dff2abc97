export {
  AGENT_FIELD_MANAGER,
  AGENT_START,
  type AgentAction,
  type AgentState,
  type AgentStep,
  type AnnounceAction,
  agentActionAfterLift,
  agentActionOnSignal,
  agentStep,
  agentStepAfterAnnouncing,
  type BarrierLift,
  type LiftResult,
} from "./agent/in-place-restart-agent.ts";
export {
  AGENT_NAMESPACE_FILE,
  type AgentConfiguration,
  type AgentConfigurationError,
  type AgentRole,
  agentConfiguration,
  workerInvocation,
} from "./agent/in-place-restart-agent-configuration.ts";
export {
  type ClassifiedJobs,
  classifyJobs,
  jobState,
  type UnclassifiableJob,
} from "./child-jobs/classify-jobs.ts";
export { type RestartedJob, restartJob } from "./child-jobs/restart-job.ts";
export { type ResumedJob, resumeJob } from "./child-jobs/resume-job.ts";
export { type ScaleDecision, type ScalePatch, scaleJob } from "./child-jobs/scale-job.ts";
export { type ChangedJob, suspendJob } from "./child-jobs/suspend-job.ts";
export { type Context, contextOf } from "./context.ts";
export { type ChildKeys, childKeysOf } from "./desired/child-keys.ts";
export { coordinatorEndpoint } from "./desired/coordinator.ts";
export {
  desiredJobs,
  type JobConstructor,
  jobConstructors,
  MAX_DESIRED_JOBS,
} from "./desired/desired-jobs.ts";
export { desiredService, hasDnsHostnames } from "./desired/desired-service.ts";
export { desiredVolumeClaims } from "./desired/desired-volume-claims.ts";
export {
  isPlacedByNodeLabels,
  placementAnnotations,
  usesNodeSelectorStrategy,
} from "./desired/exclusive-placement.ts";
export {
  type IndexedReplicatedJob,
  indexedReplicatedJobs,
  jobCount,
} from "./desired/job-indexes.ts";
export { jobKey } from "./desired/job-key.ts";
export { creationIsBlocked, missingJobs, takenJobNames } from "./desired/missing-jobs.ts";
export { type PodAddress, podAddresses } from "./desired/pod-addresses.ts";
export { applyChanges, type ElementKey, type MemberChange } from "./member-changes.ts";
export { compilePattern, type MessagePattern } from "./message-pattern/message-pattern.ts";
export { type OverBudget, PatternBudget } from "./message-pattern/pattern-budget.ts";
export { controllingJobSetUid, isChildJob, ownerReferenceTo } from "./owner.ts";
export {
  type EvaluatedPlacement,
  evaluatePlacement,
  type PlacementDecision,
} from "./placement/evaluate-placement.ts";
export { isLeaderPod, isPlacementTrigger } from "./placement/leader.ts";
export {
  type NodeLabelsPlan,
  type NodeLabelsRefusal,
  type NodePatch,
  nodePatchLines,
  type PoolAssignment,
  planNodeLabels,
} from "./placement/plan-node-labels.ts";
export { reconcilePlacement } from "./placement/reconcile-placement.ts";
export type {
  CreateEffect,
  Decision,
  DeleteEffect,
  Effect,
  ObjectKey,
  PatchEffect,
  Phase,
  PlacementPlan,
  Plan,
  PlanError,
  PlannedEvent,
  PlannedMetric,
  Step,
  UpdateEffect,
  UpdateStatusEffect,
} from "./plan.ts";
export {
  type DependencyGate,
  dependencyGates,
  dependencyReached,
  startedCount,
} from "./policies/dependencies.ts";
export {
  EXECUTION_ATTEMPT_KEY,
  type ExecutionDecision,
  executionDecision,
} from "./policies/execution-attempts.ts";
export {
  type EvaluatedFailurePolicy,
  evaluateFailurePolicy,
  type FailureDecision,
  firstFailedJob,
} from "./policies/failure-policy.ts";
export {
  type InPlaceRestartDecision,
  inPlaceRestartDecision,
  restartsInPlace,
} from "./policies/in-place-restart.ts";
export { type StartupGate, startsInOrder, startupGate } from "./policies/startup-policy.ts";
export { evaluateSuccessPolicy, type SuccessDecision } from "./policies/success-policy.ts";
export { isFinished, type TtlDecision, ttlDecision } from "./policies/ttl.ts";
export { NO_QUIRKS, type Quirk, type Quirks, quirks, UPSTREAM_QUIRKS } from "./quirks.ts";
export { affectedJobSet } from "./reconcile/affected-jobsets.ts";
export { reconcile } from "./reconcile/reconcile.ts";
export {
  type ApiRequest,
  apiRequestOf,
  type Permission,
  permissionsFor,
  type RequestOfEffect,
} from "./requests/api-request.ts";
export { EventCorrelator, type EventReport } from "./requests/event-correlator.ts";
export type { ReportedEvent } from "./requests/jobset-event.ts";
export {
  clusterPath,
  collectionPath,
  objectPath,
  type RequestPath,
  resourceOf,
} from "./requests/request-path.ts";
export {
  type EffectError,
  type EffectResult,
  PlanRun,
  type RunAction,
  type RunOutcome,
  type RunRequest,
} from "./run/plan-run.ts";
export { type Performer, runPlan } from "./run/run-plan.ts";
export { SNAPSHOT_KINDS, type SnapshotKind } from "./snapshot/kinds.ts";
export {
  type KindReading,
  type ReadError,
  type Snapshot,
  type SnapshotChanges,
  type SnapshotOptions,
  snapshotOf,
} from "./snapshot/snapshot.ts";
export type { RefusedObject } from "./snapshot/unpack.ts";
export {
  type CountedJobs,
  isReady,
  replicatedJobsStatus,
  sameReplicatedJobsStatus,
} from "./status/replicated-jobs-status.ts";
export { type ConditionChange, setCondition, trueCondition } from "./status/set-condition.ts";
