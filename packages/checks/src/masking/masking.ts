import type { CausalGraph } from "../causal-graph.ts";

/** The known facts about the states of a webhook. See {@link findMasking}. */
export interface MaskingOptions<Id extends string = string> {
  /**
   * The possible states, each as the set of checks that fail in it. Default: every state, in which each check passes or
   * fails if all checks that it needs pass.
   */
  readonly reachable?: readonly (readonly Id[])[];
  /**
   * Checks of an earlier stage, which denies if one of them fails. The order never runs in such a state, so it need not
   * contain them.
   */
  readonly deniedBefore?: readonly Id[];
}

/** A state in which a symptom is reported while one of its causes also fails. */
export interface Masking<Id extends string = string> {
  readonly reported: Id;
  readonly cause: Id;
  /** The checks that fail in the smallest such state, in causal order. */
  readonly failing: readonly Id[];
}

/** The numbers of states that were tried. */
export interface MaskingCounts {
  readonly states: number;
  /** How many reports have a cause that also fails, whether or not the order checks that cause. */
  readonly masked: number;
  /** How many reports have a failing cause that the order checks. */
  readonly maskedWithinOrder: number;
  /** How many states have a failing check but no report. */
  readonly failingButAdmitted: number;
}

/** An order of checks, and the known facts about it. */
export interface MaskingQuestion<Id extends string> {
  readonly graph: CausalGraph<Id>;
  /** Includes indirect needs. */
  readonly needs: ReadonlyMap<Id, ReadonlySet<Id>>;
  readonly order: readonly Id[];
  readonly deniedBefore: ReadonlySet<Id>;
}
