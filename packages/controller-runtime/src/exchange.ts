import type { ByteStream, Fetch, FetchRequest, FetchResponse } from "./connection.ts";

/**
 * One request and its response. It ends if the signal aborts, if {@link Exchange.end} is called, or if the server is
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
   * @param silentMs - how long the server may be silent before and during its response
   * @param onEnd - called when the exchange ends for any reason
   */
  constructor(silentMs: number, signal: AbortSignal | undefined, onEnd: () => void) {
    this.#silentMs = silentMs;
    this.#signal = signal;
    this.#onEnd = onEnd;
    signal?.addEventListener("abort", this.end);
  }

  /**
   * Sends the request. Resolves when the response starts.
   *
   * @throws Error with the reason if there is no response
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

  /** Sets the time that the server may be silent from now on. */
  allowSilence(milliseconds: number): void {
    this.#silentMs = milliseconds;
    this.#awaitNext();
  }

  /** Whether the response is complete. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Yields the response until it is complete or the connection fails. */
  async *readChunks(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    try {
      for await (const piece of splitPieces(this.#response?.body ?? [])) {
        this.#awaitNext();
        yield decoder.decode(piece, { stream: true });
      }
      this.#isWhole = true;
      yield decoder.decode();
    } catch {
      // If the server stops, the connection ends too. The next request reports the error.
    } finally {
      this.end();
    }
  }

  /** Returns the rest of the response. */
  async text(): Promise<string> {
    let text = "";
    for await (const piece of this.readChunks()) text += piece;
    return text;
  }

  /** Aborts the request. */
  readonly end = (): void => {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.end);
    // The connection of a complete response is kept for the next request.
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
