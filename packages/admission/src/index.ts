export type { ApiStatus, ApiStatusDetails, StatusCause } from "./api-status.ts";
export type { CausalGraph } from "./checks/causal-graph.ts";
export type { CausalCheck, Check, CheckFailure, CheckResult } from "./checks/check.ts";
export { type CheckSet, checkSet } from "./checks/check-set.ts";
export { type DenialWording, denialOf } from "./checks/denial-of.ts";
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
export { firstFailure } from "./checks/first-failure.ts";
export type { Masking, MaskingCounts, MaskingOptions } from "./checks/masking.ts";
export {
  type ExplainedLink,
  type Explanation,
  explainDenial,
  renderExplanation,
} from "./explain-denial.ts";
export type { JobSetAdmissionContext } from "./jobset/answer-to.ts";
export type { CreateRuleId, JobSetRuleId, UpdateRuleId } from "./jobset/jobset-rule.ts";
export type { NamingOptions } from "./jobset/jobset-view.ts";
export { type JobSetRequest, validateJobSet } from "./jobset/validate-jobset.ts";
export { validateJobSetCreate } from "./jobset/validate-jobset-create.ts";
export { validateJobSetDelete } from "./jobset/validate-jobset-delete.ts";
export { validateJobSetUpdate } from "./jobset/validate-jobset-update.ts";
export type { NotFoundStyle } from "./pod/leader-domain.ts";
export { mutatePod } from "./pod/mutate-pod.ts";
export type { PodAdmissionOptions } from "./pod/pod-admission-options.ts";
export type { PodCheckId, PodFaultId, ToldPodCheckId } from "./pod/pod-check-ids.ts";
export { podChecks } from "./pod/pod-checks.ts";
export { PR_1188_POD_ORDER, ROOT_CAUSE_POD_ORDER, UPSTREAM_POD_ORDER } from "./pod/pod-orders.ts";
export { type PodRole, podRole } from "./pod/pod-role.ts";
export { type PodView, podView } from "./pod/pod-view.ts";
export { priorityLabel } from "./pod/priority-label.ts";
export { validatePod } from "./pod/validate-pod.ts";
export type {
  AdmissionDecision,
  Denial,
  Evidence,
  Finding,
  Mutated,
  Validated,
} from "./verdict.ts";
