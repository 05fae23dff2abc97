import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { type NameBudget, nameBudget } from "@jobset-ts/diagnose";
import { type Cell, tableLines } from "../../output/table.ts";

/** How much room a JobSet leaves in the names that are derived from its name. */
export interface JobSetNameBudget extends NameBudget {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The budgets of some JobSets.
 *
 * @param snapshot - with the JobSets whose names may be the same
 */
export function nameBudgets(
  jobSets: readonly Unvalidated<JobSet>[],
  snapshot: Snapshot,
): readonly JobSetNameBudget[] {
  return jobSets.map((jobSet) => ({
    namespace: getNamespace(jobSet),
    name: getName(jobSet),
    ...nameBudget(jobSet, snapshot),
  }));
}

/** Returns the limit of each name, what happens to longer names, and collisions with names of other JobSets. */
export function* budgetTables(
  budgets: readonly JobSetNameBudget[],
): Generator<string, void, undefined> {
  yield* tableLines(
    ["JOBSET", "LEFTFORJOBSETNAME"],
    budgets.map((one) => [getJobSet(one), one.leftForJobSetName]),
  );
  if (budgets.length > 0) yield "\n";
  yield* tableLines(
    ["JOBSET", "USE", "REPLICATEDJOB", "NAME", "BYTES", "LIMIT", "LEFT", "BEYOND", "WHY"],
    budgets.flatMap((one) =>
      tightestFirst(one.names).map((name): readonly Cell[] => {
        const { use, key, replicatedJob, bytes, limitBytes, leftBytes, beyond, limit } = name;
        const what = key === undefined ? use : `${use} ${key}`;
        const room = [bytes, limitBytes, leftBytes] as const;
        return [getJobSet(one), what, replicatedJob, name.name, ...room, beyond, limit];
      }),
    ),
  );
  let first = "\n";
  for (const line of tableLines(["JOBSET", "KIND", "NAME", "COUNT", "TAKEN-BY"], taken(budgets))) {
    yield first + line;
    first = "";
  }
}

/** Users want to see the name that is closest to its limit. */
function tightestFirst(names: JobSetNameBudget["names"]): JobSetNameBudget["names"] {
  return names.toSorted((a, b) => a.leftBytes - b.leftBytes);
}

function taken(budgets: readonly JobSetNameBudget[]): readonly (readonly Cell[])[] {
  return budgets.flatMap((one) => {
    if (one.collisions.outcome !== "Known") return [];
    return one.collisions.collisions.map(({ kind, name, count, jobSet }) => {
      return [getJobSet(one), kind, name, count, jobSet];
    });
  });
}

function getJobSet({ namespace, name }: JobSetNameBudget): string {
  return `${namespace}/${name}`;
}
