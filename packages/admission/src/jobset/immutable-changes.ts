import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { type FieldError, forbidden, formatValue, truncateErrors } from "@jobset-ts/api/errors";
import { isRedactedPath } from "@jobset-ts/api/redaction";
import { truncateText } from "@jobset-ts/api/text";
import type { AdmissionContext, WebhookRequest } from "../webhook-shape.ts";
import { listChangedFields, type UpdatedField } from "./changed-fields.ts";
import type { JobSetRuleId } from "./jobset-rule.ts";

/** The rules whose upstream message shows a whole list or no old value. */
export const immutabilityRuleIds: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "replicated-jobs-immutable",
  "managed-by-immutable",
] satisfies JobSetRuleId[]);

/**
 * Returns an error for each immutable field at or below a path that an update changes, with the old and the new value if
 * both are short scalars. Values that may be secret are not shown.
 *
 * @param field - such as `spec.replicatedJobs`
 * @returns no errors if none of these fields changes
 */
export function listImmutableChanges(
  field: string,
  { object, oldObject }: WebhookRequest,
  context: AdmissionContext,
) {
  const [old, next] = [oldObject as Unvalidated<JobSet>, object as Unvalidated<JobSet>];
  const errors = truncateErrors();
  for (const change of listChangedFields(old, next, context)) {
    if (change.permitted || !isAtOrBelow(change.path, field)) continue;
    errors.add(() => createChangeError(change));
  }
  return errors;
}

function isAtOrBelow(path: string, field: string): boolean {
  return path.startsWith(field) && /^(?:$|[.[])/.test(path.slice(field.length));
}

function createChangeError({ path, from, to, mutability, reason }: UpdatedField): FieldError {
  const rule = mutability === "Immutable" ? "" : `; ${reason}`;
  return forbidden(path, `field is immutable${describeChange(path, from, to)}${rule}`);
}

function describeChange(path: string, from: unknown, to: unknown): string {
  const [old, next] = [from, to].map((value) => showScalar(path, value));
  if (from === undefined) return `, and it was ${next === undefined ? "added" : `set to ${next}`}`;
  if (to === undefined) return `, and ${old ?? "it"} was removed`;
  return old === undefined || next === undefined
    ? ""
    : `, and it was changed from ${old} to ${next}`;
}

/** The maximum size of a shown value, in bytes. */
const MAX_VALUE_BYTES = 256;

/** Returns a plain scalar as Kubernetes prints it; undefined for other values, and for those that may be secret. */
function showScalar(path: string, value: unknown): string | undefined {
  const isScalar =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  if (!isScalar || isRedactedPath(splitPath(path))) return undefined;
  return truncateText(formatValue(value), MAX_VALUE_BYTES);
}

/** Splits `a[0].b` into `a`, `0` and `b`. Keys of maps stay whole, as in `labels[example.com/a]`. */
function splitPath(path: string): readonly (string | number)[] {
  return Array.from(path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g), ([, inner, name = ""]) =>
    inner === undefined ? name : /^\d+$/.test(inner) ? Number(inner) : inner,
  );
}
