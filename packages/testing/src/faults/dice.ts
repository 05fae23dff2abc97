import fc from "fast-check";

/** Chance that was drawn beforehand; where all of it is zeros, every choice is the first one. */
export class Dice {
  readonly #rolls: readonly number[];
  #next = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  /** A whole number from 0 up to, and without, `sides`. */
  below(sides: number): number {
    const roll = this.#rolls[this.#next % this.#rolls.length] ?? 0;
    // Whoever asks for more than was drawn gets what was, turned around.
    const turned = this.#next < this.#rolls.length ? roll : roll * 31 + this.#next;
    this.#next += 1;
    return turned % sides;
  }

  oneOf<Value>(first: Value, ...others: readonly Value[]): Value {
    return [first, ...others][this.below(1 + others.length)] ?? first;
  }

  /** Whether something comes to pass that does so once in `many` times. */
  onceIn(many: number): boolean {
    return this.below(many) === many - 1;
  }

  /** Some of a list, at least one unless it is empty, in their order. */
  someOf<Value>(list: readonly Value[]): readonly Value[] {
    if (list.length <= 1 || this.onceIn(3)) return list;
    const from = this.below(list.length);
    return list.slice(from, from + 1 + this.below(list.length - from));
  }
}

/** Chance enough for one cluster. */
export function dice(): fc.Arbitrary<Dice> {
  const roll = fc.noBias(fc.nat(0xffff));
  return fc.array(roll, { minLength: 64, maxLength: 64 }).map((rolls) => new Dice(rolls));
}
