import {
  countPodsByState,
  diagnoseMany,
  diagnoseMismatched,
  diagnoseRunning,
  diagnoseUnschedulable,
  phaseAmongMany,
} from "./diagnoses.ts";
import { hostilePatternsPass, hostilePatternsReview } from "./hostile-patterns.ts";
import type { Benchmark } from "./measure.ts";
import type { MemoryBenchmark } from "./measure-memory.ts";
import { measureHandlerMemory } from "./memory.ts";
import {
  changePass,
  createBodies,
  firstPass,
  settledPass,
  settledPassPods,
  snapshotChange,
  unchangedPass,
} from "./passes.ts";
import { render } from "./render.ts";
import {
  handledReview,
  reviewJobSet,
  reviewLargeJobSet,
  reviewPod,
  reviewPodAmongMany,
} from "./reviews.ts";

import { explore, exploreSingleFaults, simulateCluster, simulateSmall } from "./simulations.ts";

/** All benchmarks by name. Each is a list of sizes, created when it runs. */
export const benchmarks: Readonly<Record<string, () => Iterable<Benchmark | MemoryBenchmark>>> = {
  render,
  "first-pass": firstPass,
  "settled-pass": settledPass,
  "settled-pass-pods": settledPassPods,
  "unchanged-pass": unchangedPass,
  "change-pass": changePass,
  "create-bodies": createBodies,
  "snapshot-change": snapshotChange,
  "review-jobset": reviewJobSet,
  "review-jobset-1mb": reviewLargeJobSet,
  "review-pod": reviewPod,
  "review-pod-150k": reviewPodAmongMany,
  handler: handledReview,
  "handler-memory": measureHandlerMemory,
  diagnose: diagnoseRunning,
  "diagnose-unscheduled": diagnoseUnschedulable,
  "diagnose-mismatched": diagnoseMismatched,
  "diagnose-all": diagnoseMany,
  "jobset-phase": phaseAmongMany,
  census: countPodsByState,
  "hostile-review": hostilePatternsReview,
  "hostile-pass": hostilePatternsPass,
  "simulate-small": simulateSmall,
  "simulate-cluster": simulateCluster,
  explore,
  "explore-single-faults": exploreSingleFaults,
};
