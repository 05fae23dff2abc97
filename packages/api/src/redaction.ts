import {
  getElementPosition,
  getMemberPosition,
  isName,
  isProgram,
  type Position,
  positionBelowHidden,
} from "./redacted-positions.ts";
import { ValuesInText } from "./values-in-text.ts";

export { isRedactedPath, redactPath } from "./redacted-positions.ts";

/**
 * Replaces values that may be secret, in the objects and texts of one run, request or log context. Equal values get equal
 * text, and different values get different text, so an edit of a value stays visible.
 */
export interface Redactor {
  /**
   * Returns an object without values that may be secret: everything below `env`, `args`, `command`, `httpHeaders`,
   * `annotations`, `data`, `stringData` and `binaryData`, at any depth and whatever its type. Names of variables,
   * references to Secrets, and the annotations that SECURITY.md lists are kept. Numbers become other numbers, so
   * errors about types stay the same. Values nested deeper than 500 levels become null.
   *
   * @param object - any value; it is not changed, and the result shares its unchanged parts
   */
  redactObject<Value>(object: Value): Value;
  /** Redacts a value that is secret in any position: text and numbers, also in lists and objects. */
  redactValue(value: unknown): unknown;
  /**
   * Returns text of another program, such as the message of an API server or a kubelet, without the values that this
   * redactor has found in objects, even if they are escaped or truncated. Values of less than six characters, and common
   * words, are replaced only between quotes or after `=` or `value:`. Names of objects are kept, as is the program in
   * `command[0]` if it is a path or a common program. The time is proportional to the text, up to the logarithm of the
   * number of values.
   */
  redactText(text: string): string;
  /**
   * Redacts each `message` and `note` of an object with {@link Redactor.redactText}, for example in an Event, a
   * condition or a container state. Call it after the objects that they may quote.
   */
  redactMessages<Value>(object: Value): Value;
}

/**
 * Creates a redactor that has not found any value yet.
 *
 * @example
 * const { redactObject } = createRedactor();
 * redactObject({ env: ["PASSWORD=hunter2"], replicas: 2 }) // => { env: ["(redacted 1)"], replicas: 2 }
 */
export function createRedactor(): Redactor {
  const replacements = new Map<string | number, string | number>();
  const texts = new ValuesInText();
  const replace: Replace = (value, position) => {
    const known = replacements.get(value);
    if (known !== undefined) return known;
    const count = replacements.size + 1;
    const replacement =
      typeof value === "string"
        ? `(redacted ${count})`
        : Number.isInteger(value)
          ? count
          : count + 0.5;
    replacements.set(value, replacement);
    // Replacements by another redactor may remain in texts.
    if (!/^\(redacted \d+\)$/.test(String(value)))
      texts.add(String(value), `(redacted ${count})`, position === "Value");
    return replacement;
  };
  const run: Run = { replace, foundName: (name) => texts.addName(name) };
  const redactText = (text: string) => texts.replaceIn(text);
  return {
    redactObject: (object) => redactValue(object, "Fields", run, 0) as typeof object,
    redactValue: (value) => redactValue(value, "Value", run, 0),
    redactText,
    redactMessages: (object) => withMessages(object, redactText, 0) as typeof object,
  };
}

/** The maximum depth of values. A JobSet needs about thirty levels. */
const MAX_DEPTH = 500;

/** @param position - `Text` for a value that is only replaced as a whole in other text */
type Replace = (value: string | number, position: Position) => string | number;

interface Run {
  readonly replace: Replace;
  /** Called with the names of objects, containers, programs and so on, which messages and other output contain. */
  readonly foundName: (name: string) => void;
}

function redactValue(value: unknown, position: Position, run: Run, depth: number): unknown {
  if (typeof value !== "object" || value === null) return redactScalar(value, position, run);
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const below = getElementPosition(position);
    if (position === "Command" && isProgram(value[0])) run.foundName(value[0]);
    return mapElements(value, (element) => redactValue(element, below, run, depth + 1));
  }
  return redactObject(value as JsonObject, position, run, depth);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Loops with few calls, because a dump of a cluster has tens of millions of members. */
function redactObject(object: JsonObject, position: Position, run: Run, depth: number): object {
  let copy: Record<string, unknown> | undefined;
  let hidesName = false;
  for (const name of Object.keys(object)) {
    const member = object[name];
    const below = getMemberPosition(position, name);
    if (below === "Fields" && typeof member !== "object") continue;
    if (below === undefined) {
      hidesName = true;
      break;
    }
    if (below === "PublicName" && typeof member === "string") run.foundName(member);
    const next = redactValue(member, below, run, depth + 1);
    if (next === member) continue;
    copy ??= { ...object };
    setMember(copy, name, next);
  }
  return hidesName ? withHiddenNames(object, position, run, depth) : (copy ?? object);
}

function withHiddenNames(object: JsonObject, position: Position, run: Run, depth: number): object {
  const hidden = positionBelowHidden(position);
  const entries = Object.entries(object).map(([name, member]) => {
    const below = getMemberPosition(position, name);
    const shown = below === undefined ? String(run.replace(name, hidden)) : name;
    return [shown, redactValue(member, below ?? hidden, run, depth + 1)];
  });
  return Object.fromEntries(entries);
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value });
}

function redactScalar(value: unknown, position: Position, { replace }: Run): unknown {
  if (position === "Fields" || position === "PublicName" || position === "Labels") return value;
  if (typeof value === "number") return replace(value, position);
  if (typeof value !== "string" || value === "" || position === "Kept") return value;
  if (position === "Name" && isName(value)) return value;
  return replace(value, position === "Text" ? "Text" : "Value");
}

/** The `spec` and the metadata contain no messages, and they are most of a Pod. */
function withMessages(value: unknown, redactText: Redactor["redactText"], depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return mapElements(value, (element) => withMessages(element, redactText, depth + 1));
  }
  const object = value as JsonObject;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(object)) {
    const member = object[name];
    let next = member;
    if (typeof member === "string") {
      if (name === "message" || name === "note") next = redactText(member);
    } else if (name !== "spec" && name !== "metadata") {
      next = withMessages(member, redactText, depth + 1);
    }
    if (next === member) continue;
    copy ??= { ...object };
    setMember(copy, name, next);
  }
  return copy ?? object;
}

/** Returns the same list unless an element changes. */
function mapElements(list: readonly unknown[], mapped: (element: unknown) => unknown): unknown {
  let copy: unknown[] | undefined;
  for (const [index, element] of list.entries()) {
    const next = mapped(element);
    if (Object.is(next, element)) continue;
    copy ??= [...list];
    copy[index] = next;
  }
  return copy ?? list;
}
