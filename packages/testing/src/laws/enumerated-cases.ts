// Enumerated cases. The detection of a defect must not depend on chance.
import fc from "fast-check";

/** Every case is used within this many runs, the default of a property. */
export const MAX_RUNS = 100;

/** Cases that are all used, with any seed. If there are more than {@link MAX_RUNS}, a run uses several. */
export interface EnumeratedCases<Case> {
  /** Returns the number of cases. */
  readonly count: () => number;
  /** Returns the case at an index. Irrelevant parts of the case may be random. */
  readonly caseAt: (index: number) => fc.Arbitrary<Case>;
}

/**
 * Creates a case for each item.
 *
 * @param items - a function if it takes time to list them
 * @param draw - creates the case of an item
 */
export function enumerateCases<Item, Case>(
  items: readonly Item[] | (() => readonly Item[]),
  draw: (item: Item) => fc.Arbitrary<Case>,
): EnumeratedCases<Case> {
  const list = typeof items === "function" ? memoize(items) : () => items;
  return { count: () => list().length, caseAt: (index) => draw(list()[index] as Item) };
}

/** Joins several lists of cases. */
export function joinCases<Case>(...lists: readonly EnumeratedCases<Case>[]): EnumeratedCases<Case> {
  const items = () =>
    lists.flatMap((list) => Array.from({ length: list.count() }, (_, at) => list.caseAt(at)));
  return enumerateCases(items, (draw) => draw);
}

/** Maps each case. */
export function mapCases<Case, Other>(
  { count, caseAt }: EnumeratedCases<Case>,
  change: (one: Case) => Other,
): EnumeratedCases<Other> {
  return { count, caseAt: (index) => caseAt(index).map(change) };
}

/** Generates a random case. */
export function arbitraryCase<Case>({ count, caseAt }: EnumeratedCases<Case>): fc.Arbitrary<Case> {
  return fc.nat(count() - 1).chain(caseAt);
}

/** Creates a value on first use and caches it. */
export function memoize<Value>(make: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: make() };
    return created.value;
  };
}

/**
 * Tracks which run of a property generates a case. fast-check passes the run number to a property, but not to an
 * arbitrary. The number alone selects the cases, so seed and path reproduce a failure.
 */
export class RunNumber {
  #current: number | undefined;

  /** Observes the runs of a property. Returns the property. */
  trackRuns<Property extends fc.IAsyncProperty<[object]>>(property: Property): Property {
    const generate = property.generate.bind(property);
    property.generate = (random, run) => {
      this.#current = run;
      try {
        return generate(random, run);
      } finally {
        this.#current = undefined;
      }
    };
    return property;
  }

  /** Returns the cases of the current run, or of a random run if a property is only sampled. */
  getCases<Case>(cases: EnumeratedCases<Case>): fc.Arbitrary<readonly Case[]> {
    return new CurrentNumber(() => this.#current).chain((run) =>
      fc.tuple(...listIndexes(run, cases.count()).map(cases.caseAt)),
    );
  }
}

/** Returns the indexes of the cases in a run. */
function listIndexes(run: number, count: number): readonly number[] {
  const turn = run % MAX_RUNS;
  if (count <= MAX_RUNS) return [turn % count];
  // Adjacent cases are similar. 37 and 100 are coprime, so the first runs sample the whole list.
  const first = (turn * 37) % MAX_RUNS;
  return Array.from(
    { length: Math.ceil((count - first) / MAX_RUNS) },
    (_, index) => first + index * MAX_RUNS,
  );
}

class CurrentNumber extends fc.Arbitrary<number> {
  readonly #current: () => number | undefined;

  constructor(current: () => number | undefined) {
    super();
    this.#current = current;
  }

  generate(random: fc.Random): fc.Value<number> {
    return new fc.Value(this.#current() ?? random.nextInt(0, MAX_RUNS - 1), undefined);
  }

  canShrinkWithoutContext(_value: unknown): _value is number {
    return false;
  }

  shrink(): fc.Stream<fc.Value<number>> {
    return fc.Stream.nil();
  }
}
