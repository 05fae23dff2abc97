export {
  type Check,
  type CheckDependencies,
  type CheckEvaluation,
  type CheckSet,
  defineChecks,
  describeMasking,
  type Evidence,
  evaluateChecks,
  type Finding,
  fieldFinding,
  findMasking,
} from "@jobset-ts/checks";
export { createDenial } from "./denial/denial.ts";
