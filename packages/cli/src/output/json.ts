import { escapeText } from "./escape.ts";

/** Yields a JSON array in chunks, one value at a time, indented by two spaces. */
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

/** Yields the `List` with which kubectl prints several objects. */
export function* formatJsonList(objects: Iterable<unknown>): Generator<string, void, undefined> {
  yield '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "metadata": {},\n  "items": ';
  yield* formatJsonArray(objects, "  ");
  yield "\n}\n";
}
