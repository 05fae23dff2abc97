export { type AppliedPatch, applyJsonPatch } from "./reference/apply-json-patch.ts";
export { applyStrategicMergePatch } from "./reference/apply-strategic-merge-patch.ts";
export { childKeysByTheTable } from "./reference/child-keys-by-the-table.ts";
export {
  type PodOrderName,
  type Told,
  toldByBothStages,
  toldByTheTable,
  whatIsTold,
} from "./reference/pod-truth-table.ts";
export { answersOf, snapshotQuestions } from "./reference/snapshot-answers.ts";
