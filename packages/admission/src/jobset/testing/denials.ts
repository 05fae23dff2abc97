import { type FieldErrorType, formatFieldError } from "@jobset-ts/api/errors";
import {
  type Context,
  createContext,
  createSnapshot,
  type Quirk,
  quirks,
  type Snapshot,
  UPSTREAM_QUIRKS,
} from "@jobset-ts/core";
import type { Denial } from "../../denial/denial.ts";
import type { ValidationResult, WebhookOptions } from "../../webhook-shape.ts";
import type { JobSetRuleId } from "../jobset-rule.ts";
import { validateJobSet } from "../validate-jobset.ts";

/** A cluster that is known to be empty. */
export const emptyCluster = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });

/** The context with upstream's behavior. */
export const likeUpstream: Context = createContext({ now: 0, quirks: UPSTREAM_QUIRKS });

/** The context with upstream's behavior, except one of its defects. */
export function contextWithoutQuirk(quirk: Quirk): Context {
  return createContext({ now: 0, quirks: quirks.filter((one) => one !== quirk) });
}

/** The context with upstream's behavior and some gates enabled. */
export function withGates(...gates: readonly string[]): Context {
  const features = Object.fromEntries(gates.map((gate) => [gate, true]));
  return createContext({ now: 0, quirks: UPSTREAM_QUIRKS, features });
}

/** Returns the response to a creation. */
export function validateCreation(
  object: unknown,
  snapshot: Snapshot,
  context: Context,
  options?: WebhookOptions,
): ValidationResult<JobSetRuleId> {
  return validateJobSet({ operation: "CREATE", object }, snapshot, context, options);
}

/** Returns the response to an update. */
export function validateUpdate(
  oldObject: unknown,
  object: unknown,
  snapshot: Snapshot,
  context: Context,
): ValidationResult<JobSetRuleId> {
  return validateJobSet({ operation: "UPDATE", object, oldObject }, snapshot, context);
}

/** Returns the errors of a creation, including duplicates. Empty if it is allowed. */
export function createErrors(
  jobSet: unknown,
  context: Context = likeUpstream,
  snapshot: Snapshot = emptyCluster,
): readonly string[] {
  return listErrors(validateCreation(jobSet, snapshot, context));
}

/** Returns the errors of an update, including duplicates. Empty if it is allowed. */
export function updateErrors(
  old: unknown,
  next: unknown,
  context: Context = likeUpstream,
  snapshot: Snapshot = emptyCluster,
): readonly string[] {
  return listErrors(validateUpdate(old, next, snapshot, context));
}

/** Returns the denial. Fails if there is none. */
export function getDenial(answer: ValidationResult<JobSetRuleId>): Denial<JobSetRuleId> {
  if (answer.allowed) throw new Error("it was allowed");
  return answer.denial;
}

function listErrors(answer: ValidationResult<JobSetRuleId>): readonly string[] {
  if (answer.allowed) return [];
  const { status } = answer.denial;
  const causes = status.details?.causes ?? [];
  return causes.length === 0
    ? [status.message]
    : causes.map(({ reason, field, message }) =>
        formatFieldError({ type: reason as FieldErrorType, field, body: message }),
      );
}
