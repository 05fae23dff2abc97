import type { EpochMillis } from "@jobset-ts/api";
import { WATCHED_KINDS } from "../jobset-controller/caches.ts";
import { LEASE_MS } from "../jobset-controller/manager-interventions.ts";
import type { ManagerMemory } from "../jobset-controller/manager-memory.ts";
import { webhookNames } from "../jobset-controller/webhooks.ts";
import { type Span, START_TIME } from "../kernel/cluster.ts";
import type { Fault, RefusalCode } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { SimulationResult } from "../scenario/simulate.ts";

/**
 * Yields a scenario with each single fault of the controller and its network: at each request that it sends in an
 * undisturbed run, and in each tenth of the turns of that run. In each tenth, every watched kind is delayed or listed
 * again once; a restarted controller sees JobSets, Jobs or Pods in their state one tenth earlier; the controller
 * freezes and another one leads; the Job controller restarts; all webhooks or one of them are down; and JobSets are
 * reconciled without a cause. No fault lasts longer than ten minutes.
 *
 * @param undisturbed - the final state of the scenario without faults
 * @example
 * const scenario = { ...randomScenario(1), faults: [] };
 * [...singleFaults(scenario, simulate(scenario))].every(({ faults }) => faults.length === 1) // => true
 */
export function* singleFaults(
  scenario: Scenario,
  { end, changedAt }: Pick<SimulationResult, "end" | "changedAt">,
): Generator<Scenario, void, undefined> {
  const { requestCount } = end.memories.get("manager") as ManagerMemory;
  for (let request = 1; request <= requestCount; request++) {
    for (const fault of listRequestFaults(request)) yield { ...scenario, faults: [fault] };
  }
  for (const tenth of toTenths(changedAt)) {
    for (const fault of listTimeFaults(scenario, tenth)) yield { ...scenario, faults: [fault] };
  }
}

/** A period in which a tenth of the turns of a run happen, in milliseconds since the start of the run. */
interface SituationTenth extends Span {
  /** The duration of the previous tenth. */
  readonly beforeMs: number;
  /** The end of the next tenth. */
  readonly next: number;
}

/** The maximum duration of a fault. Most pending events come by then, except the deletion of finished JobSets. */
const MAX_FAULT_MS = 600_000;

/** Returns fewer than ten if events happen at fewer times. */
function toTenths(changedAt: readonly EpochMillis[]): readonly SituationTenth[] {
  const begins = Array.from(
    { length: 10 },
    (_, at) => (changedAt[Math.floor((at * changedAt.length) / 10)] ?? START_TIME) - START_TIME,
  );
  const ends = (changedAt.at(-1) ?? START_TIME) + 1 - START_TIME;
  const moments = [...new Set([...begins, ends])];
  return moments.slice(0, -1).map((from, at) => {
    const until = moments[at + 1] ?? ends;
    const next = moments[at + 2] ?? until + (until - from);
    return {
      from,
      until: Math.min(until, from + MAX_FAULT_MS),
      beforeMs: Math.min(from - (moments[at - 1] ?? from), MAX_FAULT_MS),
      next: Math.min(next, from + MAX_FAULT_MS),
    };
  });
}

function listTimeFaults({ objects }: Scenario, tenth: SituationTenth): readonly Fault[] {
  const { from, next: until } = tenth;
  // The initial objects are admitted first.
  const start = Math.max(1, from);
  const travel = { at: from, backMs: tenth.beforeMs, forMs: tenth.until - from };
  return [
    ...WATCHED_KINDS.flatMap((kind): readonly Fault[] => [
      { fault: "HoldBack", kind, from, until },
      { fault: "Relist", kind, from, until },
    ]),
    ...["JobSet", "Job", "Pod"].map((kind): Fault => ({ fault: "TimeTravel", kind, ...travel })),
    { fault: "RestartJobController", at: from },
    // Longer than a lease: another controller takes over, and both act at once before the first one sees that.
    { fault: "Freeze", from: start, until: Math.max(until, start + LEASE_MS + 1) },
    ...[undefined, ...webhookNames].map(
      (webhook): Fault => ({
        fault: "WebhookOutage",
        ...(webhook && { webhooks: [webhook] }),
        from: start,
        until,
      }),
    ),
    ...objects
      .filter(({ kind }) => kind === "JobSet")
      .map(
        ({ metadata }): Fault => ({
          fault: "Spurious",
          at: from,
          jobSet: `${metadata?.namespace ?? ""}/${metadata?.name}`,
        }),
      ),
  ];
}

const REJECTION_CODES: readonly RefusalCode[] = [403, 429, 500, 503];

function listRequestFaults(request: number): readonly Fault[] {
  return [
    { fault: "Crash", request, when: "Before", downMs: 100 },
    { fault: "Crash", request, when: "After", downMs: 100 },
    { fault: "LoseRequest", request },
    { fault: "LoseReply", request },
    { fault: "Race", request },
    { fault: "DelayRequest", request, ms: 5_000 },
    ...REJECTION_CODES.map((code) => ({ fault: "Refuse", request, code }) as const),
  ];
}
