import type { ServerRejection } from "./api-request.ts";
import type { KindRules } from "./kind-rules.ts";

export function notFound(rules: KindRules, name: string): ServerRejection {
  return createRejection(404, "NotFound", `${rules.resource} "${name}" not found`);
}

export function alreadyExists(
  rules: KindRules,
  name: string,
  options: { readonly isBeingDeleted?: boolean; readonly wasGenerated?: boolean } = {},
): ServerRejection {
  const exists = `${rules.resource} "${name}" already exists`;
  const message = options.isBeingDeleted ? `object is being deleted: ${exists}` : exists;
  return createRejection(
    409,
    "AlreadyExists",
    options.wasGenerated
      ? `${message}, the server was not able to generate a unique name for the object`
      : message,
  );
}

export function resourceVersionConflict(rules: KindRules, name: string): ServerRejection {
  return createRejection(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${rules.resource} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
  );
}

/**
 * Returns the error for an unmet precondition on the UID or the resourceVersion. The message names the kind, not the
 * resource.
 */
export function preconditionFailed(
  rules: KindRules,
  name: string,
  {
    what,
    expected,
    actual,
  }: { readonly what: string; readonly expected: string; readonly actual: string },
): ServerRejection {
  return createRejection(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${rules.qualifiedKind} "${name}": the ${what} in the precondition (${expected}) does not match the ${what} in record (${actual}). The object might have been deleted and then recreated`,
  );
}

/** @param errors - each as `<path>: <type>: <detail>`; duplicates appear once */
export function invalid(
  rules: KindRules,
  name: string,
  errors: readonly string[],
): ServerRejection {
  const texts = [...new Set(errors)];
  const errorText = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return createRejection(
    422,
    "Invalid",
    `${rules.qualifiedKind} "${name}" is invalid: ${errorText}`,
  );
}

export function unknownKind(kind: string): ServerRejection {
  return createRejection(
    404,
    "NotFound",
    `the server could not find the requested resource (${kind})`,
  );
}

export function createRejection(code: number, reason: string, message: string): ServerRejection {
  return { ok: false, code, reason, message };
}

/** The error of a timeout. A client reports it, or an API server that runs out of time returns it. */
export const TIMED_OUT: ServerRejection = createRejection(
  504,
  "Timeout",
  "Timeout: request did not complete within the allotted duration",
);
