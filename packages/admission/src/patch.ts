export { decodeBase64, encodeBase64 } from "./review/base64.ts";
export { createJsonPatch } from "./review/json-patch.ts";
