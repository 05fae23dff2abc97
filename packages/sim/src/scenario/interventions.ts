import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import { getAnnotation, getControllerOf, type Pod } from "@jobset-ts/api/kubernetes";
import type { Objects } from "../api-server/objects.ts";
import {
  holdCache,
  type JobControllerMemory,
  restartJobController,
} from "../job-controller/job-controller.ts";
import {
  acquireLease,
  freezeManager,
  holdWebhookCache,
  LEASE_LOSS_NOTICE_MS,
  LEASE_MS,
  loseLease,
  reconcileNow,
  restartWithStaleCache,
} from "../jobset-controller/manager-interventions.ts";
import type { ManagerMemory, ManagerProcess } from "../jobset-controller/manager-memory.ts";
import { applyExternally } from "../kernel/advance.ts";
import { type Cluster, type ClusterConfig, type Span, START_TIME } from "../kernel/cluster.ts";
import type { Process } from "../kernel/component.ts";
import { killContainers } from "../kubelet/agent-sync.ts";
import type { KubeletMemory } from "../kubelet/pod-runs.ts";
import { disconnectNode, reconnectNode } from "./disconnect-node.ts";
import type { Fault } from "./fault.ts";
import type { SimulationOptions } from "./simulation-options.ts";

/** An external effect on the programs of a cluster. */
export interface Intervention {
  readonly at: number;
  /** The settings from then on. Absent means that they do not change. */
  readonly settings?: SimulationOptions;
  readonly act: (world: ClusterConfig, cluster: Cluster) => Cluster;
}

/** The replicas of JobSet's controller. The first one leads at the start. */
export const MANAGERS = ["manager", "manager-standby"] as const;

/** Reports whether the run needs a second replica that waits for the lease. */
export function hasStandby(faults: readonly Fault[]): boolean {
  return faults.some((fault) => fault.fault === "Freeze" && outlastsLease(fault));
}

function outlastsLease({ from, until }: Span): boolean {
  return until - from > LEASE_MS;
}

/** Returns all interventions of a scenario in the order of time. */
export function listInterventions(faults: readonly Fault[]): readonly Intervention[] {
  const standstills = findStandstills(faults);
  return faults
    .flatMap((fault) => createInterventions(fault, standstills))
    .map(({ at, act }) => ({ at: START_TIME + at, act }))
    .sort((one, other) => one.at - other.at);
}

/** A time in which the leader is frozen. */
interface FreezePeriod {
  readonly fault: Extract<Fault, { fault: "Freeze" }>;
  readonly leader: string;
  readonly standby: string;
  /** Whether the other replica leads afterwards. */
  readonly isLost: boolean;
  /** The time at which only one replica is active again. */
  readonly settledAt: number;
}

/** Returns the freezes with their leaders. A freeze that would start before an earlier one has ended is skipped. */
function findStandstills(faults: readonly Fault[]): readonly FreezePeriod[] {
  const standstills: FreezePeriod[] = [];
  let [leader, standby]: readonly [string, string] = MANAGERS;
  const freezes = faults
    .flatMap((fault) => (fault.fault === "Freeze" ? [fault] : []))
    .sort((one, other) => one.from - other.from);
  for (const fault of freezes) {
    const { from, until } = fault;
    if (from < (standstills.at(-1)?.settledAt ?? 0) || until <= from) continue;
    const isLost = outlastsLease(fault);
    const settledAt = until + (isLost ? LEASE_LOSS_NOTICE_MS : 0);
    standstills.push({ fault, leader, standby, isLost, settledAt });
    if (isLost) [leader, standby] = [standby, leader];
  }
  return standstills;
}

