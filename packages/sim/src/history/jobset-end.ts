import type { Trace, TraceRow, TraceSpan } from "./trace.ts";

/**
 * Describes how a JobSet ended: its final state with the time, the number of restarts, and when it was deleted, or its
 * state when the run ended. If several JobSets had the name, it describes the last one.
 *
 * @param row - the row of a JobSet
 */
export function jobSetEnd({ spans, goneAt }: TraceRow, { entries }: Trace): string {
  const begins = spans.findLastIndex(({ entry }) => entries[entry]?.what === "Created");
  const life = spans.slice(Math.max(0, begins));
  const ended = life.find(({ state }) => /^(?:Completed|Failed) \(/.test(state));
  const restarts = Math.max(0, ...life.map(countRestarts));
  return [
    ...(ended === undefined
      ? []
      : [`${withoutDeletion(ended.state)} at ${momentText(ended.from)}`]),
    ...(ended === undefined && goneAt === undefined ? [lastState(life)] : []),
    ...(restarts === 0 ? [] : [`${restarts} restart${restarts === 1 ? "" : "s"}`]),
    ...(goneAt === undefined ? [] : [`gone at ${momentText(goneAt)}`]),
  ].join(", ");
}

/** Formats milliseconds as seconds. From an hour on, also as Kubernetes formats durations. */
export function momentText(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  const text = `${(millis / 1000).toFixed(3)}s`;
  if (seconds < 3600) return text;
  return `${text} (${Math.floor(seconds / 3600)}h${Math.floor(seconds / 60) % 60}m${seconds % 60}s)`;
}

function lastState(life: readonly TraceSpan[]): string {
  const state = life.at(-1)?.state ?? "";
  if (/being deleted$/.test(state)) return "being deleted when the run ended";
  const [word = ""] = state.split(", ");
  return word === "suspended" ? "Suspended" : `${word} when the run ended`;
}

/** The state of an unfinished JobSet contains its restarts. */
function countRestarts({ state }: TraceSpan): number {
  return Number(/, restart (\d+)/.exec(state)?.[1] ?? 0);
}

function withoutDeletion(state: string): string {
  return state.replace(/, being deleted$/, "");
}
