import type { Operand, Repeat } from "./token.ts";

/** A piece of a pattern that was read and found in order. Their sequence is the pattern. */
export type Part = OperandPart | Opening | { readonly part: "Alternative" | "Closing" };

export interface OperandPart {
  readonly part: "Operand";
  readonly operand: Operand;
  /** From the innermost to the outermost; `undefined` for none. */
  repeats: Repeat[] | undefined;
}

/** Where a group begins. */
export interface Opening {
  readonly part: "Opening";
  readonly captures: boolean;
  /** Of the whole group, from the innermost to the outermost; `undefined` for none. */
  repeats: Repeat[] | undefined;
}
