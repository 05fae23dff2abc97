import { type Plan, PlanExecution, type RunOutcome } from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import type { RecordingServer } from "./recording-server.ts";

/** The outcome of a plan, and the Events emitted before its end. */
export interface RecordedExecution {
  readonly outcome: RunOutcome;
  readonly events: readonly unknown[];
}

/** Executes a plan with one request at a time. */
export function executeRecordedPlan(
  plan: Plan | PlacementPlan,
  server: RecordingServer,
): RecordedExecution {
  const run = new PlanExecution(plan);
  const events: unknown[] = [];
  for (;;) {
    const next = run.next();
    switch (next.action) {
      case "Perform":
        run.settle(next.request.id, server.perform(next.request.effect));
        break;
      case "Emit":
        events.push(next.event);
        break;
      case "Wait":
        throw new Error("the execution waits for a request that was answered");
      case "Done":
        return { outcome: next.outcome, events };
    }
  }
}
