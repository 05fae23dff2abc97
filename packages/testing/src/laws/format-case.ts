// Formats a case for people: JSON as YAML, and lists as tables. A library would be a dependency of every user, and the
// text is never parsed.

/** The maximum length of a value in one line. */
const MAX_LINE_LENGTH = 64;

/** Formats a JSON value as lines of YAML without empty values. Short values take one line. */
export function formatYaml(value: unknown): readonly string[] {
  const lines = blockLines(value);
  const inOneLine = lines.length > 1 && !holdsObjects(value) ? flowText(value) : "";
  return inOneLine !== "" && inOneLine.length <= MAX_LINE_LENGTH ? [inOneLine] : lines;
}

/** Returns whether a value contains a list of objects. */
function holdsObjects(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members = Object.values(value);
  const isListOfObjects = Array.isArray(value) && members.some((one) => one instanceof Object);
  return isListOfObjects || members.some(holdsObjects);
}

function flowText(value: unknown): string {
  if (typeof value !== "object" || value === null) return scalar(value);
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return `{ ${members.map(([name, member]) => `${keyText(name)}: ${flowText(member)}`).join(", ")} }`;
}

function blockLines(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ["[]"];
    return value.flatMap((element) => {
      const [first = "", ...rest] = formatYaml(element);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  if (typeof value !== "object" || value === null) return [scalar(value)];
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  if (members.length === 0) return ["{}"];
  return members.flatMap(([name, member]) => {
    const key = keyText(name);
    const lines = formatYaml(member);
    const isNested = typeof member === "object" && member !== null && !/^[[{]/.test(lines[0] ?? "");
    return isNested
      ? [`${key}:`, ...lines.map((line) => `  ${line}`)]
      : [`${key}: ${lines[0] ?? ""}`];
  });
}

function keyText(name: string): string {
  return /^[\w./-]+$/.test(name) ? name : JSON.stringify(name);
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

/** Formats rows with a heading. Columns are as wide as necessary. */
export function formatTable(rows: readonly (readonly string[])[]): readonly string[] {
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

/** Formats parts, each with a heading. Omits empty parts. */
export function formatParts(parts: readonly (readonly [string, readonly string[]])[]): string {
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => [heading, ...lines.map((line) => `  ${line}`)].join("\n"))
    .join("\n");
}
