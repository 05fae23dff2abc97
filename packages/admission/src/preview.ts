export { previewUpdate, type UpdatePreview } from "./jobset/preview-update.ts";
