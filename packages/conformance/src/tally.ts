import type { Difference } from "./compare.ts";

/** A differing case for the report. */
export interface DifferingCase {
  readonly id: string;
  readonly tags: readonly string[];
  readonly differences: readonly Difference[];
}

/** The counts of one family. Cases that were set aside are not in the first three. */
export interface FamilyTally {
  readonly family: string;
  /** Why there is nothing to replay, or `Answered`. */
  readonly coverage: "Answered" | "NotYetCovered" | "Unknown";
  agreeing: number;
  /** Unexplained differing cases. */
  differing: number;
  /** Differing cases by the quirks that explain them. */
  readonly explained: Map<string, number>;
  /** Cases without a result, because their family is not covered or unknown. */
  unanswered: number;
  /** The first few differing cases. */
  readonly shown: DifferingCase[];
}

/** Cases set aside under one tag. */
export interface SetAsideTally {
  readonly tag: string;
  cases: number;
  /** The number of these cases that agree. */
  agreeing: number;
}

/** The counts of a run. Mutable during the run, so that one object counts any number of cases. */
export class Tally {
  /** Invalid lines and files. */
  inputErrors = 0;
  /** In the order of their first case. */
  readonly families = new Map<string, FamilyTally>();
  readonly setAside = new Map<string, SetAsideTally>();

  /** Whether no case was read. */
  get isEmpty(): boolean {
    return this.families.size === 0 && this.setAside.size === 0;
  }

  /** Returns the counts of `family`, created on first use with this coverage. */
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

  /** Counts a case that is set aside. */
  countSetAside(tag: string, agrees: boolean) {
    const counts = this.setAside.get(tag) ?? { tag, cases: 0, agreeing: 0 };
    counts.cases += 1;
    if (agrees) counts.agreeing += 1;
    this.setAside.set(tag, counts);
  }
}
