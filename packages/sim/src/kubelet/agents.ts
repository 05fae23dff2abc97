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

/** A version of a JobSet, and those before it. */
interface ObservedJobSet {
  readonly at: EpochMillis;
  /** Absent once it is gone. */
  readonly jobSet: JobSet | undefined;
  readonly earlier: ObservedJobSet | undefined;
}

/** Whether the Pods of a JobSet have agents in them. */
export function hasAgents(jobSet: JobSet | undefined): boolean {
  return jobSet?.spec?.failurePolicy?.restartStrategy === "InPlaceRestart";
}

/** Adds a version of a JobSet, if it uses in-place restart. */
export function withObserved(seen: ObservedJobSets, change: Change): ObservedJobSets {
  const [before, after] = [change.before as JobSet | undefined, change.after as JobSet | undefined];
  if (!hasAgents(before) && !hasAgents(after)) return seen;
  const key = namespacedName(getChangedObject(change));
  return seen.set(key, { at: change.at, jobSet: after, earlier: seen.get(key) });
}

/** The JobSet of a Pod as it was at an instant, and when it changed after that for the last time. */
export function findObservedJobSet(
  seen: ObservedJobSets,
  pod: Pod,
  asOf: EpochMillis,
): { readonly jobSet: JobSet | undefined; readonly changedAt: EpochMillis | undefined } {
  const newest = seen.get(getJobSetKey(pod));
  let version = newest;
  while (version?.earlier !== undefined && version.at > asOf) version = version.earlier;
  const isLatest = version === newest;
  return { jobSet: version?.jobSet, changedAt: isLatest ? undefined : newest?.at };
}

/** The key of the JobSet that a Pod is of. */
export function getJobSetKey(pod: Pod): string {
  return `${getNamespace(pod)}/${getLabel(pod, JOBSET_NAME_KEY) ?? ""}`;
}

/** How long an agent takes to hear of its JobSet, in milliseconds: so long, and up to so much longer by chance. */
const MIN_LAG_MS = 5;
const LAG_SPREAD_MS = 45;

/** @param chance - from 0 up to, but not, 1 */
export function getAgentLagMs(chance: number): number {
  return MIN_LAG_MS + Math.floor(chance * LAG_SPREAD_MS);
}

/** What an agent does about its container, and what it remembers from then on. */
export type AgentStep =
  | { readonly move: "Wait" | "Lift" | "Retry"; readonly agent: AgentState }
  | { readonly move: "Exit"; readonly exitCode: number };

const EXIT_CODE = 1;

/** Lets the agent of a Pod observe its JobSet once. It writes only the annotation of its Pod. */
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
