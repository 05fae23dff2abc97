import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { type FieldError, formatFieldError } from "@jobset-ts/api/errors";
import { createViolation, type ViolationDetails } from "./jobset-denial.ts";
import type { JobSetRuleId, Violation } from "./jobset-rule.ts";

/**
 * The number of violations, and the size of their text, that are collected. A client that repeats a mistake more often
 * learns nothing new.
 */
const MAX_VIOLATIONS = 1000;
const MAX_CHARACTERS = 2 ** 20;

/**
 * The violations of a JobSet in rule order, up to a limit.
 *
 * Each rule is a function of the view and of this collection, to which it adds. A rule that iterates over a list of the
 * JobSet stops when the limit is reached, because there may be a violation for each claim template and each volume.
 */
export class Violations {
  readonly #jobSet: Unvalidated<JobSet>;
  readonly #findings: Violation[] = [];
  #characters = 0;

  constructor(jobSet: Unvalidated<JobSet>) {
    this.#jobSet = jobSet;
  }

  get findings(): readonly Violation[] {
    return this.#findings;
  }

  /** Reports whether the limit is reached. */
  get isFull(): boolean {
    return this.#findings.length === MAX_VIOLATIONS || this.#characters > MAX_CHARACTERS;
  }

  /** Adds a violation of a rule at a field. */
  add(rule: JobSetRuleId, error: FieldError, details: ViolationDetails = {}): void {
    if (!this.isFull) this.addFound(createViolation(this.#jobSet, rule, error, details));
  }

  /** Adds an existing violation. */
  addFound(violation: Violation): void {
    if (this.isFull) return;
    this.#findings.push(violation);
    const { fieldError, message } = violation;
    this.#characters += (fieldError === undefined ? message : formatFieldError(fieldError)).length;
  }
}
