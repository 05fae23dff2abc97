export {
  type CausalCheck,
  type Check,
  type CheckEvaluation,
  type CheckSet,
  checkSet,
  describeMasking,
  type Evidence,
  evaluateChecks,
  type Finding,
  fieldFinding,
  findMasking,
} from "@jobset-ts/checks";
export { denialOf } from "./denial/denial.ts";
