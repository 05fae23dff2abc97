// How a case is shown to a person. Plain JSON as YAML, and lists as tables: written out, because a library for it would be
// one more for everybody who installs this package, and no text is read back.

/** A JSON value as lines of YAML, without what is empty. */
export function yamlLines(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ["[]"];
    return value.flatMap((element) => {
      const [first = "", ...rest] = yamlLines(element);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  if (typeof value !== "object" || value === null) return [scalar(value)];
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  if (members.length === 0) return ["{}"];
  return members.flatMap(([name, member]) => {
    const key = /^[\w./-]+$/.test(name) ? name : JSON.stringify(name);
    const lines = yamlLines(member);
    const isNested = typeof member === "object" && member !== null && !/^[[{]/.test(lines[0] ?? "");
    return isNested
      ? [`${key}:`, ...lines.map((line) => `  ${line}`)]
      : [`${key}: ${lines[0] ?? ""}`];
  });
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "null";
  const isPlain =
    /^[a-zA-Z/][\w./ -]*$/.test(value) && !/^(true|false|null|yes|no|on|off)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

/** Rows under their heading, each column as wide as it has to be. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd(),
  );
}

/** Parts with a heading each, those without lines left out. */
export function shownParts(parts: readonly (readonly [string, readonly string[]])[]): string {
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [heading, ...lines.map((line) => `  ${line}`)].join("\n"))
    .join("\n");
}
