import fc from "fast-check";

/** Random numbers that were generated in advance. If all are zero, every choice is the first one. */
export class RandomChoices {
  readonly #rolls: readonly number[];
  #next = 0;

  constructor(rolls: readonly number[]) {
    this.#rolls = rolls;
  }

  /** Returns an integer from 0 up to `sides - 1`. */
  pickBelow(sides: number): number {
    const roll = this.#rolls[this.#next % this.#rolls.length] ?? 0;
    // After the last number, the generated numbers are reused in another form.
    const turned = this.#next < this.#rolls.length ? roll : roll * 31 + this.#next;
    this.#next += 1;
    return turned % sides;
  }

  pickOne<Value>(first: Value, ...others: readonly Value[]): Value {
    return [first, ...others][this.pickBelow(1 + others.length)] ?? first;
  }

  /** Returns true with probability 1 / `many`. */
  isOneIn(many: number): boolean {
    return this.pickBelow(many) === many - 1;
  }

  /** Returns some elements of a list in order, at least one unless the list is empty. */
  pickSome<Value>(list: readonly Value[]): readonly Value[] {
    if (list.length <= 1 || this.isOneIn(3)) return list;
    const from = this.pickBelow(list.length);
    return list.slice(from, from + 1 + this.pickBelow(list.length - from));
  }
}

/** Generates enough random numbers for one cluster. */
export function randomChoices(): fc.Arbitrary<RandomChoices> {
  const roll = fc.noBias(fc.nat(0xffff));
  return fc.array(roll, { minLength: 64, maxLength: 64 }).map((rolls) => new RandomChoices(rolls));
}
