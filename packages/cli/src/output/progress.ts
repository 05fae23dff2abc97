import { escapeLine, truncate } from "./escape.ts";
import type { TextSink } from "./write-all.ts";

/**
 * Reports the current action of the command.
 *
 * @param isLong - whether the operation is known to block for more than a second
 */
export type Progress = (text: string, isLong?: boolean) => void;

/** A line at the bottom of a terminal that shows the progress. It is cleared before other output. */
export interface ProgressLine {
  readonly say: Progress;
  readonly clear: () => void;
}

/** The time in milliseconds before a command shows its progress. */
const SHOW_AFTER = 1000;
/** The minimum time between updates of the line, in milliseconds. */
const MIN_INTERVAL = 100;
/** The interval of log lines in milliseconds if the output is not a terminal. */
const LOG_INTERVAL = 60_000;
/** Many terminals would wrap a longer line, and then it could not be overwritten. */
const MAX_LINE = 70;

/** @param now - in milliseconds */
export function createProgressLine(
  sink: TextSink & { readonly isTTY?: boolean },
  now: () => number,
): ProgressLine {
  return sink.isTTY === true ? createTerminalProgress(sink, now) : createLogProgress(sink, now);
}

function createLogProgress(log: TextSink, now: () => number): ProgressLine {
  let writtenAt: number | undefined;
  return {
    say: (text) => {
      const at = now();
      writtenAt ??= at;
      if (at - writtenAt < LOG_INTERVAL) return;
      writtenAt = at;
      log.write(`jobset: note: ${escapeLine(text)}\n`, () => {});
    },
    clear: () => {},
  };
}

function createTerminalProgress(terminal: TextSink, now: () => number): ProgressLine {
  const startedAt = now();
  let writtenAt = Number.NEGATIVE_INFINITY;
  let shown = "";
  // A failed write of progress is ignored.
  const write = (text: string) => terminal.write(text, () => {});
  return {
    say: (text, isLong = false) => {
      const at = now();
      if (!isLong && (at - startedAt < SHOW_AFTER || at - writtenAt < MIN_INTERVAL)) return;
      writtenAt = at;
      const line = truncate(escapeLine(text), MAX_LINE);
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
