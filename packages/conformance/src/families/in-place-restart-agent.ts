import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  type AgentAction,
  type AgentConfiguration,
  type AgentState,
  agentActionAfterRelease,
  agentConfiguration,
  agentStep,
  agentStepAfterAnnounce,
  type BarrierRelease,
  type BarrierReleaseResult,
  INITIAL_AGENT_STATE,
} from "@jobset-ts/core/agent";
import { isPlainObject } from "../normalise.ts";
import type { Family, ReplayResult } from "./family.ts";
import { readRecordedInput } from "./recorded-input.ts";

/** The input of a running agent. */
interface Running {
  readonly agent: RecordedConfiguration & {
    readonly attempt?: number;
    /** The default is an active barrier. */
    readonly barrierActive?: boolean;
  };
  readonly observations: readonly Observation[];
  /** How the worker of a main container exits. */
  readonly worker?: {
    readonly exitCode?: number;
    readonly signal?: string;
    readonly error?: string;
  };
  /** Why the startup probe server of a sidecar fails. */
  readonly probeError?: string;
}

interface Observation {
  readonly jobset?: Unvalidated<JobSet>;
  readonly applyError?: string;
}

/** The input of a starting agent. */
interface AgentStartInput {
  readonly env: Readonly<Record<string, string>>;
  /** Undefined if the file cannot be read. */
  readonly namespaceFile?: string;
}

/** Upstream's configuration. Go omits empty values. */
interface RecordedConfiguration {
  readonly namespace?: string;
  readonly jobSetName?: string;
  readonly podName?: string;
  readonly inPlaceRestartExitCode: number;
  readonly workerCommand?: string;
  readonly startupProbePath?: string;
  readonly startupProbePort?: string;
}

/** Replays the in-place restart agent: its actions at each observation until it exits, or its startup. */
export const inPlaceRestartAgent: Family = { family: "inPlaceRestart.agent", replay };

function replay(recorded: unknown): ReplayResult {
  const isStart = isPlainObject(recorded) && Object.hasOwn(recorded, "env");
  return {
    output: isStart
      ? startAgent(readRecordedInput<AgentStartInput>(recorded, ["env"]))
      : { steps: listSteps(readRecordedInput<Running>(recorded, ["agent", "observations"])) },
  };
}

function startAgent({ env, namespaceFile }: AgentStartInput): unknown {
  const read = agentConfiguration({ env, namespaceFile });
  if (!read.ok) return { exitCode: read.exitCode };
  const { namespace, role, ...named } = read.configuration;
  const { kind: _, ...how } = role;
  return { config: { ...named, ...how, ...(namespace !== "" && { namespace }) } };
}

function listSteps(input: Running): readonly unknown[] {
  const { attempt, barrierActive = true } = input.agent;
  let state: AgentState = {
    ...INITIAL_AGENT_STATE,
    attempt,
    barrier: barrierActive ? "Up" : "Down",
  };
  const steps: unknown[] = [];
  for (const observation of input.observations) {
    const { actions, ...after } = getStep(state, observation, input);
    state = after.state;
    steps.push({
      actions: actions.flatMap(toRecordedAction),
      ...(state.attempt !== undefined && { attempt: state.attempt }),
      barrierActive: state.barrier === "Up",
      ...toFieldError(actions),
    });
    if (actions.some(({ action }) => action === "Exit")) break;
  }
  return steps;
}

interface TakenStep {
  readonly state: AgentState;
  readonly actions: readonly AgentActionResult[];
}

/** An action and its error. */
type AgentActionResult = AgentAction & { readonly error?: string };

/** Returns all actions of an agent at one observation, from the results of its announcement and its worker. */
function getStep(
  before: AgentState,
  { jobset, applyError }: Observation,
  { agent, worker, probeError }: Running,
): TakenStep {
  const configuration = getConfiguration(agent);
  const actions: AgentActionResult[] = [];
  let { state, next } = agentStep(before, jobset, configuration);
  if (next.action === "Announce" && jobset !== undefined) {
    actions.push({ ...next, ...(applyError !== undefined && { error: applyError }) });
    const result =
      applyError === undefined
        ? ({ ok: true } as const)
        : ({ ok: false, message: applyError } as const);
    ({ state, next } = agentStepAfterAnnounce(state, next, result, jobset, configuration));
  }
  actions.push(next);
  if (next.action === "LiftBarrier") {
    actions.push(agentActionAfterRelease(liftResult(next.lift, worker, probeError)));
  }
  return { state, actions };
}

function getConfiguration({
  namespace = "",
  jobSetName = "",
  podName = "",
  inPlaceRestartExitCode,
  workerCommand,
  startupProbePath = "",
  startupProbePort = "",
}: RecordedConfiguration): AgentConfiguration {
  const role: AgentConfiguration["role"] =
    workerCommand === undefined
      ? { kind: "Sidecar", startupProbePath, startupProbePort }
      : { kind: "Main", workerCommand };
  return { namespace, jobSetName, podName, inPlaceRestartExitCode, role };
}

function liftResult(
  { kind }: BarrierRelease,
  { exitCode = 0, signal, error }: NonNullable<Running["worker"]> = {},
  probeError: string | undefined,
): BarrierReleaseResult {
  const failure = kind === "Main" ? error : probeError;
  if (failure !== undefined) return { outcome: "Failed", message: failure };
  if (kind === "Sidecar") return { outcome: "Serving" };
  return signal === undefined ? { outcome: "WorkerExited", exitCode } : { outcome: "WorkerKilled" };
}

/** Returns an action in its recorded form. Waiting and retrying are not recorded. */
function toRecordedAction(taken: AgentActionResult): readonly object[] {
  switch (taken.action) {
    case "Announce": {
      const { fieldManager, force, object, error } = taken;
      return [{ op: "apply", fieldManager, force, object, ...(error !== undefined && { error }) }];
    }
    case "LiftBarrier":
      return [{ op: "lift", ...toRecordedRelease(taken.lift) }];
    case "Exit":
      return [{ op: "exit", code: taken.exitCode }];
    case "Wait":
    case "Retry":
      return [];
  }
}

function toRecordedRelease(lift: BarrierRelease): object {
  if (lift.kind === "Main") return { mode: "main", command: lift.workerCommand };
  const { startupProbePath, startupProbePort, status } = lift;
  return { mode: "sidecar", addr: `:${startupProbePort}`, path: startupProbePath, status };
}

function toFieldError(actions: readonly AgentActionResult[]): object {
  const retry = actions.find(({ action }) => action === "Retry");
  return retry?.action === "Retry" ? { error: retry.message } : {};
}
