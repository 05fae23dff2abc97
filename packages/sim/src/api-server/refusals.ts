import type { ServerRejection } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";

export function notFound(rules: KindRules, name: string): ServerRejection {
  return refusal(404, "NotFound", `${rules.resource} "${name}" not found`);
}

export function alreadyExists(
  rules: KindRules,
  name: string,
  options: { readonly isBeingDeleted?: boolean; readonly wasGenerated?: boolean } = {},
): ServerRejection {
  const exists = `${rules.resource} "${name}" already exists`;
  const message = options.isBeingDeleted ? `object is being deleted: ${exists}` : exists;
  return refusal(
    409,
    "AlreadyExists",
    options.wasGenerated
      ? `${message}, the server was not able to generate a unique name for the object`
      : message,
  );
}

export function staleWrite(rules: KindRules, name: string): ServerRejection {
  return refusal(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${rules.resource} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
  );
}

/** A precondition on the UID or the resourceVersion that does not hold; the text names the kind, not the resource. */
export function preconditionFailed(
  rules: KindRules,
  name: string,
  { what, asked, found }: { readonly what: string; readonly asked: string; readonly found: string },
): ServerRejection {
  return refusal(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${rules.qualifiedKind} "${name}": the ${what} in the precondition (${asked}) does not match the ${what} in record (${found}). The object might have been deleted and then recreated`,
  );
}

/** @param errors - each as `<path>: <type>: <detail>`; what is said twice is told once */
export function invalid(
  rules: KindRules,
  name: string,
  errors: readonly string[],
): ServerRejection {
  const texts = [...new Set(errors)];
  const told = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return refusal(422, "Invalid", `${rules.qualifiedKind} "${name}" is invalid: ${told}`);
}

export function unknownKind(kind: string): ServerRejection {
  return refusal(404, "NotFound", `the server could not find the requested resource (${kind})`);
}

export function refusal(code: number, reason: string, message: string): ServerRejection {
  return { ok: false, code, reason, message };
}

/** The error that a client reports after a timeout, and that an API server returns when it runs out of time. */
export const TIMED_OUT: ServerRejection = refusal(
  504,
  "Timeout",
  "Timeout: request did not complete within the allotted duration",
);
