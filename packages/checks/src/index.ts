export { buildCausalGraph, type FindingGraph } from "./build-causal-graph.ts";
export type { CausalGraph } from "./causal-graph.ts";
export type { Check, CheckDependencies, CheckFailure, CheckResult } from "./check.ts";
export { type CheckSet, defineChecks } from "./define-checks.ts";
export { type CheckEvaluation, evaluateChecks, type SkippedCheck } from "./evaluate-checks.ts";
export {
  type Evidence,
  type FieldFindingDetails,
  type Finding,
  type FindingStatus,
  type FindingText,
  fieldFinding,
} from "./finding.ts";
export { findingToReport, type SortedFindings, sortFindings } from "./findings.ts";
export { firstFailure } from "./first-failure.ts";
export { describeMasking } from "./masking/describe-masking.ts";
export {
  type CoverageGap,
  findMasking,
  type MaskingCounterexample,
  type MaskingError,
  type MaskingProof,
  type MaskingReport,
} from "./masking/find-masking.ts";
export type { Masking, MaskingCounts, MaskingOptions } from "./masking/masking.ts";
export { runCheck } from "./run-check.ts";
export { MAX_NAME_BYTES, shortKey } from "./short-key.ts";
