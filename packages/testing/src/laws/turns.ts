// Cases that are enumerated instead of drawn: what detects a defect must not depend on luck.
import fc from "fast-check";

/** Within so many runs, as many as a property has by default, every case has its turn. */
export const TURNS = 100;

/** Cases of which each has its turn, whatever the seed. If there are more than {@link TURNS}, a run has several. */
export interface InTurn<Case> {
  /** The number of cases. */
  readonly count: () => number;
  /** The case at an index. What makes no difference to the case may be drawn. */
  readonly caseAt: (index: number) => fc.Arbitrary<Case>;
}

/**
 * Lets each item have its turn.
 *
 * @param items - a function if it takes time to list them
 * @param draw - creates the case of an item
 */
export function inTurn<Item, Case>(
  items: readonly Item[] | (() => readonly Item[]),
  draw: (item: Item) => fc.Arbitrary<Case>,
): InTurn<Case> {
  const list = typeof items === "function" ? once(items) : () => items;
  return { count: () => list().length, caseAt: (index) => draw(list()[index] as Item) };
}

/** Several lists of cases as one. */
export function inTurnAll<Case>(...lists: readonly InTurn<Case>[]): InTurn<Case> {
  const items = () =>
    lists.flatMap((list) => Array.from({ length: list.count() }, (_, at) => list.caseAt(at)));
  return inTurn(items, (draw) => draw);
}

/** Other cases made of each. */
export function mapInTurn<Case, Other>(
  { count, caseAt }: InTurn<Case>,
  change: (one: Case) => Other,
): InTurn<Other> {
  return { count, caseAt: (index) => caseAt(index).map(change) };
}

/** One of the cases by chance. */
export function anyOf<Case>({ count, caseAt }: InTurn<Case>): fc.Arbitrary<Case> {
  return fc.nat(count() - 1).chain(caseAt);
}

/** Makes a value when it is first called for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Knows which run of a property draws: fast-check passes the number of a run to a property, but not to an arbitrary. The number
 * alone decides whose turn it is, so seed and path reproduce a failure.
 */
export class RunNumber {
  #current: number | undefined;

  /** Observes the runs of a property. Returns the property. */
  countedBy<Property extends fc.IAsyncProperty<[object]>>(property: Property): Property {
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

  /** The cases of the current run; those of a random run if a property is only sampled. */
  casesOf<Case>(cases: InTurn<Case>): fc.Arbitrary<readonly Case[]> {
    return new CurrentNumber(() => this.#current).chain((run) =>
      fc.tuple(...listIndexes(run, cases.count()).map(cases.caseAt)),
    );
  }
}

/** Returns the indexes of the cases that have their turn in a run. */
function listIndexes(run: number, count: number): readonly number[] {
  const turn = run % TURNS;
  if (count <= TURNS) return [turn % count];
  // Neighbors in the list are alike. 37 and 100 have no common divisor, so the first runs see a sample of the list.
  const first = (turn * 37) % TURNS;
  return Array.from(
    { length: Math.ceil((count - first) / TURNS) },
    (_, index) => first + index * TURNS,
  );
}

class CurrentNumber extends fc.Arbitrary<number> {
  readonly #current: () => number | undefined;

  constructor(current: () => number | undefined) {
    super();
    this.#current = current;
  }

  generate(random: fc.Random): fc.Value<number> {
    return new fc.Value(this.#current() ?? random.nextInt(0, TURNS - 1), undefined);
  }

  canShrinkWithoutContext(_value: unknown): _value is number {
    return false;
  }

  shrink(): fc.Stream<fc.Value<number>> {
    return fc.Stream.nil();
  }
}
