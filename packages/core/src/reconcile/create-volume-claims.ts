import { REASON_CLAIM_CREATION_FAILED } from "@jobset-ts/api/conditions";
import { desiredVolumeClaimsByPolicy } from "../desired/desired-volume-claims.ts";
import { createEffect } from "../plan/effects.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Pass } from "./pass.ts";

/**
 * Creates the volume claims that do not exist, one step a policy: a failure skips the rest of its policy only. A
 * claim that exists is never adopted, compared or updated.
 */
export function createVolumeClaims(pass: Pass, snapshot: Snapshot): void {
  for (const claims of desiredVolumeClaimsByPolicy(pass.jobSet)) {
    const missing = claims.filter(
      ({ metadata: { namespace = "", name = "" } }) =>
        snapshot.volumeClaim(namespace, name) === undefined,
    );
    pass.step({
      phase: "volume-claims",
      decision: {
        phase: "volume-claims",
        rule: "VolumeClaimMissing",
        object: pass.self,
        message: `volume claims that do not exist: ${missing.length}`,
      },
      effects: missing.map((claim) => ({ ...createEffect(claim), whenExists: "Succeed" as const })),
      concurrency: 1,
      afterFailure: "SkipOthers",
      finishPhase: true,
      failureEventReason: REASON_CLAIM_CREATION_FAILED,
    });
  }
}