function createInterventions(
  fault: Fault,
  standstills: readonly FreezePeriod[],
): readonly Intervention[] {
  switch (fault.fault) {
    case "CutOffNode":
      return [
        { at: fault.from, act: (world, cluster) => disconnectNode(world, cluster, fault.node) },
        { at: fault.until, act: (world, cluster) => reconnectNode(world, cluster, fault.node) },
      ];
    case "RestartJobController": {
      const act = forComponent<JobControllerMemory>("job-controller", restartJobController);
      return [{ at: fault.at, act }];
    }
    case "StaleJobController": {
      const { kind, from, until } = fault;
      const freezeJobController = (process: Process<JobControllerMemory>) =>
        holdCache(process, kind, START_TIME + until);
      return [{ at: from, act: forComponent("job-controller", freezeJobController) }];
    }
    case "KillContainers": {
      const act = forComponent<KubeletMemory>("kubelet", (kubelet) => killAll(kubelet, fault));
      return [{ at: fault.at, act }];
    }
    case "TimeTravel":
      return createTimeTravelInterventions(fault, standstills);
    case "StaleWebhook":
      return createStaleWebhookInterventions(fault, standstills);
    case "Freeze": {
      const standstill = standstills.find((one) => one.fault === fault);
      return standstill === undefined ? [] : createFreezeInterventions(standstill);
    }
    case "Spurious":
      return createSpuriousInterventions(fault, standstills);
    // Other modules handle these: the network, `node-operator.ts` and `slowdowns.ts`.
    case "HoldBack":
    case "Relist":
    case "DelayRequest":
    case "LoseRequest":
    case "LoseReply":
    case "Refuse":
    case "RefuseObject":
    case "Race":
    case "Crash":
    case "WebhookOutage":
    case "ClockOffset":
    case "ClockJump":
    case "LoseEvents":
    case "DelayEvents":
    case "Drain":
    case "LoseDomain":
    case "Preempt":
    case "Relabel":
    case "Taint":
    case "Slow":
    case "SlowAgents":
      return [];
  }
}

type KillContainersFault = Extract<Fault, { fault: "KillContainers" }>;

function killAll(kubelet: Process<KubeletMemory>, fault: KillContainersFault): void {
  for (const pod of podsToKill(fault, kubelet.objects)) killContainers(kubelet, pod);
}

/** Returns the running Pods whose containers a fault kills. */
export function podsToKill(
  { job, index }: Omit<KillContainersFault, "at">,
  objects: Objects,
): readonly Pod[] {
  return objects.ofKind<Pod>("Pod").filter((pod) => {
    const own = getAnnotation(pod, JOB_COMPLETION_INDEX_KEY);
    return getControllerOf(pod)?.name === job && (index === undefined || own === String(index));
  });
}

function createTimeTravelInterventions(
  { at, kind, backMs, forMs }: Extract<Fault, { fault: "TimeTravel" }>,
  standstills: readonly FreezePeriod[],
): readonly Intervention[] {
  // While a leader is frozen, no controller restarts.
  if (standstills.some(({ fault: { from }, settledAt }) => at >= from && at < settledAt)) return [];
  const travel = { kind, asOf: START_TIME + at - backMs, arrivesAt: START_TIME + at + forMs };
  const leader = leaderAt(standstills, at);
  return [{ at, act: forManager(leader, (process) => restartWithStaleCache(process, travel)) }];
}

function createStaleWebhookInterventions(
  { webhook, from, until }: Extract<Fault, { fault: "StaleWebhook" }>,
  standstills: readonly FreezePeriod[],
): readonly Intervention[] {
  const holdProcess = (process: ManagerProcess) =>
    holdWebhookCache(process, webhook, START_TIME + until);
  return [{ at: from, act: forManager(leaderAt(standstills, from), holdProcess) }];
}

function createSpuriousInterventions(
  { at, jobSet }: Extract<Fault, { fault: "Spurious" }>,
  standstills: readonly FreezePeriod[],
): readonly Intervention[] {
  const leader = leaderAt(standstills, at);
  return [{ at, act: forManager(leader, (process) => reconcileNow(process, jobSet)) }];
}

function leaderAt(standstills: readonly FreezePeriod[], at: number): string {
  const last = standstills.findLast(({ settledAt }) => settledAt <= at);
  if (last === undefined) return MANAGERS[0];
  return last.isLost ? last.standby : last.leader;
}

function createFreezeInterventions({
  fault: { from, until },
  leader,
  standby,
  isLost,
  settledAt,
}: FreezePeriod): readonly Intervention[] {
  const frozen: Intervention = {
    at: from,
    act: forManager(leader, (process) => freezeManager(process, START_TIME + until)),
  };
  if (!isLost) return [frozen];
  return [
    frozen,
    {
      at: from + LEASE_MS,
      act: (world, cluster) => {
        const { requestCount } = cluster.memories.get(leader) as ManagerMemory;
        return forManager(standby, (process) => acquireLease(process, requestCount))(
          world,
          cluster,
        );
      },
    },
    { at: settledAt, act: forManager(leader, loseLease) },
  ];
}

/** Returns an effect on a replica of JobSet's controller. */
export function forManager(name: string, action: (process: ManagerProcess) => void) {
  return forComponent(name, action);
}

function forComponent<Memory, Turn = string>(
  name: string,
  action: (process: Process<Memory, Turn>) => void,
): Intervention["act"] {
  return (world, cluster) =>
    applyExternally(world, cluster, name, action as (process: Process<unknown>) => void).cluster;
}
