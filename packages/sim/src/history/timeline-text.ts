import { listChangedFields } from "./difference.ts";
import { type HistoryEntry, isAction } from "./history.ts";
import { foldIndexedTexts, namesText, splitIndices } from "./indexed-text.ts";
import { UPGRADE } from "./trace.ts";

/**
 * Formats a history with one line for each event. Equal events are one line, and repeated rejections and Events appear
 * with their first time. Changes that are irrelevant to the reader are omitted, unless a user made them.
 *
 * Equal changes of more than three Pods, Jobs or nodes are one line at the first time, with their number and indexes:
 * `created 256 Pods train-workers-{0..3}-{0..63}: Pending`. Each must follow the previous one within a second, without
 * a change of a JobSet, a fault or a user action between them.
 *
 * @example
 * const entry = { at: 1500, actor: "user", what: "Created" as const, kind: "JobSet", namespace: "ml", name: "train", text: "running", isSignificant: true };
 * formatTimeline([entry]) // => "    1.500s  user  created JobSet train: running\n"
 */
export function formatTimeline(history: Iterable<HistoryEntry>): string {
  const lines = joinLines(foldLines(formatLines(history)));
  const width = Math.max(0, ...lines.map(({ entries: [{ actor }] }) => actor.length));
  return lines.map((line) => `${lineText(line, width)}\n`).join("");
}

interface Line {
  /** Contains several entries if the line represents similar ones. */
  readonly entries: readonly [HistoryEntry, ...HistoryEntry[]];
  /** The times of the repetitions of this line. */
  readonly again: readonly number[];
  /** Whether the entries differ only by indexes and are shown as one pattern. */
  readonly isFolded: boolean;
}

/** Kinds of entries that are shown once if they repeat. */
const REPEATED: ReadonlySet<HistoryEntry["what"]> = new Set(["Event", "Refused"]);

function formatLines(history: Iterable<HistoryEntry>): readonly Line[] {
  const lines: (Line & { readonly again: number[] })[] = [];
  const saidBefore = new Map<string, number[]>();
  // Violations come last in a history.
  for (const one of [...history].sort((one, other) => one.at - other.at)) {
    if (one.isSignificant === false && !isAction(one)) continue;
    const entry = isAction(one) && one.what === "Changed" ? withFields(one) : one;
    const text = `${entry.actor} ${entry.what} ${entry.kind} ${entry.namespace}/${entry.name} ${entry.text}`;
    const earlier = REPEATED.has(entry.what) ? saidBefore.get(text) : undefined;
    if (earlier !== undefined) earlier.push(entry.at);
    else {
      const again: number[] = [];
      lines.push({ entries: [entry], again, isFolded: false });
      if (REPEATED.has(entry.what)) saidBefore.set(text, again);
    }
  }
  return lines;
}

/** Adds the changed fields to a user's change, because the new state of the object does not show them. */
function withFields(entry: HistoryEntry): HistoryEntry {
  const { patches, text, isSignificant } = entry;
  const fields = patches === undefined ? [] : listChangedFields(patches());
  if (fields.length === 0 || (isSignificant !== false && text.endsWith("being deleted")))
    return entry;
  const shown = fields.slice(0, MAX_NAMES).join(", ");
  const more = fields.length > MAX_NAMES ? ` and ${fields.length - MAX_NAMES} more` : "";
  const state = isSignificant === false ? "" : `${text}, with `;
  return { ...entry, text: `${state}${shown}${more}` };
}

/** The maximum number of objects that are named one by one. */
const MAX_NAMES = 3;

/** The maximum distance in milliseconds between events that share a line. */
const MERGE_WINDOW_MS = 1000;

/** Folds lines that differ only by indexes into the first one, unless they are few. */
function foldLines(lines: readonly Line[]): readonly Line[] {
  const groups = new Map<string, Line[]>();
  const groupByLine = new Map<Line, readonly Line[]>();
  const keys = listKeys(lines);
  for (const [index, line] of lines.entries()) {
    const key = keys[index] ?? "";
    const [at, group] = [line.entries[0].at, groups.get(key)];
    const last = group?.at(-1)?.entries[0].at ?? at;
    const own = group === undefined || at - last >= MERGE_WINDOW_MS ? [] : group;
    own.push(line);
    groups.set(key, own);
    groupByLine.set(line, own);
  }
  return lines.flatMap((line) => {
    const group = groupByLine.get(line) ?? [];
    if (group.length <= MAX_NAMES) return [line];
    if (group[0] !== line) return [];
    const others = group.slice(1).map(({ entries: [entry] }) => entry);
    const again = group.flatMap((one) => one.again);
    return [{ entries: [line.entries[0], ...others] as const, again, isFolded: true }];
  });
}

