import type { FieldError } from "@jobset-ts/api/errors";
import { isObject } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import { createSnapshot, type Snapshot } from "@jobset-ts/core";
import { internalErrorStatus } from "../api-status.ts";
import type { AdmissionContext } from "../webhook-shape.ts";
import {
  type AdmissionRequest,
  type AdmissionReviewRequest,
  isAnswerable,
  notAReview,
  readRequest,
} from "./admission-request.ts";
import { type AdmissionReview, allowedReview, createDeniedReview } from "./admission-response.ts";
import { Deadline } from "./deadline.ts";
import type { ReviewOptions } from "./decide.ts";
import { redactRequest } from "./redacted-review.ts";
import { type Limits, readBody, type Unread } from "./request-body.ts";
import type { RequiredObject } from "./requirement.ts";
import { attempt } from "./requirements.ts";
import {
  malformed,
  parseJson,
  type ReviewOutcome,
  type ReviewResult,
  rejectReview,
  reviewRequest,
} from "./review.ts";
import { Room } from "./room.ts";
import {
  getPath,
  jsonResponse,
  plainResponse,
  readTimeoutSeconds,
  type WebRequest,
  type WebResponse,
  type WebSignal,
} from "./web.ts";
import { WEBHOOK_PATHS, type Webhook } from "./webhooks.ts";

/** The most that upstream's server reads of a body. */
const MAX_BYTES = 7 * 1024 * 1024;

/** With what is made of them, a few hundred megabytes: what a small Pod can spare. */
const MAX_BYTES_UNDER_WAY = 16 * 1024 * 1024;

/** How long an API server waits for a webhook whose configuration does not say. */
const TIMEOUT_SECONDS = 10;

/** What a {@link createWebhookHandler} needs from the program around it. */
export interface WebhookHandlerOptions<Signal extends WebSignal = WebSignal>
  extends Omit<ReviewOptions, "stage" | "kind"> {
  /**
   * Returns the cluster as far as a request needs it: an existing complete view, or one that is read for the request.
   * The handler calls it again while required objects are missing, and never if none are. To read on demand, add to the
   * snapshot of the last call with `snapshot.with({ put })`: it accepts API responses as they are, and an empty list
   * means that no object exists. `readErrors` lists the kinds that could not be read. If the promise rejects,
   * `failurePolicy` decides.
   */
  readonly snapshotFor: (
    review: AdmissionReviewRequest,
    required: readonly RequiredObject[],
    reading: SnapshotReadState<Signal>,
  ) => Snapshot | PromiseLike<Snapshot>;
  /** Feature gates and quirks. A function is called for each request. */
  readonly context: AdmissionContext | (() => AdmissionContext);
  /**
   * Creates the signal that ends the wait for a request's body and snapshot. `waitsMs` is how long the API server
   * waits, in milliseconds: the `timeout` in the request's URL, which is `timeoutSeconds` of the webhook's
   * configuration, or ten seconds without it. Leave some time for the response: `(waitsMs) =>
   * AbortSignal.timeout(waitsMs * 0.8)`. The option is required, because the library has no clock.
   */
  readonly deadline: (waitsMs: number) => Signal;
  /** The most that is read of a body, in bytes; default 7 MiB, as upstream. */
  readonly maxBytes?: number;
  /**
   * The most that is held of all bodies together until their requests are answered, in bytes; default 16 MiB. What does
   * not fit is not read on until there is room, in the order of arrival; what finds none until its deadline gets 503. The
   * last `maxBytes` of it are for the eldest body alone, so it should be several times as much.
   */
  readonly maxBytesUnderWay?: number;
  /** Requests for which no snapshot comes are refused with code 500, which is the default, or let in with a warning. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Told of every answer to an AdmissionReview, for logs and metrics. What it throws is dropped. */
  readonly onReview?: (answered: ReviewEvent) => void;
}

/** How far the reading for one request has come. */
export interface SnapshotReadState<Signal extends WebSignal = WebSignal> {
  /** What the last call for this request answered; at first an empty snapshot. */
  readonly snapshot: Snapshot;
  /** The signal of `deadline`: it aborts when the snapshot is no longer needed. */
  readonly signal: Signal;
}

/** One answer, and what is behind it. */
export type ReviewEvent = {
  readonly webhook: Webhook;
  /**
   * Absent when the body held no request that could be answered. With the option `redact` it is redacted unless the
   * request is allowed.
   */
  readonly request?: AdmissionRequest;
  readonly response: AdmissionReview;
} & (ReviewOutcome | FailedReview);

