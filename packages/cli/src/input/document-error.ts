/** An error of a document as it is written. */
export interface DocumentError {
  /** The offset in the document's text. */
  readonly offset: number;
  /** The path of the field. Empty for the document as a whole. */
  readonly field: string;
  /** The message for users. */
  readonly message: string;
}

/** A field that is set more than once. The last value counts. It is reported once, for any number of repetitions. */
export interface DuplicateField {
  /** The path from the document's root. */
  readonly field: string;
  /** The line of the first occurrence. */
  readonly line: number;
}

/** The maximum nesting depth of values. A JobSet needs about thirty levels. */
export const MAX_DEPTH = 500;

/** Replaces the text of a value that may be secret. */
export const REDACTED = "(redacted)";

/** The messages of both readers, for YAML and JSON. They omit text that may be secret. */
export const errorMessages = {
  cutOff: "truncated: the text ends within a JSON value",
  tooDeep: `is nested deeper than ${MAX_DEPTH} levels`,
  duplicateKey: (line: number) => `Duplicate value: the key was already set in line ${line}`,
  forbiddenKey: "Forbidden: no Kubernetes field has this name",
  inexactInteger: (text = REDACTED) =>
    `Invalid value: ${text}: an integer beyond ±${Number.MAX_SAFE_INTEGER} (2^53 - 1) cannot be represented exactly; ` +
    "if it is a quantity, put it in quotes",
  notFinite: (text = REDACTED) => `Invalid value: ${text}: JSON cannot represent this number`,
  nulCharacter: "Invalid value: the text contains a NUL character",
  loneSurrogate: "Invalid value: the text contains a lone surrogate, which is not a character",
} as const;

/** Returns the error of a text, if there is one. */
export function checkText(text: string): string | undefined {
  if (text.includes("\0")) return errorMessages.nulCharacter;
  return text.isWellFormed() ? undefined : errorMessages.loneSurrogate;
}

/** Returns the error of a member's name, if there is one. */
export function checkKey(key: string): string | undefined {
  // This is the only name that changes an object's prototype in JavaScript instead of adding a member. It is invalid
  // for every label, annotation and field of the API, so nothing is lost.
  return key === "__proto__" ? errorMessages.forbiddenKey : undefined;
}
