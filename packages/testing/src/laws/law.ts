import fc from "fast-check";
import { errorText } from "./error-text.ts";

/**
 * A law of JobSet. Applied to a subject, it is a property that searches for a counterexample. The report contains the
 * case, the actions of the subject, and the expected behavior.
 */
export interface Law<Subject> extends LawText {
  (subject: Subject): fc.IAsyncProperty<[LawCase]>;
}

/** The description of a law. */
export interface LawText {
  /** The requirement, in one sentence. */
  readonly sentence: string;
  /** Upstream issues of JobSet defects that the law would have found. */
  readonly defects: readonly string[];
}

/** Laws by name. Each entry is a pair of the name and the law. */
export type Laws<Subject> = ReadonlyMap<string, Law<Subject>>;

/** A generated case. fast-check prints the violation in place of the case. */
export interface LawCase {
  /** Returns the text that fast-check prints for the case. */
  [fc.toStringMethod](): string;
}

/** A subject violates a law. The message is the law, and the cause is the error of the subject, if any. */
export class LawViolationError extends Error {
  override readonly name = "LawViolationError";
  /** The case, the actions of the subject, and the expected behavior. */
  readonly details: string;

  /** @param thrown - the unexpected error of the subject, which is the cause */
  constructor(message: string, details: string, thrown?: unknown) {
    super(message, thrown === undefined ? undefined : { cause: thrown });
    this.details = details;
  }
}

/** A violation of a law in one case. */
export interface SubjectViolation {
  /** The report, which ends with the expected behavior. */
  readonly details: string;
  /** The first unexpected error of the subject. It may be the cause. */
  readonly thrown?: unknown;
  /** The violated law, if this law combines several. Default: this law. */
  readonly law?: { readonly name: string; readonly sentence: string };
  /** Finding the violation took seconds, so the case is not shrunk. */
  readonly isSlow?: boolean;
}

/**
 * Creates a law.
 *
 * @param cases - the generated cases, simplest first
 * @param violation - returns the violation of a case, if any
 */
export function createLaw<Subject, Case extends object>(
  name: string,
  text: LawText,
  cases: fc.Arbitrary<Case>,
  violation: (subject: Subject, generated: Case) => Promise<SubjectViolation | undefined>,
): Law<Subject> {
  // Every version of fast-check prints the case, so the case contains the report.
  const withReports = new FastShrinkArbitrary(
    cases.map((one) => ({
      ...one,
      report: "",
      isSlow: false as boolean,
      [fc.toStringMethod]: getReport,
    })),
  );
  const law = (subject: Subject) =>
    fc.asyncProperty(withReports, async (generated) => {
      const broken = await violation(subject, generated);
      if (broken === undefined) return;
      const { details, thrown, isSlow = false, law = { name, ...text } } = broken;
      const sentence = `${law.name}: ${law.sentence}`;
      generated.isSlow = isSlow;
      const threw = thrown === undefined ? [] : [`It throws ${errorText(thrown)}`];
      generated.report = [sentence, ...threw, details].join("\n");
      throw new LawViolationError(sentence, details, thrown);
    });
  return Object.assign(law, text);
}

/** Cases that are shrunk unless their check was slow. */
class FastShrinkArbitrary<Case extends { readonly isSlow: boolean }> extends fc.Arbitrary<Case> {
  readonly #cases: fc.Arbitrary<Case>;

  constructor(cases: fc.Arbitrary<Case>) {
    super();
    this.#cases = cases;
  }

  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<Case> {
    return this.#cases.generate(random, biasFactor);
  }

  canShrinkWithoutContext(value: unknown): value is Case {
    return this.#cases.canShrinkWithoutContext(value);
  }

  shrink(value: Case, context: unknown): fc.Stream<fc.Value<Case>> {
    return value.isSlow ? fc.Stream.nil() : this.#cases.shrink(value, context);
  }
}

function getReport(this: { readonly report: string }): string {
  return `\n${this.report}\n`;
}
