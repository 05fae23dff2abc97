import { type FieldError, formatFieldError } from "./field-error.ts";
import { byteLength } from "./utf8.ts";

/** The maximum number of errors in one response, and their maximum size in bytes. A single error may reach it. */
const MAX_COUNT = 200;
const MAX_BYTES = 28 * 1024;

/** The state of a collection at some point; see {@link TruncatedErrors.mark}. */
export interface Mark {
  /** The number of errors at that point. */
  readonly count: number;
  readonly omitted: number;
  readonly bytesLeft: number;
}

/** Returns the first field errors, as many as one response holds, and the number of the others. */
export function truncateErrors(errors: Iterable<FieldError> = []): TruncatedErrors<FieldError> {
  const found = new TruncatedErrors<FieldError>((error) => error);
  found.addAll({ errors });
  return found;
}

/**
 * The field errors of one response, in the order in which they are found: at most 200 errors and 28 KiB of text, but
 * at least one error. Further errors are counted but not created, so that a long list of mistakes is cheap.
 *
 * @typeParam Found - a field error, or a value that contains one
 */
export class TruncatedErrors<Item> {
  readonly #toFieldError: (found: Item) => FieldError;
  readonly #errors: Item[] = [];
  #bytesLeft = MAX_BYTES;
  #omitted = 0;

  constructor(toFieldError: (found: Item) => FieldError) {
    this.#toFieldError = toFieldError;
  }

  /**
   * Adds an error.
   *
   * @param create - not called if an earlier error was omitted
   */
  add(create: () => Item): void {
    if (this.#omitted === 0 && this.#errors.length < MAX_COUNT) {
      const found = create();
      const bytes = byteLength(formatFieldError(this.#toFieldError(found)));
      if (bytes <= this.#bytesLeft || this.#errors.length === 0) {
        this.#errors.push(found);
        this.#bytesLeft -= bytes;
        return;
      }
    }
    this.#omitted += 1;
  }

  /** Adds the errors of another collection. */
  addAll({
    errors,
    omitted,
  }: {
    readonly errors: Iterable<Item>;
    readonly omitted?: number;
  }): void {
    for (const found of errors) this.add(() => found);
    this.#omitted += omitted ?? 0;
  }

  /** Returns the errors that fit, in the order in which they were added. */
  get errors(): readonly Item[] {
    return this.#errors;
  }

  /** The number of further errors. */
  get omitted(): number {
    return this.#omitted;
  }

  /** The number of errors, reported or not. */
  get count(): number {
    return this.#errors.length + this.#omitted;
  }

  /** Returns a mark for {@link reset}. */
  mark(): Mark {
    return { count: this.count, omitted: this.#omitted, bytesLeft: this.#bytesLeft };
  }

  /** Removes the errors that were added since a mark. */
  reset({ count, omitted, bytesLeft }: Mark): void {
    this.#errors.length = count - omitted;
    this.#bytesLeft = bytesLeft;
    this.#omitted = omitted;
  }
}
