import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { DISABLE_IN_PLACE_RESTART_KEY, IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { getAnnotation, isObject } from "../jobset-members.ts";
import type { AgentConfiguration, AgentRole } from "./in-place-restart-agent-configuration.ts";

/** The field manager of the annotation on an agent's Pod. */
const AGENT_FIELD_MANAGER = "in-place-restart-agent";

/** The state of an agent, from the start of its container to its exit. */
export interface AgentState {
  /** The restart attempt that its Pod has announced. Absent before the announcement. */
  readonly attempt?: number;
  /** Whether the worker is still blocked. A released barrier stays released. */
  readonly barrier: "Up" | "Down";
}

/** The state of an agent whose container has just started. */
export const INITIAL_AGENT_STATE: AgentState = { barrier: "Up" };

/** The next action of an agent. */
export type AgentAction =
  /** Wait until the JobSet changes. */
  | {
      readonly action: "Wait";
      readonly reason: "JobSetGone" | "BarrierUp" | "BarrierDown";
    }
  | AnnounceAction
  /** Release the worker. Pass the result to {@link agentActionAfterRelease}. */
  | {
      readonly action: "LiftBarrier";
      readonly reason: "AllReachedAttempt" | "InPlaceRestartOff";
      readonly lift: BarrierRelease;
    }
  /** Exit, and end the container. */
  | {
      readonly action: "Exit";
      readonly exitCode: number;
      readonly reason: "AttemptLeftBehind" | "WorkerEnded" | "LiftFailed";
    }
  /** The attempt could not be announced: try again later. */
  | { readonly action: "Retry"; readonly message: string };

/** Apply an annotation to the Pod with server-side apply. Pass the result to {@link agentStepAfterAnnounce}. */
export interface AnnounceAction {
  readonly action: "Announce";
  readonly attempt: number;
  readonly fieldManager: typeof AGENT_FIELD_MANAGER;
  /** Whether to take over the annotation from another field manager. */
  readonly force: true;
  readonly object: {
    readonly apiVersion: "v1";
    readonly kind: "Pod";
    readonly metadata: {
      readonly namespace: string;
      readonly name: string;
      readonly annotations: Readonly<Record<string, string>>;
    };
  };
}

/** How to release a worker. */
export type BarrierRelease =
  /** Run it, and exit with its exit code. */
  | Extract<AgentRole, { kind: "Main" }>
  /** Respond to the startup probe from now on. */
  | (Extract<AgentRole, { kind: "Sidecar" }> & { readonly status: 200 });

/** The next action of an agent, and its new state. */
export interface AgentStep {
  readonly state: AgentState;
  readonly next: AgentAction;
}

/**
 * Returns the next state and actions of a Pod's in-place restart agent when it observes its JobSet.
 *
 * The agent announces once which restart attempt its Pod has reached. It blocks the worker until all Pods have reached
 * the same attempt, and exits when the others have moved on to a later one. If the JobSet does not use in-place
 * restart, or an annotation disables it, the worker starts at once.
 *
 * @param jobSet - `undefined` if it does not exist
 * @see KEP-467
 */
export function agentStep(
  state: AgentState,
  jobSet: Unvalidated<JobSet> | undefined,
  configuration: AgentConfiguration,
): AgentStep {
  if (!isObject(jobSet)) return wait(state, "JobSetGone");
  if (!usesInPlaceRestart(jobSet)) {
    return state.barrier === "Up"
      ? lift(state, "InPlaceRestartOff", configuration)
      : wait(state, "BarrierDown");
  }
  const { attempt } = state;
  if (attempt !== undefined) return follow({ ...state, attempt }, jobSet, configuration);
  return { state, next: announcement(nextAttempt(jobSet), configuration) };
}

/**
 * Returns the next step after an announcement.
 *
 * @param jobSet - the observation that led to the announcement, which still applies
 */
export function agentStepAfterAnnounce(
  state: AgentState,
  announcement: AnnounceAction,
  result: { readonly ok: true } | { readonly ok: false; readonly message: string },
  jobSet: Unvalidated<JobSet>,
  configuration: AgentConfiguration,
): AgentStep {
  if (!result.ok) return { state, next: { action: "Retry", message: result.message } };
  return follow({ ...state, attempt: announcement.attempt }, jobSet, configuration);
}

/** The result of releasing a barrier. */
export type BarrierReleaseResult =
  /** The agent responds to the startup probe. */
  | { readonly outcome: "Serving" }
  | { readonly outcome: "WorkerExited"; readonly exitCode: number }
  | { readonly outcome: "WorkerKilled" }
  /** The worker could not be started, or the probe could not be served. */
  | { readonly outcome: "Failed"; readonly message: string };

/**
 * Returns the next action after the barrier was released. An agent that runs the worker exits when the worker does.
 *
 * @example agentActionAfterRelease({ outcome: "WorkerKilled" }) // => { action: "Exit", exitCode: 255, reason: "WorkerEnded" }
 */
export function agentActionAfterRelease(result: BarrierReleaseResult): AgentAction {
  switch (result.outcome) {
    case "Serving":
      return { action: "Wait", reason: "BarrierDown" };
    case "WorkerExited":
      return { action: "Exit", exitCode: result.exitCode, reason: "WorkerEnded" };
    case "WorkerKilled":
      // A worker that was killed by a signal has no exit code.
      return { action: "Exit", exitCode: 255, reason: "WorkerEnded" };
    case "Failed":
      return { action: "Exit", exitCode: 1, reason: "LiftFailed" };
  }
}

/** Does not read a feature gate: an agent runs only if a user has added it to the Pod. */
function usesInPlaceRestart(jobSet: Unvalidated<JobSet>): boolean {
  return (
    getAnnotation(jobSet, DISABLE_IN_PLACE_RESTART_KEY) === undefined &&
    jobSet.spec?.failurePolicy?.restartStrategy === "InPlaceRestart"
  );
}

/** Returns the attempt after the one that all Pods have reached. */
function nextAttempt(jobSet: Unvalidated<JobSet>): number {
  const current = getAttempt(jobSet.status?.currentInPlaceRestartAttempt);
  return current === undefined ? 0 : current + 1;
}

function announcement(attempt: number, { namespace, podName }: AgentConfiguration): AnnounceAction {
  return {
    action: "Announce",
    attempt,
    fieldManager: AGENT_FIELD_MANAGER,
    force: true,
    object: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        namespace,
        name: podName,
        annotations: { [IN_PLACE_RESTART_ATTEMPT_KEY]: String(attempt) },
      },
    },
  };
}

