export { dependencyReached, startedCount } from "./policies/dependencies.ts";
export { evaluateFailurePolicy, type FailureDecision } from "./policies/failure-policy.ts";
export { evaluateInPlaceRestart, restartsInPlace } from "./policies/in-place-restart.ts";
export {
  type RefusedMessagePattern,
  refusedMessagePatterns,
} from "./policies/refused-message-patterns.ts";
export { startsInOrder } from "./policies/startup-policy.ts";
export { evaluateTtl, isFinished } from "./policies/ttl.ts";
