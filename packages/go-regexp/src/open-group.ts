import type { Flags } from "./group.ts";
import type { Opening, OperandPart } from "./pattern-part.ts";
import type { Repeat } from "./token.ts";

/** A group whose end has not been read. The pattern itself is the outermost group. */
export interface OpenGroup {
  flags: Flags;
  readonly opening: Opening;
  /** The measure of the content so far, without the last operand. */
  measure: Measure;
  /** The operand to which a repeat would apply; `undefined` at the start of the group and of each alternative. */
  operand: MeasuredPart | undefined;
  alternatives: number;
  /** The number of operands in the current alternative. */
  operands: number;
  mostOperands: number;
}

/** An operand, or a group by its opening. */
interface MeasuredPart {
  readonly part: OperandPart | Opening;
  readonly measure: Measure;
}

/** The measure of a part of a pattern, with counted repeats expanded to copies. */
export interface Measure {
  /** The largest product of nested repeat counts. */
  readonly copies: number;
  /** The number of characters, classes, groups, alternatives and repeats, including copies. */
  readonly size: number;
  /** An upper bound of the nesting depth that Go computes. */
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

/** Adds an operand: one character, or the given measure, such as that of a closed group. */
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

/** Returns the measure of a group that has been read completely. */
export function endGroup(group: OpenGroup): Measure {
  endOperand(group);
  const { measure, opening, alternatives } = group;
  // Go factors common prefixes out of alternatives, and repeats this for the rest. Each time, the depth grows by two.
  const factored = 2 * Math.max(group.mostOperands, group.operands);
  const own = 1 + (opening.captures ? 1 : 0) + (alternatives > 1 ? 1 + factored : 0);
  return { ...measure, height: measure.height + own };
}

/**
 * Repeats the last operand.
 *
 * @returns its new measure, or `undefined` if there is no operand
 */
export function repeatOperand(group: OpenGroup, repeat: Repeat): Measure | undefined {
  if (group.operand === undefined) {
    return undefined;
  }
  const { part, measure: once } = group.operand;
  const { min, max } = repeat;
  // Without a maximum count, an operand is copied as often as the minimum says, and at least once.
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

/** Prevents repeats from applying to the last operand. */
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
