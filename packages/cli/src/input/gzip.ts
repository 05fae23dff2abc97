import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { MAX_BYTES, TOO_LARGE } from "./read-limited.ts";

/** The code of the error with which a gzip file is refused that ends too early. */
export const TRUNCATED_GZIP = "JOBSET_CUT_OFF";

/** The code of the error with which one is refused whose bytes are not those that were packed. */
export const NOT_GZIP = "JOBSET_NOT_GZIP";

/** Whether bytes are packed by gzip, by the two that all such files begin with; no text in UTF-8 does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * What gzip has packed.
 *
 * @throws an error with the code {@link TRUNCATED_GZIP}, {@link NOT_GZIP}, or {@link TOO_LARGE} where there is more than
 *   `maxBytes`; what is beyond is not unpacked
 */
export async function decompress(bytes: Uint8Array, maxBytes = MAX_BYTES): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    const reason = new Map<unknown, string>([
      ["ERR_BUFFER_TOO_LARGE", TOO_LARGE],
      ["Z_BUF_ERROR", TRUNCATED_GZIP],
    ]).get(code);
    throw Object.assign(new Error("gzip"), { code: reason ?? NOT_GZIP });
  }
}
