export type { FieldChange } from "./jobset/changed-fields.ts";
export type { JobAction, JobActionCounts, JobConsequence } from "./jobset/job-consequences.ts";
export type { Mutability } from "./jobset/mutable-members.ts";
export {
  previewUpdate,
  type UpdateConsequences,
  type UpdatePreview,
} from "./jobset/preview-update.ts";
