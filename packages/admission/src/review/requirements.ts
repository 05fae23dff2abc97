import { getNamespace } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import type { AdmissionContext } from "../webhook-shape.ts";
import { type AdmissionRequest, readRequest } from "./admission-request.ts";
import { decide, type ReviewOptions } from "./decide.ts";
import { RecordingSnapshot } from "./recording-snapshot.ts";
import type { RequiredObject } from "./requirement.ts";
import { type ReviewResult, reviewOfDecision } from "./review.ts";

/**
 * Which objects the answer to an AdmissionReview still depends on, for who has no cache of the cluster.
 *
 * It goes in rounds, since one answer leads to the next question: a follower needs the Pods that may be its leader,
 * then the leader's node, and for what is behind a denial the Events about the leader. Whoever reads them makes a
 * snapshot of all that was read so far, tells it in `kinds` what kinds were read, so that what is not there is known to
 * be absent, or in `readErrors` why they could not be, and asks again. A kind that the snapshot knows counts as read
 * as far as this request goes.
 *
 * The webhook itself is asked, with a snapshot that notes what it looks for; so what it does not look at is never
 * required, and what it looks at always is.
 *
 * @param admissionReview - any JSON value
 * @param snapshot - what was read so far
 * @returns objects of one kind; nothing when the snapshot is enough, or the review is refused without any
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
 * const spec = { volumeClaimPolicies: [{ templates: [{ metadata: { name: "data" } }] }] };
 * const request = { uid: "u-1", kind, operation: "CREATE", object: { metadata: { name: "train", namespace: "ml" }, spec } };
 * const sent = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
 * const required = requiredObjects(sent, createSnapshot([]), createContext({ now: 0 }), { stage: "validate" });
 * required // => [{ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: "ml", name: "data-train" }]
 */
export function requiredObjects(
  admissionReview: unknown,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): readonly RequiredObject[] {
  const read = readRequest(admissionReview, options);
  return read.ok ? attempt(read.request, snapshot, context, options).missing : [];
}

/** What a request still depends on, or, if that is nothing, its review. */
export function attempt(
  request: AdmissionRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): { readonly missing: readonly RequiredObject[]; readonly reviewed?: ReviewResult } {
  const asked = new RecordingSnapshot(
    snapshot,
    getNamespace(request.object ?? request.oldObject ?? {}),
  );
  const decision = decide(request, asked, context, options);
  const { missing } = asked;
  if (missing.length > 0) return { missing };
  return { missing, reviewed: reviewOfDecision(decision, request, snapshot, context, options) };
}
