export { decodeBase64, encodeBase64 } from "./review/base64.ts";
export { jsonPatch, type PatchOperation } from "./review/json-patch.ts";
