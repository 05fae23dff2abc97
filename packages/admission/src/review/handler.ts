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
import { BodyBudget } from "./body-budget.ts";
import { Deadline } from "./deadline.ts";
import type { ReviewOptions } from "./decide.ts";
import { redactRequest } from "./redacted-review.ts";
import { type Limits, readBody, type UnreadBody } from "./request-body.ts";
import type { RequiredObject } from "./required-object.ts";
import { attemptReview } from "./required-objects.ts";
import {
  createMalformedReview,
  parseJson,
  type ReviewOutcome,
  type ReviewResult,
  rejectReview,
  reviewRequest,
} from "./review.ts";
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

/** The maximum body size of upstream's server. */
const MAX_BYTES = 7 * 1024 * 1024;

/** With derived data, this takes a few hundred megabytes, which fits into a small Pod. */
const MAX_BYTES_IN_FLIGHT = 16 * 1024 * 1024;

/** The default timeout of a webhook. */
const TIMEOUT_SECONDS = 10;

/** The options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Signal extends WebSignal = WebSignal>
  extends Omit<ReviewOptions, "stage" | "kind"> {
  /**
   * Returns the part of the cluster that a request needs: an existing complete view, or one that is read for the
   * request. The handler calls it again while required objects are missing, and never if none are. To read on demand,
   * add to the snapshot of the last call with `snapshot.with({ put })`: it accepts API responses as they are, and an
   * empty list means that no object exists. `readErrors` lists the kinds that could not be read. If the promise
   * rejects, `failurePolicy` decides.
   */
  readonly readSnapshot: (
    review: AdmissionReviewRequest,
    required: readonly RequiredObject[],
    state: SnapshotReadState<Signal>,
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
  /** The maximum size of a body in bytes. Default: 7 MiB, as in upstream. */
  readonly maxBytes?: number;
  /**
   * The maximum size of all bodies in memory, in bytes. Default: 16 MiB. Further bodies wait for room in order of
   * arrival, and get 503 at their deadline. The last `maxBytes` are reserved for the oldest body, so the limit should
   * be several times `maxBytes`.
   */
  readonly maxBytesInFlight?: number;
  /** What to do with a request without a snapshot: deny it with code 500 (default), or allow it with a warning. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Called with every response to an AdmissionReview, for logs and metrics. Errors that it throws are ignored. */
  readonly onReview?: (event: ReviewEvent) => void;
}

/** The progress of reading the cluster for one request. */
export interface SnapshotReadState<Signal extends WebSignal = WebSignal> {
  /** The result of the last call for this request, at first an empty snapshot. */
  readonly snapshot: Snapshot;
  /** The signal of `deadline`: it aborts when the snapshot is no longer needed. */
  readonly signal: Signal;
}

/** A response and the decision behind it. */
export type ReviewEvent = {
  readonly webhook: Webhook;
  /** Absent if the body contained no valid request. With `redact`, it is redacted unless the request is allowed. */
  readonly request?: AdmissionRequest;
  readonly response: AdmissionReview;
} & (ReviewOutcome | FailedReview);

/** The snapshot did not arrive, so the failure policy decided. */
export interface FailedReview {
  readonly outcome: "Unanswered";
  readonly message: string;
}

/**
 * Creates an HTTP handler for JobSet's four webhooks, from a web `Request` to a `Response`.
 *
 * Each webhook has the path under which JobSet's installations register it ({@link WEBHOOK_PATHS}). Other requests get
 * a plain text response: 404, 405, 413, 415 (also for a compressed body), 408 if the body does not arrive in time, and
 * 503 if no memory for it becomes available in time. If the body was not read completely, the response has `Connection:
 * close`, so that the server stops reading it. A body that is not a supported AdmissionReview, or has no UID, gets an
 * AdmissionReview and status 400. Everything else gets 200 and an AdmissionReview.
 *
 * The handler never rejects and never hangs, whatever it receives and whatever `readSnapshot` does. It keeps no data of
 * a request after the response.
 *
 * @see controller-runtime `Webhook.ServeHTTP`
 */
export function createWebhookHandler<Signal extends WebSignal>(
  options: WebhookHandlerOptions<Signal>,
): (request: WebRequest) => Promise<WebResponse> {
  const {
    maxBytes = MAX_BYTES,
    maxBytesInFlight = MAX_BYTES_IN_FLIGHT,
    explainDenials = true,
  } = options;
  const largest = Math.min(maxBytes, maxBytesInFlight);
  const budget = new BodyBudget(maxBytesInFlight, largest);
  const servedByPath = new Map(
    Array.from(WEBHOOK_PATHS, ([path, webhook]) => [
      path,
      { webhook, reviewOptions: { ...options, explainDenials, ...webhook } },
    ]),
  );
  return async (request) => {
    const served = servedByPath.get(getPath(request.url));
    if (served === undefined) return plainResponse(404, "no webhook is registered at this path");
    if (request.method !== "POST") {
      return plainResponse(405, "an AdmissionReview must be sent by POST", { allow: "POST" });
    }
    if (!isJson(request.headers.get("content-type"))) {
      return plainResponse(415, "an AdmissionReview must be sent as application/json");
    }
    if (!isIdentityEncoding(request.headers.get("content-encoding"))) {
      const words = "an AdmissionReview must not be compressed or otherwise encoded";
      return plainResponse(415, words, { "accept-encoding": "identity" });
    }
    try {
      return await respondInTime(request, served, options, { budget, maxBytes: largest });
    } catch (error) {
      // Only the caller's `deadline` can throw here.
      return plainResponse(500, errorText(error));
    }
  };
}

/** A webhook and the options of its reviews. */
interface TimedResponse {
  readonly webhook: Webhook;
  readonly reviewOptions: ReviewOptions;
}

