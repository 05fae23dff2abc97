import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * The key of a Job: lower-case hex SHA-1, 40 characters, of `<namespace>/<Job name>` in UTF-8.
 *
 * It depends on nothing else, so it is the same across restarts. JobSet's API comments say SHA-256; its code
 * says SHA-1.
 *
 * @example jobKey("default", "js-rjob-0") // => "594cb5c93756409379daf5f78db3fa5c78663cd1"
 */
export function jobKey(namespace: string, jobName: string): string {
  return bytesToHex(sha1(utf8ToBytes(`${namespace}/${jobName}`)));
}
