import { escapeText } from "./escape.ts";

/** The pieces of a JSON array, one value at a time, indented by two spaces. */
export function* formatJsonArray(
  values: Iterable<unknown>,
  indent = "",
): Generator<string, void, undefined> {
  const inner = `${indent}  `;
  let separator = "[\n";
  for (const value of values) {
    const text = JSON.stringify(value, null, 2).replaceAll("\n", `\n${inner}`);
    yield `${separator}${inner}${escapeText(text)}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : `\n${indent}]`;
}

/** The pieces of the `List` in which kubectl prints several objects. */
export function* formatJsonList(objects: Iterable<unknown>): Generator<string, void, undefined> {
  yield '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "metadata": {},\n  "items": ';
  yield* formatJsonArray(objects, "  ");
  yield "\n}\n";
}
