import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { DISABLE_IN_PLACE_RESTART_KEY, IN_PLACE_RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { getAnnotation, isObject } from "../jobset-members.ts";
import type { AgentConfiguration, AgentRole } from "./in-place-restart-agent-configuration.ts";

/** The name under which an agent writes its Pod's annotation. */
export const AGENT_FIELD_MANAGER = "in-place-restart-agent";

/** What an agent remembers, from the start of its container to its end. */
export interface AgentState {
  /** The restart attempt that its Pod has announced; absent before. */
  readonly attempt?: number;
  /** Whether the worker is still held back. A barrier that is down stays down. */
  readonly barrier: "Up" | "Down";
}

/** An agent whose container has just started. */
export const INITIAL_AGENT_STATE: AgentState = { barrier: "Up" };

/** What an agent does next. */
export type AgentAction =
  /** Nothing until the JobSet changes. */
  | {
      readonly action: "Wait";
      readonly reason: "JobSetGone" | "BarrierUp" | "BarrierDown";
    }
  | AnnounceAction
  /** Let the worker go; {@link agentActionAfterRelease} says what follows from how that went. */
  | {
      readonly action: "LiftBarrier";
      readonly reason: "AllReachedAttempt" | "InPlaceRestartOff";
      readonly lift: BarrierRelease;
    }
  /** End, and with it the container. */
  | {
      readonly action: "Exit";
      readonly exitCode: number;
      readonly reason: "AttemptLeftBehind" | "WorkerEnded" | "LiftFailed" | "Signal";
    }
  /** The attempt could not be announced: look again later. */
  | { readonly action: "Retry"; readonly message: string };

/** Apply an annotation to the Pod, by server-side apply; {@link agentStepAfterAnnounce} says what follows from how that went. */
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

/** How a worker is let go. */
export type BarrierRelease =
  /** Run it, and end as it ends. */
  | Extract<AgentRole, { kind: "Main" }>
  /** Answer the startup probe from now on. */
  | (Extract<AgentRole, { kind: "Sidecar" }> & { readonly status: 200 });

/** What an agent does next, and what it remembers from then on. */
export interface AgentStep {
  readonly state: AgentState;
  readonly next: AgentAction;
}

/**
 * Returns the next state and actions of a Pod's in-place restart agent when it observes its JobSet.
 *
 * The agent announces once which restart attempt its Pod has reached. It holds the worker back until all Pods have
 * reached the same attempt, and exits when the others have moved on to a later one. If the JobSet does not use in-place
 * restart, or an annotation disables it, the worker starts at once.
 *
 * @param jobSet - `undefined` when it is gone
 * @see KEP-467
 */
export function agentStep(
  state: AgentState,
  jobSet: Unvalidated<JobSet> | undefined,
  configuration: AgentConfiguration,
): AgentStep {
  if (!isObject(jobSet)) return wait(state, "JobSetGone");
  if (!restartsItsPodsInPlace(jobSet)) {
    return state.barrier === "Up"
      ? lift(state, "InPlaceRestartOff", configuration)
      : wait(state, "BarrierDown");
  }
  const { attempt } = state;
  if (attempt !== undefined) return follow({ ...state, attempt }, jobSet, configuration);
  return { state, next: announcement(nextAttempt(jobSet), configuration) };
}

/**
 * What follows from an announcement.
 *
 * @param jobSet - the observation that led to the announcement; it is obeyed still
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

/** How the lifting of a barrier went. */
export type BarrierReleaseResult =
  /** The startup probe is answered. */
  | { readonly outcome: "Serving" }
  | { readonly outcome: "WorkerExited"; readonly exitCode: number }
  | { readonly outcome: "WorkerKilled" }
  /** Neither could the worker be run nor the probe be answered. */
  | { readonly outcome: "Failed"; readonly message: string };

/**
 * What follows from how the lifting of the barrier went: an agent that runs the worker ends as the worker does.
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

/**
 * Returns what an agent does when it receives a signal to terminate.
 *
 * @param signal - its number, 2 for SIGINT and 15 for SIGTERM
 * @example agentActionOnSignal(15) // => { action: "Exit", exitCode: 143, reason: "Signal" }
 */
export function agentActionOnSignal(signal: number): AgentAction {
  return { action: "Exit", exitCode: 128 + signal, reason: "Signal" };
}

/** Does not read a feature gate: an agent runs only where a user has added it. */
function restartsItsPodsInPlace(jobSet: Unvalidated<JobSet>): boolean {
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

/** What an agent does that has announced its attempt. */
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
