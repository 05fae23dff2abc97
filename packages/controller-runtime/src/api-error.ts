import type { EffectError } from "@jobset-ts/core";

/** The reason why a request failed. */
export interface ApiError extends EffectError {
  /** The HTTP status. Absent without a response. */
  readonly code?: number;
  /** The time that the server asks the client to wait. */
  readonly retryAfterSeconds?: number;
  /**
   * Whether the error concerns the server or the connection rather than the request. In that case, other requests
   * fail for the same reason, and their errors have the same `message`, which names the server.
   */
  readonly isServerResponse: boolean;
  /** The start of an unexpected response, unless it is JSON. */
  readonly responseText?: string;
}

/**
 * Reports whether the server is healthy and asks the client to retry later.
 *
 * @example isRetryAfter({ code: 429, message: "slowly", isServerResponse: true }) // => true
 */
export function isRetryAfter({ code = 0, retryAfterSeconds }: ApiError): boolean {
  return code === 429 || (code >= 500 && retryAfterSeconds !== undefined);
}

/** The wait is shorter only if the server requests less. */
const MAX_WAIT_SECONDS = 30;

/**
 * Returns how long to wait if the server requests it: the requested time, but at most 30 seconds. The default is one
 * second.
 *
 * @example retryAfterSeconds({ code: 429, message: "slowly", isServerResponse: true, retryAfterSeconds: 86_400 }) // => 30
 */
export function retryAfterSeconds({ retryAfterSeconds = 1 }: ApiError): number {
  return Math.min(retryAfterSeconds, MAX_WAIT_SECONDS);
}

/** A response of an API server or of a proxy in front of it. */
interface ErrorResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** Converts an error response. A server sends a `Status`. A proxy may send anything. */
export function toResponseError(
  server: string,
  { status: code, headers, text }: ErrorResponse,
): ApiError {
  // Retry-After may also be a date, which is ignored.
  const { seconds } = /^(?<seconds>\d+)$/.exec(headers.get("retry-after") ?? "")?.groups ?? {};
  const wait = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
  const status = parseStatus(text);
  if ((status as { kind?: unknown } | undefined)?.kind === "Status") {
    return { code, ...toStatusError(server, status), ...wait };
  }
  const type = headers.get("content-type")?.split(";")[0] ?? "nothing";
  const problem = `returned ${code} with ${type} instead of a Status`;
  return { ...createServerError(server, problem, { code, responseText: text }), ...wait };
}

/** Converts a `Status` object from a response or a watch. */
export function toStatusError(server: string, status: unknown): ApiError {
  const { code, reason, message } = (status ?? {}) as Record<string, unknown>;
  const ofServer = code === 401 || code === 429;
  const text = typeof message === "string" && message !== "" ? message : "no reason given";
  return {
    message: ofServer ? `${server} returned ${code}: ${text}` : text,
    isServerResponse: ofServer,
    ...(typeof reason === "string" && reason !== "" && { reason }),
    ...(typeof code === "number" && { code }),
  };
}

/** @param does - the problem of the server or of the connection */
export function createServerError(
  server: string,
  does: string,
  rest: { readonly code?: number; readonly responseText?: string } = {},
): ApiError {
  const { responseText, ...others } = rest;
  return {
    ...others,
    ...truncateStart(responseText),
    message: `${server} ${does}`,
    isServerResponse: true,
  };
}

/** Returns the start of a proxy's page, which may describe the problem. JSON is omitted, because it may be a Secret. */
export function truncateStart(text = ""): Pick<ApiError, "responseText"> {
  return text === "" || /^\s*[[{"]/.test(text) ? {} : { responseText: text.slice(0, 100) };
}

/**
 * Returns the message of an error. For failed requests, runtimes put the reason into `cause`.
 *
 * @example errorMessage(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })) // => "fetch failed: ECONNREFUSED"
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If a hostname has several addresses, the error contains one error for each.
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join(", ");
  const { cause, message, name } = error;
  const { code } = error as { code?: unknown };
  const words = message || (typeof code === "string" ? code : name);
  return cause === undefined ? words : `${words}: ${errorMessage(cause)}`;
}

/** Parses JSON. Returns `undefined` if the text is invalid. */
export function parseStatus(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
