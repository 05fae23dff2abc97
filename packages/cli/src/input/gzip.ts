import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { MAX_BYTES, TOO_LARGE } from "./read-limited.ts";

/** The error code for a gzip file that ends too early. */
export const TRUNCATED_GZIP = "JOBSET_CUT_OFF";

/** The error code for a corrupt gzip file. */
export const NOT_GZIP = "JOBSET_NOT_GZIP";

/** Returns whether bytes are gzip data, by their first two bytes. No UTF-8 text starts with these bytes. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Decompresses gzip data.
 *
 * @throws an error with the code {@link TRUNCATED_GZIP}, {@link NOT_GZIP}, or {@link TOO_LARGE} if the result exceeds
 *   `maxBytes`; the rest is not decompressed
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
