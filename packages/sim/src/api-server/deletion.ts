import { asArray } from "@jobset-ts/api/kubernetes";
import { withMembers, withoutMember } from "../with-members.ts";
import type { PropagationPolicy } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";
import type { Stored } from "./objects.ts";

export const FOREGROUND_DELETION = "foregroundDeletion";
export const ORPHAN = "orphan";

/** Whether an object is being deleted, and waits until what it owns is gone. */
export function isForeground(item: Stored): boolean {
  return isDeleting(item) && hasFinalizer(item, FOREGROUND_DELETION);
}

export function isDeleting({ metadata }: Stored): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function hasFinalizer({ metadata }: Stored, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/** The same object without a finalizer; without the last one it has no list of them. */
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
 * The finalizers of an object after a request to delete it. A first request without a policy takes the kind's own; a
 * later one leaves what the first one asked for. Of Pods, only the first one counts.
 */
export function getDeletionFinalizers(
  rules: KindRules,
  { metadata }: Stored,
  asked: PropagationPolicy | undefined,
): readonly string[] {
  const finalizers = asArray(metadata.finalizers);
  const isAgain = metadata.deletionTimestamp !== undefined;
  if (isAgain && (asked === undefined || rules.graceSeconds !== undefined)) return finalizers;
  const policy = asked ?? rules.defaultPropagation;
  const others = finalizers.filter((name) => name !== FOREGROUND_DELETION && name !== ORPHAN);
  if (policy === "Foreground") return [...others, FOREGROUND_DELETION];
  return policy === "Orphan" ? [...others, ORPHAN] : others;
}

/** Returns the grace period of a deletion in seconds. */
export function getGraceSeconds(
  rules: KindRules,
  stored: Stored,
  asked: number | undefined,
): number {
  const grace = rules.graceSeconds?.(stored, asked) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = stored.metadata;
  return deletionTimestamp === undefined ? grace : Math.min(grace, deletionGracePeriodSeconds);
}
