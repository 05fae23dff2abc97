import { draw } from "../kernel/draw.ts";

/** A random source with named streams. The value of a stream does not depend on other draws. */
export interface SeededRandom {
  /** Returns an integer from 0 up to, but not including, `bound`. */
  readonly below: (bound: number, ...stream: readonly (string | number)[]) => number;
  readonly pick: <Item>(items: readonly Item[], ...stream: readonly (string | number)[]) => Item;
  /** Returns whether an event with a probability happens. */
  readonly happens: (probability: number, ...stream: readonly (string | number)[]) => boolean;
}

export function createSeededRandom(seed: number): SeededRandom {
  const below: SeededRandom["below"] = (bound, ...stream) =>
    Math.floor(draw(seed, ...stream) * bound);
  return {
    below,
    pick: (items, ...stream) => items[below(items.length, ...stream)] as (typeof items)[number],
    happens: (probability, ...stream) => draw(seed, ...stream) < probability,
  };
}
