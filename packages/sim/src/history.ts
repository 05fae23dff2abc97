export { chromeTrace } from "./history/chrome-trace.ts";
export { differenceLines } from "./history/difference.ts";
export { entryOfViolation, type HistoryEntry, historyOf } from "./history/history.ts";
export { foldTexts } from "./history/indexed-text.ts";
export { summaryText } from "./history/summary-text.ts";
export { timelinePage } from "./history/timeline-page.ts";
export { timelineText } from "./history/timeline-text.ts";
export { type Trace, type TraceSettings, traceOf } from "./history/trace.ts";
export { outcomeOf } from "./oracles/outcome.ts";
