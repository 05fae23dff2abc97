import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { getName } from "@jobset-ts/api/kubernetes";
import type { Effect, Plan, Snapshot } from "@jobset-ts/core";

/** The effects of one pass of the controller on a Job. */
export type JobAction =
  /** The Job is created. */
  | "Created"
  /** The Job is deleted, and another Job with its name is created. */
  | "Recreated"
  /** The Job or its status is patched. */
  | "Patched"
  | "Deleted"
  | "Untouched";

/** The effects on one Job with and without the update. */
export interface JobImpact {
  readonly job: string;
  readonly before: JobAction;
  readonly after: JobAction;
}

/** The number of Jobs for each action. */
export type JobActionCounts = Readonly<Record<JobAction, number>>;

/** Returns the effects of two plans on existing and new Jobs, in name order. */
export function jobConsequences(
  snapshot: Snapshot,
  jobSet: Unvalidated<JobSet>,
  plans: { readonly before: Plan; readonly after: Plan },
): readonly JobImpact[] {
  const [before, after] = [jobActions(plans.before), jobActions(plans.after)];
  const existingNames = snapshot.childJobs(jobSet).map(getName);
  const names = [...new Set([...existingNames, ...before.keys(), ...after.keys()])].sort();
  return names.map((job) => ({
    job,
    before: before.get(job) ?? "Untouched",
    after: after.get(job) ?? "Untouched",
  }));
}

/** Returns the number of Jobs for each action of a plan. */
export function countJobActions(actions: Iterable<JobAction>): JobActionCounts {
  const counts = { Created: 0, Recreated: 0, Patched: 0, Deleted: 0, Untouched: 0 };
  for (const action of actions) counts[action] += 1;
  return counts;
}

function jobActions({ steps }: Plan): ReadonlyMap<string, JobAction> {
  const verbs = new Map<string, Set<Effect["verb"]>>();
  for (const { verb, target } of steps.flatMap(({ effects }) => effects)) {
    if (target.kind !== "Job") continue;
    const known = verbs.get(target.name);
    if (known === undefined) verbs.set(target.name, new Set([verb]));
    else known.add(verb);
  }
  return new Map([...verbs].map(([name, of]) => [name, chooseAction(of)]));
}

function chooseAction(verbs: ReadonlySet<Effect["verb"]>): JobAction {
  if (verbs.has("create")) return verbs.has("delete") ? "Recreated" : "Created";
  return verbs.has("delete") ? "Deleted" : "Patched";
}
