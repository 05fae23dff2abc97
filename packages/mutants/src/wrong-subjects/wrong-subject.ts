import type { Laws, Webhooks } from "@jobset-ts/testing/admission";
import { placementLaws } from "@jobset-ts/testing/placement";
import { type ControllerSubject, reconcileLaws } from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { webhookBundles, webhooksUnder } from "../webhooks.ts";

/** How often a property runs by default. */
const RUNS = 100;

type Subject = ControllerSubject | Webhooks;

/** A controller or webhooks with one defect, and the law that catches it on every seed. */
export interface WrongSubject {
  /** Completes the sentence "a controller (or webhook) that …". */
  readonly what: string;
  /** The number of the known defect that it has. */
  readonly row: string | undefined;
  readonly laws: keyof typeof bundles;
  readonly by: string;
  readonly subject: () => Subject;
}

/** Subjects by the law that catches them and by what they do, after the number of a known defect. */
export type SubjectsByLaw<Defect> = Readonly<Record<string, Readonly<Record<string, Defect>>>>;

export function subjectsByLaw<Defect>(
  laws: WrongSubject["laws"],
  subjects: SubjectsByLaw<Defect>,
  subjectOf: (defect: Defect) => Subject,
): readonly WrongSubject[] {
  return Object.entries(subjects).flatMap(([by, defects]) =>
    Object.entries(defects).map(([text, defect]) => {
      const [, row, what = ""] = /^(?:(B\d+\w*) )?(.*)$/.exec(text) ?? [];
      return { what, row, laws, by, subject: () => subjectOf(defect) };
    }),
  );
}

export function wrongWebhooks(
  laws: keyof typeof webhookBundles,
  subjects: SubjectsByLaw<(right: Webhooks) => Partial<Webhooks>>,
): readonly WrongSubject[] {
  const right = webhooksUnder(webhookBundles[laws].gates);
  return subjectsByLaw(laws, subjects, (wrong) => ({ ...right, ...wrong(right) }));
}

const bundles = {
  passes: reconcileLaws,
  /** Repair of exclusive placement. */
  repairs: placementLaws,
  pods: webhookBundles.pods.laws,
  jobSets: webhookBundles.jobSets.laws,
  jobSetsUnderGates: webhookBundles.jobSetsUnderGates.laws,
};

/** Returns the law that has to catch a subject. */
export function getLawName({ laws, by }: Pick<WrongSubject, "laws" | "by">) {
  return (bundles[laws] as Laws<Subject>).get(by);
}

/** Returns the number of runs that the law needs on each seed. It is undefined for a seed on which the law catches nothing. */
export async function runsNeeded(
  wrong: WrongSubject,
  seeds: number,
): Promise<readonly (number | undefined)[]> {
  const law = getLawName(wrong);
  if (law === undefined) throw new Error(`${wrong.what}: there is no law ${wrong.by}`);
  const runs: (number | undefined)[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const options = { seed, numRuns: RUNS, endOnFailure: true };
    const { failed, numRuns } = await fc.check(law(wrong.subject()), options);
    runs.push(failed ? numRuns : undefined);
  }
  return runs;
}