/** Returns equal keys for lines that differ only by indexes and have nothing between them that they may depend on. */
function listKeys(lines: readonly Line[]): readonly string[] {
  let stretch = 0;
  let wasOfUser = false;
  return lines.map(({ entries: [entry] }) => {
    const { actor, what, kind, namespace, name, text } = entry;
    const isUsers = entry.actor === "user";
    if ((isTurn(entry) && !isUsers) || isUsers !== wasOfUser) stretch += 1;
    wasOfUser = isUsers;
    const parts = [name, text].map((one) => splitIndices(one).parts);
    return JSON.stringify([stretch, actor, what, kind, namespace, parts]);
  });
}

/** Reports whether an entry is a fault, a change of a JobSet or a violation. Later entries may depend on it. */
export function isTurn({ what, kind }: HistoryEntry): boolean {
  return what === "Fault" || what === "Broken" || (kind === "JobSet" && what !== "Event");
}

/** Joins consecutive lines that differ only by the name. */
function joinLines(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && isSimilar(last, line)) {
      joined[joined.length - 1] = { ...last, entries: [...last.entries, ...line.entries] };
    } else joined.push(line);
  }
  return joined;
}

function isSimilar(line: Line, { entries: [next], again, isFolded }: Line): boolean {
  const [entry] = line.entries;
  return (
    !line.isFolded &&
    !isFolded &&
    line.again.length + again.length === 0 &&
    entry.actor === next.actor &&
    entry.what === next.what &&
    entry.kind === next.kind &&
    entry.text === next.text &&
    next.at - entry.at < MERGE_WINDOW_MS
  );
}

function lineText(line: Line, width: number): string {
  const { entries, again, isFolded } = line;
  const [{ at, actor, what, text, name }] = entries;
  const time = `${(at / 1000).toFixed(3)}s`.padStart(10);
  if (what === "Broken") return `${time}  ${"".padEnd(width)}  VIOLATION ${name}: ${text}`;
  if (what === "Fault") {
    const heading = name === UPGRADE ? "UPGRADE" : `FAULT ${name}`;
    return `${time}  ${"".padEnd(width)}  ${heading}: ${text}`;
  }
  const indent = `\n${"".padEnd(time.length + 2 + width + 4)}`;
  const isSaid = text === "" || text === VERBS[what];
  const shown = isFolded ? foldIndexedTexts(entries.map((one) => splitIndices(one.text))) : text;
  const detail = isSaid ? "" : `: ${shown.replaceAll("\n", indent)}`;
  const [about, more] = isFolded
    ? [
        namesText(
          entries[0].kind,
          entries.map(({ name }) => name),
        ),
        timesText(line),
      ]
    : [listNames(entries), formatRepetitions(again)];
  return `${time}  ${actor.padEnd(width)}  ${VERBS[what]} ${about}${detail}${more}`;
}

function listNames(entries: Line["entries"]): string {
  const names = [...new Set(entries.map(({ name }) => name))];
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `${entries[0].kind} ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}

function timesText({ entries, again }: Line): string {
  const [{ at }] = entries;
  const times = [...entries.map((entry) => entry.at), ...again];
  const last = times.reduce((latest, time) => Math.max(latest, time), at);
  const names = new Set(entries.map(({ name }) => name));
  const parts = [
    ...(times.length > names.size ? [`${times.length} times`] : []),
    ...(last > at ? [`until ${(last / 1000).toFixed(3)}s`] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function formatRepetitions(times: readonly number[]): string {
  const last = times.at(-1);
  if (last === undefined) return "";
  const at = `${(last / 1000).toFixed(3)}s`;
  return times.length === 1
    ? ` (once more, at ${at})`
    : ` (${times.length} more times, the last at ${at})`;
}

const VERBS = {
  Created: "created",
  Changed: "changed",
  Deleted: "deleted",
  Event: "event on",
  Refused: "error on",
} as const;
