import { isAction } from "./history.ts";
import { foldIndexedTexts, namesText, splitIndices } from "./indexed-text.ts";
import { jobSetEnd } from "./jobset-end.ts";
import { formatTimeline, isTurn } from "./timeline-text.ts";
import type { Trace, TraceRow } from "./trace.ts";

/**
 * Returns a short description of a run: how each JobSet ended, the final states of its Jobs and Pods, equal ones
 * folded, and when JobSets changed, users acted and faults happened.
 *
 * @example formatSummary(recordTrace(randomScenario(1)).trace).startsWith("JobSet train: ") // => true
 */
export function formatSummary(trace: Trace): string {
  const turns = trace.entries.filter((entry) => isTurn(entry) || isAction(entry));
  return `${objectLines(trace)
    .map((line) => `${line}\n`)
    .join("")}\n${formatTimeline(turns)}`;
}

function objectLines(trace: Trace): readonly string[] {
  const groups = new Map<string, [TraceRow, ...TraceRow[]]>();
  for (const row of trace.rows) {
    const { kind, namespace, name } = row;
    const parts = [name, getEnd(row)].map((text) => splitIndices(text).parts);
    const isAlone = kind === "JobSet";
    const key = JSON.stringify(isAlone ? [kind, namespace, name] : [kind, namespace, parts]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()].map((rows) => {
    const [row] = rows;
    const { kind, depth } = row;
    const names = rows.map(({ name }) => name);
    const end =
      kind === "JobSet"
        ? jobSetEnd(row, trace)
        : foldIndexedTexts(rows.map(getEnd).map(splitIndices));
    return `${"  ".repeat(depth)}${namesText(kind, names)}: ${end}`;
  });
}

/** Returns the final state of an object, or its state at its deletion. */
function getEnd({ spans, goneAt }: TraceRow): string {
  const state = (spans.at(-1)?.state ?? "").replace(/(?:, |^)being deleted$/, "");
  if (goneAt === undefined) return spans.at(-1)?.state ?? "";
  return [...(state === "" ? [] : [state]), "deleted"].join(", ");
}
