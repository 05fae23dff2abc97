import type { HistoryEntry } from "./history.ts";

/**
 * A history for a person: a line for each thing that happened, with those that are alike in one line, and
 * what was refused again, and Events that come again, with the first time. What changes nothing
 * that a person looks at is left out.
 *
 * @example
 * const entry = { at: 1500, actor: "user", what: "Created" as const, kind: "JobSet", namespace: "ml", name: "train", text: "running", isTelling: true };
 * timelineText([entry]) // => "    1.500s  user  created JobSet train: running\n"
 */
export function timelineText(history: Iterable<HistoryEntry>): string {
  const lines: Line[] = [];
  const saidBefore = new Map<string, Line>();
  for (const entry of history) {
    if (entry.isTelling === false) continue;
    const last = lines.at(-1);
    const said = `${entry.actor} ${entry.what} ${entry.kind} ${entry.namespace}/${entry.name} ${entry.text}`;
    const earlier = REPEATED.has(entry.what) ? saidBefore.get(said) : undefined;
    if (earlier !== undefined) {
      earlier.again.push(entry.at);
    } else if (last !== undefined && isAlike(last, entry)) last.names.push(entry.name);
    else {
      const line: Line = { entry, names: [entry.name], again: [] };
      lines.push(line);
      if (REPEATED.has(entry.what)) saidBefore.set(said, line);
    }
  }
  const width = Math.max(0, ...lines.map(({ entry }) => entry.actor.length));
  return lines.map((line) => `${lineText(line, width)}\n`).join("");
}

interface Line {
  readonly entry: HistoryEntry;
  readonly names: string[];
  /** When the same happened again. */
  readonly again: number[];
}

/** What is tried again and again is told once. */
const REPEATED: ReadonlySet<HistoryEntry["what"]> = new Set(["Event", "Refused"]);

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

function lineText({ entry, names, again }: Line, width: number): string {
  const { at, actor, what, kind, text } = entry;
  const time = `${(at / 1000).toFixed(3)}s`.padStart(10);
  if (what === "Broken") return `${time}  ${"".padEnd(width)}  BROKEN ${entry.name}: ${text}`;
  if (what === "Fault") return `${time}  ${"".padEnd(width)}  FAULT ${entry.name}: ${text}`;
  const told = [...new Set(names)];
  const more = told.length > MAX_NAMES ? ` and ${told.length - MAX_NAMES} more` : "";
  const about = `${kind} ${told.slice(0, MAX_NAMES).join(", ")}${more}`;
  const indent = `\n${"".padEnd(time.length + 2 + width + 4)}`;
  const isSaid = text === "" || text === VERBS[what];
  const said = isSaid ? "" : `: ${text.replaceAll("\n", indent)}`;
  return `${time}  ${actor.padEnd(width)}  ${VERBS[what]} ${about}${said}${againText(again)}`;
}

function againText(again: readonly number[]): string {
  const last = again.at(-1);
  if (last === undefined) return "";
  const at = `${(last / 1000).toFixed(3)}s`;
  return again.length === 1
    ? ` (once more, at ${at})`
    : ` (${again.length} more times, the last at ${at})`;
}

const VERBS = {
  Created: "created",
  Changed: "changed",
  Deleted: "deleted",
  Event: "event on",
  Refused: "was refused",
} as const;
