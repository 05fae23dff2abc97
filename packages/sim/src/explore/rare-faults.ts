import { jobControllerKinds } from "../job-controller/stale-caches.ts";
import { webhookNames } from "../jobset-controller/webhooks.ts";
import type { Span } from "../kernel/cluster.ts";
import { type ClusterFault, slowComponents } from "../scenario/cluster-fault.ts";
import { clockOwners, type Fault } from "../scenario/fault.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** The objects that a rare fault can affect. */
export interface FaultTargets {
  readonly jobs: readonly string[];
  readonly nodes: readonly string[];
  /** The labels of nodes, each a topology domain. */
  readonly domains: readonly Domain[];
}

export interface Domain {
  readonly label: string;
  readonly value: string;
}

/** Draws a rare fault by its index. */
export function getRareFault(
  chance: SeededRandom,
  surroundings: FaultTargets,
  at: number,
  busyMs: number,
): Fault {
  const { below, happens, pick } = chance;
  const from = below(busyMs, "rareFrom", at);
  const until = from + below(busyMs / 3, "rareFor", at);
  const span = { from, until };
  if (happens(0.15, "rarest", at)) return getRarestFault(chance, surroundings, at, span);
  switch (below(6, "rareFault", at)) {
    case 0:
      return {
        fault: "TimeTravel",
        kind: getWatchedKind(chance, at),
        at: from,
        backMs: 1 + below(20_000, "back", at),
        forMs: below(20_000, "behind", at),
      };
    case 1:
      return { fault: "Freeze", ...span };
    case 2:
      return { fault: pick(["LoseEvents", "DelayEvents"] as const, "events", at), ...span };
    default:
      return getClusterFault(chance, surroundings, at, span);
  }
}

/** Picks a kind that the controller watches, mostly one on which its decisions depend. */
export function getWatchedKind({ happens, pick }: SeededRandom, at: number): string {
  return happens(0.15, "seldomChangingKind", at)
    ? pick(["Node", "PersistentVolumeClaim"], "seldomKind", at)
    : pick(["JobSet", "Job", "Pod", "Service"], "kind", at);
}

/** The maximum offset of a clock in milliseconds. */
const CLOCK_OFFSET_MS = 2_000;

function getRarestFault(
  { below, happens, pick }: SeededRandom,
  { jobs }: FaultTargets,
  at: number,
  span: Span,
): Fault {
  if (happens(0.3, "webhook", at)) {
    return { fault: "StaleWebhook", webhook: pick(webhookNames, "stale", at), ...span };
  }
  if (jobs.length === 0 || happens(0.5, "clock", at)) {
    const ms = below(2 * CLOCK_OFFSET_MS, "clockOffset", at) - CLOCK_OFFSET_MS;
    const clock = happens(0.5, "otherClock", at)
      ? { clock: pick(clockOwners, "whoseClock", at) }
      : {};
    return happens(0.5, "clockJumps", at)
      ? { fault: "ClockJump", ...clock, ms, ...span }
      : { fault: "ClockOffset", ...clock, ms };
  }
  // Once the Job exists, few requests can be rejected. After repeated rejections, the controller must report them.
  const during = happens(0.5, "refusedFromTheBeginning", at)
    ? { from: 0, until: 5_000 + below(60_000, "refusedFor", at) }
    : span;
  return { fault: "RefuseObject", kind: "Job", name: pick(jobs, "refused", at), ...during };
}

function getClusterFault(
  { below, happens, pick }: SeededRandom,
  { jobs, nodes, domains }: FaultTargets,
  at: number,
  span: Span,
): ClusterFault {
  const node = pick(nodes, "rareNode", at);
  const domain = domains.length === 0 ? undefined : pick(domains, "domain", at);
  switch (below(9, "clusterFault", at)) {
    case 0:
      return { fault: "Drain", node, ...span };
    case 1:
      return { fault: "Preempt", node, ...span };
    case 2:
      return {
        fault: "Taint",
        node,
        effect: pick(["NoSchedule", "NoExecute"] as const, "effect", at),
        ...span,
      };
    case 3: {
      const component = pick(slowComponents, "slow", at);
      return { fault: "Slow", component, ms: 1 + below(10_000, "slowBy", at), ...span };
    }
    case 4:
      return happens(0.5, "staleJobController", at)
        ? { fault: "StaleJobController", kind: pick(jobControllerKinds, "unheard", at), ...span }
        : { fault: "RestartJobController", at: span.from };
    case 5:
      return { fault: "SlowAgents", ms: 1 + below(20_000, "agentsLag", at), ...span };
    case 6: {
      if (jobs.length === 0) return { fault: "Drain", node, ...span };
      const [job, index] = [pick(jobs, "killed", at), below(2, "killedIndex", at)];
      const own = happens(0.7, "killedOne", at) ? { index } : {};
      return { fault: "KillContainers", job, ...own, at: span.from };
    }
    case 7:
      return domain === undefined
        ? { fault: "Drain", node, ...span }
        : { fault: "LoseDomain", ...domain, ...span };
    default: {
      if (domain === undefined) return { fault: "Drain", node, ...span };
      const { label } = domain;
      const values = domains.filter((one) => one.label === label).map(({ value }) => value);
      const value = pick([...values, undefined], "relabelled", at);
      return { fault: "Relabel", node, label, ...(value !== undefined && { value }), ...span };
    }
  }
}
