import type { Body, BodyBudget } from "./body-budget.ts";
import type { Deadline } from "./deadline.ts";
import { decodeUtf8 } from "./utf8.ts";
import type { WebRequest, WebStream } from "./web.ts";

/** A body as text, or why there is none. */
export type RequestBody =
  | { readonly outcome: "Read"; readonly text: string }
  | { readonly outcome: "Empty" | "Broken" }
  | UnreadBody;

/** The body was not read completely, and the client may still be sending it. */
export interface UnreadBody {
  readonly outcome: "TooLarge" | "TooSlow" | "NoRoom";
}

/** The limits for reading a body: its size, its deadline, and its entry in the budget. */
export interface Limits {
  /** Reading stops at the first byte beyond this limit. */
  readonly maxBytes: number;
  readonly deadline: Deadline;
  readonly budget: BodyBudget;
  /** The body's entry in the budget. */
  readonly entry: Body;
}

/** Reads a request's body up to the limit. The length in its header is not trusted. */
export async function readBody(
  { body, headers }: WebRequest,
  limits: Limits,
): Promise<RequestBody> {
  if (Number(headers.get("content-length") ?? 0) > limits.maxBytes) return { outcome: "TooLarge" };
  if (body === null) return { outcome: "Empty" };
  let reader: ReturnType<WebStream["getReader"]>;
  try {
    reader = body.getReader();
  } catch {
    return { outcome: "Broken" }; // another reader has locked the stream
  }
  const read = await readPieces(reader, limits);
  // The rest is not needed. The result of cancel does not matter.
  if (read.outcome !== "Read" && read.outcome !== "Empty") {
    void limits.deadline.runBefore(() => reader.cancel());
  }
  return read;
}

async function readPieces(
  reader: ReturnType<WebStream["getReader"]>,
  { maxBytes, deadline, budget, entry }: Limits,
): Promise<RequestBody> {
  let bytes = new Uint8Array(0);
  for (;;) {
    if (!(await budget.waitForTurn(entry, deadline))) return { outcome: "NoRoom" };
    const next = await deadline.runBefore(reader.read.bind(reader));
    if (next.outcome === "Late") return { outcome: entry.hasWaited ? "NoRoom" : "TooSlow" };
    if (next.outcome === "Failed") return { outcome: "Broken" };
    const { done, value } = next.value;
    if (done) break;
    if (!(value instanceof Uint8Array)) return { outcome: "Broken" };
    const { bytes: at } = entry;
    budget.add(entry, value.length);
    if (entry.bytes > maxBytes) return { outcome: "TooLarge" };
    // Pieces are copied, because each may be a single byte of a large buffer, and there may be many.
    if (entry.bytes > bytes.length) bytes = growBuffer(bytes, entry.bytes, maxBytes);
    bytes.set(value, at);
  }
  budget.markComplete(entry);
  return entry.bytes === 0
    ? { outcome: "Empty" }
    : { outcome: "Read", text: decodeUtf8(bytes.subarray(0, entry.bytes)) };
}

/** Returns a larger buffer, with twice the needed size, so that a body is rarely copied. */
function growBuffer(bytes: Uint8Array, length: number, maxBytes: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(Math.min(Math.max(length, 2 * bytes.length), maxBytes));
  next.set(bytes);
  return next;
}
