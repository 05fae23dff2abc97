import { PlanFailedError, TestApiError } from "./controller.ts";
import { errorText } from "./error-text.ts";

/** Formats the error of a pass in one line. */
export function failureText(error: unknown): string {
  return `pass failed: ${errorText(error)}`;
}

/** Returns whether a pass failed because the server rejected a request. This is normal for a controller. */
export function isExpected(error: unknown): boolean {
  return error instanceof TestApiError || error instanceof PlanFailedError;
}
