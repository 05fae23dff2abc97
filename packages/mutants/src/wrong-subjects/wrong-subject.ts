import type { Laws, Webhooks } from "@jobset-ts/testing/admission";
import { placementLaws } from "@jobset-ts/testing/placement";
import { type ControllerSubject, reconcileLaws } from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { webhookBundles } from "../webhooks.ts";

/** How often a property runs by default. */
const RUNS = 100;

type Subject = ControllerSubject | Webhooks;

const lawSets = {
  /** Passes over a JobSet. */
  passes: reconcileLaws,
  /** Repair of exclusive placement. */
  repairs: placementLaws,
  pods: webhookBundles.pods.laws,
  jobSets: webhookBundles.jobSets.laws,
  jobSetsUnderGates: webhookBundles.jobSetsUnderGates.laws,
};

/** A controller or webhooks with one defect, and the law that catches it on every seed. */
export interface WrongSubject {
  /** Completes the sentence "a controller (or webhook) that …". */
  readonly what: string;
  /** The ID of the known defect that it has. */
  readonly knownDefect: string | undefined;
  readonly lawSet: keyof typeof lawSets;
  readonly law: string;
  readonly create: () => Subject;
}

/** Defects by the law that catches them and by their description. The ID of a known defect comes before the description. */
export type DefectsByLaw<Defect> = Readonly<Record<string, Readonly<Record<string, Defect>>>>;

/** Creates a wrong subject for each defect. */
export function createWrongSubjects<Defect>(
  lawSet: WrongSubject["lawSet"],
  defectsByLaw: DefectsByLaw<Defect>,
  createSubject: (defect: Defect) => Subject,
): readonly WrongSubject[] {
  return Object.entries(defectsByLaw).flatMap(([law, defects]) =>
    Object.entries(defects).map(([text, defect]) => {
      const [, knownDefect, what = ""] = /^(?:(B\d+\w*) )?(.*)$/.exec(text) ?? [];
      return { what, knownDefect, lawSet, law, create: () => createSubject(defect) };
    }),
  );
}

/** Returns the law that has to catch a subject. */
export function findLaw({ lawSet, law }: Pick<WrongSubject, "lawSet" | "law">) {
  return (lawSets[lawSet] as Laws<Subject>).get(law);
}

/** Returns the number of runs after which the law catches the subject, for each seed. Undefined if it does not catch it. */
export async function countRuns(
  wrong: WrongSubject,
  seeds: number,
): Promise<readonly (number | undefined)[]> {
  const law = findLaw(wrong);
  if (law === undefined) throw new Error(`${wrong.what}: there is no law ${wrong.law}`);
  const runs: (number | undefined)[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const options = { seed, numRuns: RUNS, endOnFailure: true };
    const { failed, numRuns } = await fc.check(law(wrong.create()), options);
    runs.push(failed ? numRuns : undefined);
  }
  return runs;
}
