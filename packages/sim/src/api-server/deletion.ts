import { asArray } from "@jobset-ts/api/kubernetes";
import { withMembers, withoutMember } from "../with-members.ts";
import type { PropagationPolicy } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

export const FOREGROUND_DELETION = "foregroundDeletion";
export const ORPHAN = "orphan";

/** Returns whether an object is in foreground deletion, that is, waits until its dependents are gone. */
export function isForeground(item: Stored): boolean {
  return isDeleting(item) && hasFinalizer(item, FOREGROUND_DELETION);
}

export function isDeleting({ metadata }: Stored): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function hasFinalizer({ metadata }: Stored, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/** Returns the object without a finalizer. If no finalizer is left, the list is absent. */
export function withoutFinalizer(item: Stored, finalizer: string): Stored {
  const { metadata } = item;
  const others = asArray(metadata.finalizers).filter((name) => name !== finalizer);
  const freed =
    others.length === 0
      ? withoutMember(metadata, "finalizers")
      : withMembers(metadata, { finalizers: others });
  return withMembers(item, { metadata: freed });
}

/**
 * Returns the finalizers of an object after a delete request. A first request without a policy uses the default of the
 * kind. A later one without a policy changes nothing. For Pods, only the first request counts.
 */
export function getDeletionFinalizers(
  rules: KindRules,
  { metadata }: Stored,
  requested: PropagationPolicy | undefined,
): readonly string[] {
  const finalizers = asArray(metadata.finalizers);
  const isAgain = metadata.deletionTimestamp !== undefined;
  if (isAgain && (requested === undefined || rules.graceSeconds !== undefined)) return finalizers;
  const policy = requested ?? rules.defaultPropagation;
  const others = finalizers.filter((name) => name !== FOREGROUND_DELETION && name !== ORPHAN);
  if (policy === "Foreground") return [...others, FOREGROUND_DELETION];
  return policy === "Orphan" ? [...others, ORPHAN] : others;
}

/** Returns the grace period of a deletion in seconds. */
export function getGraceSeconds(
  rules: KindRules,
  stored: Stored,
  requested: number | undefined,
): number {
  const grace = rules.graceSeconds?.(stored, requested) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = stored.metadata;
  return deletionTimestamp === undefined ? grace : Math.min(grace, deletionGracePeriodSeconds);
}
