import type { EpochMillis } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  asString,
  type Container,
  getUid,
  isObject,
  namespacedName,
  type Pod,
  type PodStatus,
} from "@jobset-ts/api/kubernetes";
import { type AgentState, INITIAL_AGENT_STATE } from "@jobset-ts/core/agent";
import type { PersistentMap } from "@jobset-ts/core/persistent-map";
import { START_TIME } from "../kernel/cluster.ts";
import { type Process, updateMemory } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { getJobSetKey, hasAgents, type ObservedJobSets } from "./agents.ts";
import { findHostnameError } from "./pod-hostname.ts";
import {
  createCrashedStatus,
  createFinishedStatus,
  createRunningStatus,
  type PodExit,
  withReady,
} from "./pod-status.ts";
import { compileProgram, type Program, type WorkloadRule } from "./workload.ts";

/** The memory of the kubelets of all nodes. */
export interface KubeletMemory {
  /** The disconnected nodes. Their containers run, but nothing is reported. */
  readonly disconnected: PersistentMap<true>;
  /** The running Pods, by key. */
  readonly runs: PersistentMap<PodRun>;
  /** The number of allocated addresses. */
  readonly addresses: number;
  /** The JobSets that agents have observed. */
  readonly jobSets: ObservedJobSets;
}

/** One run of a Pod's containers, between two restarts. */
export interface PodRun {
  readonly uid: string;
  readonly program: Program;
  readonly restarts: number;
  /** When the containers start. In the future during a back-off. */
  readonly startsAt: EpochMillis;
  readonly isStarted: boolean;
  /** When the containers got the stop signal. */
  readonly stoppedAt?: EpochMillis;
  /** The state of the in-place restart agent, once it runs. While its barrier is closed, the worker does not run. */
  readonly agent?: AgentState;
  /**
   * The agent never observes its JobSet in a state before this time. Initially, this is the creation
   * of the Pod.
   */
  readonly observedUpTo: EpochMillis;
}

export type KubeletProcess = Process<KubeletMemory>;

/** The prefix of a Pod's key in the turn of its agent. */
export const AGENT = "agent/";
/** How long a kubelet or an agent takes to notice a Pod. */
export const SYNC_DELAY_MS = 5;
export const KILLED = 137;

export function forgetRun(process: KubeletProcess, key: string): void {
  const { runs } = process.memory;
  if (runs.get(key) !== undefined) updateMemory(process, { runs: runs.delete(key) });
}

/**
 * Records a new Pod, and waits until its containers can start. They never start if the hostname is too long for the
 * kernel.
 */
export function startRun(process: KubeletProcess, pod: Pod, script: readonly WorkloadRule[]): void {
  const program = compileProgram(script, pod, 0, process.now);
  const { now } = process;
  const hostnameError = findHostnameError(pod);
  if (hostnameError !== undefined) {
    const event = { type: "Warning", reason: "FailedCreatePodSandBox" } as const;
    process.report({ about: pod, ...event, message: hostnameError });
  }
  const startMs =
    hostnameError === undefined ? getStartMs(process, pod, program) : Number.POSITIVE_INFINITY;
  const startsAt = now + startMs;
  const run = {
    uid: getUid(pod),
    program,
    restarts: 0,
    startsAt,
    isStarted: false,
    observedUpTo: now,
  };
  saveRun(process, pod, run);
}

function getStartMs(process: KubeletProcess, pod: Pod, program: Program): number {
  if (program.startMs !== undefined) return program.startMs;
  const [least, most] = [50, 500];
  return (
    least + Math.floor(process.draw("start", namespacedName(pod), getUid(pod)) * (most - least))
  );
}

/** Saves a run, and requests a turn for its next step. */
export function saveRun(process: KubeletProcess, pod: Pod, run: PodRun): void {
  updateMemory(process, { runs: process.memory.runs.set(namespacedName(pod), run) });
  const deadline = getDeadline(process.objects.current(pod) ?? pod, process);
  const dueAt = getNextDueTime(run, deadline, process.now);
  if (Number.isFinite(dueAt)) process.wake(namespacedName(pod), dueAt - process.now);
}

/** Returns when the next step of a run is due. Infinity if there is none. */
function getNextDueTime(run: PodRun, deadline: EpochMillis, now: EpochMillis): EpochMillis {
  const { startsAt, isStarted, program } = run;
  if (!isStarted) return Math.min(startsAt, deadline);
  if (isHeldByAgent(run)) return deadline;
  const readyAt = startsAt + (program.readyMs ?? 0);
  return Math.min(readyAt > now ? readyAt : Number.POSITIVE_INFINITY, getEndTime(run), deadline);
}

function getEndTime({ startsAt, program }: PodRun): EpochMillis {
  const { runMs = Number.POSITIVE_INFINITY, endsAtMs } = program;
  const endsAt = endsAtMs === undefined ? Number.POSITIVE_INFINITY : START_TIME + endsAtMs;
  // A run that starts after this time ends right after its start.
  return Math.min(startsAt + runMs, Math.max(endsAt, startsAt + 1));
}

