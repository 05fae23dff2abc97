import type { EpochMillis } from "@jobset-ts/api";
import { asRecord, asString, getUid, namespacedName, type Pod } from "@jobset-ts/api/kubernetes";
import { isPodFinished } from "../api-server/pod-conditions.ts";
import { type Change, getChangedObject, updateMemory } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { findObservedJobSet, getAgentLagMs, stepAgent, withObserved } from "./agents.ts";
import {
  AGENT,
  exitContainers,
  KILLED,
  type KubeletProcess,
  type PodRun,
  saveRun,
  writeStatus,
} from "./pod-runs.ts";
import { withReady } from "./pod-status.ts";
import type { WorkloadRule } from "./workload.ts";

/** The programs of the containers, and the additional lag of their agents in milliseconds. */
export interface KubeletScript {
  readonly workload: readonly WorkloadRule[];
  readonly agentLagMs: (now: EpochMillis) => number;
}

/** The prefix of a Pod's key in the turn that ends its containers. */
export const KILL = "kill/";
/** How soon an agent retries a rejected request. */
const RETRY_DELAY_MS = 1_000;

/** Notifies the agents of a JobSet about its changes, each after its lag. */
export function observeJobSet(
  process: KubeletProcess,
  change: Change,
  script: KubeletScript,
): void {
  const { jobSets } = process.memory;
  const observed = withObserved(jobSets, change);
  if (observed === jobSets) return;
  updateMemory(process, { jobSets: observed });
  for (const job of process.objects.ownedBy(getUid(getChangedObject(change)))) {
    for (const pod of process.objects.ownedBy(getUid(job))) {
      const run = process.memory.runs.get(namespacedName(pod));
      if (run?.agent === undefined) continue;
      process.wake(AGENT + namespacedName(pod), getLag(process, run, script));
    }
  }
}

function getLag(process: KubeletProcess, run: PodRun, { agentLagMs }: KubeletScript): number {
  return getAgentLagMs(process.draw("agent", run.uid, run.restarts)) + agentLagMs(process.now);
}

/** Kills the containers of a Pod. */
export function killContainers(process: KubeletProcess, pod: Pod): void {
  process.wake(KILL + namespacedName(pod));
}

export function kill(key: string, process: KubeletProcess, script: readonly WorkloadRule[]): void {
  const running = findRunningPod(key, process);
  if (running === undefined) return;
  const { pod, run } = running;
  exitContainers(process, pod, { ...run, program: { ...run.program, exitCode: KILLED } }, script);
}

/** Returns a Pod whose containers run on a connected node and that is not being deleted. */
export function findRunningPod(
  key: string,
  process: Pick<KubeletProcess, "objects" | "memory">,
): { readonly pod: Pod; readonly run: PodRun } | undefined {
  const [namespace = "", name = ""] = key.split("/");
  const pod = process.objects.get<Pod>("Pod", namespace, name);
  const run = process.memory.runs.get(key);
  if (pod === undefined || run?.uid !== getUid(pod) || !run.isStarted) return undefined;
  const node = asString(pod.spec.nodeName);
  const isObserved =
    process.memory.disconnected.get(node) === undefined &&
    process.objects.get("Node", "", node) !== undefined;
  const isStopped = pod.metadata.deletionTimestamp !== undefined || isPodFinished(pod);
  return isObserved && !isStopped ? { pod, run } : undefined;
}

/** Runs the agent of a Pod once and applies its decision to the containers. */
export function syncAgent(key: string, process: KubeletProcess, script: KubeletScript): void {
  const running = findRunningPod(key, process);
  if (running?.run.agent === undefined) return;
  const { pod, run } = running;
  const lag = getLag(process, run, script);
  // The agent never observes an earlier state of its JobSet than before.
  const observedUpTo = Math.max(run.observedUpTo, process.now - lag);
  const { jobSet, changedAt } = findObservedJobSet(process.memory.jobSets, pod, observedUpTo);
  if (changedAt !== undefined)
    process.wake(AGENT + key, Math.max(1, changedAt + lag - process.now));
  const step = stepAgent(running.run.agent, pod, jobSet, (request) => process.request(request));
  const current = process.objects.current(pod) ?? pod;
  if (step.move === "Exit") {
    const program = { ...run.program, exitCode: step.exitCode };
    exitContainers(process, current, { ...run, program }, script.workload);
    return;
  }
  const next = withMembers(run, { agent: step.agent, observedUpTo });
  if (step.move === "Retry") process.wake(AGENT + key, RETRY_DELAY_MS);
  if (step.move !== "Lift") {
    updateMemory(process, { runs: process.memory.runs.set(key, next) });
    return;
  }
  if ((run.program.readyMs ?? 0) <= 0) {
    writeStatus(process, current, withReady(asRecord(current.status), true, process.clock));
  }
  saveRun(process, current, { ...next, startsAt: process.now });
}
