/** Why a document cannot be taken as it is written. */
export interface DocumentError {
  /** Where in the document's text. */
  readonly offset: number;
  /** The path of the field; empty for the document as a whole. */
  readonly field: string;
  /** What is wrong with it, for a person. */
  readonly message: string;
}

/** A member that is set more than once: the last one counts. Told once, however often that is. */
export interface DuplicateField {
  /** The path, from the document's root. */
  readonly field: string;
  /** Where the first one stands. */
  readonly line: number;
}

/** How deep values may lie within each other; a JobSet needs about thirty levels. */
export const MAX_DEPTH = 500;

/** Stands for the text of a value that may be secret. */
export const REDACTED = "(redacted)";

/** What both readers, of YAML and of JSON, say in the same words; without a text if it may be secret. */
export const errorMessages = {
  cutOff: "cut off: the text ends within a JSON value",
  tooDeep: `is nested deeper than ${MAX_DEPTH} levels`,
  duplicateKey: (line: number) => `Duplicate value: the key was already set in line ${line}`,
  forbiddenKey: "Forbidden: no field of Kubernetes has this name",
  inexactInteger: (text = REDACTED) =>
    `Invalid value: ${text}: an integer beyond ±${Number.MAX_SAFE_INTEGER} (2^53 - 1) is not read exactly; ` +
    "if it is a quantity, put it in quotes",
  notFinite: (text = REDACTED) => `Invalid value: ${text}: JSON has no such number`,
  nulCharacter: "Invalid value: the text holds a NUL character",
  loneSurrogate: "Invalid value: the text holds half of a surrogate pair, which is not a character",
} as const;

/** What is wrong with a text, if anything. */
export function checkText(text: string): string | undefined {
  if (text.includes("\0")) return errorMessages.nulCharacter;
  return text.isWellFormed() ? undefined : errorMessages.loneSurrogate;
}

/** What is wrong with a member's name, if anything. */
export function checkKey(key: string): string | undefined {
  // The one name that changes an object in JavaScript instead of adding a member to it. As a label, an
  // annotation or a member of any object of the API it is invalid, so nothing is lost.
  return key === "__proto__" ? errorMessages.forbiddenKey : undefined;
}
