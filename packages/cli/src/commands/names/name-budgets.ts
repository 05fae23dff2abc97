import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { type NameBudget, nameBudget } from "@jobset-ts/diagnose";
import { type Cell, formatTable } from "../../output/table.ts";

/** The characters that a JobSet has left in the names derived from its name. */
export interface JobSetNameBudget extends NameBudget {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Returns the name budgets of JobSets.
 *
 * @param snapshot - the JobSets whose names may collide
 */
export function listNameBudgets(
  jobSets: readonly Unvalidated<JobSet>[],
  snapshot: Snapshot,
): readonly JobSetNameBudget[] {
  return jobSets.map((jobSet) => ({
    namespace: getNamespace(jobSet),
    name: getName(jobSet),
    ...nameBudget(jobSet, snapshot),
  }));
}

/** Returns the limit of each name, the consequence for longer names, and collisions with names of other JobSets. */
export function* formatBudgetTables(
  budgets: readonly JobSetNameBudget[],
): Generator<string, void, undefined> {
  yield* formatTable(
    ["JOBSET", "LEFTFORJOBSETNAME"],
    budgets.map((one) => [formatJobSet(one), one.leftForJobSetName]),
  );
  if (budgets.length > 0) yield "\n";
  yield* formatTable(
    ["JOBSET", "USE", "REPLICATEDJOB", "NAME", "BYTES", "LIMIT", "LEFT", "BEYOND", "WHY"],
    budgets.flatMap((one) =>
      sortByCharactersLeft(one.names).map((name): readonly Cell[] => {
        const { use, key, replicatedJob, bytes, limitBytes, leftBytes, beyond, limit } = name;
        const label = key === undefined ? use : `${use} ${key}`;
        const room = [bytes, limitBytes, leftBytes] as const;
        return [formatJobSet(one), label, replicatedJob, name.name, ...room, beyond, limit];
      }),
    ),
  );
  let first = "\n";
  for (const line of formatTable(
    ["JOBSET", "KIND", "NAME", "COUNT", "TAKEN-BY"],
    listSharedNames(budgets),
  )) {
    yield first + line;
    first = "";
  }
}

/** Sorts the name that is closest to its limit first, because users search for it. */
function sortByCharactersLeft(names: JobSetNameBudget["names"]): JobSetNameBudget["names"] {
  return names.toSorted((a, b) => a.leftBytes - b.leftBytes);
}

function listSharedNames(budgets: readonly JobSetNameBudget[]): readonly (readonly Cell[])[] {
  return budgets.flatMap((one) => {
    if (one.collisions.outcome !== "Known") return [];
    return one.collisions.collisions.map(({ kind, name, count, jobSet }) => {
      return [formatJobSet(one), kind, name, count, jobSet];
    });
  });
}

function formatJobSet({ namespace, name }: JobSetNameBudget): string {
  return `${namespace}/${name}`;
}
