import { createContext, createSnapshot, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { deepFreeze } from "../../../../testing/src/testing/freezing.ts";
import { review } from "../review.ts";
import type { Stage } from "../webhooks.ts";

/** The context of all reviews. */
export const context = createContext({ now: "2026-11-21T12:00:00Z" });

/** A cluster without objects. */
export const empty = createSnapshot([], {
  kinds: ["Pod", "Node", "Event", "PersistentVolumeClaim"],
});

/** The kinds in requests. */
export const jobSetKind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
export const podKind = { group: "", version: "v1", kind: "Pod" };

const upstream = createContext({ now: "2026-11-21T12:00:00Z", quirks: UPSTREAM_QUIRKS });

/** Reviews a request that must stay unchanged. */
export function reviewRequest(
  request: object,
  stage: Stage,
  {
    snapshot = empty,
    upstream: asUpstream = false,
    ...options
  }: {
    snapshot?: typeof empty;
    upstream?: boolean;
    notFoundStyle?: "cache";
  } = {},
) {
  const sent = deepFreeze(createReview(request));
  const reviewed = review(sent, snapshot, asUpstream ? upstream : context, { stage, ...options });
  return { response: reviewed.response.response, reviewed };
}

/** Creates the AdmissionReview of a creation. */
export function createReview(request: object) {
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", operation: "CREATE", ...request },
  };
}
