export {
  type DependencyDecision,
  dependencyReached,
  evaluateDependencies,
  startedCount,
} from "./policies/dependencies.ts";
export {
  type ExecutionDecision,
  evaluateExecutionAttempts,
} from "./policies/execution-attempts.ts";
export {
  type EvaluatedFailurePolicy,
  evaluateFailurePolicy,
  type FailureDecision,
  firstFailedJob,
} from "./policies/failure-policy.ts";
export {
  evaluateInPlaceRestart,
  type InPlaceRestartDecision,
  restartsInPlace,
} from "./policies/in-place-restart.ts";
export {
  type RefusedMessagePattern,
  refusedMessagePatterns,
} from "./policies/refused-message-patterns.ts";
export {
  evaluateStartupPolicy,
  type StartupDecision,
  startsInOrder,
} from "./policies/startup-policy.ts";
export { evaluateSuccessPolicy, type SuccessDecision } from "./policies/success-policy.ts";
export { evaluateTtl, isFinished, type TtlDecision } from "./policies/ttl.ts";
