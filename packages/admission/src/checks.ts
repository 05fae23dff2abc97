export type { CausalGraph } from "./checks/causal-graph.ts";
export type { CausalCheck, Check, CheckFailure, CheckResult } from "./checks/check.ts";
export { type CheckSet, checkSet } from "./checks/check-set.ts";
export {
  type DenialWording,
  denialOf,
  type FoundFindings,
  type ToldFindings,
} from "./checks/denial.ts";
export { describeMasking } from "./checks/describe-masking.ts";
export {
  type BlockedCheck,
  type CheckEvaluation,
  evaluateChecks,
} from "./checks/evaluate-checks.ts";
export {
  type CoverageGap,
  findMasking,
  type MaskingCounterexample,
  type MaskingProof,
  type MaskingRefusal,
  type MaskingReport,
} from "./checks/find-masking.ts";
export { type Evidence, type Finding, type FindingWords, fieldFinding } from "./checks/finding.ts";
export { firstFailure } from "./checks/first-failure.ts";
export { type LinkedFindings, linkFindings } from "./checks/link-findings.ts";
export type { Masking, MaskingCounts, MaskingOptions } from "./checks/masking.ts";
export { runCheck } from "./checks/run-check.ts";
