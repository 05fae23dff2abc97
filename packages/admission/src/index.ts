export type { ApiStatus, ApiStatusDetails, StatusCause } from "./api-status.ts";
export type { CausalGraph } from "./checks/causal-graph.ts";
export type { CausalCheck, Check, CheckFailure, CheckResult } from "./checks/check.ts";
export { type CheckSet, checkSet } from "./checks/check-set.ts";
export { type DenialWording, denialOf } from "./checks/denial-of.ts";
export {
  type BlockedCheck,
  type CheckEvaluation,
  evaluateChecks,
} from "./checks/evaluate-checks.ts";
export { firstFailure } from "./checks/first-failure.ts";
export type {
  AdmissionDecision,
  Denial,
  Evidence,
  Finding,
  Mutated,
  Validated,
} from "./verdict.ts";
