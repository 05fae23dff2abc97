const FIRST_DELAY_MS = 5;
const LONGEST_DELAY_MS = 1000_000;

/** What became of one look at a key. */
export type Looked =
  | { readonly outcome: "Done"; readonly lookAgainAfterSeconds?: number }
  | { readonly outcome: "TryAgain" };

/** @param failures - how many looks at the key before this one have asked to be tried again, one after the other */
type Look = (key: string, failures: number) => Promise<Looked>;

/**
 * Keys to look at, each by one worker at a time. A key that is added while it waits is not added twice; one that
 * is added while it is looked at is looked at once more. A look that asks to be tried again waits 5 ms, then twice
 * as long each time, at most 1000 s, as controller-runtime does.
 */
export class WorkQueue {
  readonly #look: Look;
  readonly #workers: number;
  readonly #onThrown: (key: string, error: unknown) => void;
  readonly #waiting = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #paused = true;

  /** @param onThrown - told what a look has thrown, which is tried again as any other */
  constructor(look: Look, workers: number, onThrown: (key: string, error: unknown) => void) {
    this.#look = look;
    this.#workers = workers;
    this.#onThrown = onThrown;
  }

  get depth(): number {
    return this.#waiting.size;
  }

  add(key: string): void {
    this.#waiting.add(key);
    this.#startNext();
  }

  start(): void {
    this.#paused = false;
    for (let i = 0; i < this.#workers; i += 1) this.#startNext();
  }

  /** Starts nothing more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#paused = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#underWay.values());
  }

  #startNext(): void {
    if (this.#paused || this.#underWay.size >= this.#workers) return;
    for (const key of this.#waiting) {
      if (this.#underWay.has(key)) continue;
      this.#waiting.delete(key);
      // The look begins a moment later, when the key counts as under way: it may add the key itself.
      this.#underWay.set(
        key,
        Promise.resolve().then(() => this.#lookAt(key)),
      );
      return;
    }
  }

  async #lookAt(key: string): Promise<void> {
    // What fell due by itself is seen to now.
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const looked = await this.#lookSafely(key);
    this.#underWay.delete(key);
    if (looked.outcome === "TryAgain") {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.#addAfter(key, Math.min(FIRST_DELAY_MS * 2 ** failures, LONGEST_DELAY_MS));
    } else {
      this.#failures.delete(key);
      const { lookAgainAfterSeconds } = looked;
      if (lookAgainAfterSeconds !== undefined) this.#addAfter(key, lookAgainAfterSeconds * 1000);
    }
    this.#startNext();
  }

  async #lookSafely(key: string): Promise<Looked> {
    try {
      return await this.#look(key, this.#failures.get(key) ?? 0);
    } catch (error) {
      this.#onThrown(key, error);
      return { outcome: "TryAgain" };
    }
  }

  #addAfter(key: string, delayMs: number): void {
    if (this.#paused) return;
    clearTimeout(this.#timers.get(key));
    // A longer delay than a timer can hold ends early, which only looks once too often.
    const timer = setTimeout(() => this.add(key), Math.min(delayMs, 2 ** 31 - 1));
    this.#timers.set(key, timer);
  }
}
