import { escapeLine, truncate } from "./escape.ts";
import type { TextSink } from "./write-all.ts";

/**
 * Reports what the command is doing.
 *
 * @param isLong - whether it is known to take longer than a second, while nothing else can be said
 */
export type Progress = (said: string, isLong?: boolean) => void;

/** A line that says what is being done: at the bottom of a terminal, where it goes before anything else is written. */
export interface ProgressLine {
  readonly say: Progress;
  readonly clear: () => void;
}

/** How many milliseconds a command may take before it says what it does. */
const SHOW_AFTER = 1000;
/** How many milliseconds a line stands at the least. */
const MIN_INTERVAL = 100;
/** The interval of log lines in milliseconds if the output is not a terminal. */
const LOG_INTERVAL = 60_000;
/** A longer line would be wrapped by many a terminal, and then not be overwritten. */
const MAX_LINE = 70;

/** @param now - in milliseconds */
export function createProgressLine(
  sink: TextSink & { readonly isTTY?: boolean },
  now: () => number,
): ProgressLine {
  return sink.isTTY === true ? createTerminalProgress(sink, now) : createLogProgress(sink, now);
}

function createLogProgress(log: TextSink, now: () => number): ProgressLine {
  let saidAt: number | undefined;
  return {
    say: (said) => {
      const at = now();
      saidAt ??= at;
      if (at - saidAt < LOG_INTERVAL) return;
      saidAt = at;
      log.write(`jobset: note: ${escapeLine(said)}\n`, () => {});
    },
    clear: () => {},
  };
}

function createTerminalProgress(terminal: TextSink, now: () => number): ProgressLine {
  const begun = now();
  let saidAt = Number.NEGATIVE_INFINITY;
  let shown = "";
  // A failed write of progress is ignored.
  const write = (text: string) => terminal.write(text, () => {});
  return {
    say: (said, isLong = false) => {
      const at = now();
      if (!isLong && (at - begun < SHOW_AFTER || at - saidAt < MIN_INTERVAL)) return;
      saidAt = at;
      const line = truncate(escapeLine(said), MAX_LINE);
      write(`\r${line.padEnd(shown.length)}`);
      shown = line;
    },
    clear: () => {
      if (shown === "") return;
      write(`\r${" ".repeat(shown.length)}\r`);
      shown = "";
    },
  };
}