/** Returns the next step of an agent that has announced its attempt. */
function follow(
  state: AgentState & { readonly attempt: number },
  jobSet: Unvalidated<JobSet>,
  configuration: AgentConfiguration,
): AgentStep {
  const { attempt, barrier } = state;
  const previous = getAttempt(jobSet?.status?.previousInPlaceRestartAttempt);
  if (previous !== undefined && attempt <= previous) {
    const exitCode = configuration.inPlaceRestartExitCode;
    return { state, next: { action: "Exit", exitCode, reason: "AttemptLeftBehind" } };
  }
  if (barrier === "Down") return wait(state, "BarrierDown");
  const current = getAttempt(jobSet?.status?.currentInPlaceRestartAttempt);
  return attempt === current
    ? lift(state, "AllReachedAttempt", configuration)
    : wait(state, "BarrierUp");
}

function getAttempt(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}

function wait(
  state: AgentState,
  reason: Extract<AgentAction, { action: "Wait" }>["reason"],
): AgentStep {
  return { state, next: { action: "Wait", reason } };
}

function lift(
  state: AgentState,
  reason: Extract<AgentAction, { action: "LiftBarrier" }>["reason"],
  { role }: AgentConfiguration,
): AgentStep {
  const lift = role.kind === "Main" ? role : ({ ...role, status: 200 } as const);
  return {
    state: { ...state, barrier: "Down" },
    next: { action: "LiftBarrier", reason, lift },
  };
}
