import { type FieldError, invalid, notSupported } from "@jobset-ts/api/errors";
import { jsonQuote } from "@jobset-ts/api/text";

/** A generator, because a list may hold a hundred thousand errors of which a response shows only a few. */
export type FoundErrors = Generator<FieldError, void, undefined>;

/** Yields one error for each message about a value. */
export function* invalidForEach(
  field: string,
  value: string,
  messages: readonly string[],
): FoundErrors {
  for (const message of messages) yield invalid(field, value, message);
}

/** Yields an error unless a value is one of the choices. Go prints an enumerated value as JSON. */
export function* choiceErrors(
  field: string,
  value: string,
  choices: readonly string[],
): FoundErrors {
  if (!choices.includes(value)) yield notSupported(field, value, choices, jsonQuote(value));
}

/** Yields an error unless a number is in a range. */
export function* rangeErrors(
  field: string,
  value: number | undefined,
  [lowest, highest]: readonly [number, number],
): FoundErrors {
  if (value !== undefined && (value < lowest || value > highest)) {
    yield invalid(field, value, `must be between ${lowest} and ${highest}, inclusive`);
  }
}

/** Yields an error for a number below zero. */
export function* negativeErrors(field: string, value: number | undefined): FoundErrors {
  if (value !== undefined && value < 0) {
    yield invalid(field, value, "must be greater than or equal to 0");
  }
}
