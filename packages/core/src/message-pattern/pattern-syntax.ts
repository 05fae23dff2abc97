import { NO_FLAGS } from "./group.ts";
import { addOperand, endOperand, type OpenGroup, openGroup, repeatOperand } from "./open-group.ts";
import { patternText } from "./pattern-text.ts";
import { type Refusal, refused } from "./refusal.ts";
import { LARGEST_COUNT, type Operand, readToken } from "./token.ts";

/**
 * How many characters, classes, groups and repeats a pattern may have beyond its length, by copies that its counted
 * repeats make. Go allows some 3 million in all; searching one message for so many could take hours.
 */
export const MOST_COPIED = 131_072;

const LARGEST_SIZE_IN_GO = 3_355_443;

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
  const enclosing: OpenGroup[] = [];
  let group = openGroup(NO_FLAGS);
  let classRanges = 0;
  /** Where the repeat begins that ends at `at`, if one does. */
  let repeatBefore: number | undefined;

  function add(operand: Operand): void {
    engine.push(operand.engineText);
    addOperand(group);
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
          group = openGroup(token.opening.flags);
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
        const operand = repeatOperand(group, token.repeat);
        if (operand === undefined) {
          return refused("missing argument to repetition operator", written);
        }
        if (operand.copies > LARGEST_COUNT) {
          // Go looks at the size first.
          return operand.size > LARGEST_SIZE_IN_GO
            ? refused("expression too large", text)
            : refused("invalid repeat count", written);
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
