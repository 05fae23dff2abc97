import { fieldPath, type PathStep } from "@jobset-ts/api/errors";
import { isRedactedPath, redactPath } from "@jobset-ts/api/redaction";
import { findStringEnd, findWordEnd, skipSpace, stringAt } from "./json-text.ts";
import {
  type DuplicateField,
  keyRefusal,
  MAX_DEPTH,
  type Refusal,
  refusals,
  textRefusal,
} from "./refusal.ts";

/** An object or list that is being read. */
interface Open {
  /** The keys so far and where they stand; absent for a list. */
  readonly keys?: Map<string, number>;
  /** Where we are in it. */
  step: PathStep;
  /** Whether the next string is a key. */
  expectsKey: boolean;
}

/**
 * What a valid JSON text says that `JSON.parse` would silently change, or that no Kubernetes object can hold: an
 * integer beyond 2^53, a number beyond all numbers, half a surrogate pair, a NUL character, and values nested too
 * deeply; and the keys that are set twice. One pass, whatever the nesting.
 *
 * @param formatLine - the line of an offset, from 1
 * @param levelsAbove - how deep the value itself is nested
 */
export function jsonRefusals(
  text: string,
  lineOf: (offset: number) => number,
  levelsAbove = 0,
): { readonly refusals: readonly Refusal[]; readonly duplicates: readonly DuplicateField[] } {
  const found: Refusal[] = [];
  const duplicates = new Map<string, DuplicateField>();
  const open: Open[] = [];
  const refuse = (offset: number, message: string) => {
    found.push({ offset, field: fieldPath(redactPath(listSteps(open))), message });
  };
  let tooDeep = false;
  for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
    const inner = open.at(-1);
    const character = text[at];
    switch (character) {
      case "{":
      case "[":
        if (levelsAbove + open.length === MAX_DEPTH && !tooDeep) {
          tooDeep = true; // once is enough
          refuse(at, refusals.tooDeep);
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
        const value = stringAt(text, at, end);
        if (inner?.expectsKey === true && inner.keys !== undefined) {
          inner.step = value;
          inner.expectsKey = false;
          const earlier = inner.keys.get(value);
          const refusal = keyRefusal(value) ?? textRefusal(value);
          inner.keys.set(value, earlier ?? at);
          if (refusal !== undefined) refuse(at, refusal);
          else if (earlier !== undefined) {
            const field = fieldPath(redactPath(listSteps(open)));
            duplicates.set(field, { field, line: lineOf(earlier) });
          }
        } else {
          const refusal = textRefusal(value);
          if (refusal !== undefined) refuse(at, refusal);
        }
        at = end;
        break;
      }
      default: {
        const end = findWordEnd(text, at);
        const refusal = numberRefusal(text.slice(at, end), () => isRedactedPath(listSteps(open)));
        if (refusal !== undefined) refuse(at, refusal);
        at = end;
      }
    }
  }
  return { refusals: found, duplicates: [...duplicates.values()] };
}

function listSteps(open: readonly Open[]): readonly PathStep[] {
  return open.map(({ step }) => step);
}

function numberRefusal(literal: string, isSecret: () => boolean): string | undefined {
  const value = Number(literal); // NaN for true, false and null
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    return refusals.notFinite(isSecret() ? undefined : literal);
  }
  const inexact = /^-?\d+$/.test(literal) && !Number.isSafeInteger(value);
  return inexact ? refusals.inexactInteger(isSecret() ? undefined : literal) : undefined;
}
