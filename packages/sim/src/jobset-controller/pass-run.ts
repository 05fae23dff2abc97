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

/** One pass of a controller over one object, as far as it has come: an immutable value, but for an `AsyncReconcile`, which goes forward only. */
export interface PassRun {
  /** The plan, for observers. Absent if unknown. */
  readonly plan?: Plan | PlacementPlan;
  next(): { readonly action: PassAction; readonly after: PassRun };
  /** With the answer to a request. */
  settle(id: number, reply: ServerReply): PassRun;
}

/** What a pass does next. */
export type PassAction =
  | {
      readonly action: "Perform";
      readonly id: number;
      readonly request: ServerRequest;
      /** What of a plan the request is made from, for those who look on. */
      readonly effect?: Effect;
    }
  /** An Event about the object, to emit at once. */
  | { readonly action: "Emit"; readonly event: PlannedEvent }
  /** Nothing to do until a reply arrives, or until an external program has decided, which is polled soon. */
  | { readonly action: "Wait"; readonly isOpen?: boolean }
  /** The reconcile is finished, and its Events are emitted. A failed one is retried later. */
  | {
      readonly action: "Done";
      readonly ok: boolean;
      readonly events: readonly PlannedEvent[];
      readonly requeueAfterMs?: number;
    };

/** What a reconcile is about: a JobSet, or the leader of some followers. */
export interface PassKey {
  readonly kind: "JobSet" | "Pod";
  readonly namespace: string;
  readonly name: string;
}

/** Returns the text that stands for a key in maps. */
export function passId({ kind, namespace, name }: PassKey): string {
  return `${kind} ${namespace}/${name}`;
}

/**
 * What decides about JobSets in a run: begins a pass over an object, out of what the caches hold.
 *
 * @returns `undefined` when there is nothing to look after
 */
export type SimController = (
  key: PassKey,
  snapshot: Snapshot,
  context: Context,
) => PassRun | undefined;

/** Functions that plan. */
export interface Planner {
  readonly reconcile: (snapshot: Snapshot, jobSet: Unvalidated<JobSet>, context: Context) => Plan;
  readonly reconcilePlacement: (
    snapshot: Snapshot,
    leader: Unvalidated<Pod>,
    context: Context,
  ) => PlacementPlan;
}

/**
 * A controller out of functions that plan, by default the production ones; its plans are carried out by `PlanExecution`.
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
      return leader && PlanPassRun.of(repair(snapshot, leader, context));
    }
    const jobSet = snapshot.jobSet(namespace, name);
    return jobSet && PlanPassRun.of(plan(snapshot, jobSet, context));
  };
}
