import type { InputObject } from "./input/objects.ts";
import { MAX_DEPTH } from "./input/refusal.ts";

/** An object without what may be secret in it. */
export type Redact = <Value>(value: Value) => Value;

/**
 * Takes the values of environment variables out of objects before anything is decided about them, so that no message and
 * no plan can hold them. Equal values are replaced by equal text and different ones by different text: whether an edit
 * changes one is seen all the same. What refers to a Secret stays, since it is only a name.
 *
 * @returns to be used for all objects of a run; it shares with its argument what it does not change
 * @example redaction()({ env: [{ name: "A", value: "x" }] }) // => { env: [{ name: "A", value: "(redacted 1)" }] }
 */
export function redaction(): Redact {
  const seen = new Map<unknown, string>();
  const placeholder = (value: unknown) => {
    const text = seen.get(value) ?? `(redacted ${seen.size + 1})`;
    seen.set(value, text);
    return text;
  };
  return <Value>(value: Value) => redacted(value, placeholder, 0) as Value;
}

/** The same object of a file, to be told of by the same places. */
export function redactedInput(input: InputObject, redact: Redact): InputObject {
  return { ...input, value: redact(input.value) };
}

type Placeholder = (value: unknown) => string;

function redacted(value: unknown, placeholder: Placeholder, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null; // no object of the API is as deep; annotations may hold anything
  const isList = Array.isArray(value);
  let copy: [string, unknown][] | undefined;
  const entries = Object.entries(value);
  for (const [index, [name, member]] of entries.entries()) {
    const next = memberOf(name, member, placeholder, depth);
    if (next === member) continue;
    copy ??= [...entries];
    copy[index] = [name, next];
  }
  if (copy === undefined) return value;
  return isList ? copy.map(([, member]) => member) : Object.fromEntries(copy);
}

/** Where kubectl apply keeps the whole manifest. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

function memberOf(name: string, member: unknown, placeholder: Placeholder, depth: number): unknown {
  if (name === "env" && Array.isArray(member)) {
    return member.map((variable) => variableOf(variable, placeholder));
  }
  if (name === LAST_APPLIED && typeof member === "string") return placeholder(member);
  return redacted(member, placeholder, depth + 1);
}

/** A value that is no text is refused for that, in words that do not repeat it. */
function variableOf(variable: unknown, placeholder: Placeholder): unknown {
  if (typeof variable !== "object" || variable === null) return variable;
  const { value } = variable as { readonly value?: unknown };
  const isText = typeof value === "string" && value !== "";
  return isText ? { ...variable, value: placeholder(value) } : variable;
}
