import type { Instant } from "@jobset-ts/api";
import { POD_CONDITION_DISRUPTION_TARGET } from "@jobset-ts/api/conditions";
import {
  type Container,
  integerOf,
  isObject,
  keyOf,
  listOf,
  membersOf,
  type Node,
  nameOf,
  namespaceOf,
  type Pod,
  type PodStatus,
  textOf,
  uidOf,
} from "@jobset-ts/api/kubernetes";
import { AGENT_START, type AgentState } from "@jobset-ts/core/agent";
import { emptyTrie, type Trie } from "@jobset-ts/core/persistent-map";
import { hasEnded, withPodCondition } from "../api-server/pod-conditions.ts";
import { BEGINNING } from "../kernel/cluster.ts";
import { type Change, type Component, objectOf, type Process } from "../kernel/component.ts";
import { setReady } from "../nodes/node-lifecycle.ts";
import {
  agentLag,
  agentMove,
  hasAgents,
  jobSetKeyOf,
  type SeenJobSets,
  seenAt,
  withSeen,
} from "./agents.ts";
import { crashedStatus, endedStatus, type PodEnd, runningStatus, withReady } from "./pod-status.ts";
import { type Program, programOf, type WorkloadRule } from "./workload.ts";

/** What the kubelets of all nodes remember together. */
export interface KubeletMemory {
  /** The nodes that are cut off: their containers go on, but nobody hears of it. */
  readonly cutOff: Trie<true>;
  /** The Pods that they run, by key. */
  readonly runs: Trie<PodRun>;
  /** Counts the addresses given out. */
  readonly addresses: number;
  /** What agents see of their JobSets. */
  readonly jobSets: SeenJobSets;
}

/** One run of a Pod's containers, between two restarts. */
interface PodRun {
  readonly uid: string;
  readonly program: Program;
  readonly restarts: number;
  /** When they run; in the future during a back-off. */
  readonly startsAt: Instant;
  readonly isStarted: boolean;
  /** When they were asked to stop. */
  readonly stoppedAt?: Instant;
  /** The in-place restart agent, once it runs; while its barrier is up, nothing else of the program does. */
  readonly agent?: AgentState;
  /** The JobSet as it was then is the latest that the agent has seen. */
  readonly sawUpTo?: Instant;
}

/** What the containers of Pods do, and by how many milliseconds their agents lag behind beyond what is usual. */
interface Machines {
  readonly script: readonly WorkloadRule[];
  readonly agentLagMs: (now: Instant) => number;
}

/**
 * The kubelets of all nodes. They run the Pods that are bound to their nodes, as a script says, and write how that goes.
 * A turn's key is a Pod's; before a node's name, `node/` lets a kubelet look after all its Pods, before a Pod's key, `agent/`
 * lets the agent in it look at its JobSet, and `kill/` ends its containers.
 */
export function kubelets(
  script: readonly WorkloadRule[] = [],
  agentLagMs: Machines["agentLagMs"] = () => 0,
): Component<KubeletMemory> {
  const machines = { script, agentLagMs };
  return {
    name: "kubelet",
    memory: { cutOff: emptyTrie(), runs: emptyTrie(), addresses: 0, jobSets: emptyTrie() },
    watches: ["Pod", "Node", "JobSet"],
    observe: (change, process) => {
      const { before, after } = change;
      const { kind } = objectOf(change);
      if (kind === "Node") {
        observeNode(process, before as Node | undefined, after as Node | undefined);
        return;
      }
      if (kind === "JobSet") {
        observeJobSet(process, change, machines);
        return;
      }
      const [was, is] = [before as Pod | undefined, after as Pod | undefined];
      if (is === undefined) {
        if (was !== undefined) forgetRun(process, keyOf(was));
      } else if (isNews(was, is)) process.wake(keyOf(is), HEARS_AFTER_MILLIS);
    },
    act: (key, process) => {
      if (key.startsWith(NODE)) lookAfterNode(key.slice(NODE.length), process);
      else if (key.startsWith(AGENT)) lookAfterAgent(key.slice(AGENT.length), process, machines);
      else if (key.startsWith(KILL)) kill(key.slice(KILL.length), process, script);
      else lookAfterPod(key, process, script);
    },
  };
}

