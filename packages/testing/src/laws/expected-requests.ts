import type { JobSet } from "@jobset-ts/api";
import {
  asArray,
  getControllerOf,
  type KubernetesObject,
  type Service,
} from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, type Plan, type Quirk, reconcile } from "@jobset-ts/core";
import { desiredService } from "@jobset-ts/core/desired";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import { isFinished } from "@jobset-ts/core/policies";
import type { RequestedObject, TestApiRequest, TestApiResponse } from "./api-request.ts";
import { type Exchange, TestApiServer } from "./api-server.ts";
import { listPlanRequests, type ReconcileRequest } from "./controller.ts";

/** The expected requests and Events in one state of the cluster. */
export interface ExpectedRequests {
  /** The requests that change something, in a possible order. */
  readonly exchanges: readonly Exchange[];
  readonly events: readonly ExpectedEvent[];
  /** Returns accepted alternatives. They are computed only if the standard expectation reports a violation. */
  readonly inOtherWays?: () => readonly ExpectedRequests[];
}

export interface ExpectedEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
}

/** Quirks of upstream that the laws accept: a controller may have any one of them or all of them. */
const ACCEPTED_QUIRKS: readonly Quirk[] = [
  "FailureSkipsSuspension",
  "RefusalEndsPass",
  "ResumePrecedesStop",
  "SuspendedReadyOpensGates",
  "UnclaimedJobsCount",
  "EndSparesEarlierAttempts",
  "ServiceConflictUnsaid",
];

const ALTERNATIVE_QUIRKS: readonly (readonly Quirk[])[] = [
  ...ACCEPTED_QUIRKS.map((taste) => [taste]),
  ACCEPTED_QUIRKS,
];

/** Sets missing Pod counts of the templates to 1. A controller may scale Jobs by these values. */
function withPodCounts(jobSet: JobSet): JobSet {
  const replicatedJobs = asArray(jobSet.spec?.replicatedJobs).map((one) => {
    const { parallelism = 1, completions = 1 } = one.template?.spec ?? {};
    const spec = { ...one.template?.spec, parallelism, completions };
    return { ...one, template: { ...one.template, spec } };
  });
  return { ...jobSet, spec: { ...jobSet.spec, replicatedJobs } };
}

/** Returns the expected requests for a JobSet, without quirks. */
export function getExpected(
  state: readonly KubernetesObject[],
  pass: ReconcileRequest,
): ExpectedRequests {
  const { due, answers } = getExpectedWithQuirks(state, pass, []);
  let others: readonly ExpectedRequests[] | undefined;
  return {
    ...due,
    inOtherWays: () => {
      others ??= listAlternatives(state, pass, { due, answers });
      return others;
    },
  };
}

/**
 * Returns the expectations of the accepted alternatives. A set of quirks with the same values for all quirks that the
 * plan reads leads to the same plan, so it is skipped.
 */
function listAlternatives(
  state: readonly KubernetesObject[],
  pass: ReconcileRequest,
  right: { readonly due: ExpectedRequests; readonly answers: QuirkSettings },
): readonly ExpectedRequests[] {
  const known = [right.answers];
  const dues: ExpectedRequests[] = [];
  for (const way of ALTERNATIVE_QUIRKS) {
    const hasSameSettings = (one: QuirkSettings) =>
      [...one].every(([quirk, isOn]) => way.includes(quirk) === isOn);
    if (known.some(hasSameSettings)) continue;
    const { due, answers } = getExpectedWithQuirks(state, pass, way);
    known.push(answers);
    dues.push(due);
  }
  if (pass.features.includes("ElasticJobSet"))
    dues.push(getExpectedWithQuirks(state, pass, [], withPodCounts).due);
  const restoredService = restoreService(state, pass);
  // A controller does not have to keep this part.
  if (restoredService.length > 0)
    dues.push({ ...right.due, exchanges: [...right.due.exchanges, ...restoredService] });
  return dues;
}

