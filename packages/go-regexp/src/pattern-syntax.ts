import { type GroupOpening, NO_FLAGS } from "./group.ts";
import {
  addAlternative,
  addOperand,
  endGroup,
  type OpenGroup,
  openGroup,
  repeatOperand,
} from "./open-group.ts";
import { createPatternError, type PatternError } from "./pattern-error.ts";
import type { Opening, OperandPart, Part } from "./pattern-part.ts";
import { patternText } from "./pattern-text.ts";
import { MAX_COUNT, type Operand, type Repeat, readToken, type Token } from "./token.ts";

/**
 * The maximum number of characters, classes, groups and repeats that counted repeats add to a pattern as copies. Go
 * allows about 3 million in total. Searching one message for such a pattern could take hours.
 */
const MAX_COPIED = 131_072;

const MAX_SIZE_IN_GO = 3_355_443;

/** The maximum number of ranges in all classes of a pattern. `\pL` has 659. Go allows 16,777,216. */
const MAX_CLASS_RANGES = 1_048_576;

/** The maximum nesting depth in Go. */
const MAX_DEPTH_IN_GO = 1000;

/** A pattern with valid syntax that may be nested too deeply. */
export interface ParsedPattern {
  readonly ok: true;
  readonly text: string;
  readonly parts: readonly Part[];
  /** The number of characters, classes, groups, alternatives and repeats, including copies. */
  readonly size: number;
  /** The number of ranges in its classes. A class counts as often as it is written. */
  readonly classRanges: number;
  /** Whether Go may reject it because it is nested too deeply. */
  readonly mayBeTooDeep: boolean;
}

/**
 * Reads a pattern as Go's regexp package does. Flags, escapes, classes, case variants and Unicode names are resolved
 * here, by Go's rules and tables. Repeats are not expanded and classes are not computed, so the time is proportional to
 * the length of the text. The syntax is RE2, as Go 1.26 accepts it.
 *
 * Three things differ from Go. A pattern whose counted repeats copy more than `MAX_COPIED` instructions, or whose
 * classes have more than `MAX_CLASS_RANGES` ranges, is rejected as too large long before Go rejects it. A pattern with
 * several errors may be rejected for a different error than in Go. An escaped surrogate (`\x{D800}`) matches nothing,
 * whereas Go treats it as U+FFFD in some anchored patterns.
 *
 * @param text - without lone surrogates
 * @returns the pattern, or the error in Go's wording
 * @see https://pkg.go.dev/regexp/syntax
 */
export function readPattern(text: string): ParsedPattern | PatternError {
  const pattern = patternText(text);
  const reading: PatternReading = {
    text,
    parts: [],
    enclosing: [],
    group: openGroup(NO_FLAGS, createOpening(false)),
    classRanges: 0,
    repeatBefore: undefined,
  };
  for (let at = 0; at < text.length; ) {
    const read = readToken(pattern, at, reading.group.flags);
    if (!read.ok) return read;
    const isRepeat = read.value.token === "Repeat";
    const isMarked = isRepeat && text[read.end] === "?";
    const end = isMarked ? read.end + 1 : read.end;
    const error = addToken(reading, read.value, { at, end, isMarked });
    if (error !== undefined) return error;
    if (reading.classRanges > MAX_CLASS_RANGES) {
      return createPatternError("expression too large", text);
    }
    reading.repeatBefore = isRepeat ? at : undefined;
    at = end;
  }
  return finishReading(reading);
}

/** The part of a pattern that has been read. */
interface PatternReading {
  readonly text: string;
  readonly parts: Part[];
  /** The open groups around `group`. */
  readonly enclosing: OpenGroup[];
  group: OpenGroup;
  classRanges: number;
  /** The start offset of the repeat that ends here, if any. */
  repeatBefore: number | undefined;
}

/** The position of a token, and whether it is a repeat with the suffix `?`. */
interface TokenSpan {
  readonly at: number;
  readonly end: number;
  readonly isMarked: boolean;
}

/** Adds a token to the pattern. Returns why Go rejects the pattern, if it does. */
function addToken(
  reading: PatternReading,
  token: Token,
  span: TokenSpan,
): PatternError | undefined {
  switch (token.token) {
    case "Quotation":
      for (const operand of token.operands) addSingle(reading, operand);
      return undefined;
    case "Opening":
      if (token.opening.opens === "Flags") reading.group.flags = token.opening.flags;
      else addOpening(reading, token.opening);
      return undefined;
    case "Closing":
      return addClosing(reading);
    case "Alternative":
      reading.parts.push({ part: "Alternative" });
      addAlternative(reading.group);
      return undefined;
    case "Repeat":
      return addRepeat(reading, token.repeat, span);
    default:
      addSingle(reading, token);
      return undefined;
  }
}

function addSingle(reading: PatternReading, operand: Operand): void {
  const part: OperandPart = { part: "Operand", operand, repeats: undefined };
  reading.parts.push(part);
  addOperand(reading.group, part);
  reading.classRanges += operand.token === "Class" ? operand.characters.ranges : 0;
}

function addOpening(reading: PatternReading, { opens, flags }: GroupOpening): void {
  const opening = createOpening(opens === "CapturingGroup");
  reading.parts.push(opening);
  reading.enclosing.push(reading.group);
  reading.group = openGroup(flags, opening);
}

function addClosing(reading: PatternReading): PatternError | undefined {
  const around = reading.enclosing.pop();
  if (around === undefined) return createPatternError("unexpected )", reading.text);
  reading.parts.push({ part: "Closing" });
  addOperand(around, reading.group.opening, endGroup(reading.group));
  reading.group = around;
  return undefined;
}

function addRepeat(
  { text, group, repeatBefore }: PatternReading,
  repeat: Repeat,
  { at, end, isMarked }: TokenSpan,
): PatternError | undefined {
  if (repeatBefore !== undefined) {
    return createPatternError("invalid nested repetition operator", text.slice(repeatBefore, end));
  }
  const lazy = isMarked !== group.flags.nonGreedy;
  return repeatLast(group, lazy ? { ...repeat, lazy } : repeat, text, text.slice(at, end));
}

/** Ends the outermost group. */
function finishReading(reading: PatternReading): ParsedPattern | PatternError {
  const { text, parts, enclosing, classRanges } = reading;
  if (enclosing.length > 0) return createPatternError("missing closing )", text);
  const { size, height } = endGroup(reading.group);
  return size - text.length > MAX_COPIED
    ? createPatternError("expression too large", text)
    : { ok: true, text, parts, size, classRanges, mayBeTooDeep: height > MAX_DEPTH_IN_GO };
}

/** Repeats the last operand of a group. Returns why Go rejects the pattern, if it does. */
function repeatLast(
  group: OpenGroup,
  repeat: Repeat,
  text: string,
  written: string,
): PatternError | undefined {
  const operand = repeatOperand(group, repeat);
  if (operand === undefined) {
    return createPatternError("missing argument to repetition operator", written);
  }
  if (operand.copies <= MAX_COUNT) return undefined;
  // Go checks the size first.
  return operand.size > MAX_SIZE_IN_GO
    ? createPatternError("expression too large", text)
    : createPatternError("invalid repeat count", written);
}

function createOpening(captures: boolean): Opening {
  return { part: "Opening", captures, repeats: undefined };
}
