import { PlanFailed, TestApiError } from "./controller.ts";
import { errorText } from "./error-text.ts";

/** What a pass failed with, in a line. */
export function failureText(error: unknown): string {
  return `pass failed: ${errorText(error)}`;
}

/** Whether a pass failed by what its controller was answered: that is part of its work, and no mistake in it. */
export function isExpected(error: unknown): boolean {
  return error instanceof TestApiError || error instanceof PlanFailed;
}