/** The cluster's state did not come, so that the failure policy decided. */
export interface FailedReview {
  readonly outcome: "Unanswered";
  readonly message: string;
}

/**
 * Creates an HTTP handler for JobSet's four webhooks, from the web's `Request` to its `Response`.
 *
 * Each webhook has the path under which JobSet's installations register it ({@link WEBHOOK_PATHS}). Other requests get
 * a plain text response: 404, 405, 413, 415 (also for a compressed body), 408 if the body does not arrive in time, and
 * 503 without room for it in time. If the body was not read to its end, the response has `Connection: close`, so
 * that the server stops reading it. A body that is not a supported AdmissionReview, or has no UID, gets an
 * AdmissionReview and status 400. Everything else gets 200 and an AdmissionReview.
 *
 * The handler never rejects and never hangs, whatever it receives and whatever `snapshotFor` does. It keeps nothing of
 * a request after the response.
 *
 * @see controller-runtime `Webhook.ServeHTTP`
 */
export function createWebhookHandler<Signal extends WebSignal>(
  options: WebhookHandlerOptions<Signal>,
): (request: WebRequest) => Promise<WebResponse> {
  const { maxBytes = MAX_BYTES, maxBytesUnderWay = MAX_BYTES_UNDER_WAY } = options;
  const largest = Math.min(maxBytes, maxBytesUnderWay);
  const room = new Room(maxBytesUnderWay, largest);
  const servedByPath = new Map(
    Array.from(WEBHOOK_PATHS, ([path, webhook]) => [
      path,
      { webhook, reviewOptions: { ...options, ...webhook } },
    ]),
  );
  return async (request) => {
    const served = servedByPath.get(getPath(request.url));
    if (served === undefined) return plainResponse(404, "no webhook is registered at this path");
    if (request.method !== "POST") {
      return plainResponse(405, "an AdmissionReview is sent by POST", { allow: "POST" });
    }
    if (!isJson(request.headers.get("content-type"))) {
      return plainResponse(415, "an AdmissionReview is sent as application/json");
    }
    if (!isAsItIs(request.headers.get("content-encoding"))) {
      const words = "an AdmissionReview is sent as it is, not compressed or otherwise encoded";
      return plainResponse(415, words, { "accept-encoding": "identity" });
    }
    try {
      return await answerInTime(request, served, options, { room, maxBytes: largest });
    } catch (error) {
      // `deadline` is the one function of the caller's that may come here.
      return plainResponse(500, formatWords(error));
    }
  };
}

/** A webhook and the options of its reviews. */
interface Served {
  readonly webhook: Webhook;
  readonly reviewOptions: ReviewOptions;
}

/** Parameters may follow the media type. */
function isJson(contentType: string | null): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType ?? "");
}

function isAsItIs(contentEncoding: string | null): boolean {
  return /^\s*(identity\s*)?$/i.test(contentEncoding ?? "");
}

/** Whatever becomes of it, its body takes no room afterwards, and nothing waits for its deadline. */
async function answerInTime<Signal extends WebSignal>(
  request: WebRequest,
  served: Served,
  options: WebhookHandlerOptions<Signal>,
  { room, maxBytes }: Pick<Limits, "room" | "maxBytes">,
): Promise<WebResponse> {
  const signal = options.deadline(1000 * (readTimeoutSeconds(request.url) ?? TIMEOUT_SECONDS));
  const deadline = new Deadline(signal);
  const place = room.enter();
  try {
    const limits = { maxBytes, deadline, room, place };
    return await answer(request, served, options, { signal, limits });
  } finally {
    room.leave(place);
    deadline.close();
  }
}

async function answer<Signal extends WebSignal>(
  request: WebRequest,
  served: Served,
  options: WebhookHandlerOptions<Signal>,
  { signal, limits }: { readonly signal: Signal; readonly limits: Limits },
): Promise<WebResponse> {
  const came = await receive(request, limits);
  const { webhook } = served;
  switch (came.outcome) {
    case "TooLarge":
      return lastResponse(413, `the body is too large; the limit is ${limits.maxBytes} bytes`);
    case "TooSlow":
      return lastResponse(408, "the body did not come in time");
    case "NoRoom":
      return lastResponse(
        503,
        "too many requests are in progress; no room for the body became free in time",
      );
    case "NoReview":
      return respondAndReport(options, 400, { webhook, ...malformed("", [came.error]) });
    case "Read": {
      const read = readRequest(came.review, webhook);
      if (read.ok) {
        const { request } = read;
        const { deadline } = limits;
        const reading = { deadline, signal, review: came.review as AdmissionReviewRequest };
        const answered = await reviewWithin(request, served, options, reading);
        const shown = answered.outcome === "Allowed" ? request : redactForReport(request, options);
        return respondAndReport(options, 200, { webhook, request: shown, ...answered });
      }
      const status = isAnswerable(read.errors) ? 200 : 400;
      return respondAndReport(options, status, {
        webhook,
        ...rejectReview(came.review, read, served.reviewOptions),
      });
    }
  }
}

