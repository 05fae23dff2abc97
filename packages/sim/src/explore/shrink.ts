import { isObject } from "@jobset-ts/api/kubernetes";
import { webhookNames } from "../jobset-controller/webhooks.ts";
import type { Fault } from "../scenario/fault.ts";
import { withFaultsThatHappen } from "../scenario/fault-subject.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type SimulationResult, simulate } from "../scenario/simulate.ts";
import type { SimulationOptions } from "../scenario/simulation-options.ts";

/** The result of shrinking a scenario that violates a law. */
export interface ShrinkResult {
  readonly scenario: Scenario;
  readonly result: SimulationResult;
  /** The number of simulated scenarios. */
  readonly runCount: number;
}

/**
 * Returns the smallest scenario found that violates the same law. Removes faults first, then user actions, then Jobs
 * and Pods, and shortens times last.
 *
 * @param maxTries - the maximum number of scenarios to simulate
 * @example shrink(randomScenario(1)) // => undefined
 */
export function shrink(
  scenario: Scenario,
  settings: SimulationOptions = {},
  maxTries = MAX_TRIES,
): ShrinkResult | undefined {
  const trials = listTrials(scenario, maxTries);
  let next = trials.next();
  while (!next.done) next = trials.next(simulate(next.value, settings));
  return next.value;
}

/**
 * Shrinks with a function that simulates scenarios asynchronously.
 *
 * @example await shrinkAsync(randomScenario(1), async (scenario) => simulate(scenario)) // => undefined
 */
export async function shrinkAsync(
  scenario: Scenario,
  run: (scenario: Scenario) => Promise<SimulationResult>,
  maxTries = MAX_TRIES,
): Promise<ShrinkResult | undefined> {
  const trials = listTrials(scenario, maxTries);
  let next = trials.next();
  while (!next.done) next = trials.next(await run(next.value));
  return next.value;
}

const MAX_TRIES = 500;

/** Yields the scenarios to simulate, and returns the smallest one that violates the law. */
function* listTrials(
  scenario: Scenario,
  maxTries: number,
): Generator<Scenario, ShrinkResult | undefined, SimulationResult> {
  const first = yield scenario;
  const broken = first.violations[0]?.law;
  if (broken === undefined) return undefined;
  let best: ShrinkResult = { scenario, result: first, runCount: 1 };
  for (let progress = true; progress; ) {
    progress = false;
    for (const simpler of SIMPLIFICATIONS) {
      // After each success, the simpler variants of the remaining scenario are tried again.
      for (let candidates = simpler(best.scenario), at = 0; at < candidates.length; at++) {
        if (best.runCount >= maxTries) return best;
        const simplified = candidates[at];
        if (simplified === undefined) continue;
        const candidate = withFaultsThatHappen(simplified);
        const result = yield candidate;
        best = { ...best, runCount: best.runCount + 1 };
        if (result.violations[0]?.law !== broken) continue;
        best = { scenario: candidate, result, runCount: best.runCount };
        progress = true;
        candidates = simpler(best.scenario);
        at = -1;
      }
    }
  }
  return best;
}

type Simplification = (scenario: Scenario) => readonly Scenario[];

const withoutFaults: Simplification = (scenario) =>
  withoutSome(scenario.faults).map((faults) => ({ ...scenario, faults }));

const withoutActions: Simplification = (scenario) =>
  withoutSome(scenario.actions).map((actions) => ({ ...scenario, actions }));

const withoutObjects: Simplification = (scenario) =>
  withoutSome(scenario.objects).map((objects) => ({ ...scenario, objects }));

/** Variants without the queueing system, or with fewer evictions. */
const withoutQueueing: Simplification = ({ queueing, ...scenario }) =>
  queueing === undefined
    ? []
    : [
        scenario,
        ...withoutSome(queueing.evictions).map((evictions) => ({
          ...scenario,
          queueing: { ...queueing, evictions },
        })),
      ];

/** Returns variants of a list: empty, without either half, and without each single item. */
function withoutSome<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [];
  const half = Math.ceil(items.length / 2);
  const lists = [[], items.slice(0, half), items.slice(half)];
  const each = items.map((_, at) => items.toSpliced(at, 1));
  return [...lists, ...each].filter(({ length }) => length < items.length);
}

/** Variants with one optional part of a JobSet removed. */
const withPlainerJobSets: Simplification = (scenario) =>
  scenario.objects.flatMap((object, at) =>
    object.kind === "JobSet"
      ? removeOptionalParts(object, JOBSET_MEMBERS).map((one) => ({
          ...scenario,
          objects: scenario.objects.with(at, one as typeof object),
        }))
      : [],
  );

