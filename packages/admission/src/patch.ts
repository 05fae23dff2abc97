export { decodeBase64, encodeBase64 } from "./review/base64.ts";
export { jsonPatch } from "./review/json-patch.ts";
