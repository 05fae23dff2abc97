import type { EpochMillis, JobSet } from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  getLabel,
  getName,
  getNamespace,
  namespacedName,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import {
  type AgentConfiguration,
  type AgentState,
  agentStep,
  agentStepAfterAnnounce,
} from "@jobset-ts/core/agent";
import type { PersistentMap } from "@jobset-ts/core/persistent-map";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";

/** The JobSets with in-place restart, by key, each with its versions. */
export type ObservedJobSets = PersistentMap<ObservedJobSet>;

/** A version of a JobSet, linked to the earlier ones. */
interface ObservedJobSet {
  readonly at: EpochMillis;
  /** Undefined once the JobSet is deleted. */
  readonly jobSet: JobSet | undefined;
  readonly earlier: ObservedJobSet | undefined;
}

/** Returns whether the Pods of a JobSet have agents. */
export function hasAgents(jobSet: JobSet | undefined): boolean {
  return jobSet?.spec?.failurePolicy?.restartStrategy === "InPlaceRestart";
}

/** Adds a version of a JobSet, if it uses in-place restart. */
export function withObserved(observed: ObservedJobSets, change: Change): ObservedJobSets {
  const [before, after] = [change.before as JobSet | undefined, change.after as JobSet | undefined];
  if (!hasAgents(before) && !hasAgents(after)) return observed;
  const key = namespacedName(getChangedObject(change));
  return observed.set(key, { at: change.at, jobSet: after, earlier: observed.get(key) });
}

/** Returns the JobSet of a Pod at an instant, and the time of its last change after that. */
export function findObservedJobSet(
  observed: ObservedJobSets,
  pod: Pod,
  asOf: EpochMillis,
): { readonly jobSet: JobSet | undefined; readonly changedAt: EpochMillis | undefined } {
  const newest = observed.get(getJobSetKey(pod));
  let version = newest;
  while (version?.earlier !== undefined && version.at > asOf) version = version.earlier;
  const isLatest = version === newest;
  return { jobSet: version?.jobSet, changedAt: isLatest ? undefined : newest?.at };
}

/** Returns the key of a Pod's JobSet. */
export function getJobSetKey(pod: Pod): string {
  return `${getNamespace(pod)}/${getLabel(pod, JOBSET_NAME_KEY) ?? ""}`;
}

/** The minimum lag of an agent, in milliseconds. A random part of up to `LAG_SPREAD_MS` is added. */
const MIN_LAG_MS = 5;
const LAG_SPREAD_MS = 45;

/** @param chance - from 0 (inclusive) to 1 (exclusive) */
export function getAgentLagMs(chance: number): number {
  return MIN_LAG_MS + Math.floor(chance * LAG_SPREAD_MS);
}

/** The decision of an agent about its container, and its new state. */
export type AgentStep =
  | { readonly move: "Wait" | "Lift" | "Retry"; readonly agent: AgentState }
  | { readonly move: "Exit"; readonly exitCode: number };

const EXIT_CODE = 1;

/** Makes the agent of a Pod observe its JobSet once. It writes only the annotation of its Pod. */
export function stepAgent(
  agent: AgentState,
  pod: Pod,
  jobSet: JobSet | undefined,
  request: (request: ServerRequest) => ServerReply,
): AgentStep {
  const configuration: AgentConfiguration = {
    namespace: getNamespace(pod),
    jobSetName: getLabel(pod, JOBSET_NAME_KEY) ?? "",
    podName: getName(pod),
    inPlaceRestartExitCode: EXIT_CODE,
    role: { kind: "Main", workerCommand: "work" },
  };
  let step = agentStep(agent, jobSet, configuration);
  if (step.next.action === "Announce" && jobSet !== undefined) {
    const reply = request({ verb: "patch", object: step.next.object });
    const result = reply.ok ? ({ ok: true } as const) : reply;
    step = agentStepAfterAnnounce(agent, step.next, result, jobSet, configuration);
  }
  const { next, state } = step;
  switch (next.action) {
    case "Exit":
      return { move: "Exit", exitCode: next.exitCode };
    case "LiftBarrier":
      return { move: "Lift", agent: state };
    case "Retry":
      return { move: "Retry", agent: state };
    default:
      return { move: "Wait", agent: state };
  }
}
