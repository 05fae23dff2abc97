import type { IncomingMessage } from "node:http";
import type { EffectError } from "@jobset-ts/core";
import { parsed, textIn } from "./response-text.ts";

/** Why a request failed. */
export interface ApiError extends EffectError {
  /** The HTTP status; absent when there was no answer. */
  readonly code?: number;
  /** How long the server asks us to wait. */
  readonly retryAfterSeconds?: number;
  /**
   * Whether it tells of the server or the way to it, rather than of what was asked for: other requests fail for the
   * same cause, and `message`, which then names the server, is the same for all of them.
   */
  readonly isOfServer: boolean;
  /** The beginning of what came in place of an answer. */
  readonly answer?: string;
}

/** Whether the server is well and only wants us to come again later. */
export function asksToWait({ code = 0, retryAfterSeconds }: ApiError): boolean {
  return code === 429 || (code >= 500 && retryAfterSeconds !== undefined);
}

/** A server that asks for longer gets that long. */
const LONGEST_WAIT_SECONDS = 30;

/** How long we wait for a server that asks to; a second when it does not say. */
export function secondsToWait({ retryAfterSeconds = 1 }: ApiError): number {
  return Math.min(retryAfterSeconds, LONGEST_WAIT_SECONDS);
}

/** What a refusal says: a server's `Status`, or anything, for a proxy in between may send what it likes. */
export async function errorOfResponse(
  server: string,
  response: IncomingMessage,
): Promise<ApiError> {
  const { statusCode: code = 0, headers } = response;
  const text = await textIn(response);
  // A number of seconds; what is a date we do not wait for.
  const { seconds } = /^(?<seconds>\d+)$/.exec(headers["retry-after"] ?? "")?.groups ?? {};
  const wait = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
  const status = parsed(text);
  if ((status as { kind?: unknown } | undefined)?.kind === "Status") {
    return { code, ...errorOfStatus(server, status), ...wait };
  }
  const type = headers["content-type"]?.split(";")[0] ?? "nothing";
  const what = `answers ${code} with ${type}, not with a Status`;
  return { ...errorOfServer(server, what, { code, answer: text }), ...wait };
}

/** What a `Status` says, be it an answer of its own or in a watch. */
export function errorOfStatus(server: string, status: unknown): ApiError {
  const { code, reason, message } = (status ?? {}) as Record<string, unknown>;
  const ofServer = code === 401 || code === 429;
  const text = typeof message === "string" && message !== "" ? message : "it gives no reason";
  return {
    message: ofServer ? `${server} answers ${code}: ${text}` : text,
    isOfServer: ofServer,
    ...(typeof reason === "string" && reason !== "" && { reason }),
    ...(typeof code === "number" && { code }),
  };
}

/** @param does - what the server, or the way to it, does wrong */
export function errorOfServer(
  server: string,
  does: string,
  rest: { readonly code?: number; readonly answer?: string } = {},
): ApiError {
  const answer = rest.answer && { answer: rest.answer.slice(0, 100) };
  return { ...rest, ...answer, message: `${server} ${does}`, isOfServer: true };
}

/** What an error of Node says. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of a name with several addresses each is tried, and each fails for a reason of its own.
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join(", ");
  return error.message || error.name;
}
