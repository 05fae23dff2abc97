import type { HistoryEntry } from "./history.ts";
import type { Trace } from "./trace.ts";

/** The part of a run that is drawn, and what follows. */
export interface DrawnTime {
  readonly endsAt: number;
  /** The interval without events, if the run continues long after the last change. */
  readonly gap?: { readonly from: number; readonly until: number };
}

/** A gap is long if it lasts this many times as long as the time before it. */
const LONG = 4;
const LONG_MS = 60_000;

/** The share of the drawing for the final state, which leaves room for its label. */
const END_SHARE = 0.16;

/**
 * Returns the drawn part of a run. This is the whole run, unless nothing new happens for a long time and the only later
 * changes are deletions. In that case, it ends at the last change before that time, because otherwise all bars would be
 * a pixel wide. Repeated rejections and Events are not new.
 */
export function getDrawnTime({ entries, endsAt, isIdle, nextAt }: Trace): DrawnTime {
  const updates = listNewEntries(entries);
  const lastChange = Math.max(0, ...updates.filter((one) => !isDeletion(one)).map(({ at }) => at));
  const times = [...new Set(updates.map(({ at }) => at))].filter((at) => at >= lastChange);
  for (const [place, from] of times.entries()) {
    const until = times[place + 1] ?? endsAt;
    if (until - from <= Math.max(LONG_MS, LONG * from)) continue;
    return { endsAt: from * (1 + END_SHARE), gap: { from, until } };
  }
  const staysUntil = isIdle ? Number.POSITIVE_INFINITY : (nextAt ?? endsAt);
  return { endsAt: Math.max(endsAt, Math.min(endsAt * (1 + END_SHARE), staysUntil)) };
}

function listNewEntries(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const reported = new Set<string>();
  return entries.filter(({ what, kind, namespace, name, text, isSignificant }) => {
    // A violation of an overdue law comes long after the last change.
    if (what === "Broken") return false;
    if (what !== "Event" && what !== "Refused") return isSignificant !== false;
    const one = [what, kind, namespace, name, text].join("\n");
    const isNew = !reported.has(one);
    reported.add(one);
    return isNew;
  });
}

function isDeletion({ what, text }: HistoryEntry): boolean {
  return what === "Deleted" || /being deleted$/.test(text);
}
