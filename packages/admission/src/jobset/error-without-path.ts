import { type FieldError, internalError } from "@jobset-ts/api/errors";
import type { JobSetView } from "./jobset-view.ts";

/**
 * Returns the error for a mistake that upstream reports as an internal error without a field.
 *
 * @param detail - upstream's words
 * @param pathed - what we say by default: the field, the kind of mistake and the bad value
 */
export function errorWithoutPath(
  { quirks }: Pick<JobSetView, "quirks">,
  detail: string,
  pathed: FieldError,
): FieldError {
  return quirks.has("UnpathedErrorsAreInternal") ? internalError(detail) : pathed;
}
