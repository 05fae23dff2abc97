import { type LogLine, logLine, writeLine } from "./log-line.ts";

/** The optional details of a condition. */
export interface ConditionOptions {
  /** Whether the program as a whole cannot do its work, which makes it not ready; one object's trouble is its owner's. */
  readonly affectsReadiness?: boolean;
  /**
   * Identifies the cause while its text changes, such as an HTTP status. A cause of the same kind counts as the one
   * that is logged already.
   */
  readonly kind?: string;
  /** Which thread is in trouble, where several do the same. */
  readonly thread?: string;
  /** What the line of the log says beside its message. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Receives conditions: a {@link ConditionLog}, or a wrapper of one. */
export interface ConditionReporter {
  /** Raises a condition, or keeps it raised. A condition with another cause replaces the earlier one. */
  raise(what: string, cause: string, options?: ConditionOptions): void;
  /** Resolves a condition. Does nothing if it was never raised. */
  resolve(what: string): void;
}

interface Trouble {
  readonly what: string;
  readonly cause: string;
  readonly kind: string | undefined;
  readonly affectsReadiness: boolean;
}

/**
 * Logs each cause of trouble once for as long as anything is in trouble for it, however many are and however often
 * they try again; and once that it is over.
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
  /** By what is in trouble, and the thread. */
  readonly #current = new Map<string, Trouble>();
  /** By its words, how many are in trouble for a cause. */
  readonly #causes = new Map<string, number>();
  readonly #write: (line: LogLine) => void;
  #isSilent = false;

  /** @param write - takes the lines; by default they go to standard error, as JSON */
  constructor(write: (line: LogLine) => void = writeLine) {
    this.#write = write;
  }

  /** Why the program as a whole cannot do its work: a line for each cause, with all that it stops. */
  get reasonsNotReady(): readonly string[] {
    const stopped = [...this.#current.values()].filter(({ affectsReadiness }) => affectsReadiness);
    const causes = new Set(stopped.map(({ cause }) => cause));
    return [...causes].map((cause) => {
      const of = stopped.filter((trouble) => trouble.cause === cause).map(({ what }) => what);
      return `${[...new Set(of)].join(", ")}: ${cause}`;
    });
  }

  raise(what: string, words: string, options: ConditionOptions = {}): void {
    const { affectsReadiness = false, kind, thread = "", fields } = options;
    if (this.#isSilent) return;
    const key = conditionKey(what, thread);
    const before = this.#current.get(key);
    const isSameKind = before !== undefined && kind !== undefined && before.kind === kind;
    const cause = isSameKind ? before.cause : words;
    this.#current.set(key, { what, cause, kind, affectsReadiness });
    if (before?.cause === cause) return;
    const others = this.#causes.get(cause) ?? 0;
    this.#causes.set(cause, others + 1);
    if (others === 0) this.#write(logLine("error", cause, { about: what, ...fields }));
    // In trouble for another cause it has not recovered.
    if (before !== undefined) this.#leaves(before.cause);
  }

  /** Tells nothing more: what fails from now on fails because the program ends. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Resolves a condition. Does nothing if it was never raised. */
  resolve(what: string, thread = ""): void {
    const key = conditionKey(what, thread);
    const trouble = this.#current.get(key);
    if (trouble === undefined) return;
    this.#current.delete(key);
    const others = this.#leaves(trouble.cause);
    if (others > 0) return;
    this.#write(logLine("info", "recovered", { about: what, from: shortenCause(trouble.cause) }));
  }

  #leaves(cause: string): number {
    const others = (this.#causes.get(cause) ?? 0) - 1;
    if (others > 0) this.#causes.set(cause, others);
    else this.#causes.delete(cause);
    return others;
  }
}

function conditionKey(what: string, thread: string): string {
  return `${thread}\n${what}`;
}

/** Enough of a cause to know it again; API servers quote what they refuse. */
function shortenCause(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}…`;
}
