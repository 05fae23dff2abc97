import type { AdmissionReviewRequest, RequiredObject } from "@jobset-ts/admission";
import { createWebhookHandler, type ReviewEvent } from "@jobset-ts/admission/http";
import { resolveFeatureGates } from "@jobset-ts/api";
import { createRedactor } from "@jobset-ts/api/redaction";
import {
  ApiClient,
  type Connection,
  type LogLine,
  logLine,
  writeLine,
} from "@jobset-ts/controller-runtime";
import { createContext, type Snapshot } from "@jobset-ts/core";
import { type Deadline, deadlineIn, get, readAll } from "./cluster-reader.ts";
import { formatReviewLine } from "./review-line.ts";

/** Leave time for the response to travel. The API server ignores it after its timeout. */
const RESPONSE_TIME_SHARE = 0.8;

/** A working API server is never silent for this long. */
const CLIENT_TIMEOUTS = { responseMs: 5_000, watchMs: 5_000 };

/** The options of a proxy: how it reads, decides and logs. */
export interface ProxyOptions extends Connection {
  /** JobSet's feature gates. Gates that are not listed have their defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** The decision if the cluster cannot be read. The default is `Fail`. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Whether denials name their root causes. The default is `true`; otherwise clients get exactly upstream's messages. */
  readonly explainDenials?: boolean;
  /** Called for each denial and each failure. The default writes a line of JSON to standard error. */
  readonly log?: (line: LogLine) => void;
}

/**
 * Returns the handler of JobSet's four webhooks. It reads the objects for each decision from the API server and keeps
 * no state. `/healthz` always returns 200. `/readyz` returns 200 if the API server responds and accepts the token.
 *
 * @throws TypeError if the server's URL or a feature gate is invalid
 */
export function admissionProxy(options: ProxyOptions): (request: Request) => Promise<Response> {
  const {
    featureGates = {},
    failurePolicy = "Fail",
    explainDenials = true,
    log = writeLine,
  } = options;
  resolveFeatureGates(featureGates); // This throws for an unknown gate.
  const client = new ApiClient(options, {
    userAgent: "jobset-ts-admission-proxy",
    timeouts: CLIENT_TIMEOUTS,
  });
  const webhooks = createWebhookHandler({
    context: () => createContext({ now: Date.now(), features: featureGates }),
    deadline: (waitsMs) => deadlineIn(RESPONSE_TIME_SHARE * waitsMs),
    readSnapshot: createSnapshotReader(client, log),
    failurePolicy,
    explainDenials,
    // More people can read logs and client terminals than can read the objects.
    redact: true,
    onReview: (answered: ReviewEvent) => {
      const line = formatReviewLine(answered);
      if (line !== undefined) log(line);
    },
  });

  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/healthz") return new Response("ok\n");
    if (pathname === "/readyz") return readiness(client);
    const response = await webhooks(request);
    // Responses to requests without an AdmissionReview are text with another status.
    if (response.status !== 200 && response.status !== 400) {
      log(logLine("warning", `answered ${response.status} to ${request.method} ${pathname}`));
    }
    return response;
  };
}

/**
 * Returns a function that reads the required objects. A failed read rejects, so that the failure policy decides. A read
 * error in the snapshot would become a denial with the API server's code. Then 403 would suggest that the user lacks a
 * permission, although this program may not read Pods, and `Ignore` could not admit anything.
 *
 * Events do not affect the decision. They only explain why a leader is stuck, so a failed read of Events is ignored.
 */
function createSnapshotReader(client: ApiClient, log: (line: LogLine) => void) {
  return async (
    review: AdmissionReviewRequest,
    required: readonly RequiredObject[],
    { snapshot, signal }: { readonly snapshot: Snapshot; readonly signal: Deadline },
  ): Promise<Snapshot> => {
    const read = await readAll(client, required, signal);
    if (read.ok) return snapshot.with({ put: read.lists });
    if (required.some(({ kind }) => kind !== "Event")) throw new Error(read.cause);
    const redactor = createRedactor();
    redactor.redactObject(review);
    const cause = redactor.redactText(read.cause);
    log(logLine("warning", cause));
    return snapshot.with({ readErrors: { Event: cause } });
  };
}

/** Every service account may read the version, unless its token is rejected. */
async function readiness(client: ApiClient): Promise<Response> {
  const answer = await get(client, "/version", deadlineIn(3_000));
  if (answer.outcome === "Found") return new Response("ok\n");
  const cause = answer.outcome === "Failed" ? answer.cause : "GET /version: there is none";
  return new Response(`${cause}\n`, { status: 503 });
}
