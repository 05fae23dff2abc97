/** The pieces of a JSON array, one value at a time, indented by two spaces. */
export function* jsonArray(
  values: Iterable<unknown>,
  indent = "",
): Generator<string, void, undefined> {
  const inner = `${indent}  `;
  let separator = "[\n";
  for (const value of values) {
    yield `${separator}${inner}${JSON.stringify(value, null, 2).replaceAll("\n", `\n${inner}`)}`;
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]" : `\n${indent}]`;
}

/** The pieces of a JSON array with its newline. */
export function* jsonArrayText(values: Iterable<unknown>): Generator<string, void, undefined> {
  yield* jsonArray(values);
  yield "\n";
}

/** The pieces of the `List` in which kubectl prints several objects. */
export function* jsonList(objects: Iterable<unknown>): Generator<string, void, undefined> {
  yield '{\n  "apiVersion": "v1",\n  "kind": "List",\n  "metadata": {},\n  "items": ';
  yield* jsonArray(objects, "  ");
  yield "\n}\n";
}
