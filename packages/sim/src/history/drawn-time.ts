import type { HistoryEntry } from "./history.ts";
import type { Trace } from "./trace.ts";

/** Up to when a run is drawn, and what comes after that. */
export interface DrawnTime {
  readonly endsAt: number;
  /** The interval without events, if the run continues long after the last change. */
  readonly gap?: { readonly from: number; readonly until: number };
}

/** So many times as long as all that came before is a long gap. */
const LONG = 4;
const LONG_MS = 60_000;

/** What stands at the end is drawn for so long, as a part of what came before: there is room for its words. */
const END_SHARE = 0.16;

/**
 * A run is drawn to its end, but where nothing new happens for long, and then only deletions do: there it is drawn to
 * the last change before, since all else would be a pixel wide. A refusal or an Event that comes again is nothing new.
 */
export function getDrawnTime({ entries, endsAt, isIdle, nextAt }: Trace): DrawnTime {
  const news = getNews(entries);
  const lastChange = Math.max(0, ...news.filter((one) => !isDeletion(one)).map(({ at }) => at));
  const times = [...new Set(news.map(({ at }) => at))].filter((at) => at >= lastChange);
  for (const [place, from] of times.entries()) {
    const until = times[place + 1] ?? endsAt;
    if (until - from <= Math.max(LONG_MS, LONG * from)) continue;
    return { endsAt: from * (1 + END_SHARE), gap: { from, until } };
  }
  const staysUntil = isIdle ? Number.POSITIVE_INFINITY : (nextAt ?? endsAt);
  return { endsAt: Math.max(endsAt, Math.min(endsAt * (1 + END_SHARE), staysUntil)) };
}

function getNews(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const said = new Set<string>();
  return entries.filter(({ what, kind, namespace, name, text, isTelling }) => {
    // What is overdue is broken long after the last change.
    if (what === "Broken") return false;
    if (what !== "Event" && what !== "Refused") return isTelling !== false;
    const one = [what, kind, namespace, name, text].join("\n");
    const isNew = !said.has(one);
    said.add(one);
    return isNew;
  });
}

function isDeletion({ what, text }: HistoryEntry): boolean {
  return what === "Deleted" || /being deleted$/.test(text);
}
