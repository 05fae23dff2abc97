import fc from "fast-check";
import { type LawSet, RUNS } from "../law-sets.ts";

/** A controller or webhooks with one defect, and the law that catches it on every seed. */
export interface WrongSubject {
  /** Completes the sentence "a controller (or webhook) that …". */
  readonly what: string;
  /** The ID of the known defect that it has. */
  readonly knownDefect: string | undefined;
  readonly law: string;
  /** Applies the law to a new subject. */
  readonly createProperty: () => fc.IAsyncProperty<[object]>;
}

/** Turns a correct subject into a wrong one. */
export type Defect<Subject> = (own: Subject) => Subject;

/**
 * Creates a wrong subject for each defect.
 *
 * @param defectsByLaw - defects by the law that catches them and by their description. The ID of a known defect comes
 *   before the description
 */
export function createWrongSubjects<Subject>(
  { laws, createOwn }: LawSet<Subject>,
  defectsByLaw: Readonly<Record<string, Readonly<Record<string, Defect<Subject>>>>>,
): readonly WrongSubject[] {
  return Object.entries(defectsByLaw).flatMap(([law, defects]) => {
    const createLawProperty = laws.get(law);
    if (createLawProperty === undefined) throw new Error(`there is no law ${law}`);
    return Object.entries(defects).map(([text, defect]) => {
      const [, knownDefect, what = ""] = /^(?:(B\d+\w*) )?(.*)$/.exec(text) ?? [];
      const createProperty = () => createLawProperty(defect(createOwn()));
      return { what, knownDefect, law, createProperty };
    });
  });
}

/** Returns the seeds with which the law does not catch the subject, starting from seed 1. */
export async function listSurvivedSeeds(
  { createProperty }: WrongSubject,
  seeds: number,
): Promise<readonly number[]> {
  const survived: number[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const options = { seed, numRuns: RUNS, endOnFailure: true };
    const { failed } = await fc.check(createProperty(), options);
    if (!failed) survived.push(seed);
  }
  return survived;
}
