import type { JobSet } from "@jobset-ts/api";
import {
  createContext,
  createSnapshot,
  type Plan,
  reconcile,
  type SnapshotOptions,
  type Step,
} from "../index.ts";

/**
 * The time in most examples.
 *
 * @example someTime // => "2026-08-18T10:05:10.700Z"
 */
export const someTime = "2026-08-18T10:05:10.700Z";

/** The settings of an example that differ from the defaults. */
export type Settings = Partial<Parameters<typeof createContext>[0]> & SnapshotOptions;

/**
 * Returns the plan for a JobSet and other objects, at {@link someTime}, without gates and quirks. By default, these
 * are all objects in the cluster. The settings can list the kinds that were read.
 *
 * @example reconcileForTest(aJobSet("train")).steps[0]?.rule // => "ServiceMissing"
 */
export function reconcileForTest(
  jobSet: JobSet,
  others: Iterable<unknown> = [],
  settings: Settings = {},
): Plan {
  const { kinds = "all", readErrors, ...context } = settings;
  const snapshot = createSnapshot([jobSet, ...others], { kinds, readErrors });
  return reconcile(snapshot, jobSet, createContext({ now: someTime, ...context }));
}

/**
 * Returns the steps of a plan without the last one, which writes the status.
 *
 * @example listSteps(reconcileForTest(aJobSet("train").withReplicatedJob("w"))).map(({ phase }) => phase) // => ["service", "create-jobs"]
 */
export function listSteps({ steps }: Plan): readonly Step[] {
  return steps.filter(({ phase }) => phase !== "write-status");
}

/**
 * Returns a summary of the requests of a plan, one list for each step, without the status write.
 *
 * @example listRequests(reconcileForTest(aJobSet("train"))) // => [["create Service train"]]
 */
export function listRequests(plan: Plan): string[][] {
  return listSteps(plan).map(({ effects }) =>
    effects.map(({ verb, target }) => `${verb} ${target.kind} ${target.name}`),
  );
}
