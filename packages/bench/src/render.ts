import { resolveFeatureGates } from "@jobset-ts/api";
import { desiredJobs } from "@jobset-ts/core/desired";
import { aTrainingJobSet } from "./fixtures.ts";
import type { Benchmark } from "./measure.ts";

const sizes = [1, 100, 1_000, 10_000, 100_000];
const context = { features: resolveFeatureGates({}) };

/** Creates the Jobs of a JobSet with one ReplicatedJob of `size` replicas and a Pod template of 3.6 KB. */
export function* render(): Generator<Benchmark> {
  for (const size of sizes) {
    const jobSet = aTrainingJobSet(size);
    yield {
      size,
      run: () => desiredJobs(jobSet, context),
      floor: "JSON.stringify of the result",
      floorInput: () => desiredJobs(jobSet, context),
      runFloor: (jobs) => stringify(jobs as readonly unknown[]),
    };
  }
}

/** At the largest size, one list would exceed the maximum string length. So the Jobs are serialized one by one. */
function stringify(jobs: readonly unknown[]): number {
  let length = 0;
  for (const job of jobs) length += JSON.stringify(job).length;
  return length;
}
