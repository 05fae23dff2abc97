export { type ChildKeys, childKeysOf } from "./child-keys.ts";
export {
  type ClassifiedJobs,
  classifyJobs,
  jobState,
  type UnclassifiableJob,
} from "./classify-jobs.ts";
export { type Context, contextOf } from "./context.ts";
export { coordinatorEndpoint } from "./coordinator.ts";
export {
  type DependencyGate,
  dependencyGates,
  dependencyReached,
  startedCount,
} from "./dependencies.ts";
export {
  desiredJobs,
  type JobConstructor,
  jobConstructors,
  MAX_DESIRED_JOBS,
} from "./desired-jobs.ts";
export { desiredService, hasDnsHostnames } from "./desired-service.ts";
export { desiredVolumeClaims } from "./desired-volume-claims.ts";
export { placementAnnotations, usesNodeSelectorStrategy } from "./exclusive-placement.ts";
export {
  EXECUTION_ATTEMPT_KEY,
  type ExecutionDecision,
  executionDecision,
} from "./execution-attempts.ts";
export {
  type EvaluatedFailurePolicy,
  evaluateFailurePolicy,
  type FailureDecision,
  firstFailedJob,
} from "./failure-policy.ts";
export {
  type InPlaceRestartDecision,
  inPlaceRestartDecision,
  restartsInPlace,
} from "./in-place-restart.ts";
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
} from "./in-place-restart-agent.ts";
export {
  AGENT_NAMESPACE_FILE,
  type AgentConfiguration,
  type AgentConfigurationError,
  type AgentRole,
  agentConfiguration,
  workerInvocation,
} from "./in-place-restart-agent-configuration.ts";
export { type IndexedReplicatedJob, indexedReplicatedJobs, jobCount } from "./job-indexes.ts";
export { jobKey } from "./job-key.ts";
export { applyChanges, type MemberChange } from "./member-changes.ts";
export { compilePattern, type MessagePattern } from "./message-pattern.ts";
export { creationIsBlocked, missingJobs, takenJobNames } from "./missing-jobs.ts";
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
export { type PodAddress, podAddresses } from "./pod-addresses.ts";
export { NO_QUIRKS, type Quirk, type Quirks, quirks, UPSTREAM_QUIRKS } from "./quirks.ts";
export { reconcile } from "./reconcile/reconcile.ts";
export {
  type CountedJobs,
  isReady,
  replicatedJobsStatus,
  sameReplicatedJobsStatus,
} from "./replicated-jobs-status.ts";
export { type RestartedJob, restartJob } from "./restart-job.ts";
export { type ResumedJob, resumeJob } from "./resume-job.ts";
export {
  type EffectError,
  type EffectResult,
  PlanRun,
  type RunAction,
  type RunOutcome,
  type RunRequest,
} from "./run/plan-run.ts";
export { type Performer, runPlan } from "./run/run-plan.ts";
export { type ScaleDecision, type ScalePatch, scaleJob } from "./scale-job.ts";
export { type ConditionChange, setCondition, trueCondition } from "./set-condition.ts";
export {
  type Snapshot,
  type SnapshotChanges,
  type SnapshotOptions,
  snapshotOf,
} from "./snapshot/snapshot.ts";
export type { RefusedObject } from "./snapshot/unpack.ts";
export { type StartupGate, startsInOrder, startupGate } from "./startup-policy.ts";
export { evaluateSuccessPolicy, type SuccessDecision } from "./success-policy.ts";
export { type ChangedJob, suspendJob } from "./suspend-job.ts";
export { isFinished, type TtlDecision, ttlDecision } from "./ttl.ts";
