import { onTestFinished, vi } from "vitest";

/** One line of the log. */
export interface LogLine {
  readonly time: string;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly about?: string;
  readonly [field: string]: unknown;
}

/** Keeps what is logged, in place of writing it to standard error, until the test ends. */
export function captureLog(): CapturedLog {
  const lines: LogLine[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    for (const line of String(text).trimEnd().split("\n")) lines.push(JSON.parse(line));
    return true;
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
