import { type FieldError, internalError } from "@jobset-ts/api/errors";
import type { JobSetView } from "./jobset-view.ts";

/**
 * Returns the error for a mistake that upstream reports as an internal error without a field.
 *
 * @param detail - upstream's message
 * @param pathed - the default error: the field, the type of error and the bad value
 */
export function errorWithoutPath(
  { quirks }: Pick<JobSetView, "quirks">,
  detail: string,
  pathed: FieldError,
): FieldError {
  return quirks.has("UnpathedErrorsAreInternal") ? internalError(detail) : pathed;
}
