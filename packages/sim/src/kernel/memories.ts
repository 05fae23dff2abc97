/** The part of a component that its memory needs. */
interface Owner {
  readonly name: string;
  readonly memory: unknown;
}

/** The memories of all components, as an immutable value. They are indexed by rank, because nearly every turn changes one. */
export class Memories {
  readonly #owners: readonly Owner[];
  readonly #byRank: readonly unknown[];

  private constructor(owners: readonly Owner[], byRank: readonly unknown[]) {
    this.#owners = owners;
    this.#byRank = byRank;
  }

  static createFor(owners: readonly Owner[]): Memories {
    return new Memories(
      owners,
      owners.map(({ memory }) => memory),
    );
  }

  /** Returns the memory of a component. `undefined` if the cluster does not have it. */
  get(component: string): unknown {
    return this.atRank(this.#owners.findIndex(({ name }) => name === component));
  }

  /** Returns the memory of the component at a position among all components. */
  atRank(rank: number): unknown {
    return this.#byRank[rank];
  }

  /** Sets the memory of the component at a position. */
  with(rank: number, memory: unknown): Memories {
    return new Memories(this.#owners, this.#byRank.with(rank, memory));
  }
}