/** Parameters may follow the media type. */
function isJson(contentType: string | null): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(contentType ?? "");
}

function isIdentityEncoding(contentEncoding: string | null): boolean {
  return /^\s*(identity\s*)?$/i.test(contentEncoding ?? "");
}

/** In all cases, the body then leaves the budget, and its deadline is closed. */
async function respondInTime<Signal extends WebSignal>(
  request: WebRequest,
  served: TimedResponse,
  options: WebhookHandlerOptions<Signal>,
  { budget, maxBytes }: Pick<Limits, "budget" | "maxBytes">,
): Promise<WebResponse> {
  const signal = options.deadline(1000 * (readTimeoutSeconds(request.url) ?? TIMEOUT_SECONDS));
  const deadline = new Deadline(signal);
  const entry = budget.enter();
  try {
    const limits = { maxBytes, deadline, budget, entry };
    return await respond(request, served, options, { signal, limits });
  } finally {
    budget.removeBody(entry);
    deadline.close();
  }
}

async function respond<Signal extends WebSignal>(
  request: WebRequest,
  served: TimedResponse,
  options: WebhookHandlerOptions<Signal>,
  { signal, limits }: { readonly signal: Signal; readonly limits: Limits },
): Promise<WebResponse> {
  const came = await readReview(request, limits);
  const { webhook } = served;
  switch (came.outcome) {
    case "TooLarge":
      return lastResponse(413, `the body is too large; the limit is ${limits.maxBytes} bytes`);
    case "TooSlow":
      return lastResponse(408, "the body did not arrive in time");
    case "NoRoom":
      return lastResponse(
        503,
        "too many requests are in progress, and memory for the body did not become free in time",
      );
    case "NoReview":
      return respondAndReport(options, 400, {
        webhook,
        ...createMalformedReview("", [came.error]),
      });
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

/** Returns the parsed body, or why there is none. Its bytes and text are released here. */
async function readReview(
  request: WebRequest,
  limits: Limits,
): Promise<
  | { readonly outcome: "Read"; readonly review: unknown }
  | { readonly outcome: "NoReview"; readonly error: FieldError }
  | UnreadBody
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

/** Returns a plain text response to a body that was not read completely. The connection closes. */
function lastResponse(status: number, text: string): WebResponse {
  return plainResponse(status, text, { connection: "close" });
}

function respondAndReport<Signal extends WebSignal>(
  { onReview }: WebhookHandlerOptions<Signal>,
  status: number,
  event: ReviewEvent,
): WebResponse {
  try {
    onReview?.(event);
  } catch {
    // An observer does not affect the decision.
  }
  return jsonResponse(status, event.response);
}

/** The initial snapshot of every request, which is often sufficient. */
const emptySnapshot = /* @__PURE__ */ createSnapshot([]);

interface WaitingRequest<Signal> {
  readonly review: AdmissionReviewRequest;
  readonly deadline: Deadline;
  readonly signal: Signal;
}

type HandlerResult = ReviewResult | ({ readonly response: AdmissionReview } & FailedReview);

async function reviewWithin<Signal extends WebSignal>(
  request: AdmissionRequest,
  { reviewOptions }: TimedResponse,
  options: WebhookHandlerOptions<Signal>,
  { review, deadline, signal }: WaitingRequest<Signal>,
): Promise<HandlerResult> {
  try {
    const context = typeof options.context === "function" ? options.context() : options.context;
    const requestedKinds = new Set<string>();
    let snapshot = emptySnapshot;
    for (;;) {
      const { missing, reviewed } = attemptReview(request, snapshot, context, reviewOptions);
      if (reviewed !== undefined) return reviewed;
      // If the caller did not add a requested kind, another attempt does not help, because the snapshot does not
      // change.
      if (missing.some(({ kind }) => requestedKinds.has(kind))) {
        return reviewRequest(request, snapshot, context, reviewOptions);
      }
      for (const { kind } of missing) requestedKinds.add(kind);
      const reading = { snapshot, signal };
      const next = await deadline.runBefore(() => options.readSnapshot(review, missing, reading));
      if (next.outcome === "Late")
        return applyFailurePolicy(request, options, "it did not arrive in time");
      if (next.outcome === "Failed")
        return applyFailurePolicy(request, options, errorText(next.error));
      snapshot = next.value;
    }
  } catch (error) {
    return applyFailurePolicy(request, options, errorText(error));
  }
}

function applyFailurePolicy<Signal extends WebSignal>(
  request: AdmissionRequest,
  { failurePolicy = "Fail", redact = false }: WebhookHandlerOptions<Signal>,
  cause: string,
): HandlerResult {
  const { uid } = request;
  const message = `the cluster's state could not be read: ${redact ? redactCause(request, cause) : cause}`;
  const response =
    failurePolicy === "Ignore"
      ? allowedReview(uid, [], [`not reviewed by JobSet's webhook: ${message}`])
      : createDeniedReview(uid, { status: internalErrorStatus(message) });
  return { response, outcome: "Unanswered", message };
}

function redactCause(request: AdmissionRequest, cause: string): string {
  const redactor = createRedactor();
  redactRequest(request, redactor);
  return redactor.redactText(cause);
}

/** Returns the request in the form that is reported with a denial. */
function redactForReport<Signal extends WebSignal>(
  request: AdmissionRequest,
  { redact = false }: WebhookHandlerOptions<Signal>,
): AdmissionRequest {
  return redact ? (redactRequest(request, createRedactor()) as AdmissionRequest) : request;
}

/** Returns an error's message on one line, because a warning becomes an HTTP header. */
function errorText(error: unknown): string {
  const text = isObject(error) ? (error as { message?: unknown }).message : error;
  return typeof text === "string"
    ? text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, " ")
    : "unknown error";
}
