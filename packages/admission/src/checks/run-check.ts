import { boundedText } from "@jobset-ts/api/text";
import { shortKey } from "../short-key.ts";
import type { Evidence, Finding } from "../verdict.ts";
import type { Check, CheckFailure, CheckResult } from "./check.ts";

/** What a check says of one view, with what it found put in the form of a {@link Finding}. */
export type CheckAnswer<Id extends string = string> =
  | { readonly outcome: "Pass" }
  | { readonly outcome: "Fail" | "Unknown"; readonly finding: Finding<Id> };

/**
 * Runs a check, whatever it does. One that throws, or answers with something else, has not said whether it passes: it
 * is unknown. A missing fact may be there the next time; of a mistake in a check nobody says so.
 */
export function runCheck<View, Id extends string>(
  check: Check<View, Id>,
  view: View,
): CheckAnswer<Id> {
  const { id } = check;
  try {
    return answerOf(id, check.run(view));
  } catch (thrown) {
    return mistake(id, `check "${id}" threw: ${textOf(thrown)}`);
  }
}

function answerOf<Id extends string>(id: Id, result: CheckResult): CheckAnswer<Id> {
  switch (result?.outcome) {
    case "Pass":
      return { outcome: "Pass" };
    case "Fail":
      return { outcome: "Fail", finding: findingOf(id, result) };
    case "Unknown":
      return { outcome: "Unknown", finding: findingOf(id, { ...result, transient: true }) };
    default:
      return mistake(id, `check "${id}" answered neither Pass, Fail nor Unknown`);
  }
}

/** How much one check tells: names and annotations may be of any length, and hundreds of Pods pass for a leader. */
const MAX_TEXT_BYTES = 4 * 1024;
const MAX_OBJECTS = 100;

function findingOf<Id extends string>(
  id: Id,
  { message, transient, objects = [], evidence = [], fieldError }: CheckFailure,
): Finding<Id> {
  const finding = {
    id,
    message: boundedText(message, MAX_TEXT_BYTES),
    objects: objects.slice(0, MAX_OBJECTS).map(shortKey),
    evidence: evidence.slice(0, MAX_OBJECTS).map(inShort),
    transient,
    causedBy: [],
  };
  return fieldError === undefined ? finding : { ...finding, fieldError };
}

function inShort(evidence: Evidence): Evidence {
  const { object, at, text } = evidence;
  return {
    ...evidence,
    object: shortKey(object),
    ...(at !== undefined && { at: boundedText(at, MAX_TEXT_BYTES) }),
    text: boundedText(text, MAX_TEXT_BYTES),
  };
}

function mistake<Id extends string>(id: Id, message: string): CheckAnswer<Id> {
  return { outcome: "Unknown", finding: findingOf(id, { message, transient: false }) };
}

/** Anything can be thrown, also what does not turn into text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return "something without words";
  }
}