/** What came: any value, or why there is none. Its bytes and its text are let go of here. */
async function receive(
  request: WebRequest,
  limits: Limits,
): Promise<
  | { readonly outcome: "Read"; readonly review: unknown }
  | { readonly outcome: "NoReview"; readonly error: FieldError }
  | Unread
> {
  const body = await readBody(request, limits);
  switch (body.outcome) {
    case "Read": {
      const parsed = parseJson(body.text);
      return parsed.ok
        ? { outcome: "Read", review: parsed.value }
        : { outcome: "NoReview", error: parsed.error };
    }
    case "Empty":
      return { outcome: "NoReview", error: notAReview("the body is empty") };
    case "Broken":
      return { outcome: "NoReview", error: notAReview("the body could not be read") };
    default:
      return body;
  }
}

/** An answer in words to what was not read to its end: the rest is not taken from the connection. */
function lastResponse(status: number, text: string): WebResponse {
  return plainResponse(status, text, { connection: "close" });
}

function respondAndReport<Signal extends WebSignal>(
  { onReview }: WebhookHandlerOptions<Signal>,
  status: number,
  answered: ReviewEvent,
): WebResponse {
  try {
    onReview?.(answered);
  } catch {
    // Who watches does not decide.
  }
  return jsonResponse(status, answered.response);
}

/** What every request begins with; many are answered without more. */
const nothingRead = /* @__PURE__ */ createSnapshot([]);

interface Waiting<Signal> {
  readonly review: AdmissionReviewRequest;
  readonly deadline: Deadline;
  readonly signal: Signal;
}

type Answer = ReviewResult | ({ readonly response: AdmissionReview } & FailedReview);

async function reviewWithin<Signal extends WebSignal>(
  request: AdmissionRequest,
  { reviewOptions }: Served,
  options: WebhookHandlerOptions<Signal>,
  { review, deadline, signal }: Waiting<Signal>,
): Promise<Answer> {
  try {
    const context = typeof options.context === "function" ? options.context() : options.context;
    const asked = new Set<string>();
    let snapshot = nothingRead;
    for (;;) {
      const { missing, reviewed } = attempt(request, snapshot, context, reviewOptions);
      if (reviewed !== undefined) return reviewed;
      // A caller that did not add a requested kind cannot add it later. The snapshot stays as it is.
      if (missing.some(({ kind }) => asked.has(kind))) {
        return reviewRequest(request, snapshot, context, reviewOptions);
      }
      for (const { kind } of missing) asked.add(kind);
      const reading = { snapshot, signal };
      const next = await deadline.before(() => options.snapshotFor(review, missing, reading));
      if (next.outcome === "Late") return unanswered(request, options, "it did not come in time");
      if (next.outcome === "Failed") return unanswered(request, options, formatWords(next.error));
      snapshot = next.value;
    }
  } catch (error) {
    return unanswered(request, options, formatWords(error));
  }
}

function unanswered<Signal extends WebSignal>(
  request: AdmissionRequest,
  { failurePolicy = "Fail", redact = false }: WebhookHandlerOptions<Signal>,
  cause: string,
): Answer {
  const { uid } = request;
  const message = `the cluster's state could not be read: ${redact ? redactCause(request, cause) : cause}`;
  const response =
    failurePolicy === "Ignore"
      ? allowedReview(uid, [], [`not reviewed by JobSet's webhook: ${message}`])
      : createDeniedReview(uid, internalErrorStatus(message));
  return { response, outcome: "Unanswered", message };
}

function redactCause(request: AdmissionRequest, cause: string): string {
  const redactor = createRedactor();
  redactRequest(request, redactor);
  return redactor.redactText(cause);
}

/** Returns the request as it is reported beside a refusal. */
function redactForReport<Signal extends WebSignal>(
  request: AdmissionRequest,
  { redact = false }: WebhookHandlerOptions<Signal>,
): AdmissionRequest {
  return redact ? (redactRequest(request, createRedactor()) as AdmissionRequest) : request;
}

/** What an error says, in one line: a warning goes into an HTTP header. */
function formatWords(error: unknown): string {
  const text = isObject(error) ? (error as { message?: unknown }).message : error;
  return typeof text === "string"
    ? text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    : "unknown error";
}
