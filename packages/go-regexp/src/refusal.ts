/** A pattern that is not accepted, in the words of Go's regexp package. */
export interface Refusal {
  readonly ok: false;
  /** For instance "error parsing regexp: missing closing ): `(`". */
  readonly message: string;
}

/** One thing read from a pattern and the offset behind it, or the refusal of the whole pattern. */
export type Read<T> = { readonly ok: true; readonly value: T; readonly end: number } | Refusal;

/**
 * Returns a refusal for a reason and the part of the pattern at fault.
 *
 * @example refused("missing closing ]", "[a").message // => "error parsing regexp: missing closing ]: `[a`"
 */
export function refused(reason: RefusalReason, part: string): Refusal {
  return { ok: false, message: `error parsing regexp: ${reason}: \`${part}\`` };
}

/** The reasons of Go's parser that a pattern of valid Unicode can meet. */
export type RefusalReason =
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
