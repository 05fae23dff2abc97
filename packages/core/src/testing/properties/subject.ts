import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Context, Plan, Snapshot } from "../../index.ts";

/** The subject of the properties: a function that plans the next pass over one JobSet. */
export type Reconcile = (snapshot: Snapshot, jobSet: Unvalidated<JobSet>, context: Context) => Plan;

/** Reports whether a plan requests nothing. It may have an error. */
export function isEmpty({ steps, status, events, metrics }: Plan): boolean {
  return steps.length + events.length + metrics.length === 0 && status === undefined;
}