type KubeletProcess = Process<KubeletMemory>;

const NODE = "node/";
const AGENT = "agent/";
const KILL = "kill/";
const HEARS_AFTER_MILLIS = 5;
/** From a Pod's last word until it is removed. */
const REMOVES_AFTER_MILLIS = 10;
/** How soon an agent tries again what was refused. */
const RETRIES_AFTER_MILLIS = 1_000;
const KILLED = 137;
const DEFAULT_GRACE_SECONDS = 30;

/** Lets the kubelet of a node be cut off, or be back. */
export function setCutOff(process: KubeletProcess, node: string, isCutOff: boolean): void {
  const { cutOff } = process.memory;
  remember(process, { cutOff: isCutOff ? cutOff.set(node, true) : cutOff.delete(node) });
  if (!isCutOff) process.wake(`${NODE}${node}`);
}

function remember(process: KubeletProcess, changed: Partial<KubeletMemory>): void {
  process.memory = { ...process.memory, ...changed };
}

function forgetRun(process: KubeletProcess, key: string): void {
  const { runs } = process.memory;
  if (runs.get(key) !== undefined) remember(process, { runs: runs.delete(key) });
}

/** A node that comes back finds the Pods that were left on it. */
function observeNode(process: KubeletProcess, was: Node | undefined, is: Node | undefined): void {
  if (was !== undefined || is === undefined) return;
  if (process.objects.podsOn(nameOf(is)).length > 0) process.wake(`${NODE}${nameOf(is)}`);
}

/** The agents in the Pods of a JobSet hear of its changes, each after a while. */
function observeJobSet(process: KubeletProcess, change: Change, machines: Machines): void {
  const { jobSets } = process.memory;
  const seen = withSeen(jobSets, change);
  if (seen === jobSets) return;
  remember(process, { jobSets: seen });
  for (const job of process.objects.ownedBy(uidOf(objectOf(change)))) {
    for (const pod of process.objects.ownedBy(uidOf(job))) {
      const run = process.memory.runs.get(keyOf(pod));
      if (run?.agent === undefined) continue;
      process.wake(AGENT + keyOf(pod), lagOf(process, run, machines));
    }
  }
}

function lagOf(process: KubeletProcess, run: PodRun, { agentLagMs }: Machines): number {
  return agentLag(process.draw("agent", run.uid, run.restarts)) + agentLagMs(process.now);
}

/** Lets the containers of a Pod die. */
export function killContainers(process: KubeletProcess, pod: Pod): void {
  process.wake(KILL + keyOf(pod));
}

function kill(key: string, process: KubeletProcess, script: readonly WorkloadRule[]): void {
  const found = runningPod(key, process);
  if (found === undefined) return;
  const { pod, run } = found;
  exit(process, pod, { ...run, program: { ...run.program, exitCode: KILLED } }, script);
}

/** A Pod whose containers run on a node that is heard of, and which nobody stops. */
function runningPod(
  key: string,
  process: KubeletProcess,
): { readonly pod: Pod; readonly run: PodRun } | undefined {
  const [namespace = "", name = ""] = key.split("/");
  const pod = process.objects.get<Pod>("Pod", namespace, name);
  const run = process.memory.runs.get(key);
  if (pod === undefined || run?.uid !== uidOf(pod) || !run.isStarted) return undefined;
  const node = textOf(pod.spec.nodeName);
  const isHeardOf =
    process.memory.cutOff.get(node) === undefined &&
    process.objects.get("Node", "", node) !== undefined;
  const isStopped = pod.metadata.deletionTimestamp !== undefined || hasEnded(pod);
  return isHeardOf && !isStopped ? { pod, run } : undefined;
}

