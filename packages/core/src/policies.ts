export {
  type DependencyGate,
  dependencyGates,
  dependencyReached,
  startedCount,
} from "./policies/dependencies.ts";
export { type ExecutionDecision, executionDecision } from "./policies/execution-decision.ts";
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
export {
  type RefusedMessagePattern,
  refusedMessagePatterns,
} from "./policies/refused-message-patterns.ts";
export { type StartupGate, startsInOrder, startupGate } from "./policies/startup-policy.ts";
export { evaluateSuccessPolicy, type SuccessDecision } from "./policies/success-policy.ts";
export { isFinished, type TtlDecision, ttlDecision } from "./policies/ttl.ts";
