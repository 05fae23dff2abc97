export { toChromeTrace } from "./history/chrome-trace.ts";
export { formatDiff } from "./history/difference.ts";
export { createHistory, createViolationEntry, type HistoryEntry } from "./history/history.ts";
export { foldTexts } from "./history/indexed-text.ts";
export { formatSummary } from "./history/summary-text.ts";
export { renderTimelineHtml } from "./history/timeline-page.ts";
export { formatTimeline } from "./history/timeline-text.ts";
export { recordTrace, type Trace, type TraceOptions } from "./history/trace.ts";
export { summarizeFinalState } from "./laws/final-state.ts";
