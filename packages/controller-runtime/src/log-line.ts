import { byteLength, escapeUnprintable, truncateUtf8 } from "@jobset-ts/api/text";

/** One line of the log. Other members are data about the message. */
export interface LogLine {
  /** RFC 3339. */
  readonly time: string;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly [member: string]: unknown;
}

/**
 * Creates a log line with the current time.
 *
 * @example logLine("info", "stopping", { reason: "SIGTERM" }).reason // => "SIGTERM"
 */
export function logLine(level: LogLine["level"], message: string, data: object = {}): LogLine {
  return { time: new Date().toISOString(), level, message, ...data };
}

/**
 * Writes a line as JSON to standard error.
 *
 * Control and format characters are escaped. A line has at most 16 KB. If its data is longer or deeply nested, only
 * the start of the data is written, and the member `cut` lists the missing parts.
 *
 * @example writeLine.length // => 1
 */
export function writeLine(line: LogLine): void {
  console.error(lineText(line));
}

/** The limit for the text without its line break. */
const MAX_LINE_BYTES = 16 * 1024 - 1;

/** Limits for the values of a line. The first limits that make the line short enough apply. */
const LIMITS: readonly Limits[] = [
  { bytes: 8192, parts: 100, levels: 32 },
  { bytes: 2048, parts: 20, levels: 8 },
  { bytes: 512, parts: 8, levels: 6 },
  { bytes: 128, parts: 4, levels: 4 },
  // These limits are small enough for every line.
  { bytes: 32, parts: 16, levels: 0 },
];

interface Limits {
  /** The limit for a string. */
  readonly bytes: number;
  /** The limit for the elements of a list and the members of an object. */
  readonly parts: number;
  readonly levels: number;
}

/** The maximum number of paths in `cut`. */
const MAX_CUTS = 10;

function lineText(line: LogLine): string {
  let text = "";
  for (const limits of LIMITS) {
    const cuts: string[] = [];
    const bounded = boundMembers(
      line,
      "",
      { ...limits, levels: limits.levels + 1 },
      cuts,
    ) as object;
    const cut = cuts.length > MAX_CUTS ? [...cuts.slice(0, MAX_CUTS), "…"] : cuts;
    text = escapeUnprintable(JSON.stringify(cuts.length === 0 ? bounded : { ...bounded, cut }));
    if (byteLength(text) <= MAX_LINE_BYTES) break;
  }
  return text;
}

/** Copies a value within limits. Records the path of each omitted part. */
function boundValue(value: unknown, path: string, limits: Limits, cuts: string[]): unknown {
  switch (typeof value) {
    case "string": {
      const start = truncateUtf8(value, limits.bytes);
      if (start === value) return value;
      cuts.push(path);
      return `${start}…`;
    }
    case "object":
      if (value === null) return null;
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
      if (limits.levels > 0) return boundMembers(value, path, limits, cuts);
      cuts.push(path);
      return Array.isArray(value) ? "array" : "object";
    case "bigint":
      return `${value}`;
    case "number":
    case "boolean":
      return value;
    default:
      return undefined;
  }
}

function boundMembers(
  value: object,
  path: string,
  { bytes, parts, levels }: Limits,
  cuts: string[],
): unknown {
  const isList = Array.isArray(value);
  const inside = { bytes, parts, levels: levels - 1 };
  const members: (readonly [string, unknown])[] = [];
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (members.length === parts) {
      cuts.push(path);
      break;
    }
    const key = truncateUtf8(name, bytes);
    const at = isList ? `${path}[${name}]` : path === "" ? key : `${path}.${key}`;
    members.push([key, boundValue((value as Record<string, unknown>)[name], at, inside, cuts)]);
  }
  return isList ? members.map(([, element]) => element) : Object.fromEntries(members);
}
