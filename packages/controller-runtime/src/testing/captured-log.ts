import { onTestFinished, vi } from "vitest";
import type { LogLine } from "../log-line.ts";

/** Captures log lines instead of writing them to standard error, until the test ends. */
export function captureLog(): CapturedLog {
  const lines: LogLine[] = [];
  const write = vi.spyOn(console, "error").mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
  });
  onTestFinished(() => write.mockRestore());
  return new CapturedLog(lines);
}

/** The captured log lines. */
export class CapturedLog {
  readonly #lines: LogLine[];

  constructor(lines: LogLine[]) {
    this.#lines = lines;
  }

  /** The lines as `<level> <about>: <message>`, without those of level info. */
  get messages(): readonly string[] {
    return this.#lines
      .filter(({ about }) => about !== undefined)
      .map(({ level, about, message }) => `${level} ${about}: ${message}`);
  }

  get lines(): readonly LogLine[] {
    return this.#lines;
  }
}
