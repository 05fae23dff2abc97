/** The way to an API server. */
export interface Connection {
  /** Its URL, with the path that a gateway in front of it may want. */
  readonly server: string;
  /** What sends the requests; by default the runtime's own. */
  readonly fetch?: Fetch;
  /**
   * Returns the bearer token. The client calls it before each request, because service account tokens are rotated. An
   * empty token is not sent.
   */
  readonly token?: () => string | Promise<string>;
  /** Lets go of what is kept open between requests. */
  close?(): void;
}

/** The web's `fetch`, as far as it is used. */
export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

/** As much of `RequestInit` as is sent. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  /** An API server does not redirect, and another server is not trusted. */
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** As much of `Response` as is read. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The text in pieces, as it comes. To read on rejects when the connection breaks. */
  readonly body: AsyncIterable<Uint8Array> | ByteStream | null;
}

/** As much of `ReadableStream` as is read. Some browsers, and some versions of its type, cannot iterate it. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
    cancel(): Promise<unknown>;
  };
}
