import type { Trace, TraceRow } from "./trace.ts";

/**
 * Returns a run in the trace event format of Perfetto and Chrome: a process for each kind, a thread for each object,
 * and a mark for each entry without duration. Times are microseconds.
 *
 * @see the Trace Event Format
 * @example "traceEvents" in toChromeTrace(recordTrace(randomScenario(1)).trace) // => true
 */
export function toChromeTrace({ entries, rows }: Trace): object {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const getProcessId = ({ kind }: Pick<TraceRow, "kind">) => kinds.indexOf(kind) + 1;
  const marks = entries.filter(({ what }) => what === "Fault" || what === "Broken");
  return {
    displayTimeUnit: "ms",
    traceEvents: [
      ...kinds.map((kind) =>
        createNameEntry("process_name", kind, { pid: getProcessId({ kind }), tid: 0 }),
      ),
      ...rows.flatMap((row, tid) =>
        rowEvents(row, { pid: getProcessId(row), tid: tid + 1 }, entries),
      ),
      ...marks.map(({ at, what, name, text }) => ({
        name: `${what}: ${name}`,
        ph: "i",
        s: "g",
        ts: at * 1000,
        pid: 1,
        tid: 0,
        args: { text },
      })),
    ],
  };
}

interface Thread {
  readonly pid: number;
  readonly tid: number;
}

function rowEvents(row: TraceRow, thread: Thread, entries: Trace["entries"]): readonly object[] {
  return [
    createNameEntry("thread_name", row.name, thread),
    ...row.spans.map(({ from, until, state }) => ({
      name: state,
      cat: row.kind,
      ph: "X",
      ts: from * 1000,
      dur: (until - from) * 1000,
      ...thread,
    })),
    ...row.marks.flatMap((place) => {
      const entry = entries[place];
      if (entry === undefined) return [];
      const { at, what, text } = entry;
      return [{ name: what, ph: "i", s: "t", ts: at * 1000, ...thread, args: { text } }];
    }),
  ];
}

function createNameEntry(what: string, name: string, thread: Thread): object {
  return { name: what, ph: "M", ...thread, args: { name } };
}
