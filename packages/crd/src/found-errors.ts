import { type FieldError, invalid, notSupported, required } from "@jobset-ts/api/errors";
import { jsonQuote } from "@jobset-ts/api/text";

/** Lazy, because a list may have a hundred thousand errors, and a response shows only a few. */
export type FoundErrors = Iterable<FieldError>;

const NONE: readonly FieldError[] = [];

/** Returns one error for each message about a value. */
export function invalidForEach(
  field: string,
  value: string,
  messages: readonly string[],
): FoundErrors {
  return messages.length === 0 ? NONE : messages.map((message) => invalid(field, value, message));
}

/** Returns an error unless a value is one of the choices. Go prints an enumerated value as JSON. */
export function choiceErrors(
  field: string,
  value: string,
  choices: readonly string[],
): FoundErrors {
  return choices.includes(value) ? NONE : [notSupported(field, value, choices, jsonQuote(value))];
}

/** Returns an error unless a value is one of the choices. An empty value is missing. */
export function requiredChoiceErrors(
  field: string,
  value: string,
  choices: readonly string[],
): FoundErrors {
  return value === "" ? [required(field)] : choiceErrors(field, value, choices);
}

/** Returns an error unless a number is in a range. */
export function rangeErrors(
  field: string,
  value: number | undefined,
  [lowest, highest]: readonly [number, number],
): FoundErrors {
  if (value === undefined || (value >= lowest && value <= highest)) return NONE;
  return [invalid(field, value, `must be between ${lowest} and ${highest}, inclusive`)];
}

/** Returns an error for a number below zero. */
export function negativeErrors(field: string, value: number | undefined): FoundErrors {
  if (value === undefined || value >= 0) return NONE;
  return [invalid(field, value, "must be greater than or equal to 0")];
}
