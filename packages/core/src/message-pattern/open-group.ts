import type { Flags } from "./group.ts";
import type { Repeat } from "./token.ts";

/** A group of which the end has not been read; the pattern itself is the outermost. */
export interface OpenGroup {
  flags: Flags;
  /** What it holds so far, without its last operand. */
  measure: Measure;
  /** What a repeat would apply to; `undefined` at the start of the group and of each alternative. */
  operand: Measure | undefined;
}

/** What counted repeats make of a part of a pattern by writing out copies. */
export interface Measure {
  /** How often they copy what they copy most: the product of the counts inside one another. */
  readonly copies: number;
  /** How many characters, classes, groups and repeats there are, copies included. */
  readonly size: number;
}

export function openGroup(flags: Flags): OpenGroup {
  return { flags, measure: CHARACTER, operand: undefined };
}

/** Adds an operand: a character unless a measure is given, such as that of a group that was closed. */
export function addOperand(group: OpenGroup, operand: Measure = CHARACTER): void {
  endOperand(group);
  group.operand = operand;
}

/** Puts the last operand out of reach of repeats. */
export function endOperand(group: OpenGroup): void {
  const { measure, operand } = group;
  if (operand !== undefined) {
    group.measure = {
      copies: Math.max(measure.copies, operand.copies),
      size: measure.size + operand.size,
    };
    group.operand = undefined;
  }
}

/**
 * Repeats the last operand.
 *
 * @returns what it has become, or `undefined` when there is none
 */
export function repeatOperand(group: OpenGroup, { min, max }: Repeat): Measure | undefined {
  const { operand } = group;
  if (operand === undefined) {
    return undefined;
  }
  // Without a largest count an operand is copied as often as the smallest says, and once at least.
  const copied = Math.max(1, max ?? min);
  group.operand =
    max === 0 ? CHARACTER : { copies: copied * operand.copies, size: copied * operand.size + 1 };
  return group.operand;
}

const CHARACTER: Measure = { copies: 1, size: 1 };
