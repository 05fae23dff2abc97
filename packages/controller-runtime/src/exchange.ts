import type { ByteStream, Fetch, FetchRequest, FetchResponse } from "./connection.ts";

/**
 * One request and its answer. It ends when a signal is given, when {@link Exchange.end} is called, or when the server is
 * silent for too long.
 */
export class Exchange {
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal | undefined;
  readonly #onEnd: () => void;
  #silentMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSilent = false;
  #isWhole = false;
  #response: FetchResponse | undefined;

  /**
   * @param silentMs - how long the server may be silent, before its answer and within it
   * @param onEnd - told when it is over, in whatever way
   */
  constructor(silentMs: number, signal: AbortSignal | undefined, onEnd: () => void) {
    this.#silentMs = silentMs;
    this.#signal = signal;
    this.#onEnd = onEnd;
    signal?.addEventListener("abort", this.end);
  }

  /**
   * Sends the request; resolves when the answer begins.
   *
   * @throws Error that says why none does
   */
  async send(
    fetch: Fetch,
    url: string,
    request: Omit<FetchRequest, "redirect" | "signal">,
  ): Promise<FetchResponse> {
    if (this.#signal?.aborted) this.end();
    const { signal } = this.#ending;
    try {
      signal.throwIfAborted();
      this.#awaitNext();
      this.#response = await fetch(url, { ...request, redirect: "manual", signal });
      this.#awaitNext();
      return this.#response;
    } catch (error) {
      this.end();
      throw this.#isSilent ? new Error("it is silent") : error;
    }
  }

  /** Lets the server be silent for another time from now on. */
  allowSilence(milliseconds: number): void {
    this.#silentMs = milliseconds;
    this.#awaitNext();
  }

  /** Whether the answer has come to its end. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The answer as it comes, to its end or as far as the connection lasts. */
  async *pieces(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    try {
      for await (const piece of splitPieces(this.#response?.body ?? [])) {
        this.#awaitNext();
        yield decoder.decode(piece, { stream: true });
      }
      this.#isWhole = true;
      yield decoder.decode();
    } catch {
      // A connection goes when its server does; what the next request meets tells more.
    } finally {
      this.end();
    }
  }

  /** All that comes of the answer. */
  async text(): Promise<string> {
    let text = "";
    for await (const piece of this.pieces()) text += piece;
    return text;
  }

  /** Ends what is under way. */
  readonly end = (): void => {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.end);
    // The connection of a whole answer is kept for the next request.
    if (!this.#isWhole) this.#ending.abort();
    this.#onEnd();
  };

  #awaitNext(): void {
    clearTimeout(this.#timer);
    if (this.#ending.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#isSilent = true;
      this.end();
    }, this.#silentMs);
  }
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

function splitPieces(body: Pieces | ByteStream): Pieces {
  return "getReader" in body && !(Symbol.asyncIterator in body)
    ? readStream(body)
    : (body as Pieces);
}

async function* readStream(stream: ByteStream): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value !== undefined) yield next.value;
    }
  } finally {
    await reader.cancel();
  }
}