/** The optional members of a value, with their own members. */
interface Members {
  readonly [name: string]: Members;
}

const JOBSET_MEMBERS: Members = {
  metadata: { annotations: {}, labels: {} },
  spec: {
    failurePolicy: { rules: {}, restartStrategy: {} },
    successPolicy: {},
    startupPolicy: {},
    network: {},
    suspend: {},
    coordinator: {},
    managedBy: {},
    ttlSecondsAfterFinished: {},
    volumeClaimPolicies: {},
    replicatedJobs: { dependsOn: {}, groupName: {} },
  },
};
const REQUIRED = new Set(["metadata", "spec", "replicatedJobs"]);

/** Returns copies of a value, each without one optional member or some elements of one. */
function removeOptionalParts(value: unknown, members: Members): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((element, at) =>
      removeOptionalParts(element, members).map((one) => value.with(at, one)),
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(members).flatMap(([name, inner]): readonly unknown[] => {
    const { [name]: member, ...others } = value as Readonly<Record<string, unknown>>;
    if (member === undefined) return [];
    const isRequired = REQUIRED.has(name);
    const within =
      Array.isArray(member) && !isRequired
        ? withoutSome(member)
        : removeOptionalParts(member, inner);
    return [...(isRequired ? [] : [others]), ...within.map((one) => ({ ...value, [name]: one }))];
  });
}

/** Variants with fewer Jobs or Pods in a JobSet. */
const withFewerJobs: Simplification = (scenario) =>
  scenario.objects.flatMap((object, at) =>
    object.kind === "JobSet"
      ? reduceCounts(object).map((fewer) => ({
          ...scenario,
          objects: scenario.objects.with(at, fewer as typeof object),
        }))
      : [],
  );

const COUNTS = new Set(["replicas", "parallelism", "completions", "maxRestarts", "backoffLimit"]);

/** Returns copies of a value in which one count is 1, half, or one less, or one ReplicatedJob is removed. */
function reduceCounts(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((element, at) =>
      reduceCounts(element).map((fewer) => value.with(at, fewer)),
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const counts =
      COUNTS.has(name) && typeof member === "number"
        ? [...new Set([0, 1, member >> 1, member - 1])].filter(
            (count) => count >= 0 && count < member,
          )
        : [];
    const shorter = name === "replicatedJobs" && Array.isArray(member) ? withoutSome(member) : [];
    return [...shorter, ...counts, ...reduceCounts(member)].map((fewer) => ({
      ...value,
      [name]: fewer,
    }));
  });
}

const withShorterTimes: Simplification = (scenario) =>
  scenario.faults.flatMap((fault, at) =>
    shorterTimes(fault).map((shorter) => ({
      ...scenario,
      faults: scenario.faults.with(at, shorter),
    })),
  );

/** Variants with outages of fewer webhooks. */
const withFewerWebhooks: Simplification = (scenario) =>
  scenario.faults.flatMap((fault, at) => {
    if (fault.fault !== "WebhookOutage") return [];
    return withoutSome(fault.webhooks ?? webhookNames)
      .filter(({ length }) => length > 0)
      .map((webhooks) => ({
        ...scenario,
        faults: scenario.faults.with(at, { ...fault, webhooks }),
      }));
  });

const NO_LENGTHS = new Set(["request", "from", "until"]);

/** Returns variants of a fault that start earlier, end earlier, or have another duration halved. */
function shorterTimes(fault: Fault): readonly Fault[] {
  const shorter: object[] = [];
  if ("from" in fault) {
    const { from, until } = fault;
    const [sooner, length] = [Math.floor(from / 2), until - from];
    if (from > 1) shorter.push({ from: sooner, until: sooner + length });
    if (length > 1) shorter.push({ until: from + Math.floor(length / 2) });
  }
  for (const [name, value] of Object.entries(fault)) {
    if (typeof value === "number" && value > 1 && !NO_LENGTHS.has(name))
      shorter.push({ [name]: Math.floor(value / 2) });
  }
  return shorter.map((members) => ({ ...fault, ...members }) as Fault);
}

const SIMPLIFICATIONS: readonly Simplification[] = [
  withoutFaults,
  withoutActions,
  withoutQueueing,
  withoutObjects,
  withPlainerJobSets,
  withFewerJobs,
  withFewerWebhooks,
  withShorterTimes,
];
