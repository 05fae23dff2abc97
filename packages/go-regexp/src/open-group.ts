import type { Flags } from "./group.ts";
import type { Opening, OperandPart } from "./pattern-part.ts";
import type { Repeat } from "./token.ts";

/** A group of which the end has not been read; the pattern itself is the outermost. */
export interface OpenGroup {
  flags: Flags;
  readonly opening: Opening;
  /** What it holds so far, without its last operand. */
  measure: Measure;
  /** What a repeat would apply to; `undefined` at the start of the group and of each alternative. */
  operand: MeasuredPart | undefined;
  alternatives: number;
  /** How many operands the alternative has that is being read. */
  operands: number;
  mostOperands: number;
}

/** An operand, or a group by its opening. */
interface MeasuredPart {
  readonly part: OperandPart | Opening;
  readonly measure: Measure;
}

/** What is made of a part of a pattern, counted repeats written out as copies. */
export interface Measure {
  /** How often they copy what they copy most: the product of the counts inside one another. */
  readonly copies: number;
  /** How many characters, classes, groups, alternatives and repeats there are, copies included. */
  readonly size: number;
  /** How deep Go may find it to nest, or less. */
  readonly height: number;
}

export function openGroup(flags: Flags, opening: Opening): OpenGroup {
  return {
    flags,
    opening,
    measure: CHARACTER,
    operand: undefined,
    alternatives: 1,
    operands: 0,
    mostOperands: 0,
  };
}

/** Adds an operand: a character unless a measure is given, such as that of a group that was closed. */
export function addOperand(
  group: OpenGroup,
  part: MeasuredPart["part"],
  measure: Measure = CHARACTER,
): void {
  endOperand(group);
  group.operand = { part, measure };
  group.operands++;
}

/** Begins the next alternative. */
export function addAlternative(group: OpenGroup): void {
  endOperand(group);
  group.measure = { ...group.measure, size: group.measure.size + 1 };
  group.alternatives++;
  group.mostOperands = Math.max(group.mostOperands, group.operands);
  group.operands = 0;
}

/** What a group is that has been read to its end. */
export function endGroup(group: OpenGroup): Measure {
  endOperand(group);
  const { measure, opening, alternatives } = group;
  // Go takes out what alternatives begin with, and again of what is left: twice as deep each time.
  const factored = 2 * Math.max(group.mostOperands, group.operands);
  const own = 1 + (opening.captures ? 1 : 0) + (alternatives > 1 ? 1 + factored : 0);
  return { ...measure, height: measure.height + own };
}

/**
 * Repeats the last operand.
 *
 * @returns what it has become, or `undefined` when there is none
 */
export function repeatOperand(group: OpenGroup, repeat: Repeat): Measure | undefined {
  if (group.operand === undefined) {
    return undefined;
  }
  const { part, measure: once } = group.operand;
  const { min, max } = repeat;
  // Without a largest count an operand is copied as often as the smallest says, and once at least.
  const copied = Math.max(1, max ?? min);
  const measure = {
    copies: max === 0 ? 1 : copied * once.copies,
    size: copied * once.size + 1,
    height: once.height + 1,
  };
  part.repeats ??= [];
  part.repeats.push(repeat);
  group.operand = { part, measure };
  return measure;
}

/** Puts the last operand out of reach of repeats. */
function endOperand(group: OpenGroup): void {
  const { measure, operand } = group;
  if (operand !== undefined) {
    group.measure = {
      copies: Math.max(measure.copies, operand.measure.copies),
      size: measure.size + operand.measure.size,
      height: Math.max(measure.height, operand.measure.height),
    };
    group.operand = undefined;
  }
}

const CHARACTER: Measure = { copies: 1, size: 1, height: 1 };
