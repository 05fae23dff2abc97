import type { EffectError } from "@jobset-ts/core";

/** Why a request failed. */
export interface ApiError extends EffectError {
  /** The HTTP status. Absent without a response. */
  readonly code?: number;
  /** How long the server asks us to wait. */
  readonly retryAfterSeconds?: number;
  /**
   * Whether the error is about the server or the connection rather than the request. Then other requests fail for the
   * same reason, and all have the same `message`, which names the server.
   */
  readonly isServerResponse: boolean;
  /** The beginning of what came in place of an answer, unless that is JSON. */
  readonly answer?: string;
}

/**
 * Whether the server is well and only wants us to come again later.
 *
 * @example isRetryAfter({ code: 429, message: "slowly", isServerResponse: true }) // => true
 */
export function isRetryAfter({ code = 0, retryAfterSeconds }: ApiError): boolean {
  return code === 429 || (code >= 500 && retryAfterSeconds !== undefined);
}

/** A server that asks for longer gets that long. */
const MAX_WAIT_SECONDS = 30;

/**
 * How long to wait for a server that asks to: as long as it says, at most half a minute; a second when it does not say.
 *
 * @example retryAfterSeconds({ code: 429, message: "slowly", isServerResponse: true, retryAfterSeconds: 86_400 }) // => 30
 */
export function retryAfterSeconds({ retryAfterSeconds = 1 }: ApiError): number {
  return Math.min(retryAfterSeconds, MAX_WAIT_SECONDS);
}

/** What an API server answers, or anything in front of it. */
interface ErrorResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** What a refusal says: a server's `Status`, or anything, for a proxy in between may send what it likes. */
export function toResponseError(
  server: string,
  { status: code, headers, text }: ErrorResponse,
): ApiError {
  // A number of seconds; what is a date we do not wait for.
  const { seconds } = /^(?<seconds>\d+)$/.exec(headers.get("retry-after") ?? "")?.groups ?? {};
  const wait = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
  const status = parseStatus(text);
  if ((status as { kind?: unknown } | undefined)?.kind === "Status") {
    return { code, ...toStatusError(server, status), ...wait };
  }
  const type = headers.get("content-type")?.split(";")[0] ?? "nothing";
  const what = `answers ${code} with ${type}, not with a Status`;
  return { ...createServerError(server, what, { code, answer: text }), ...wait };
}

/** Converts a `Status` object, from a response or from a watch. */
export function toStatusError(server: string, status: unknown): ApiError {
  const { code, reason, message } = (status ?? {}) as Record<string, unknown>;
  const ofServer = code === 401 || code === 429;
  const text = typeof message === "string" && message !== "" ? message : "it gives no reason";
  return {
    message: ofServer ? `${server} answers ${code}: ${text}` : text,
    isServerResponse: ofServer,
    ...(typeof reason === "string" && reason !== "" && { reason }),
    ...(typeof code === "number" && { code }),
  };
}

/** @param does - what the server, or the way to it, does wrong */
export function createServerError(
  server: string,
  does: string,
  rest: { readonly code?: number; readonly answer?: string } = {},
): ApiError {
  const { answer, ...others } = rest;
  return {
    ...others,
    ...truncateStart(answer),
    message: `${server} ${does}`,
    isServerResponse: true,
  };
}

/** The beginning of a proxy's page, which may say what is wrong. The beginning of JSON may be that of a Secret. */
export function truncateStart(answer = ""): Pick<ApiError, "answer"> {
  return answer === "" || /^\s*[[{"]/.test(answer) ? {} : { answer: answer.slice(0, 100) };
}

/**
 * What an error says. Runtimes say of a request only that it failed, and have the cause beside that.
 *
 * @example errorMessage(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })) // => "fetch failed: ECONNREFUSED"
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // For a hostname with several addresses the error contains one error for each address.
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join(", ");
  const { cause, message, name } = error;
  const { code } = error as { code?: unknown };
  const words = message || (typeof code === "string" ? code : name);
  return cause === undefined ? words : `${words}: ${errorMessage(cause)}`;
}

/** What JSON says; undefined for what is none. */
export function parseStatus(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
