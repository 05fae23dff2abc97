import { fieldErrorText, ToldErrors } from "@jobset-ts/api/errors";
import type { Violation, Violations } from "./jobset-rule.ts";

/** How many violations are looked at, and how much text of them; whoever repeats a mistake more often, repeats it. */
const MAX_VIOLATIONS = 1000;
const MAX_CHARACTERS = 2 ** 20;

/**
 * The first violations of rules, as many as anybody wants to know of. The rest is not looked for: there may be one for each
 * claim template and each volume together.
 */
export function* firstViolations(violations: Violations): Violations {
  let count = 0;
  let characters = 0;
  for (const violation of violations) {
    yield violation;
    count += 1;
    characters += fieldErrorText(violation.error).length;
    if (count === MAX_VIOLATIONS || characters > MAX_CHARACTERS) return;
  }
}

/** What is found wrong with a JobSet, as far as an answer tells it. */
export class FoundViolations {
  /** Those of rules that can be answered. */
  readonly known = new ToldErrors<Violation>(({ error }) => error);
  /** Those of rules that cannot be answered, because a fact is missing. */
  readonly unknown = new ToldErrors<Violation>(({ error }) => error);
  #areTransient = true;

  add(violation: Violation): void {
    const { unknown, causedBy, transient } = violation;
    (unknown === undefined ? this.known : this.unknown).add(() => violation);
    if (causedBy === undefined && transient !== true) this.#areTransient = false;
  }

  /** Counts what was found elsewhere and left out there. */
  omit(count: number): void {
    this.known.addAll({ told: [], omitted: count });
    if (count > 0) this.#areTransient = false;
  }

  get count(): number {
    return this.known.count + this.unknown.count;
  }

  /** How many are not told. */
  get omitted(): number {
    return this.known.omitted + this.unknown.omitted;
  }

  /** Whether waiting may end all that others do not follow from. */
  get areTransient(): boolean {
    return this.#areTransient;
  }
}
