import type { CausalGraph } from "../causal-graph.ts";

/** What is known about the states that a webhook meets; see {@link findMasking}. */
export interface MaskingOptions<Id extends string = string> {
  /**
   * The states that can be, each as the set of checks that fail in it. By default any: each check passes or fails
   * wherever all that it needs passes.
   */
  readonly reachable?: readonly (readonly Id[])[];
  /**
   * Checks that an earlier stage of the pipeline makes, and denies by: the order is not asked where one of them fails,
   * so it need not make them itself.
   */
  readonly deniedBefore?: readonly Id[];
}

/** A state in which a symptom is reported while one of its causes fails as well. */
export interface Masking<Id extends string = string> {
  readonly reported: Id;
  readonly cause: Id;
  /** The checks that fail in the smallest such state, in causal order. */
  readonly failing: readonly Id[];
}

/** The numbers of states that were tried. */
export interface MaskingCounts {
  readonly states: number;
  /** How often what is reported has a cause that fails as well, whether or not the order checks that cause. */
  readonly masked: number;
  /** How often it has a failing cause that the order checks itself. */
  readonly maskedWithinOrder: number;
  /** How often nothing is reported although some check fails. */
  readonly failingButAdmitted: number;
}

/** An order of checks, and the known facts about it. */
export interface MaskingQuestion<Id extends string> {
  readonly graph: CausalGraph<Id>;
  /** The needs of its needs included. */
  readonly needs: ReadonlyMap<Id, ReadonlySet<Id>>;
  readonly order: readonly Id[];
  readonly deniedBefore: ReadonlySet<Id>;
}
