import type { JobSet } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { contextOf, PlanRun, type Quirk, reconcile, snapshotOf } from "@jobset-ts/core";
import { ApiServer, type Exchange } from "./api-server.ts";
import { type Pass, requestOfEffect } from "./controller.ts";

/** What JobSet's semantics ask for in one state of the cluster. */
export interface Due {
  /** The requests that change something, in an order in which they may be sent. */
  readonly exchanges: readonly Exchange[];
  readonly events: readonly DueEvent[];
}

export interface DueEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
}

/** Ways of upstream that no law forces anybody to leave: a controller may have any one of these, or do what is right. */
const TASTES: readonly Quirk[] = [
  "FailureSkipsSuspension",
  "SuspendedReadyOpensGates",
  "UnclaimedJobsCount",
  "ServiceConflictUnsaid",
];

/** What is due for a JobSet by what is right. */
export function dueAt(state: readonly KubernetesObject[], pass: Pass): Due {
  return dueInOneWay(state, pass, []);
}

/** What is due in the other ways that are as good. */
export function dueInOtherWays(state: readonly KubernetesObject[], pass: Pass): readonly Due[] {
  return [...TASTES.map((taste) => [taste]), TASTES].map((way) => dueInOneWay(state, pass, way));
}

function dueInOneWay(state: readonly KubernetesObject[], pass: Pass, way: readonly Quirk[]): Due {
  const server = new ApiServer(state, pass.namespace);
  const jobSet = server.get("JobSet", pass.namespace, pass.name);
  const events: DueEvent[] = [];
  if (jobSet === undefined) return { exchanges: [], events };
  const features = Object.fromEntries(pass.features.map((name) => [name, true]));
  const context = contextOf({ now: pass.now, features, quirks: new Set(way) });
  const plan = reconcile(snapshotOf(state, { kinds: "all" }), jobSet as JobSet, context);
  const run = new PlanRun(plan);
  for (;;) {
    const next = run.next();
    if (next.action === "Emit") events.push(next.event);
    if (next.action === "Perform") {
      const outcome = server.perform(requestOfEffect(next.request.effect));
      run.settle(next.request.id, outcome.ok ? outcome : { ok: false, error: outcome });
    }
    if (next.action !== "Done") continue;
    if (next.outcome.ok) events.push(...next.outcome.events);
    return { exchanges: server.exchanges.filter(isChange), events };
  }
}

/** Whether a request has changed something. */
export function isChange({ before, after }: Exchange): boolean {
  return before !== after && contentText(before) !== contentText(after);
}

function contentText(object: KubernetesObject | undefined): string {
  if (object === undefined) return "";
  const { resourceVersion: _, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}