/** Returns the update that restores the JobSet's own Service. A controller may send it; JobSet does not. */
function restoreService(
  state: readonly KubernetesObject[],
  pass: ReconcileRequest,
): readonly Exchange[] {
  const server = new TestApiServer(state, pass.namespace);
  const jobSet = server.get("JobSet", pass.namespace, pass.name) as JobSet | undefined;
  const expected = jobSet && desiredService(jobSet);
  const stored = expected && server.get("Service", pass.namespace, expected.metadata.name ?? "");
  const isOwn = stored && getControllerOf(stored)?.uid === jobSet?.metadata.uid;
  if (!isOwn || isFinished(jobSet)) return [];
  const { publishNotReadyAddresses: _, ...others } = (stored as unknown as Service).spec;
  const object = { ...stored, spec: { ...others, ...expected.spec } } as RequestedObject;
  server.perform({ verb: "update", object });
  return server.exchanges.filter(isChange);
}

/** The quirks that the plan depends on, and whether each is enabled. */
type QuirkSettings = ReadonlyMap<Quirk, boolean>;

class RecordingQuirks extends Set<Quirk> {
  readonly answers = new Map<Quirk, boolean>();

  override has(quirk: Quirk): boolean {
    const isOn = super.has(quirk);
    this.answers.set(quirk, isOn);
    return isOn;
  }
}

function getExpectedWithQuirks(
  state: readonly KubernetesObject[],
  pass: ReconcileRequest,
  way: readonly Quirk[],
  readBy: (jobSet: JobSet) => JobSet = (jobSet) => jobSet,
): { readonly due: ExpectedRequests; readonly answers: QuirkSettings } {
  const quirks = new RecordingQuirks(way);
  const server = new TestApiServer(state, pass.namespace);
  const jobSet = server.get("JobSet", pass.namespace, pass.name);
  if (jobSet === undefined) return { due: { exchanges: [], events: [] }, answers: quirks.answers };
  const features = Object.fromEntries(pass.features.map((name) => [name, true]));
  const context = { ...createContext({ now: pass.now, features }), quirks };
  const snapshot = createSnapshot(state, { kinds: "all" });
  const due = getExpectedFromPlan(reconcile(snapshot, readBy(jobSet as JobSet), context), server);
  return { due, answers: quirks.answers };
}

/** Returns the requests and Events of a plan that a server executes. */
export function getExpectedFromPlan(
  plan: Plan | PlacementPlan,
  server: TestApiServer,
): ExpectedRequests {
  const requests = listPlanRequests(plan);
  let next = requests.next();
  while (!next.done) next = requests.next(performRequest(next.value, server));
  const events = server.exchanges.map(({ request }) => request.object);
  return {
    exchanges: server.exchanges.filter(isChange),
    events: events.filter(({ kind }) => kind === "Event") as unknown as readonly ExpectedEvent[],
  };
}

/** Sends a request. A version conflict with an earlier write of the same plan is ignored. */
function performRequest(request: TestApiRequest, server: TestApiServer): TestApiResponse {
  const outcome = server.perform(request);
  if (outcome.ok || outcome.reason !== "Conflict") return outcome;
  const { resourceVersion: _, ...metadata } = request.object.metadata ?? {};
  return server.perform({ ...request, object: { ...request.object, metadata } });
}

/** Returns whether a request has changed something. */
export function isChange({ before, after }: Exchange): boolean {
  if (before === undefined || after === undefined || before === after) return before !== after;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].some((name) => !isSame(getMember(before, name), getMember(after, name)));
}

/** Unchanged parts are shared between the object before and after a write. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Without the resource version, which changes with every write. */
function getMember(object: KubernetesObject, name: string): unknown {
  if (name !== "metadata") return (object as unknown as Readonly<Record<string, unknown>>)[name];
  const { resourceVersion: _, ...metadata } = object.metadata;
  return metadata;
}
