import type { Unvalidated } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { EffectResult } from "../plan/effects.ts";
import type { PlacementPlan, Plan, PlannedEvent } from "../plan/plan.ts";
import { PlanExecution, type RunOutcome, type RunRequest } from "./plan-execution.ts";

/** The caller's I/O. */
export interface PlanHandlers {
  /**
   * Sends a request. An error of the API server is a result. If the promise rejects, that counts as a connection error.
   */
  perform(request: RunRequest): Promise<EffectResult>;
  /**
   * Emits an Event now, although the pass has failed: about the JobSet that the status write returned, or about the
   * observed one.
   */
  emit?(event: PlannedEvent, jobSet?: Unvalidated<KubernetesObject>): void;
}

/**
 * Executes a plan with the caller's I/O, up to the status write. Deferred Events, metrics and the requeue are part of
 * the outcome, and left to the caller.
 *
 * @returns how it ended; rejects never, except with what `emit` throws
 * @example
 * const jobSet = { metadata: { name: "train", namespace: "ml", uid: "u-1" }, spec: { replicatedJobs: [{ name: "w", replicas: 2, template: { spec: {} } }] } };
 * const outcome = await executePlan(reconcile(createSnapshot([], { kinds: "all" }), jobSet, createContext({ now: 0 })), { perform: async () => ({ ok: false, error: { message: "no answer" } }) });
 * [outcome.ok, "phase" in outcome && outcome.phase] // => [false, "create-jobs"]
 */
export async function executePlan(
  plan: Plan | PlacementPlan,
  performer: PlanHandlers,
): Promise<RunOutcome> {
  const run = new PlanExecution(plan);
  const underWay = new Set<Promise<void>>();
  for (;;) {
    const next = run.next();
    switch (next.action) {
      case "Perform": {
        const { request } = next;
        const settled = performRequest(performer, request).then((result) => {
          run.settle(request.id, result);
          underWay.delete(settled);
        });
        underWay.add(settled);
        break;
      }
      case "Emit":
        performer.emit?.(next.event, next.jobSet);
        break;
      case "Wait":
        await Promise.race(underWay);
        break;
      case "Done":
        return next.outcome;
    }
  }
}

async function performRequest(performer: PlanHandlers, request: RunRequest): Promise<EffectResult> {
  try {
    return await performer.perform(request);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, error: { message } };
  }
}
