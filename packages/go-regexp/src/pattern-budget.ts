import { checkNesting } from "./nesting.ts";
import type { PatternError } from "./pattern-error.ts";
import { type ParsedPattern, readPattern } from "./pattern-syntax.ts";

/** The budget for the message patterns of one JobSet, in units of work. */
const MAX_WORK = 50_000;

/** A pattern that exceeds the budget, together with those before it. */
export interface OverBudget {
  readonly ok: false;
  /** The units that the patterns need, including this one. A lower bound if this one is too long to be read. */
  readonly needed: number;
  /** The number of units and the limit, as a message. */
  readonly message: string;
}

/**
 * Reads the message patterns of one JobSet, in the order of its failure policy, as long as they need at most 50,000
 * units of work together. The first pattern that exceeds the budget is not read, and neither is any after it.
 *
 * A pattern needs four units, one for each of its characters, and one for each range of its classes as often as they
 * are written (`\pL` has 659). A pattern with counted repeats counts as if all copies were written out; in them, a
 * class, a group and a repeat are one character each. A pattern that nests so deeply that Go may reject it needs
 * sixteen times as much. So the work depends only on the text, and the time to compile is proportional to it.
 *
 * @example new PatternBudget().read("[0-9]{3}").ok // => true
 * @example new PatternBudget().read("(?:abc){1000}".repeat(20)).ok // => false
 */
export class PatternBudget {
  #needed = 0;
  #over: OverBudget | undefined;

  get exhausted(): boolean {
    return this.#over !== undefined;
  }

  /** Reads the next pattern, or reports that it exceeds the budget. */
  read(pattern: string): ParsedPattern | PatternError | OverBudget {
    if (this.#over !== undefined) return this.#over;
    const text = pattern.toWellFormed();
    // The pattern is not read, because its length alone exceeds the budget.
    if (text.length > MAX_WORK) return this.#createOverBudget(text.length, "at least ");
    const read = readPattern(text);
    const work = read.ok ? estimateWork(read) : UNITS_PER_PATTERN + text.length;
    if (this.#needed + work > MAX_WORK) return this.#createOverBudget(work);
    this.#needed += work;
    return read.ok ? (checkNesting(read) ?? read) : read;
  }

  #createOverBudget(work: number, atLeast = ""): OverBudget {
    const needed = this.#needed + work;
    const message = `the message patterns up to this one need ${atLeast}${needed} units of work, and those of a JobSet may need ${MAX_WORK} together`;
    this.#over = { ok: false, needed, message };
    return this.#over;
  }
}

const UNITS_PER_PATTERN = 4;

/** Building the syntax tree as Go does takes several times as long as reading the pattern. */
const NESTING_FACTOR = 16;

function estimateWork({ text, size, classRanges, mayBeTooDeep }: ParsedPattern): number {
  // The pattern itself is counted as a group.
  const work = UNITS_PER_PATTERN + Math.max(text.length, size - 1) + classRanges;
  return mayBeTooDeep ? NESTING_FACTOR * work : work;
}
