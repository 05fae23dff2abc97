/** What a line of the log says beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes one line of JSON to standard error; standard output belongs to the protocol. */
export function log(
  level: "info" | "warning" | "error",
  message: string,
  fields: LogFields = {},
): void {
  const line = { time: new Date().toISOString(), level, message, ...fields };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** Logs a trouble once for as long as it lasts: again only when its words change or it came back after an end. */
export class TroubleLog {
  readonly #current = new Map<string, string>();

  /** What is in trouble now, with the words for it. */
  get current(): ReadonlyMap<string, string> {
    return this.#current;
  }

  begins(what: string, message: string, fields: LogFields = {}): void {
    if (this.#current.get(what) === message) return;
    this.#current.set(what, message);
    log("error", message, { about: what, ...fields });
  }

  ends(what: string): void {
    if (this.#current.delete(what)) log("info", "recovered", { about: what });
  }
}
