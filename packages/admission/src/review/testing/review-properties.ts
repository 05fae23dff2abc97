import { defaultJobSetRequest, type JobSet } from "@jobset-ts/api";
import { isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type Context, createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { aClaim } from "@jobset-ts/testing";
import { jobSets, podAdmissionRequests } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { corrupted, hostileValues } from "../../../../testing/src/arbitraries/hostile-values.ts";
import { applyJsonPatch } from "../../../../testing/src/laws/apply-json-patch.ts";
import { asJson } from "../../../../testing/src/laws/as-json.ts";
import { claim, claimSame } from "../../../../testing/src/laws/claim.ts";
import {
  WEBHOOK_PATHS,
  type WebhookHandlerOptions,
  type WebRequest,
  type WebResponse,
} from "../../http.ts";
import {
  matchesRequiredObject,
  mutatePod,
  type RequiredObject,
  type ReviewResult,
} from "../../index.ts";
import { decodeBase64 } from "../../patch.ts";

type Stage = "mutate" | "validate";

/** A function that responds to an AdmissionReview. */
export type Review = (
  admissionReview: unknown,
  snapshot: Snapshot,
  context: Context,
  options: { readonly stage: Stage },
) => ReviewResult;

/** A function that returns the objects on which a response still depends. */
export type Requirements = (
  admissionReview: unknown,
  snapshot: Snapshot,
  context: Context,
  options: { readonly stage: Stage },
) => readonly RequiredObject[];

const context = createContext({ now: "2026-11-21T12:00:00Z" });
const kinds = ["Pod", "Node", "Event", "PersistentVolumeClaim"];

/**
 * The patch of a mutating webhook conforms to RFC 6902. Applied to the request's object, it produces the object with
 * the webhook's defaults and placement. The patch of a JobSet removes nothing.
 */
export function patchesGiveTheMutatedObject(subject: Review): fc.IProperty<unknown> {
  return fc.property(reviewedClusters(), ({ object, objects }) => {
    const snapshot = createSnapshot(objects, { kinds });
    const { response } = subject(createReview(object), snapshot, context, {
      stage: "mutate",
    }).response;
    if (!response.allowed) return;
    const text = response.patch === undefined ? "[]" : decodeBase64(response.patch);
    const patch: unknown = JSON.parse(text ?? "null");
    claim(Array.isArray(patch), "the patch is not a list of operations", patch);
    claim(response.patch === undefined || text !== "[]", "an empty patch is sent");
    claimSame(response.patchType, response.patch && "JSONPatch", "the type of the patch is wrong");
    if (object.kind === "JobSet") {
      const removals = (patch as { op: string }[]).filter(({ op }) => op === "remove");
      claimSame(removals, [], "the patch of a JobSet removes something");
    }
    const applied = applyJsonPatch(object, patch);
    claimSame(applied, { ok: true, value: mutatedForm(object, snapshot) }, "the patch is wrong");
  });
}

function mutatedForm(object: KubernetesObject, snapshot: Snapshot): unknown {
  if (object.kind === "JobSet") {
    const result = defaultJobSetRequest(object as JobSet);
    return result.allowed ? asJson(result.jobSet) : undefined;
  }
  const response = mutatePod({ operation: "CREATE", object }, snapshot, context);
  return response.allowed ? asJson(response.object) : undefined;
}

/**
 * For any input, `review` returns an AdmissionReview and does not throw. The response has the UID of the request, if
 * there is one, and a code. A denial has a message.
 */
export function anyReviewGetsResponse(subject: Review): fc.IProperty<unknown> {
  return fc.property(brokenReviews(), stages(), ({ review, objects }, stage) => {
    for (const sent of [review, asJson(review)]) {
      const reviewed = subject(sent, createSnapshot(objects), context, { stage });
      const { response, outcome } = reviewed;
      expectResponseTo(sent, response);
      claim(outcome === "Allowed" || !response.response.allowed, "two outcomes", reviewed);
    }
  });
}

/** The handler never rejects, whatever the bytes of the body and its chunks are, and also without a cluster. */
export function anyRequestGetsResponse(
  subject: (options: WebhookHandlerOptions) => (request: WebRequest) => Promise<WebResponse>,
): fc.IAsyncProperty<unknown> {
  let listeners = 0;
  const signal = {
    aborted: false,
    addEventListener() {
      listeners += 1;
    },
    removeEventListener() {
      listeners -= 1;
    },
  };
  const options = { context, deadline: () => signal, readSnapshot: () => createSnapshot([]) };
  const paths = fc.constantFrom(...WEBHOOK_PATHS.keys(), "/", "");
  const texts = fc.oneof(
    brokenReviews().map(({ review }) => JSON.stringify(review) ?? ""),
    fc.string(),
  );
  const cuts = fc.record({ size: fc.integer({ min: 1, max: 500 }), kept: fc.nat(2_000) });
  return fc.asyncProperty(paths, texts, cuts, async (path, text, { size, kept }) => {
    const bytes = toAscii(text).slice(0, kept % 2 === 0 ? undefined : kept);
    const response = await subject(options)(requestWith(`https://host${path}`, bytes, size));
    const { status } = response as { readonly status: number };
    claim([200, 400, 404].includes(status), "the status is none of those promised", status);
    claim(listeners === 0, "something still listens to the deadline", listeners);
    const isReview = status !== 404;
    const answer = await (response as { text(): Promise<string> }).text();
    if (isReview) expectResponseTo(undefined, JSON.parse(answer));
  });
}

/**
 * The required objects are sufficient: read round by round, they lead to the same response as the whole cluster, and no
 * kind is requested twice.
 */
export function requirementsSuffice(
  requirements: Requirements,
  review: Review,
): fc.IProperty<unknown> {
  return fc.property(reviewedClusters(), stages(), ({ object, objects }, stage) => {
    const sent = createReview(object);
    const part = readAsRequired(objects, (so) => requirements(sent, so, context, { stage }));
    const whole = createSnapshot(objects, { kinds });
    claimSame(
      review(sent, part, context, { stage }),
      review(sent, whole, context, { stage }),
      "a part of the cluster gives another answer than the whole",
    );
  });
}

function readAsRequired(
  objects: readonly KubernetesObject[],
  missingFrom: (snapshot: Snapshot) => readonly RequiredObject[],
): Snapshot {
  const read: KubernetesObject[] = [];
  const kinds: string[] = [];
  for (;;) {
    const snapshot = createSnapshot(read, { kinds });
    const missing = missingFrom(snapshot);
    if (missing.length === 0) return snapshot;
    for (const { kind } of missing) claim(!kinds.includes(kind), `${kind} is requested twice`);
    kinds.push(...missing.map(({ kind }) => kind));
    const isMeant = (one: KubernetesObject) =>
      missing.some((expected) => matchesRequiredObject(one, expected));
    read.push(...objects.filter(isMeant));
  }
}

function expectResponseTo(
  sent: unknown,
  { kind, apiVersion, response }: ReviewResult["response"],
): void {
  claimSame([kind, apiVersion], ["AdmissionReview", "admission.k8s.io/v1"], "no AdmissionReview");
  const request = isObject(sent) ? (sent as { request?: { uid?: unknown } }).request : undefined;
  const uid = request?.uid;
  if (sent !== undefined)
    claimSame(response.uid, typeof uid === "string" ? uid : "", "another UID");
  const { allowed, status } = response;
  claim(typeof allowed === "boolean" && Number.isInteger(status.code), "no outcome", response);
  claim(allowed === (status.code === 200), "the code says something else", response);
  if (!allowed) claim(typeof status.message === "string", "a refusal without words", response);
}

function stages(): fc.Arbitrary<Stage> {
  return fc.constantFrom("mutate", "validate");
}

/** An object to create, and all objects in the cluster. */
interface ReviewedCluster {
  readonly object: KubernetesObject;
  readonly objects: readonly KubernetesObject[];
}

function reviewedClusters(): fc.Arbitrary<ReviewedCluster> {
  const claims = fc.subarray(
    ["data-train", "logs-train", "data-other"].map((name) => aClaim(name)),
  );
  return fc.oneof(
    podAdmissionRequests().map(({ pod, objects }) => ({ object: asJson(pod), objects })),
    fc.record({ object: jobSets().map(asJson), objects: claims }),
  );
}

function brokenReviews(): fc.Arbitrary<{ review: unknown; objects: readonly KubernetesObject[] }> {
  const reviews = reviewedClusters().chain(({ object, objects }) =>
    fc.record({
      review: fc.oneof(
        { arbitrary: corrupted(fc.constant(createReview(object))), weight: 9 },
        { arbitrary: hostileValues(), weight: 1 },
      ),
      objects: fc.constant(objects),
    }),
  );
  return reviews;
}

function createReview(object: KubernetesObject): object {
  const [version = "", group = ""] = object.apiVersion.split("/").reverse();
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "b6b1b7a5",
      kind: { group, version, kind: object.kind },
      operation: "CREATE",
      object,
    },
  };
}

function requestWith(url: string, bytes: Uint8Array, size: number): WebRequest {
  let at = 0;
  const read = async () => {
    const value = bytes.slice(at, at + size);
    at += size;
    return value.length === 0 ? { done: true } : { done: false, value };
  };
  const headers = { get: (name: string) => (name === "content-type" ? "application/json" : null) };
  const body = { getReader: () => ({ read, cancel: async () => {} }) };
  return { url, method: "POST", headers, body };
}

/** One byte for each character, so that some texts are not UTF-8. */
function toAscii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) % 256);
}
