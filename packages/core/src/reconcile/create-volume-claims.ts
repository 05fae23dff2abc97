import { jobSetReasons } from "@jobset-ts/api/conditions";
import { desiredVolumeClaimsByPolicy } from "../desired/desired-volume-claims.ts";
import { createEffect } from "../plan/effects.ts";
import type { Draft } from "./draft.ts";
import { type Facts, jobSetReference, type Next } from "./phase.ts";

/**
 * Creates the PersistentVolumeClaims that do not exist, one step for each policy. A failure skips only the rest of its
 * policy. An existing claim is never adopted, compared or updated.
 */
export function createVolumeClaims(facts: Facts, draft: Draft): Next {
  const { jobSet, snapshot } = facts;
  let next = draft;
  for (const claims of desiredVolumeClaimsByPolicy(jobSet)) {
    const missing = claims.filter(
      ({ metadata: { namespace = "", name = "" } }) =>
        snapshot.volumeClaim(namespace, name) === undefined,
    );
    next = next.step({
      phase: "volume-claims",
      rule: "VolumeClaimMissing",
      object: jobSetReference(facts),
      message: `PersistentVolumeClaims that do not exist: ${missing.length}`,
      effects: missing.map((claim) => ({ ...createEffect(claim), onExists: "Succeed" as const })),
      concurrency: 1,
      onError: "Stop",
      dependsOn: [],
      failureEventReason: jobSetReasons.ClaimCreationFailed,
    });
  }
  return next.continue();
}