/** Lets the agent of a Pod look at its JobSet, and does about the container what it says. */
function lookAfterAgent(key: string, process: KubeletProcess, machines: Machines): void {
  const found = runningPod(key, process);
  if (found?.run.agent === undefined) return;
  const { pod, run } = found;
  const lag = lagOf(process, run, machines);
  // What an agent has seen once it does not see otherwise later.
  const sawUpTo = Math.max(run.sawUpTo ?? 0, process.now - lag);
  const { jobSet, changedAt } = seenAt(process.memory.jobSets, pod, sawUpTo);
  if (changedAt !== undefined)
    process.wake(AGENT + key, Math.max(1, changedAt + lag - process.now));
  const moved = agentMove(found.run.agent, pod, jobSet, (request) => process.request(request));
  const current = process.objects.current(pod) ?? pod;
  if (moved.move === "Exit") {
    const program = { ...run.program, exitCode: moved.exitCode };
    exit(process, current, { ...run, program }, machines.script);
    return;
  }
  const next = { ...run, agent: moved.agent, sawUpTo };
  if (moved.move === "Retry") process.wake(AGENT + key, RETRIES_AFTER_MILLIS);
  if (moved.move !== "Lift") {
    remember(process, { runs: process.memory.runs.set(key, next) });
    return;
  }
  if ((run.program.readyMillis ?? 0) <= 0) {
    writeStatus(process, current, withReady(membersOf(current.status), true, process.now));
  }
  keep(process, current, { ...next, startsAt: process.now });
}

/** Whether a Pod's work waits for its agent. */
function isHeld({ agent }: PodRun): boolean {
  return agent?.barrier === "Up";
}

/** Whether a kubelet has to look after a Pod: it is new on the node, or is to be stopped, or earlier than it was. */
function isNews(was: Pod | undefined, { metadata, spec }: Pod): boolean {
  if (textOf(spec.nodeName) === "") return false;
  return (
    was?.spec.nodeName !== spec.nodeName ||
    was?.metadata.deletionTimestamp !== metadata.deletionTimestamp
  );
}

/** A kubelet that is back says so, and looks after what it has missed. */
function lookAfterNode(name: string, process: KubeletProcess): void {
  const node = process.objects.get<Node>("Node", "", name);
  if (node === undefined || process.memory.cutOff.get(name) !== undefined) return;
  const message = "kubelet is posting ready status";
  setReady(process, node, { status: "True", reason: "KubeletReady", message });
  for (const pod of process.objects.podsOn(name)) process.wake(keyOf(pod));
}

function lookAfterPod(key: string, process: KubeletProcess, script: readonly WorkloadRule[]): void {
  const [namespace = "", name = ""] = key.split("/");
  const pod = process.objects.get<Pod>("Pod", namespace, name);
  const node = textOf(pod?.spec.nodeName);
  if (pod === undefined || node === "") return;
  if (process.memory.cutOff.get(node) !== undefined) return;
  // With its node, a machine is gone.
  if (process.objects.get("Node", "", node) === undefined) return;
  const known = process.memory.runs.get(key);
  const run = known?.uid === uidOf(pod) ? known : undefined;
  if (pod.metadata.deletionTimestamp !== undefined) stop(process, pod, run);
  else if (hasEnded(pod)) forgetRun(process, key);
  else if (run === undefined) begin(process, pod, script);
  else goOn(process, pod, run, script);
}

/** Notes a Pod that is new, and waits until its containers can start. */
function begin(process: KubeletProcess, pod: Pod, script: readonly WorkloadRule[]): void {
  const program = programOf(script, pod, 0, process.now);
  const startsAt = process.now + startMillisOf(process, pod, program);
  keep(process, pod, { uid: uidOf(pod), program, restarts: 0, startsAt, isStarted: false });
}

function startMillisOf(process: KubeletProcess, pod: Pod, program: Program): number {
  if (program.startMillis !== undefined) return program.startMillis;
  const [least, most] = [50, 500];
  return least + Math.floor(process.draw("start", keyOf(pod), uidOf(pod)) * (most - least));
}

/** Remembers a run, and wakes when something is due in it. */
function keep(process: KubeletProcess, pod: Pod, run: PodRun): void {
  remember(process, { runs: process.memory.runs.set(keyOf(pod), run) });
  const dueAt = nextDue(run, process.objects.current(pod) ?? pod, process.now);
  if (Number.isFinite(dueAt)) process.wake(keyOf(pod), dueAt - process.now);
}

