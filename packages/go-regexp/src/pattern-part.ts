import type { Operand, Repeat } from "./token.ts";

/** A valid part of a pattern. A pattern is a sequence of parts. */
export type Part = OperandPart | Opening | { readonly part: "Alternative" | "Closing" };

export interface OperandPart {
  readonly part: "Operand";
  readonly operand: Operand;
  /** From the innermost to the outermost. `undefined` if there are none. */
  repeats: Repeat[] | undefined;
}

/** The start of a group. */
export interface Opening {
  readonly part: "Opening";
  readonly captures: boolean;
  /** The repeats of the whole group, from the innermost to the outermost; `undefined` if there are none. */
  repeats: Repeat[] | undefined;
}
