import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { isRedactedPath, redactPath } from "@jobset-ts/api/redaction";
import {
  checkKey,
  checkText,
  type DocumentError,
  type DuplicateField,
  errorMessages,
  MAX_DEPTH,
} from "./document-error.ts";
import { findStringEnd, findWordEnd, parseStringAt, skipSpace } from "./json-text.ts";

/** An object or list that is being read. */
interface OpenValue {
  /** The keys so far, with their offsets. Absent for a list. */
  readonly keys?: Map<string, number>;
  /** The current key or index. */
  step: PathStep;
  /** Whether the next string is a key. */
  expectsKey: boolean;
}

/**
 * Finds the parts of a valid JSON text that `JSON.parse` would silently change, or that no Kubernetes object can
 * contain. These are integers beyond 2^53, numbers that overflow, lone surrogates, NUL characters and values that are
 * nested too deeply. Also finds duplicate keys. Needs one pass for any nesting.
 *
 * @param lineOf - returns the line of an offset, from 1
 * @param levelsAbove - the nesting depth of the value itself
 */
export function listJsonErrors(
  text: string,
  lineOf: (offset: number) => number,
  levelsAbove = 0,
): { readonly errors: readonly DocumentError[]; readonly duplicates: readonly DuplicateField[] } {
  const errors: DocumentError[] = [];
  const duplicates = new Map<string, DuplicateField>();
  const open: OpenValue[] = [];
  const addError = (offset: number, message: string) => {
    errors.push({ offset, field: fieldPath(redactPath(listSteps(open))), message });
  };
  let tooDeep = false;
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const inner = open.at(-1);
    const character = text[at];
    switch (character) {
      case "{":
      case "[":
        if (levelsAbove + open.length === MAX_DEPTH && !tooDeep) {
          tooDeep = true; // One error is enough.
          addError(at, errorMessages.tooDeep);
        }
        open.push(
          character === "{"
            ? { keys: new Map(), step: "", expectsKey: true }
            : { step: 0, expectsKey: false },
        );
        at++;
        break;
      case "}":
      case "]":
        open.pop();
        at++;
        break;
      case ",":
        if (inner?.keys !== undefined) inner.expectsKey = true;
        else if (inner !== undefined) inner.step = (inner.step as number) + 1;
        at++;
        break;
      case ":":
        at++;
        break;
      case '"': {
        const end = findStringEnd(text, at);
        const value = parseStringAt(text, at, end);
        const error = inner?.expectsKey ? (checkKey(value) ?? checkText(value)) : checkText(value);
        const earlier = inner?.expectsKey ? addKey(inner, value, at) : undefined;
        if (error !== undefined) addError(at, error);
        else if (earlier !== undefined) {
          const field = fieldPath(redactPath(listSteps(open)));
          duplicates.set(field, { field, line: lineOf(earlier) });
        }
        at = end;
        break;
      }
      default: {
        const end = findWordEnd(text, at);
        const error = checkNumber(text.slice(at, end), () => isRedactedPath(listSteps(open)));
        if (error !== undefined) addError(at, error);
        at = end;
      }
    }
  }
  return { errors, duplicates: [...duplicates.values()] };
}

/** Adds a key to the object that is being read. Returns the offset of an earlier equal key. */
function addKey(object: OpenValue, key: string, at: number): number | undefined {
  object.step = key;
  object.expectsKey = false;
  const earlier = object.keys?.get(key);
  object.keys?.set(key, earlier ?? at);
  return earlier;
}

function listSteps(open: readonly OpenValue[]): readonly PathStep[] {
  return open.map(({ step }) => step);
}

function checkNumber(literal: string, isSecret: () => boolean): string | undefined {
  const value = Number(literal); // Returns NaN for true, false and null.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    return errorMessages.notFinite(isSecret() ? undefined : literal);
  }
  const inexact = /^-?\d+$/.test(literal) && !Number.isSafeInteger(value);
  return inexact ? errorMessages.inexactInteger(isSecret() ? undefined : literal) : undefined;
}
