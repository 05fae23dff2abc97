import {
  BATCH_SIZE,
  type ExplorationResult,
  exploreInBatches,
  type Fault,
  type Scenario,
  type SimulationOptions,
  simulate,
} from "@jobset-ts/sim";
import type { Benchmark } from "./measure.ts";

/**
 * Runs a small JobSet (2 ReplicatedJobs × 3 Jobs × 2 Pods) with ten faults, once with all invariants, as in an
 * exploration, and once without. `size` is the number of written objects.
 */
export function* simulateSmall(): Generator<Benchmark> {
  const written = listWrites(smallLife);
  const none = { safetyLaws: [], steadyStateLaws: [], livenessLaws: [] };
  const heldTo: readonly (readonly [string, SimulationOptions, target: number])[] = [
    ["all laws", {}, 6.5],
    ["no law", none, 4.2],
  ];
  for (const [words, settings, target] of heldTo) {
    yield {
      target,
      size: written.length,
      run: () => expectRest(smallLife, settings),
      warmUp: () => {
        for (let time = 0; time < 300; time++) expectRest(smallLife, settings);
      },
      floor: `JSON round trips of what is written (${words})`,
      runFloor: () => roundTrips(written),
    };
  }
}

/**
 * Explores one block of random JobSets with all laws. The target is 75 scenarios a second on two cores, where one round
 * of the floor takes 4.7 ms.
 */
export function* explore(): Generator<Benchmark> {
  const exploreBlock = exploreInBatches({ seed: 1 });
  yield createExploration({
    blocks: [0],
    exploreBlock,
    warmUp: () => {
      for (let block = 1; block <= 20; block++) exploreBlock(block);
    },
    target: 5.7,
  });
}

/** The blocks with the single faults of {@link smallLife}: those of requests, then those of times. */
const singleFaultBlocks = Array.from({ length: 14 }, (_, block) => block);

/**
 * Explores all single faults of one JobSet. The target is 1.7 times the speed of runs that begin at the start of the
 * scenario, which take 6.6 times as long as the floor.
 */
export function* exploreSingleFaults(): Generator<Benchmark> {
  const exploreBlock = exploreInBatches({ seed: 1, scenario: { ...smallLife, faults: [] } });
  yield createExploration({
    blocks: singleFaultBlocks,
    exploreBlock,
    warmUp: () => {
      for (const block of [2, 4, 6]) exploreBlock(block);
    },
    target: 3.9,
  });
}

interface Exploration extends Pick<Benchmark, "warmUp" | "target"> {
  readonly blocks: readonly number[];
  readonly exploreBlock: (block: number) => ExplorationResult;
}

function createExploration({ blocks, exploreBlock, ...timing }: Exploration): Benchmark {
  const size = blocks.length * BATCH_SIZE;
  return {
    ...timing,
    size,
    run: () => {
      for (const block of blocks) {
        const [found] = exploreBlock(block).failingScenarios;
        if (found !== undefined) throw new Error(`found: ${found.violation.message}`);
      }
      return size;
    },
    takesSeconds: true,
    floor: "JSON round trips of what simulate-small writes, as often",
    floorInput: () => listWrites(smallLife),
    runFloor: (written) => {
      for (let time = 0; time < size; time++) roundTrips(written as readonly string[]);
    },
  };
}

const podsPerJob = 15;

/**
 * Simulates a JobSet with a rack for each Job: its start, one restart of all Jobs and its completion. `size` is the
 * number of nodes.
 */
export function* simulateCluster(): Generator<Benchmark> {
  for (const size of [990, 4_995, 15_000]) {
    const scenario = createLargeScenario(size / podsPerJob);
    yield {
      size,
      run: () => expectRest(scenario),
      floor: "JSON round trips of what is written",
      floorInput: () => listWrites(scenario),
      runFloor: (written) => roundTrips(written as readonly string[]),
      takesSeconds: true,
    };
  }
}

