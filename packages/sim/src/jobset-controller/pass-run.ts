import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Pod } from "@jobset-ts/api/kubernetes";
import {
  type Context,
  type Effect,
  type Plan,
  type PlannedEvent,
  reconcile,
  type Snapshot,
} from "@jobset-ts/core";
import { type PlacementPlan, reconcilePlacement } from "@jobset-ts/core/placement";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import { PlanPassRun } from "./plan-pass-run.ts";

/**
 * One pass of a controller over one object, as an immutable value. An `AsyncReconcile` is the exception, because it is
 * mutable.
 */
export interface PassRun {
  /** The plan, for observers. Absent if unknown. */
  readonly plan?: Plan | PlacementPlan;
  next(): { readonly action: PassAction; readonly after: PassRun };
  /** Returns the pass after the reply to a request. */
  settle(id: number, reply: ServerReply): PassRun;
}

/** The next action of a pass. */
export type PassAction =
  | {
      readonly action: "Perform";
      readonly id: number;
      readonly request: ServerRequest;
      /** The effect of the plan that the request belongs to, for observers. */
      readonly effect?: Effect;
    }
  /** An Event about the object, to emit at once. */
  | { readonly action: "Emit"; readonly event: PlannedEvent }
  /** No action until a reply arrives, or until an external program has decided. The program is polled soon. */
  | { readonly action: "Wait"; readonly isOpen?: boolean }
  /** The reconcile is finished, and its Events are emitted. A failed one is retried later. */
  | {
      readonly action: "Done";
      readonly ok: boolean;
      readonly events: readonly PlannedEvent[];
      readonly requeueAfterMs?: number;
    };

/** The key of a reconcile: a JobSet, or the leader Pod of some followers. */
export interface PassKey {
  readonly kind: "JobSet" | "Pod";
  readonly namespace: string;
  readonly name: string;
}

/** Returns the ID of a key, for use in maps. */
export function passId({ kind, namespace, name }: PassKey): string {
  return `${kind} ${namespace}/${name}`;
}

/**
 * The JobSet controller of a simulation. Starts a pass over an object, from the state of the caches.
 *
 * @returns `undefined` if there is nothing to reconcile
 */
export type SimController = (
  key: PassKey,
  snapshot: Snapshot,
  context: Context,
) => PassRun | undefined;

/** Functions that create plans. */
export interface Planner {
  readonly reconcile: (snapshot: Snapshot, jobSet: Unvalidated<JobSet>, context: Context) => Plan;
  readonly reconcilePlacement: (
    snapshot: Snapshot,
    leader: Unvalidated<Pod>,
    context: Context,
  ) => PlacementPlan;
}

/**
 * Creates a controller from planning functions, by default the production ones. `PlanExecution` executes its plans.
 *
 * @example simulate(randomScenario(1), { controller: createSimController() }).violations // => []
 */
export function createSimController(planner: Partial<Planner> = {}): SimController {
  const { reconcile: plan, reconcilePlacement: repair } = {
    reconcile,
    reconcilePlacement,
    ...planner,
  };
  return ({ kind, namespace, name }, snapshot, context) => {
    if (kind === "Pod") {
      const leader = snapshot.pod(namespace, name);
      return leader && PlanPassRun.source(repair(snapshot, leader, context));
    }
    const jobSet = snapshot.jobSet(namespace, name);
    return jobSet && PlanPassRun.source(plan(snapshot, jobSet, context));
  };
}
