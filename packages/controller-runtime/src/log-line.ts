/**
 * One line of the log; its members beyond these are data about the message.
 *
 * @example const line: LogLine = { time: "2026-11-22T10:00:00.000Z", level: "info", message: "stopping", reason: "SIGTERM" };
 * line.reason // => "SIGTERM"
 */
export interface LogLine {
  /** RFC 3339. */
  readonly time: string;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
  readonly [member: string]: unknown;
}

/**
 * A line that says what happened now.
 *
 * @example logLine("info", "stopping", { reason: "SIGTERM" }).reason // => "SIGTERM"
 */
export function logLine(level: LogLine["level"], message: string, data: object = {}): LogLine {
  return { time: new Date().toISOString(), level, message, ...data };
}

/**
 * Writes a line as JSON to standard error.
 *
 * @example writeLine.length // => 1
 */
export function writeLine(line: LogLine): void {
  console.error(JSON.stringify(line));
}