/** When something is to be done in a run; infinitely late when nothing is. */
function nextDue(run: PodRun, pod: Pod, now: Instant): Instant {
  const { startsAt, isStarted, program } = run;
  if (!isStarted) return Math.min(startsAt, deadlineOf(pod));
  if (isHeld(run)) return deadlineOf(pod);
  const readyAt = startsAt + (program.readyMillis ?? 0);
  return Math.min(readyAt > now ? readyAt : Number.POSITIVE_INFINITY, endOf(run), deadlineOf(pod));
}

function endOf({ startsAt, program }: PodRun): Instant {
  const { runMillis = Number.POSITIVE_INFINITY, endsAtMillis } = program;
  const endsAt = endsAtMillis === undefined ? Number.POSITIVE_INFINITY : BEGINNING + endsAtMillis;
  // What has not started by then ends as soon as it has.
  return Math.min(startsAt + runMillis, Math.max(endsAt, startsAt + 1));
}

/** When a Pod has been active for as long as it may; infinitely late where there is no limit. */
function deadlineOf({ spec, status }: Pod): Instant {
  const seconds: unknown = spec.activeDeadlineSeconds;
  const startedAt = Date.parse(textOf(status?.startTime));
  return typeof seconds === "number" && Number.isFinite(startedAt)
    ? startedAt + seconds * 1000
    : Number.POSITIVE_INFINITY;
}

/** Does what is due in a run. */
function goOn(
  process: KubeletProcess,
  pod: Pod,
  run: PodRun,
  script: readonly WorkloadRule[],
): void {
  const { now } = process;
  if (now >= deadlineOf(pod)) {
    const killed = { restarts: run.restarts, exitCode: KILLED, isForAll: true };
    end(process, pod, killed, { reason: "DeadlineExceeded" });
    return;
  }
  if (now < run.startsAt || (run.isStarted && isHeld(run))) keep(process, pod, run);
  else if (!run.isStarted) start(process, pod, { ...run, isStarted: true });
  else if (now >= endOf(run)) exit(process, pod, run, script);
  else {
    if (now >= run.startsAt + (run.program.readyMillis ?? 0)) {
      writeStatus(process, pod, withReady(membersOf(pod.status), true, now));
    }
    keep(process, pod, run);
  }
}

function start(process: KubeletProcess, pod: Pod, run: PodRun): void {
  const jobSet = process.memory.jobSets.get(jobSetKeyOf(pod))?.jobSet;
  const hasAgent = hasAgents(jobSet);
  const isReady = !hasAgent && (run.program.readyMillis ?? 0) <= 0;
  const ip = textOf(pod.status?.podIP) || newAddress(process);
  const said = { restarts: run.restarts, isReady, ip };
  writeStatus(process, pod, runningStatus(pod, said, process.now));
  keep(process, pod, { ...run, startsAt: process.now, ...(hasAgent && { agent: AGENT_START }) });
  if (hasAgent) process.wake(AGENT + keyOf(pod), HEARS_AFTER_MILLIS);
}

function newAddress(process: KubeletProcess): string {
  const count = process.memory.addresses + 1;
  remember(process, { addresses: count });
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
}

/** The containers have ended by themselves: they are restarted, or the Pod has ended. */
function exit(
  process: KubeletProcess,
  pod: Pod,
  run: PodRun,
  script: readonly WorkloadRule[],
): void {
  const { exitCode = 0, container } = run.program;
  const restarts = run.restarts + 1;
  if (!isRestarted(pod, container, exitCode)) {
    end(process, pod, { restarts: run.restarts, exitCode, container });
    return;
  }
  writeStatus(process, pod, crashedStatus(pod, restarts, process.now));
  const program = programOf(script, pod, restarts, process.now);
  const hasRunLong = process.now - run.startsAt >= FORGIVES_AFTER_MILLIS;
  const delay = hasRunLong ? BACK_OFF_MILLIS : backOffMillis(restarts);
  const startsAt = process.now + delay + (program.startMillis ?? 0);
  keep(process, pod, { uid: run.uid, program, restarts, startsAt, isStarted: false });
}

const BACK_OFF_MILLIS = 10_000;
const MAX_BACK_OFF_MILLIS = 300_000;
/** After so long a run a crash counts as the first one. */
const FORGIVES_AFTER_MILLIS = 600_000;