/** Returns when a Pod reaches its active deadline. Infinity if it has none. */
function getDeadline(
  { spec, status }: Pod,
  { now, clock }: Pick<KubeletProcess, "now" | "clock">,
): EpochMillis {
  const seconds: unknown = spec.activeDeadlineSeconds;
  if (typeof seconds !== "number") return Number.POSITIVE_INFINITY;
  const startedAt = Date.parse(asString(status?.startTime));
  if (!Number.isFinite(startedAt)) return Number.POSITIVE_INFINITY;
  // The start time comes from the kubelet's own clock.
  return startedAt + seconds * 1000 + (now - clock);
}

/** Performs the step of a run that is due. */
export function advanceRun(
  process: KubeletProcess,
  pod: Pod,
  run: PodRun,
  script: readonly WorkloadRule[],
): void {
  const { now } = process;
  if (now >= getDeadline(pod, process)) {
    const killed = { restarts: run.restarts, exitCode: KILLED, isForAll: true };
    finishPod(process, pod, killed, { reason: "DeadlineExceeded" });
    return;
  }
  if (now < run.startsAt || (run.isStarted && isHeldByAgent(run))) saveRun(process, pod, run);
  else if (!run.isStarted) startContainers(process, pod, withMembers(run, { isStarted: true }));
  else if (now >= getEndTime(run)) exitContainers(process, pod, run, script);
  else {
    if (now >= run.startsAt + (run.program.readyMs ?? 0)) {
      writeStatus(process, pod, withReady(asRecord(pod.status), true, process.clock));
    }
    saveRun(process, pod, run);
  }
}

function startContainers(process: KubeletProcess, pod: Pod, run: PodRun): void {
  const jobSet = process.memory.jobSets.get(getJobSetKey(pod))?.jobSet;
  const hasAgent = hasAgents(jobSet);
  const isReady = !hasAgent && (run.program.readyMs ?? 0) <= 0;
  const ip = asString(pod.status?.podIP) || allocateAddress(process);
  const exit = { restarts: run.restarts, isReady, ip };
  writeStatus(process, pod, createRunningStatus(pod, exit, process.clock));
  const members = { startsAt: process.now, ...(hasAgent && { agent: INITIAL_AGENT_STATE }) };
  saveRun(process, pod, withMembers(run, members));
  if (hasAgent) process.wake(AGENT + namespacedName(pod), SYNC_DELAY_MS);
}

function allocateAddress(process: KubeletProcess): string {
  const count = process.memory.addresses + 1;
  updateMemory(process, { addresses: count });
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
}

/** Handles containers that exited by themselves: restarts them or finishes the Pod. */
export function exitContainers(
  process: KubeletProcess,
  pod: Pod,
  run: PodRun,
  script: readonly WorkloadRule[],
): void {
  const { exitCode = 0, container } = run.program;
  const restarts = run.restarts + 1;
  if (!shouldRestart(pod, container, exitCode)) {
    finishPod(process, pod, { restarts: run.restarts, exitCode, container });
    return;
  }
  writeStatus(process, pod, createCrashedStatus(pod, restarts, process.clock));
  const program = compileProgram(script, pod, restarts, process.now);
  const hasRunLong = process.now - run.startsAt >= BACK_OFF_RESET_MS;
  const delay = hasRunLong ? BACK_OFF_MS : getBackOffMs(restarts);
  const startsAt = process.now + delay + (program.startMs ?? 0);
  const { uid, observedUpTo } = run;
  saveRun(process, pod, {
    uid,
    program,
    restarts,
    startsAt,
    isStarted: false,
    observedUpTo,
  });
}

const BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 300_000;
/** After a run of this length, the back-off starts again. */
const BACK_OFF_RESET_MS = 600_000;

function getBackOffMs(restarts: number): number {
  return Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** (restarts - 1));
}

/**
 * Returns whether exited containers restart. A restart rule of the exited container comes first, then its restart
 * policy or that of the Pod.
 */
function shouldRestart({ spec }: Pod, name: string | undefined, exitCode: number): boolean {
  const containers = asArray(spec.containers).filter(isObject);
  const container = containers.find((one) => one.name === name) ?? containers[0];
  if (
    asArray(container?.restartPolicyRules as readonly RestartRule[]).some((rule) =>
      matchesRestartRule(rule, exitCode),
    )
  ) {
    return true;
  }
  const policy =
    asString((container as Container | undefined)?.restartPolicy) || spec.restartPolicy;
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}

interface RestartRule {
  readonly exitCodes?: { readonly operator?: string; readonly values?: readonly number[] };
}

function matchesRestartRule({ exitCodes }: RestartRule, exitCode: number): boolean {
  const isListed = asArray(exitCodes?.values).includes(exitCode);
  return exitCodes?.operator === "NotIn" ? !isListed : isListed;
}

export function finishPod(
  process: KubeletProcess,
  pod: Pod,
  exit: PodExit,
  reason: Pick<PodStatus, "reason" | "message"> = {},
): void {
  writeStatus(process, pod, withMembers(createFinishedStatus(pod, exit, process.clock), reason));
  forgetRun(process, namespacedName(pod));
}

/** Sends a whole status. Kubelets write often, and this costs a fraction of an edit. */
export function writeStatus(process: KubeletProcess, pod: Pod, status: PodStatus): void {
  process.request({ verb: "update", subresource: "status", object: withMembers(pod, { status }) });
}

/** Returns whether the agent of a Pod blocks its worker. */
function isHeldByAgent({ agent }: PodRun): boolean {
  return agent?.barrier === "Up";
}
