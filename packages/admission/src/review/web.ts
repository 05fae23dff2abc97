// The parts of the web's Request and Response that a handler needs. Declared here, so that users do not need a
// browser's type library. The real types are compatible.

import { stringifyJson } from "@jobset-ts/api/text";

/** The request: the web's `Request`. */
export interface WebRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: {
    /** Returns the value of a header. The case of its name does not matter. */
    get(name: string): string | null;
  };
  readonly body: WebStream | null;
}

/** A body in pieces: the web's `ReadableStream` of bytes. */
export interface WebStream {
  /** Locks the stream. */
  getReader(): {
    /** Returns the next piece. */
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
    /** Cancels the stream. */
    cancel(): Promise<unknown>;
  };
}

/** The response: the web's `Response` as the runtime declares it, or a minimal type without it. */
// biome-ignore lint/style/noRestrictedGlobals: this is only a type of the runtime
export type WebResponse = typeof globalThis extends { Response: { prototype: infer Declared } }
  ? Declared
  : {
      readonly status: number;
      readonly headers: {
        /** Returns the value of a header. The case of its name does not matter. */
        get(name: string): string | null;
      };
      /** Returns the whole body. */
      text(): Promise<string>;
    };

/** The end of a wait: the web's `AbortSignal`. */
export interface WebSignal {
  readonly aborted: boolean;
  /** Adds a listener for the end of the wait. */
  addEventListener(type: "abort", listener: () => void): void;
  /** Removes a listener. */
  removeEventListener(type: "abort", listener: () => void): void;
}

declare const Response: new (
  body: string,
  init: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
) => WebResponse;

/** Creates a plain text response, for requests that are not an AdmissionReview. */
export function plainResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): WebResponse {
  const all = { "content-type": "text/plain; charset=utf-8", ...headers };
  return new Response(`${text}\n`, { status, headers: all });
}

/** Returns a response in JSON. */
export function jsonResponse(status: number, value: object): WebResponse {
  return new Response(stringifyJson(value), {
    status,
    headers: { "content-type": "application/json" },
  });
}

/** Returns the path of an absolute URL, or of a text that starts with a path, without the query. */
export function getPath(url: string): string {
  const [, path = ""] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? [];
  return path === "" ? "/" : path;
}

/**
 * Returns how long an API server waits for the response, in seconds: the `timeout` parameter of its URL, which is
 * `timeoutSeconds` of the webhook's configuration, 1 to 30. Undefined without it.
 *
 * @see k8s.io/client-go `Request.Timeout`
 */
export function readTimeoutSeconds(url: string): number | undefined {
  const [, seconds] = /[?&]timeout=([1-9]|[12]\d|30)s(?:[&#]|$)/.exec(url) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
