import { type EffectResult, type Plan, PlanExecution, type RunAction } from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import { createObjectRequest } from "@jobset-ts/core/requests";
import type { ServerReply } from "../api-server/api-request.ts";
import type { PassAction, PassRun } from "./pass-run.ts";

/** One step of an execution: a request for the next action, or the result of a request. */
type ExecutionStep = "next" | { readonly id: number; readonly result: EffectResult };

/** The progress of an execution as a list of steps, from which it can be repeated. */
interface Progress {
  run: PlanExecution;
  readonly acts: ExecutionStep[];
}

/**
 * A plan in execution, as an immutable value. The underlying execution is mutable. To continue from an earlier value, a
 * new execution repeats the steps.
 */
export class PlanPassRun implements PassRun {
  readonly plan: Plan | PlacementPlan;
  readonly #progress: Progress;
  /** The number of steps that belong to this value. */
  readonly #length: number;

  private constructor(plan: Plan | PlacementPlan, progress: Progress, length: number) {
    this.plan = plan;
    this.#progress = progress;
    this.#length = length;
  }

  static source(plan: Plan | PlacementPlan): PlanPassRun {
    return new PlanPassRun(plan, { run: new PlanExecution(plan), acts: [] }, 0);
  }

  next(): { readonly action: PassAction; readonly after: PlanPassRun } {
    const progress = this.#getProgress();
    const action = progress.run.next();
    return { action: toPassAction(action), after: this.#withStep(progress, "next") };
  }

  settle(id: number, reply: ServerReply): PlanPassRun {
    const result = toEffectResult(reply);
    const progress = this.#getProgress();
    progress.run.settle(id, result);
    return this.#withStep(progress, { id, result });
  }

  #withStep(progress: Progress, act: ExecutionStep): PlanPassRun {
    progress.acts.push(act);
    return new PlanPassRun(this.plan, progress, progress.acts.length);
  }

  /** Returns progress with exactly the steps of this value. */
  #getProgress(): Progress {
    if (this.#progress.acts.length === this.#length) return this.#progress;
    const progress: Progress = { run: new PlanExecution(this.plan), acts: [] };
    for (const act of this.#progress.acts.slice(0, this.#length)) {
      if (act === "next") progress.run.next();
      else progress.run.settle(act.id, act.result);
      progress.acts.push(act);
    }
    return progress;
  }
}

function toPassAction(action: RunAction): PassAction {
  switch (action.action) {
    case "Perform": {
      const { id, effect } = action.request;
      return { action: "Perform", id, request: createObjectRequest(effect), effect };
    }
    case "Done": {
      const { outcome } = action;
      if (!outcome.ok) return { action: "Done", ok: false, events: [] };
      const { events, requeueAfterSeconds } = outcome;
      return {
        action: "Done",
        ok: true,
        events,
        ...(requeueAfterSeconds !== undefined && {
          requeueAfterMs: Math.ceil(requeueAfterSeconds * 1000),
        }),
      };
    }
    default:
      return action;
  }
}

/** Converts a reply to the result that a plan execution expects. */
function toEffectResult(reply: ServerReply): EffectResult {
  if (reply.ok) return { ok: true, object: reply.object };
  const { reason, message } = reply;
  return { ok: false, error: { message, ...(reason !== "" && { reason }) } };
}
