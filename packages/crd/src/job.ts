export { withGeneratedSelector } from "./job/generated-selector.ts";
export { readIndexList } from "./job/index-list.ts";
export {
  validateJob,
  validateLabels,
  validatePodSpec,
  validatePodTemplate,
} from "./job/validate-job.ts";
