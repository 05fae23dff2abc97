import { getNamespace } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import type { AdmissionContext } from "../webhook-shape.ts";
import { type AdmissionRequest, readRequest } from "./admission-request.ts";
import { decide, type ReviewOptions } from "./decide.ts";
import { RecordingSnapshot } from "./recording-snapshot.ts";
import type { RequiredObject } from "./required-object.ts";
import { createDecisionReview, type ReviewResult } from "./review.ts";

/**
 * Returns the objects on which the response to an AdmissionReview still depends, for callers without a cache.
 *
 * Call it in rounds, because one result leads to the next query: a follower needs the Pods that may be its leader, then
 * the leader's node, and for the root cause of a denial the Events about the leader. After each round, add the objects
 * to a snapshot. Name the kinds that were read in `kinds`, so that missing objects count as absent, and the kinds that
 * failed in `readErrors`. A kind that the snapshot knows counts as read.
 *
 * The function runs the webhook with a snapshot that records its queries. So it requires exactly the objects that the
 * webhook reads.
 *
 * @param admissionReview - any JSON value
 * @param snapshot - the objects that were read so far
 * @returns objects of one kind; empty if the snapshot is sufficient, or if the review is rejected without reading objects
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
  return read.ok ? attemptReview(read.request, snapshot, context, options).missing : [];
}

/** Returns the objects that a request still needs, or its review if it needs none. */
export function attemptReview(
  request: AdmissionRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): { readonly missing: readonly RequiredObject[]; readonly reviewed?: ReviewResult } {
  const recording = new RecordingSnapshot(
    snapshot,
    getNamespace(request.object ?? request.oldObject ?? {}),
  );
  const decision = decide(request, recording, context, options);
  const { missing } = recording;
  if (missing.length > 0) return { missing };
  return { missing, reviewed: createDecisionReview(decision, request, snapshot, context, options) };
}
