import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Context, Effect, Plan, Snapshot } from "../../index.ts";
import type { Phase } from "../../plan/decision-rules.ts";
import { listSteps } from "../reconciled.ts";

/** The subject of the properties: a function that plans the next pass over one JobSet. */
export type Reconcile = (snapshot: Snapshot, jobSet: Unvalidated<JobSet>, context: Context) => Plan;

/** Returns the effects of some phases of a plan, or all except the status write. */
export function listEffects(plan: Plan, ...phases: readonly Phase[]): readonly Effect[] {
  return listSteps(plan)
    .filter(({ phase }) => phases.length === 0 || phases.includes(phase))
    .flatMap(({ effects }) => effects);
}

/** Returns the names of the target objects of effects. */
export function listTargets(effects: readonly Effect[]): readonly string[] {
  return effects.map(({ target }) => target.name);
}

/** Reports whether a plan requests nothing. It may have an error. */
export function isEmpty({ steps, status, events, metrics }: Plan): boolean {
  return steps.length + events.length + metrics.length === 0 && status === undefined;
}
