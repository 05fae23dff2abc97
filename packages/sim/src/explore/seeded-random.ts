import { draw } from "../kernel/draw.ts";

/** Draws by name: what one name gives does not depend on what others were drawn. */
export interface SeededRandom {
  /** A whole number from 0 up to, but not, `bound`. */
  readonly below: (bound: number, ...stream: readonly (string | number)[]) => number;
  readonly pick: <Item>(items: readonly Item[], ...stream: readonly (string | number)[]) => Item;
  /** Whether something of a probability happens. */
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
