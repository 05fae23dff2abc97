import { type Flags, NO_FLAGS } from "./group.ts";
import { patternText } from "./pattern-text.ts";
import { type Refusal, refused } from "./refusal.ts";
import { LARGEST_COUNT, type Operand, type Repeat, readToken } from "./token.ts";

/**
 * How many characters, classes, groups and repeats a pattern may have beyond its length, by copies that its counted
 * repeats make. Go allows about 3 million in all, with which matching would take minutes.
 */
export const MOST_COPIED = 131_072;

/** How many ranges the classes of a pattern may have together; `\pL` has 659. Go allows 16,777,216. */
export const MOST_CLASS_RANGES = 1_048_576;

/**
 * Reads a pattern as Go's regexp package does, and writes it anew for the engine: flags, escapes, classes, case
 * variants and names of Unicode are resolved here, by Go's rules and tables, so that nothing is left that one RE2
 * reads differently from another.
 *
 * The engine still has to refuse what nests too deeply.
 *
 * @param text - without lone surrogates
 * @example readPattern("(?P<n>\\d)") // => { ok: true, engineText: "([0-9])" }
 */
export function readPattern(
  text: string,
): { readonly ok: true; readonly engineText: string } | Refusal {
  const pattern = patternText(text);
  const engine: string[] = [];
  const enclosing: Group[] = [];
  let group = groupWith(NO_FLAGS);
  let classRanges = 0;
  /** Where the repeat begins that ends at `at`, if one does. */
  let repeatBefore: number | undefined;

  function add(operand: Operand): void {
    engine.push(operand.engineText);
    addOperand(group, CHARACTER);
    classRanges += operand.classRanges;
  }

  for (let at = 0; at < text.length; ) {
    const read = readToken(pattern, at, group.flags);
    if (!read.ok) {
      return read;
    }
    const token = read.value;
    let end = read.end;
    let repeatHere: number | undefined;
    switch (token.token) {
      case "Operand":
        add(token);
        break;
      case "Quotation":
        engine.push(SEPARATOR);
        token.operands.forEach(add);
        break;
      case "Opening":
        if (token.opening.opens === "Flags") {
          engine.push(SEPARATOR);
          group.flags = token.opening.flags;
        } else {
          engine.push(token.opening.opens === "Group" ? "(?:" : "(");
          enclosing.push(group);
          group = groupWith(token.opening.flags);
        }
        break;
      case "Closing": {
        const around = enclosing.pop();
        if (around === undefined) {
          return refused("unexpected )", text);
        }
        engine.push(")");
        endOperand(group);
        addOperand(around, group.measure);
        group = around;
        break;
      }
      case "Alternative":
        engine.push("|");
        endOperand(group);
        break;
      case "Repeat": {
        if (text[end] === "?") {
          end++;
        }
        const written = text.slice(at, end);
        if (repeatBefore !== undefined) {
          return refused("invalid nested repetition operator", text.slice(repeatBefore, end));
        }
        if (group.operand === undefined) {
          return refused("missing argument to repetition operator", written);
        }
        group.operand = repeated(group.operand, token.repeat);
        if (group.operand.copies > LARGEST_COUNT) {
          return refused("invalid repeat count", written);
        }
        engine.push(written);
        repeatHere = at;
        break;
      }
    }
    if (classRanges > MOST_CLASS_RANGES) {
      return refused("expression too large", text);
    }
    repeatBefore = repeatHere;
    at = end;
  }

  if (enclosing.length > 0) {
    return refused("missing closing )", text);
  }
  endOperand(group);
  return group.measure.size - text.length > MOST_COPIED
    ? refused("expression too large", text)
    : { ok: true, engineText: engine.join("") };
}

/** Stands between two repeats that are none of one another, as in `a*(?i)*`. It sets a flag that is set anyway. */
const SEPARATOR = "(?-i)";

/** What limits are about. */
interface Measure {
  /** How often the counted repeats, one inside another, copy what they copy most. */
  readonly copies: number;
  /** How much there is of everything, copies included. */
  readonly size: number;
}

const CHARACTER: Measure = { copies: 1, size: 1 };

function repeated(operand: Measure, { min, max }: Repeat): Measure {
  // A repeat without a largest count copies its operand as often as the smallest says, and once at least.
  const copied = Math.max(1, max ?? min);
  return max === 0
    ? CHARACTER
    : { copies: copied * operand.copies, size: copied * operand.size + 1 };
}

/** A group that is being read; the pattern itself is the outermost. */
interface Group {
  flags: Flags;
  /** Of the operands before the last. */
  measure: Measure;
  /** The last operand; `undefined` when a repeat would have nothing to apply to. */
  operand: Measure | undefined;
}

function groupWith(flags: Flags): Group {
  return { flags, measure: CHARACTER, operand: undefined };
}

function addOperand(group: Group, operand: Measure): void {
  endOperand(group);
  group.operand = operand;
}

function endOperand(group: Group): void {
  const { measure, operand } = group;
  if (operand !== undefined) {
    group.measure = {
      copies: Math.max(measure.copies, operand.copies),
      size: measure.size + operand.size,
    };
    group.operand = undefined;
  }
}
