import type { Pod } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, type Plan, reconcile } from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { BodySerializer } from "@jobset-ts/core/requests";
import { aTrainingJobSet, createRunningJobSet, listPods, podsPerJob } from "./fixtures.ts";
import type { Benchmark } from "./measure.ts";

const sizes = [1, 100, 1_000, 10_000, 100_000];
const context = createContext({ now: "2026-11-21T12:00:00Z" });

/** Plans the creation of `size` Jobs, from the list of objects to the plan. */
export function* firstPass(): Generator<Benchmark> {
  for (const size of sizes) {
    const jobSet = aTrainingJobSet(size);
    const created = desiredJobs(jobSet, context);
    yield {
      size,
      run: () => reconcile(createSnapshot([jobSet], { kinds: "all" }), jobSet, context),
      floor: "JSON.stringify of the Jobs",
      runFloor: () => created.reduce((length, job) => length + JSON.stringify(job).length, 0),
    };
  }
}

/** Reconciles `size` Jobs that need no change, including the indexing of the list. */
export function* settledPass(): Generator<Benchmark> {
  for (const size of sizes) yield createSettledBenchmark(size, []);
}

/** Reconciles `size` Jobs that need no change, with ten Pods per Job in the list. */
export function* settledPassPods(): Generator<Benchmark> {
  for (const size of [1_000, 10_000]) {
    const { jobs } = createRunningJobSet(size);
    yield createSettledBenchmark(size, jobs.flatMap(listPods));
  }
}

/** Reconciles an unchanged snapshot a second time. */
export function* unchangedPass(): Generator<Benchmark> {
  for (const size of sizes) {
    const { jobSet, jobs } = createRunningJobSet(size);
    const snapshot = createSnapshot([jobSet, ...jobs], { kinds: "all" });
    const texts = jobs.map((job) => JSON.stringify(job));
    yield {
      size,
      run: () => expectNothing(reconcile(snapshot, jobSet, context)),
      floor: "JSON.parse of the Jobs",
      runFloor: () => texts.map((text) => JSON.parse(text)),
    };
  }
}

/** Reconciles after a change of one Job, including the change of the snapshot. */
export function* changePass(): Generator<Benchmark> {
  for (const size of sizes) {
    const { jobSet, jobs } = createRunningJobSet(size);
    const snapshot = createSnapshot([jobSet, ...jobs], { kinds: "all" });
    reconcile(snapshot, jobSet, context);
    const texts = jobs.map((job) => JSON.stringify(job));
    const job = jobs[Math.floor(size / 2)];
    const changed = { ...job, status: { ...job?.status, terminating: 1 } };
    yield {
      size,
      run: () => expectNothing(reconcile(snapshot.with({ put: [changed] }), jobSet, context)),
      floor: "JSON.parse of the Jobs",
      runFloor: () => texts.map((text) => JSON.parse(text)),
    };
  }
}

/** Serializes the bodies of the requests that create `size` Jobs. */
export function* createBodies(): Generator<Benchmark> {
  for (const size of sizes) {
    const bodies = desiredJobs(aTrainingJobSet(size), context);
    yield {
      size,
      run: () => {
        const texts = new BodySerializer();
        return bodies.reduce((sum, body) => sum + lastUnit(texts.of(body)), 0);
      },
      floor: "JSON.stringify of the Jobs",
      runFloor: () => bodies.reduce((sum, body) => sum + lastUnit(JSON.stringify(body)), 0),
    };
  }
}

/** Changes one of `size` Pods and reads the Pods through the index, which exists already. */
export function* snapshotChange(): Generator<Benchmark> {
  for (const size of [1_500, 150_000]) {
    const { jobSet, jobs } = createRunningJobSet(size / podsPerJob);
    const pods = jobs.flatMap(listPods);
    const snapshot = createSnapshot([jobSet, ...jobs, ...pods], { kinds: "all" });
    snapshot.podsOfJobSet("ml", "train");
    const pod = pods[size / 2] as Pod;
    const indexName = `${pod.metadata.name}`.replace(/-[^-]*$/, "");
    snapshot.podsByIndexName("ml", indexName);
    const changed = { ...pod, status: { phase: "Failed" } };
    const text = JSON.stringify(changed);
    yield {
      size,
      run: () => snapshot.with({ put: [changed] }).podsByIndexName("ml", indexName),
      floor: "JSON.parse of the Pod",
      runFloor: () => JSON.parse(text),
    };
  }
}

function createSettledBenchmark(size: number, pods: readonly Pod[]): Benchmark {
  const { jobSet, jobs } = createRunningJobSet(size);
  const objects = [jobSet, ...jobs, ...pods];
  const texts = jobs.map((job) => JSON.stringify(job));
  return {
    size,
    run: () => expectNothing(reconcile(createSnapshot(objects, { kinds: "all" }), jobSet, context)),
    floor: "JSON.parse of the Jobs",
    runFloor: () => texts.map((text) => JSON.parse(text)),
  };
}

/** Checks that the plan is empty, because the benchmark measures a pass with nothing to do. */
function expectNothing(plan: Plan): Plan {
  if (plan.steps.length > 0 || plan.status !== undefined || plan.error !== undefined) {
    throw new Error(`the steady-state pass has a plan: ${JSON.stringify(plan).slice(0, 500)}`);
  }
  return plan;
}

/** Reads the last character. The engine flattens the string for that, as it does to send it. */
function lastUnit(text: string): number {
  return text.charCodeAt(text.length - 1);
}
