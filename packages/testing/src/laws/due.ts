import type { JobSet } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { contextOf, type Plan, type Quirk, reconcile, snapshotOf } from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import type { ApiOutcome, ApiRequest } from "./api-request.ts";
import { ApiServer, type Exchange } from "./api-server.ts";
import { type Pass, requestsOfPlan } from "./controller.ts";

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
  if (jobSet === undefined) return { exchanges: [], events: [] };
  const features = Object.fromEntries(pass.features.map((name) => [name, true]));
  const context = contextOf({ now: pass.now, features, quirks: new Set(way) });
  const snapshot = snapshotOf(state, { kinds: "all" });
  return dueBy(reconcile(snapshot, jobSet as JobSet, context), server);
}

/** What comes of a plan that a server carries out. */
export function dueBy(plan: Plan | PlacementPlan, server: ApiServer): Due {
  const requests = requestsOfPlan(plan);
  let next = requests.next();
  while (!next.done) next = requests.next(performed(next.value, server));
  const events = server.exchanges.map(({ request }) => request.object);
  return {
    exchanges: server.exchanges.filter(isChange),
    events: events.filter(({ kind }) => kind === "Event") as unknown as readonly DueEvent[],
  };
}

/** Who patches need not say of which version: what the plan itself has written before is in nobody's way. */
function performed(request: ApiRequest, server: ApiServer): ApiOutcome {
  const outcome = server.perform(request);
  if (outcome.ok || outcome.reason !== "Conflict") return outcome;
  const { resourceVersion: _, ...metadata } = request.object.metadata ?? {};
  return server.perform({ ...request, object: { ...request.object, metadata } });
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
