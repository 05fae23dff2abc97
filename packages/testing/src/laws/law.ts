import fc from "fast-check";
import { errorText } from "./error-text.ts";

/**
 * One law of JobSet. Hand it a subject, and it is a property that looks for a case in which the subject breaks it. What
 * it finds it tells in words: the case, what the subject did, and what it should have done.
 */
export interface Law<Subject> extends LawText {
  (subject: Subject): fc.IAsyncProperty<[LawCase]>;
}

/** What a law says of itself. */
export interface LawText {
  /** What holds, in one sentence. */
  readonly sentence: string;
  /** Defects of JobSet, by their numbers upstream, that it would have caught. */
  readonly defects: readonly string[];
}

/** Laws by their names: each is a pair of its name and itself. */
export type Laws<Subject> = ReadonlyMap<string, Law<Subject>>;

/** A case that was drawn. What fast-check prints of it is what is wrong in it, in words. */
export interface LawCase {
  /** How fast-check prints the case. */
  [fc.toStringMethod](): string;
}

/** A subject breaks a law; its message is the law, and its cause what the subject has thrown. */
export class LawViolationError extends Error {
  override readonly name = "LawViolationError";
  /** The case, what the subject did, and what it should have done. */
  readonly words: string;

  /** @param thrown - by the subject, unexpectedly: the cause */
  constructor(message: string, words: string, thrown?: unknown) {
    super(message, thrown === undefined ? undefined : { cause: thrown });
    this.words = words;
  }
}

/** How a case breaks a law. */
export interface Broken {
  /** What is wrong, in words that end with what should have been. */
  readonly words: string;
  /** The first that the subject has thrown and that nobody expects of it; it may be why. */
  readonly thrown?: unknown;
  /** The one of several laws in one that is broken; by itself the law at hand. */
  readonly law?: { readonly name: string; readonly sentence: string };
  /** To find out has taken seconds: the case is told as it is, not made smaller by hundreds of tries. */
  readonly isSlow?: boolean;
}

/**
 * A law out of its parts.
 *
 * @param cases - what is drawn, the simplest first
 * @param violation - what is wrong in a case; `undefined` when nothing is
 */
export function getLaw<Subject, Case extends object>(
  name: string,
  text: LawText,
  cases: fc.Arbitrary<Case>,
  violation: (subject: Subject, drawn: Case) => Promise<Broken | undefined>,
): Law<Subject> {
  // What is wrong stands where every version of fast-check prints it: in place of the case.
  const told = new TimelyCases(
    cases.map((one) => ({
      ...one,
      words: "",
      isSlow: false as boolean,
      [fc.toStringMethod]: toldWords,
    })),
  );
  const law = (subject: Subject) =>
    fc.asyncProperty(told, async (drawn) => {
      const broken = await violation(subject, drawn);
      if (broken === undefined) return;
      const { words, thrown, isSlow = false, law = { name, ...text } } = broken;
      const sentence = `${law.name}: ${law.sentence}`;
      drawn.isSlow = isSlow;
      const threw = thrown === undefined ? [] : [`It throws ${errorText(thrown)}`];
      drawn.words = [sentence, ...threw, words].join("\n");
      throw new LawViolationError(sentence, words, thrown);
    });
  return Object.assign(law, text);
}

/** Cases that are made smaller unless they turned out to be slow. */
class TimelyCases<Case extends { readonly isSlow: boolean }> extends fc.Arbitrary<Case> {
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

function toldWords(this: { readonly words: string }): string {
  return `\n${this.words}\n`;
}
