/** The connection to an API server. */
export interface Connection {
  /** The URL of the server, including the path of a gateway if there is one. */
  readonly server: string;
  /** Sends the requests. Default: the runtime's `fetch`. */
  readonly fetch?: Fetch;
  /**
   * Returns the bearer token. The client calls it before each request, because service account tokens are rotated. An
   * empty token is not sent.
   */
  readonly token?: () => string | Promise<string>;
  /** Closes the connections that are kept open between requests. */
  close?(): void;
}

/** The part of the web `fetch` that the client uses. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** The part of `RequestInit` that the client sends. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** An API server does not redirect, and other servers are not trusted. */
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** The part of `Response` that the client reads. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The body in chunks. Reading rejects if the connection fails. */
  readonly body: AsyncIterable<Uint8Array> | ByteStream | null;
}

/**
 * The part of `ReadableStream` that the client reads. Some browsers, and some versions of its type, cannot iterate it.
 */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
    cancel(): Promise<unknown>;
  };
}
