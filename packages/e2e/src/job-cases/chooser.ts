/** A source of deterministic choices. */
export interface Chooser {
  /** Returns an integer from 0 to `bound` - 1. */
  drawBelow(bound: number): number;
  /** Returns some items in order: all if there are at most `count`. */
  pick<Item>(items: readonly Item[], count: number): readonly Item[];
}

/** @param seed - different texts lead to different choices */
export function createChooser(seed: string): Chooser {
  let state = 0x9e3779b9;
  for (const character of seed)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x85ebca6b);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const drawBelow = (bound: number) => next() % bound;
  return {
    drawBelow,
    pick: (items, count) => {
      const chosen = new Set<number>();
      if (items.length <= count) return items;
      while (chosen.size < count) chosen.add(drawBelow(items.length));
      return items.filter((_, index) => chosen.has(index));
    },
  };
}
