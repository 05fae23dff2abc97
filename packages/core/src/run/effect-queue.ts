import type { Effect, ObjectKey } from "../plan/effects.ts";

/**
 * The order in which the effects of a step are sent.
 *
 * It is the order of the list, with one exception: of two effects on the same object, the later one waits until the
 * earlier one has succeeded. Meanwhile, effects on other objects are sent. If the earlier one fails, the later one
 * is skipped, as are effects on excluded objects.
 */
export class EffectQueue {
  /** The first effect on each object, in list order, and how many of them have been returned. */
  readonly #first: number[] = [];
  #taken = 0;
  /** The next effect on the same object, by the position of the previous one. */
  readonly #behind = new Map<number, number>();
  /** Released effects, in list order. */
  readonly #released: number[] = [];

  /** @param leaveUnchanged - objects by their {@link keyText} */
  constructor(effects: readonly Effect[], leftAlone: ReadonlySet<string> = new Set()) {
    const last = new Map<string, number>();
    for (const [position, { target }] of effects.entries()) {
      const key = keyText(target);
      if (leftAlone.has(key)) continue;
      const before = last.get(key);
      if (before === undefined) this.#first.push(position);
      else this.#behind.set(before, position);
      last.set(key, position);
    }
  }

  /**
   * Returns the position of the effect to send next; `undefined` if none can be sent until another one has
   * succeeded.
   */
  take(): number | undefined {
    const first = this.#first[this.#taken];
    const released = this.#released[0];
    if (released !== undefined && (first === undefined || released < first)) {
      return this.#released.shift();
    }
    if (first !== undefined) this.#taken += 1;
    return first;
  }

  /** Releases the next effect on the same object after a success. */
  release(position: number): void {
    const next = this.#behind.get(position);
    if (next === undefined) return;
    const before = this.#released.findLastIndex((other) => other < next);
    this.#released.splice(before + 1, 0, next);
  }
}

/** Returns the text that identifies an object of a plan. */
export function keyText({ kind, namespace, name }: ObjectKey): string {
  return `${kind}/${namespace}/${name}`;
}
