import { onTestFinished, vi } from "vitest";
import type { LogLine } from "../log-line.ts";

/** Keeps what is logged, in place of writing it to standard error, until the test ends. */
export function captureLog(): CapturedLog {
  const lines: LogLine[] = [];
  const write = vi.spyOn(console, "error").mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
  });
  onTestFinished(() => write.mockRestore());
  return new CapturedLog(lines);
}

/** What was logged so far. */
export class CapturedLog {
  readonly #lines: LogLine[];

  constructor(lines: LogLine[]) {
    this.#lines = lines;
  }

  /** Each line as `<level> <about>: <message>`, without what merely happens. */
  get told(): readonly string[] {
    return this.#lines
      .filter(({ about }) => about !== undefined)
      .map(({ level, about, message }) => `${level} ${about}: ${message}`);
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }
}
