export { countStartedJobs, isDependencySatisfied } from "./policies/dependencies.ts";
export { evaluateFailurePolicy, type FailureDecision } from "./policies/failure-policy.ts";
export { evaluateInPlaceRestart, isInPlaceRestart } from "./policies/in-place-restart.ts";
export {
  findInvalidMessagePatterns,
  type InvalidMessagePattern,
} from "./policies/invalid-message-patterns.ts";
export { isInOrderStartup } from "./policies/startup-policy.ts";
export { evaluateTtl, isFinished } from "./policies/ttl.ts";
