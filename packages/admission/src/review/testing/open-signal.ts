import type { WebSignal } from "../web.ts";

/** A signal that aborts on demand and knows its listeners. */
export class OpenSignal implements WebSignal {
  readonly #listeners = new Set<() => void>();
  aborted = false;

  get listenerCount(): number {
    return this.#listeners.size;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of this.#listeners) listener();
  }
}
