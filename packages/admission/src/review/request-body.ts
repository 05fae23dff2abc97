import type { Deadline } from "./deadline.ts";
import { decodeUtf8 } from "./utf8.ts";
import type { WebRequest, WebStream } from "./web.ts";

/** A body as text, or why there is none. */
export type RequestBody =
  | { readonly outcome: "Read"; readonly text: string }
  | { readonly outcome: "Empty" | "TooLarge" | "Broken" | "TooSlow" };

/**
 * Reads a request's body, and no more of it than is allowed: what the header says of its length may be wrong.
 *
 * @param maxBytes - the first byte beyond ends the reading
 */
export async function readBody(
  { body, headers }: WebRequest,
  maxBytes: number,
  deadline: Deadline,
): Promise<RequestBody> {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) return { outcome: "TooLarge" };
  if (body === null) return { outcome: "Empty" };
  let reader: ReturnType<WebStream["getReader"]>;
  try {
    reader = body.getReader();
  } catch {
    return { outcome: "Broken" }; // somebody else reads it
  }
  const read = await readChunks(reader, maxBytes, deadline);
  // The rest is not wanted; nobody waits for the sender to learn of it, and it makes no difference whether that fails.
  if (read.outcome !== "Read" && read.outcome !== "Empty") {
    void deadline.before(() => reader.cancel());
  }
  return read;
}

async function readChunks(
  reader: ReturnType<WebStream["getReader"]>,
  maxBytes: number,
  deadline: Deadline,
): Promise<RequestBody> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const next = await deadline.before(reader.read.bind(reader));
    if (next.outcome === "Late") return { outcome: "TooSlow" };
    if (next.outcome === "Failed") return { outcome: "Broken" };
    const { done, value } = next.value;
    if (done) break;
    if (!(value instanceof Uint8Array)) return { outcome: "Broken" };
    bytes += value.length;
    if (bytes > maxBytes) return { outcome: "TooLarge" };
    chunks.push(value);
  }
  return bytes === 0 ? { outcome: "Empty" } : { outcome: "Read", text: textOf(chunks, bytes) };
}

function textOf(chunks: readonly Uint8Array[], bytes: number): string {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return decodeUtf8(first);
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return decodeUtf8(whole);
}