/** Returns each written version of an object in a run as text. */
function listWrites(scenario: Scenario): readonly string[] {
  const written: string[] = [];
  const keep = (object: unknown) => written.push(JSON.stringify(object));
  simulate(scenario, {
    onTurn: ({ changes }) => {
      for (const { after } of changes) if (after !== undefined) keep(after);
    },
  });
  return written;
}

function roundTrips(texts: readonly string[]): number {
  let length = 0;
  for (const text of texts) length += JSON.stringify(JSON.parse(text)).length;
  return length;
}

/** Fails unless the run becomes idle without violations. */
function expectRest(scenario: Scenario, settings: SimulationOptions = {}): number {
  const { isIdle, violations, turns } = simulate(scenario, settings);
  if (!isIdle || violations.length > 0) {
    throw new Error(`the run does not become idle: ${violations[0]?.message}`);
  }
  return turns;
}

const faults: readonly Fault[] = [
  { fault: "HoldBack", kind: "Pod", from: 2_000, until: 9_000 },
  { fault: "Relist", kind: "Job", from: 5_000, until: 6_000 },
  { fault: "LoseReply", request: 3 },
  { fault: "LoseRequest", request: 5 },
  { fault: "Race", request: 8 },
  { fault: "Refuse", request: 10, code: 500 },
  { fault: "Crash", request: 12, when: "After", downMs: 1_000 },
  { fault: "DelayRequest", request: 14, ms: 2_000 },
  { fault: "WebhookOutage", from: 4_000, until: 5_000 },
  { fault: "CutOffNode", node: "node-1", from: 6_000, until: 70_000 },
];

const smallLife: Scenario = {
  seed: 1,
  objects: [
    ...nodes(4, 2),
    aJobSet({ replicatedJobs: ["leader", "workers"], replicas: 3, pods: 2 }),
  ],
  workload: [
    { replicatedJob: "workers", jobIndex: 1, index: 0, attempt: 0, runMs: 3_000, exitCode: 1 },
    { readyMs: 1_000, runMs: 20_000, stopMs: 500 },
  ],
  actions: [],
  faults,
  endsAt: 4 * 3_600_000,
};

function createLargeScenario(jobs: number): Scenario {
  const jobSet = aJobSet({ replicatedJobs: ["workers"], replicas: jobs, pods: podsPerJob });
  const annotations = { "alpha.jobset.sigs.k8s.io/exclusive-topology": "rack" };
  return {
    seed: 1,
    objects: [
      ...nodes(jobs * podsPerJob, podsPerJob),
      { ...jobSet, metadata: { ...jobSet.metadata, annotations } },
    ],
    workload: [
      { replicatedJob: "workers", jobIndex: 1, index: 0, endsAtMs: 120_000, exitCode: 1 },
      { readyMs: 1_000, runMs: 300_000, stopMs: 500 },
    ],
    actions: [],
    faults: [],
    endsAt: 24 * 3_600_000,
  };
}

function nodes(count: number, perRack: number): Scenario["objects"] {
  return Array.from({ length: count }, (_, at) => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: `node-${at}`, labels: { rack: `rack-${Math.floor(at / perRack)}` } },
    spec: {},
    status: {
      allocatable: { cpu: "64", memory: "256Gi", pods: "110" },
      conditions: [{ type: "Ready", status: "True" }],
    },
  }));
}

function aJobSet(size: {
  readonly replicatedJobs: readonly string[];
  readonly replicas: number;
  readonly pods: number;
}) {
  const { replicas, pods } = size;
  const container = { name: "main", image: "busybox", resources: { requests: { cpu: "8" } } };
  const template = { spec: { restartPolicy: "Never", containers: [container] } };
  const spec = { parallelism: pods, completions: pods, backoffLimit: 0, template };
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: { name: "train", namespace: "ml" },
    spec: {
      failurePolicy: { maxRestarts: 3 },
      replicatedJobs: size.replicatedJobs.map((name) => ({
        name,
        replicas,
        template: { spec },
      })),
    },
  };
}
