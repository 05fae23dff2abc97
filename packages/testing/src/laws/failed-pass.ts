import { ApiRefusal, PlanFailed } from "./controller.ts";
import { errorText } from "./error-text.ts";

/** What a pass failed with, in a line. */
export function failureText(error: unknown): string {
  return `pass failed: ${errorText(error)}`;
}

/** Whether a pass failed by what its controller was answered: that is part of its work, and no mistake in it. */
export function isExpected(error: unknown): boolean {
  return error instanceof ApiRefusal || error instanceof PlanFailed;
}
