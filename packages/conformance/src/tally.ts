import type { Difference } from "./compare.ts";

/** A case that differs, kept to be shown. */
export interface DifferingCase {
  readonly id: string;
  readonly tags: readonly string[];
  readonly differences: readonly Difference[];
}

/** The counts of one family. Cases set aside are in none of the first three. */
export interface FamilyTally {
  readonly family: string;
  /** Why there is nothing to replay, or `Answered`. */
  readonly coverage: "Answered" | "NotYetCovered" | "Unknown";
  agreeing: number;
  /** Cases that differ and have no name for it. */
  differing: number;
  /** Cases that differ, by the quirks that explain it. */
  readonly explained: Map<string, number>;
  /** Cases without a result, because their family is not covered or unknown. */
  unanswered: number;
  /** The first few differing cases. */
  readonly shown: DifferingCase[];
}

/** Cases counted apart under one tag. */
export interface SetAsideTally {
  readonly tag: string;
  cases: number;
  /** How many of them agree all the same. */
  agreeing: number;
}

/** The counts of a run. Mutable during the run, so that one object counts any number of cases. */
export class Tally {
  /** Lines and files that held no case. */
  inputErrors = 0;
  /** In the order in which they were met. */
  readonly families = new Map<string, FamilyTally>();
  readonly setAside = new Map<string, SetAsideTally>();

  /** Whether no case was read. */
  get isEmpty(): boolean {
    return this.families.size === 0 && this.setAside.size === 0;
  }

  /** The counts of `family`, which begin at zero with the coverage given. */
  of(family: string, coverage: FamilyTally["coverage"]): FamilyTally {
    const known = this.families.get(family);
    if (known !== undefined) return known;
    const fresh: FamilyTally = {
      family,
      coverage,
      agreeing: 0,
      differing: 0,
      explained: new Map(),
      unanswered: 0,
      shown: [],
    };
    this.families.set(family, fresh);
    return fresh;
  }

  /** Counts one case apart. */
  countSetAside(tag: string, agrees: boolean) {
    const counts = this.setAside.get(tag) ?? { tag, cases: 0, agreeing: 0 };
    counts.cases += 1;
    if (agrees) counts.agreeing += 1;
    this.setAside.set(tag, counts);
  }
}
