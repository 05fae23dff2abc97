import { type FieldError, formatFieldError } from "./field-error.ts";
import { byteLength } from "./utf8.ts";

/** How many errors one answer tells, and how many bytes of text they hold; the longest one alone has fewer. */
const MAX_COUNT = 200;
const MAX_BYTES = 28 * 1024;

/** How far a collection was at some time; see {@link TruncatedErrors.mark}. */
export interface Mark {
  /** How many had been found. */
  readonly count: number;
  readonly omitted: number;
  readonly bytesLeft: number;
}

/** Returns the first field errors, as many as one response holds, and the number of the others. */
export function truncateErrors(errors: Iterable<FieldError> = []): TruncatedErrors<FieldError> {
  const found = new TruncatedErrors<FieldError>((error) => error);
  found.addAll({ told: errors });
  return found;
}

/**
 * The field errors of one answer, in the order in which they are found: two hundred at most, as many of them as 28 KiB of
 * text hold, and at least one. The rest is counted, and not even made, so that a long list of mistakes costs no more than
 * to find them.
 *
 * @typeParam Found - what is found; a field error, or what holds one
 */
export class TruncatedErrors<Found> {
  readonly #errorOf: (found: Found) => FieldError;
  readonly #told: Found[] = [];
  #bytesLeft = MAX_BYTES;
  #omitted = 0;

  constructor(errorOf: (found: Found) => FieldError) {
    this.#errorOf = errorOf;
  }

  /**
   * Takes note of an error.
   *
   * @param make - not asked once an error was left out
   */
  add(make: () => Found): void {
    if (this.#omitted === 0 && this.#told.length < MAX_COUNT) {
      const found = make();
      const bytes = byteLength(formatFieldError(this.#errorOf(found)));
      if (bytes <= this.#bytesLeft || this.#told.length === 0) {
        this.#told.push(found);
        this.#bytesLeft -= bytes;
        return;
      }
    }
    this.#omitted += 1;
  }

  /** Adds what was found elsewhere. */
  addAll({ told, omitted }: { readonly told: Iterable<Found>; readonly omitted?: number }): void {
    for (const found of told) this.add(() => found);
    this.#omitted += omitted ?? 0;
  }

  /** Returns the errors that fit, in the order in which they were added. */
  get told(): readonly Found[] {
    return this.#told;
  }

  /** The number of further errors. */
  get omitted(): number {
    return this.#omitted;
  }

  /** The number of errors, reported or not. */
  get count(): number {
    return this.#told.length + this.#omitted;
  }

  /** What {@link reset} goes back to. */
  mark(): Mark {
    return { count: this.count, omitted: this.#omitted, bytesLeft: this.#bytesLeft };
  }

  /** Forgets what was found since. */
  reset({ count, omitted, bytesLeft }: Mark): void {
    this.#told.length = count - omitted;
    this.#bytesLeft = bytesLeft;
    this.#omitted = omitted;
  }
}
