import { BEGINNING } from "../kernel/cluster.ts";
import { WATCHED_KINDS } from "../manager/caches.ts";
import type { ManagerMemory } from "../manager/manager.ts";
import { LEASE_MS } from "../manager/manager-interventions.ts";
import { webhookNames } from "../manager/webhooks.ts";
import type { Fault, RefusalCode } from "../scenario/fault.ts";
import type { Played } from "../scenario/play.ts";
import type { Scenario } from "../scenario/scenario.ts";

/**
 * A scenario with every single fault of the controller and its network, each by itself: at every request that it sends when
 * all goes well, and in every tenth of the run. There each kind that it watches is held back or is listed once more; a controller
 * that begins anew sees JobSets, Jobs or Pods as they were a tenth before; the controller stands still, and another one leads; the
 * Job controller begins anew; webhooks are down, all or one of them, and JobSets are looked after without a cause.
 *
 * @param undisturbed - what becomes of the scenario without any fault
 * @example
 * const scenario = { ...randomScenario(1), faults: [] };
 * [...singleFaults(scenario, play(scenario))].every(({ faults }) => faults.length === 1) // => true
 */
export function* singleFaults(
  scenario: Scenario,
  { end }: Pick<Played, "end">,
): Generator<Scenario, void, undefined> {
  const { requestCount } = end.memories.manager as ManagerMemory;
  for (let request = 1; request <= requestCount; request++) {
    for (const fault of faultsOfRequest(request)) yield { ...scenario, faults: [fault] };
  }
  const tenth = Math.max(1, Math.ceil((end.now - BEGINNING) / 10));
  for (let from = 0; from < 10 * tenth; from += tenth) {
    for (const fault of faultsOfTime(scenario, from, tenth)) yield { ...scenario, faults: [fault] };
  }
}

function faultsOfTime({ objects }: Scenario, from: number, tenth: number): readonly Fault[] {
  const until = from + 2 * tenth;
  // What there is at the beginning is let in first.
  const begun = Math.max(1, from);
  return [
    ...WATCHED_KINDS.flatMap((kind): readonly Fault[] => [
      { fault: "HoldBack", kind, from, until },
      { fault: "Relist", kind, from, until },
    ]),
    ...["JobSet", "Job", "Pod"].map(
      (kind): Fault => ({ fault: "TimeTravel", kind, at: from, backMs: tenth, forMs: tenth }),
    ),
    { fault: "RestartJobController", at: from },
    // For longer than a lease lasts: another controller takes over, and the two act at once before the first one sees that.
    { fault: "Freeze", from: begun, until: begun + Math.max(2 * tenth, LEASE_MS + 1) },
    ...[undefined, ...webhookNames].map(
      (webhook): Fault => ({
        fault: "WebhookOutage",
        ...(webhook && { webhooks: [webhook] }),
        from: begun,
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

const REFUSALS: readonly RefusalCode[] = [403, 429, 500, 503];

function faultsOfRequest(request: number): readonly Fault[] {
  return [
    { fault: "Crash", request, when: "Before", downMs: 100 },
    { fault: "Crash", request, when: "After", downMs: 100 },
    { fault: "LoseRequest", request },
    { fault: "LoseReply", request },
    { fault: "Race", request },
    { fault: "DelayRequest", request, ms: 5_000 },
    ...REFUSALS.map((code) => ({ fault: "Refuse", request, code }) as const),
  ];
}
