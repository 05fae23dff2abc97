import { encodeUtf8 } from "@jobset-ts/api/text";
import { readTimestamp, type Timestamp } from "@jobset-ts/api/typed";

const LAYOUT = "2006-01-02T15:04:05";

/** The steps of {@link LAYOUT}: the text in the layout, and how its value is parsed. */
const steps: readonly Step[] = [
  { layout: "2006", reads: /^\d{4}/ },
  { layout: "-", reads: /^-/ },
  { layout: "01", reads: /^\d{2}/, range: ["month", 1, 12] },
  { layout: "-", reads: /^-/ },
  { layout: "02", reads: /^\d{2}/ },
  { layout: "T", reads: /^T/ },
  { layout: "15", reads: /^\d{1,2}/, range: ["hour", 0, 23] },
  { layout: ":", reads: /^:/ },
  { layout: "04", reads: /^\d{2}/, range: ["minute", 0, 59] },
  { layout: ":", reads: /^:/ },
  { layout: "05", reads: /^\d{2}/, range: ["second", 0, 59] },
];

interface Step {
  readonly layout: string;
  readonly reads: RegExp;
  readonly range?: readonly [name: string, least: number, most: number];
}

/**
 * Reads a timestamp without a zone, in UTC, as Go's `time.Parse` does with the layout `2006-01-02T15:04:05`.
 *
 * @returns the time, or Go's error for the text
 * @example parseGoLocalTime("x") // => 'parsing time "x" as "2006-01-02T15:04:05": cannot parse "x" as "2006"'
 */
export function parseGoLocalTime(text: string): Timestamp | string {
  let rest = text;
  for (const { layout, reads, range } of steps) {
    const [read] = reads.exec(rest) ?? [];
    if (read === undefined) {
      const place = `cannot parse ${quote(rest)} as ${quote(layout)}`;
      return `parsing time ${quote(text)} as ${quote(LAYOUT)}: ${place}`;
    }
    if (range !== undefined && (Number(read) < range[1] || Number(read) > range[2])) {
      return `parsing time ${quote(text)}: ${range[0]} out of range`;
    }
    rest = rest.slice(read.length);
  }
  rest = rest.replace(/^[.,]\d+/, "");
  if (rest !== "") return `parsing time ${quote(text)}: extra text: ${quote(rest)}`;
  return readTimestamp(`${text}Z`) ?? `parsing time ${quote(text)}: day out of range`;
}

/** Quotes text as Go's package `time` does: bytes that are not printable ASCII are escaped. */
function quote(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\]/g, "\\$&");
  return `"${escaped.replace(/[^ -\u007f]/gu, toBytes)}"`;
}

function toBytes(character: string): string {
  return Array.from(
    encodeUtf8(character),
    (byte) => `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("");
}
