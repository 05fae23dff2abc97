import type { Effect, ObjectKey } from "../plan/effects.ts";

/**
 * The order in which the effects of a step are sent.
 *
 * It is the order of the list, with one exception: of two effects on the same object the later one waits until
 * the earlier one has succeeded, while effects on other objects overtake it; and when the earlier one failed, the
 * later one is left out, as are effects on objects that are to be left alone.
 */
export class EffectQueue {
  /** The first effect on each object, in the order of the list, and how many of these were taken. */
  readonly #first: number[] = [];
  #taken = 0;
  /** The next effect on the same object, by the position of the one before it. */
  readonly #behind = new Map<number, number>();
  /** Effects whose turn has come, in the order of the list. */
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
   * Returns the position of the effect to send next; `undefined` when there is none until another one has succeeded.
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

  /** An effect has succeeded: it is the turn of the next one on the same object. */
  release(position: number): void {
    const next = this.#behind.get(position);
    if (next === undefined) return;
    const before = this.#released.findLastIndex((other) => other < next);
    this.#released.splice(before + 1, 0, next);
  }
}

/** What tells the objects of a plan apart. */
export function keyText({ kind, namespace, name }: ObjectKey): string {
  return `${kind}/${namespace}/${name}`;
}
