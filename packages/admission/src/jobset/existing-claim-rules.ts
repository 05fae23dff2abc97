import type { Unvalidated } from "@jobset-ts/api";
import { type FieldError, internalError, invalid } from "@jobset-ts/api/errors";
import type { PersistentVolumeClaim } from "@jobset-ts/api/kubernetes";
import { deepEqualTyped, isTypedSubset, renderJson } from "@jobset-ts/api/typed";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import type { JobSetView } from "./jobset-view.ts";
import type { ClaimTemplateView, ExistingClaimRules } from "./volume-claim-rules.ts";

const KIND = "PersistentVolumeClaim";

/**
 * Checks an existing claim that has the name of a template's claim: the template must match it, and the JobSet's
 * deletion must not delete it.
 *
 * Claims that could not be read are an error. If claims were never read, the result is unknown.
 */
export function existingClaimRules(view: JobSetView, snapshot: Snapshot): ExistingClaimRules {
  return (one, found) => {
    const about = [getClaimKey(view, one)];
    const reading = snapshot.kindStatus(KIND);
    if (reading.outcome !== "Read") {
      const detail = `failed to check for existing PVC ${one.claimName}: ${reading.message}`;
      found.add("existing-claim-readable", internalError(detail, one.field), {
        about,
        transient: true,
        ...(reading.outcome === "NotRead" && { unknown: detail }),
      });
      return;
    }
    const claim = snapshot.volumeClaim(view.namespace, one.claimName);
    if (claim === undefined) return;
    const disagreement = findDisagreement(view, one, claim);
    if (disagreement !== undefined) found.add("existing-claim-agrees", disagreement, { about });
    const unretained = findRetentionError(one);
    if (unretained !== undefined) found.add("existing-claim-retained", unretained, { about });
  };
}

function getClaimKey({ namespace }: JobSetView, { claimName }: ClaimTemplateView): ObjectKey {
  return { apiVersion: "v1", kind: KIND, namespace, name: claimName };
}

function findDisagreement(
  view: JobSetView,
  { field, template, claimName }: ClaimTemplateView,
  claim: Unvalidated<PersistentVolumeClaim>,
): FieldError | undefined {
  if (matchesTemplate(view, template.spec, claim.spec)) return undefined;
  const detail = `spec does not match existing PVC ${claimName} in namespace ${view.namespace}`;
  const shown = renderJson(template.spec, "PersistentVolumeClaimSpec");
  return invalid(`${field}.spec`, template.spec ?? null, detail, shown);
}

/**
 * Upstream compares the stored claim with the template as written, so a bound claim matches only a template that sets
 * its class, mode and volume. By default, only the fields that the template sets must match.
 *
 * @see JobSet #1307
 */
function matchesTemplate({ quirks }: JobSetView, desired: unknown, actual: unknown): boolean {
  const compare = quirks.has("RetainedClaimRejected") ? deepEqualTyped : isTypedSubset;
  return compare(desired, actual, "PersistentVolumeClaimSpec");
}

/** An empty retention policy means `Delete`, as in the schema. Upstream crashes. */
function findRetentionError({ policyField, policy }: ClaimTemplateView): FieldError | undefined {
  const { retentionPolicy } = policy;
  if ((retentionPolicy ?? undefined) === undefined) return undefined;
  const whenDeleted = retentionPolicy?.whenDeleted ?? "Delete";
  if (whenDeleted === "Retain") return undefined;
  const field = `${policyField}.retentionPolicy.whenDeleted`;
  const detail = "retentionPolicy must be retain when PVC exists";
  return invalid(field, whenDeleted, detail, renderJson(whenDeleted, "string"));
}
