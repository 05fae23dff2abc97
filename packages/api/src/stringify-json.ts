/**
 * Serializes a value as JSON. `JSON.stringify` exhausts the stack at about 4,000 levels. An API server accepts
 * 10,000, and `JSON.parse` has no limit.
 *
 * @returns `undefined` for a value that JSON cannot represent, such as a function
 * @throws TypeError for a value that contains itself, and for a `bigint`; `JSON.parse` returns neither
 * @example stringifyJson({ a: [1, undefined], b: undefined }) // => '{"a":[1,null]}'
 */
export function stringifyJson(value: object | string | number | boolean | null): string;
export function stringifyJson(value: unknown): string | undefined;
export function stringifyJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return withOwnStack(value);
    throw error;
  }
}

/** An object or list in progress. */
interface Open {
  readonly end: "]" | "}";
  /** The remaining parts, the next one last. Parts of an object have a name. */
  readonly parts: (readonly [name: string | undefined, value: unknown])[];
  isEmpty: boolean;
}

function withOwnStack(value: unknown): string | undefined {
  const text: string[] = [];
  const open: Open[] = [];
  const write = (part: unknown): void => {
    if (typeof part !== "object" || part === null) text.push(JSON.stringify(part) ?? "null");
    else if (Array.isArray(part)) {
      text.push("[");
      open.push({ end: "]", parts: Array.from(part, getElement).reverse(), isEmpty: true });
    } else {
      text.push("{");
      open.push({ end: "}", parts: Object.entries(part).reverse(), isEmpty: true });
    }
  };
  const whole = getSerializedForm(value, "");
  if (isLeftOut(whole)) return undefined;
  write(whole);
  for (;;) {
    const last = open.at(-1);
    if (last === undefined) return text.join("");
    const next = last.parts.pop();
    if (next === undefined) {
      text.push(last.end);
      open.pop();
      continue;
    }
    const [name, part] = next;
    const written = getSerializedForm(part, name ?? "");
    if (name !== undefined && isLeftOut(written)) continue;
    if (!last.isEmpty) text.push(",");
    last.isEmpty = false;
    if (name !== undefined) text.push(JSON.stringify(name), ":");
    write(written);
  }
}

function getElement(value: unknown): readonly [undefined, unknown] {
  return [undefined, value];
}

/** Returns the value to serialize. An object may convert itself, as a `Date` does. */
function getSerializedForm(value: unknown, name: string): unknown {
  const { toJSON } = Object(value) as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, name) : value;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}
