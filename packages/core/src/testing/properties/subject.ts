import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Context, Effect, Plan, Snapshot } from "../../index.ts";
import type { Phase } from "../../plan/decision-rules.ts";
import { listSteps } from "../reconciled.ts";

/** The subject of the properties: a function that plans the next pass over one JobSet. */
export type Reconcile = (snapshot: Snapshot, jobSet: Unvalidated<JobSet>, context: Context) => Plan;

/** The effects of some parts of a plan, or of all but the write of the status. */
export function listEffects(plan: Plan, ...phases: readonly Phase[]): readonly Effect[] {
  return listSteps(plan)
    .filter(({ phase }) => phases.length === 0 || phases.includes(phase))
    .flatMap(({ effects }) => effects);
}

/** The names of the objects that effects are about. */
export function listTargets(effects: readonly Effect[]): readonly string[] {
  return effects.map(({ target }) => target.name);
}

/** Reports whether a plan contains no request. An error may prevent requests. */
export function isEmpty({ steps, status, events, metrics }: Plan): boolean {
  return steps.length + events.length + metrics.length === 0 && status === undefined;
}