function backOffMillis(restarts: number): number {
  return Math.min(MAX_BACK_OFF_MILLIS, BACK_OFF_MILLIS * 2 ** (restarts - 1));
}

/** Whether containers that end with a code are restarted, by a rule of the one that does or by its or the Pod's policy. */
function isRestarted({ spec }: Pod, name: string | undefined, exitCode: number): boolean {
  const containers = listOf(spec.containers).filter(isObject);
  const container = containers.find((one) => one.name === name) ?? containers[0];
  if (
    listOf(container?.restartPolicyRules as readonly RestartRule[]).some((rule) =>
      matches(rule, exitCode),
    )
  ) {
    return true;
  }
  const policy = textOf((container as Container | undefined)?.restartPolicy) || spec.restartPolicy;
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}

interface RestartRule {
  readonly exitCodes?: { readonly operator?: string; readonly values?: readonly number[] };
}

function matches({ exitCodes }: RestartRule, exitCode: number): boolean {
  const isListed = listOf(exitCodes?.values).includes(exitCode);
  return exitCodes?.operator === "NotIn" ? !isListed : isListed;
}

function end(
  process: KubeletProcess,
  pod: Pod,
  said: PodEnd,
  why: Pick<PodStatus, "reason" | "message"> = {},
): void {
  writeStatus(process, pod, { ...endedStatus(pod, said, process.now), ...why });
  forgetRun(process, keyOf(pod));
}

/** Sends a whole status, which for the many writes of kubelets costs a fraction of an edit. */
function writeStatus(process: KubeletProcess, pod: Pod, status: PodStatus): void {
  process.request({ verb: "update", subresource: "status", object: { ...pod, status } });
}

/** Ends a Pod to relieve its node. */
export function evictForPressure(process: KubeletProcess, pod: Pod): void {
  const message = "The node was low on resource: memory.";
  const restarts = process.memory.runs.get(keyOf(pod))?.restarts ?? 0;
  const target = {
    type: POD_CONDITION_DISRUPTION_TARGET,
    status: "True",
    reason: "TerminationByKubelet",
    message,
  } as const;
  const conditions = withPodCondition(pod.status?.conditions, target, process.now);
  const disrupted = { ...pod, status: { ...pod.status, conditions } };
  const killed = { restarts, exitCode: KILLED, isForAll: true };
  end(process, disrupted, killed, { reason: "Evicted", message });
}

/** Stops a Pod that is being deleted: asks, waits, kills, writes how it ended, and removes it. */
function stop(process: KubeletProcess, pod: Pod, run: PodRun | undefined): void {
  if (hasEnded(pod)) {
    remove(process, pod);
    return;
  }
  const { now } = process;
  const stoppedAt = run?.stoppedAt ?? now;
  const grace = integerOf(pod.metadata.deletionGracePeriodSeconds, DEFAULT_GRACE_SECONDS) * 1000;
  const { stopMillis = Number.POSITIVE_INFINITY, stopExitCode = 0 } = run?.program ?? {};
  const isObeying = stopMillis <= grace;
  const isRunning = run?.isStarted === true;
  const endsAt = isRunning ? stoppedAt + Math.min(stopMillis, grace) : now;
  if (run !== undefined && now < endsAt) {
    remember(process, { runs: process.memory.runs.set(keyOf(pod), { ...run, stoppedAt }) });
    process.wake(keyOf(pod), endsAt - now);
    return;
  }
  const exitCode = isRunning && isObeying ? stopExitCode : KILLED;
  end(process, pod, { restarts: run?.restarts ?? 0, exitCode, isForAll: true });
  process.wake(keyOf(pod), REMOVES_AFTER_MILLIS);
}

function remove(process: KubeletProcess, pod: Pod): void {
  if (integerOf(pod.metadata.deletionGracePeriodSeconds, 0) === 0) return;
  const metadata = { name: nameOf(pod), namespace: namespaceOf(pod), uid: uidOf(pod) };
  process.request({
    verb: "delete",
    object: { kind: "Pod", metadata },
    gracePeriodSeconds: 0,
    preconditions: { uid: uidOf(pod) },
  });
}
