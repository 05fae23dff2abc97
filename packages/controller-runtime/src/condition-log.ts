import { type LogLine, logLine, writeLine } from "./log-line.ts";

/** The optional details of a condition. */
export interface ConditionOptions {
  /**
   * Whether the program as a whole cannot work, which makes it not ready. A problem of a single object does not affect
   * readiness.
   */
  readonly affectsReadiness?: boolean;
  /** Identifies the cause if its text varies, such as an HTTP status. A cause of the same kind is logged only once. */
  readonly kind?: string;
  /** The thread that raised the condition, if several do the same work. */
  readonly thread?: string;
  /** Additional fields of the log line. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Receives conditions: a {@link ConditionLog} or a wrapper around one. */
export interface ConditionReporter {
  /** Raises a condition, or keeps it raised. A condition with another cause replaces the earlier one. */
  raise(name: string, cause: string, options?: ConditionOptions): void;
  /** Resolves a condition. Does nothing if it was never raised. */
  resolve(name: string): void;
}

interface ActiveCondition {
  readonly name: string;
  readonly cause: string;
  readonly kind: string | undefined;
  readonly affectsReadiness: boolean;
}

/**
 * Logs each cause once while it lasts, for any number of conditions and repetitions. Also logs once that it is resolved.
 *
 * @example
 * const lines: string[] = [];
 * const reporter = new ConditionLog(({ message }) => lines.push(message));
 * for (const what of ["watch Job", "watch Pod", "watch Job"]) reporter.raise(what, "no answer", { affectsReadiness: true });
 * reporter.reasonsNotReady // => ["watch Job, watch Pod: no answer"]
 * for (const what of ["watch Job", "watch Pod"]) reporter.resolve(what);
 * lines // => ["no answer", "recovered"]
 */
export class ConditionLog implements ConditionReporter {
  /** The active conditions by name and thread. */
  readonly #current = new Map<string, ActiveCondition>();
  /** The number of active conditions by cause. */
  readonly #causes = new Map<string, number>();
  readonly #write: (line: LogLine) => void;
  #isSilent = false;

  /** @param write - receives the lines; by default, they are written to standard error as JSON */
  constructor(write: (line: LogLine) => void = writeLine) {
    this.#write = write;
  }

  /** Why the program as a whole cannot work: one line per cause, with all conditions that it affects. */
  get reasonsNotReady(): readonly string[] {
    const stopped = [...this.#current.values()].filter(({ affectsReadiness }) => affectsReadiness);
    const causes = new Set(stopped.map(({ cause }) => cause));
    return [...causes].map((cause) => {
      const of = stopped.filter((trouble) => trouble.cause === cause).map(({ name }) => name);
      return `${[...new Set(of)].join(", ")}: ${cause}`;
    });
  }

  raise(name: string, newCause: string, options: ConditionOptions = {}): void {
    const { affectsReadiness = false, kind, thread = "", fields } = options;
    if (this.#isSilent) return;
    const key = conditionKey(name, thread);
    const before = this.#current.get(key);
    const isSameKind = before !== undefined && kind !== undefined && before.kind === kind;
    const cause = isSameKind ? before.cause : newCause;
    this.#current.set(key, { name, cause, kind, affectsReadiness });
    if (before?.cause === cause) return;
    const others = this.#causes.get(cause) ?? 0;
    this.#causes.set(cause, others + 1);
    if (others === 0) this.#write(logLine("error", cause, { about: name, ...fields }));
    // A condition with another cause has not recovered.
    if (before !== undefined) this.#removeCause(before.cause);
  }

  /** Stops logging. From now on, failures are a consequence of the shutdown. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Resolves a condition. Does nothing if it was never raised. */
  resolve(name: string, thread = ""): void {
    const key = conditionKey(name, thread);
    const trouble = this.#current.get(key);
    if (trouble === undefined) return;
    this.#current.delete(key);
    const others = this.#removeCause(trouble.cause);
    if (others > 0) return;
    this.#write(logLine("info", "recovered", { about: name, from: shortenCause(trouble.cause) }));
  }

  #removeCause(cause: string): number {
    const others = (this.#causes.get(cause) ?? 0) - 1;
    if (others > 0) this.#causes.set(cause, others);
    else this.#causes.delete(cause);
    return others;
  }
}

function conditionKey(name: string, thread: string): string {
  return `${thread}\n${name}`;
}

/** Shortens a cause, but keeps enough to identify it. API servers quote invalid values. */
function shortenCause(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}…`;
}
