import {
  formatDiff,
  formatSummary,
  formatTimeline,
  renderTimelineHtml,
  type Trace,
  toChromeTrace,
} from "@jobset-ts/sim/history";
import { escapeText } from "./escape.ts";
import { formatJsonArray } from "./json.ts";

/** The output formats of a run. */
export const traceFormats = ["timeline", "html", "trace", "json"] as const;
export type TraceFormat = (typeof traceFormats)[number] | "summary";

/** Returns the requested format. A summary replaces the timeline. */
export function chooseTraceFormat({
  output,
  summary = false,
}: {
  readonly output: TraceFormat;
  readonly summary?: boolean;
}): TraceFormat {
  return summary ? "summary" : output;
}

/** The header of the page of a run. */
export interface TraceTitle {
  readonly title: string;
  /** Notes about the end of the run. */
  readonly notes?: readonly string[];
}

/** Prints a run in the requested format: text or a page for people, trace events for Perfetto, or data for programs. */
export function* formatTrace(
  trace: Trace,
  { title, notes = [] }: TraceTitle,
  format: TraceFormat,
): Generator<string, void, undefined> {
  switch (format) {
    case "timeline":
      yield escapeText(formatTimeline(trace.entries));
      return;
    case "summary":
      yield escapeText(formatSummary(trace));
      return;
    case "html":
      yield escapeText(renderTimelineHtml(trace, title, notes));
      return;
    case "trace":
      yield `${escapeText(JSON.stringify(toChromeTrace(trace)))}\n`;
      return;
    case "json":
      yield* formatHistory(trace);
  }
}

function* formatHistory({ seed, endsAt, isIdle, entries }: Trace): Generator<string, void> {
  yield `{\n  "seed": ${seed},\n  "endsAt": ${endsAt},\n  "isIdle": ${isIdle},\n  "entries": `;
  yield* formatJsonArray(toHistoryEntries(entries), "  ");
  yield "\n}\n";
}

function* toHistoryEntries(entries: Trace["entries"]): Generator<object, void> {
  for (const { patches, isSignificant: _, ...entry } of entries) {
    yield patches === undefined ? entry : { ...entry, difference: formatDiff(patches()) };
  }
}
