/** A rejected pattern, with the error text of Go's regexp package. */
export interface PatternError {
  readonly ok: false;
  /** For instance "error parsing regexp: missing closing ): `(`". */
  readonly message: string;
}

/** A parsed part of a pattern and the offset after it, or the error of the whole pattern. */
export type Read<T> = { readonly ok: true; readonly value: T; readonly end: number } | PatternError;

/**
 * Returns the error for a reason and the invalid part of the pattern.
 *
 * @example createPatternError("missing closing ]", "[a").message // => "error parsing regexp: missing closing ]: `[a`"
 */
export function createPatternError(reason: PatternErrorReason, part: string): PatternError {
  return { ok: false, message: `error parsing regexp: ${reason}: \`${part}\`` };
}

/** The reasons of Go's parser that can occur for a pattern of valid Unicode. */
export type PatternErrorReason =
  | "expression nests too deeply"
  | "expression too large"
  | "invalid character class range"
  | "invalid escape sequence"
  | "invalid named capture"
  | "invalid nested repetition operator"
  | "invalid or unsupported Perl syntax"
  | "invalid repeat count"
  | "missing argument to repetition operator"
  | "missing closing )"
  | "missing closing ]"
  | "trailing backslash at end of expression"
  | "unexpected )";
