import type { HistoryEntry } from "./history.ts";

/**
 * A history for a person: a line for each thing that happened, with those that are alike in one line. What changes nothing
 * that a person looks at is left out.
 *
 * @example
 * const entry = { at: 1500, actor: "user", what: "Created", kind: "JobSet", namespace: "ml", name: "train", text: "running", isTelling: true };
 * timelineText([entry]) // => "   1.500s  user  created JobSet train: running\n"
 */
export function timelineText(history: Iterable<HistoryEntry>): string {
  const lines: Line[] = [];
  for (const entry of history) {
    if (entry.isTelling === false) continue;
    const last = lines.at(-1);
    if (last !== undefined && isAlike(last, entry)) last.names.push(entry.name);
    else lines.push({ entry, names: [entry.name] });
  }
  const width = Math.max(0, ...lines.map(({ entry }) => entry.actor.length));
  return lines.map((line) => `${lineText(line, width)}\n`).join("");
}

interface Line {
  readonly entry: HistoryEntry;
  readonly names: string[];
}

/** How far apart things may be that are told in one line, in milliseconds. */
const TOGETHER_MS = 1000;

function isAlike({ entry }: Line, next: HistoryEntry): boolean {
  return (
    entry.actor === next.actor &&
    entry.what === next.what &&
    entry.kind === next.kind &&
    entry.text === next.text &&
    next.at - entry.at < TOGETHER_MS
  );
}

/** More names than these are counted. */
const MAX_NAMES = 3;

function lineText({ entry, names }: Line, width: number): string {
  const { at, actor, what, kind, text } = entry;
  const time = `${(at / 1000).toFixed(3)}s`.padStart(10);
  if (what === "Broken") return `${time}  ${"".padEnd(width)}  BROKEN ${entry.name}: ${text}`;
  const told = [...new Set(names)];
  const more = told.length > MAX_NAMES ? ` and ${told.length - MAX_NAMES} more` : "";
  const about = `${kind} ${told.slice(0, MAX_NAMES).join(", ")}${more}`;
  const said = text === "" ? "" : `: ${text}`;
  return `${time}  ${actor.padEnd(width)}  ${VERBS[what]} ${about}${said}`;
}

const VERBS = {
  Created: "created",
  Changed: "changed",
  Deleted: "deleted",
  Told: "told of",
  Refused: "was refused",
} as const;
