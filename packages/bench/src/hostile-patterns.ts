import { validateJobSet } from "@jobset-ts/admission";
import type { JobSet } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, reconcile } from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { aTrainingJobSet } from "./fixtures.ts";
import type { Benchmark } from "./measure.ts";

const context = createContext({ now: "2026-11-21T12:00:00Z" });

/**
 * Message patterns by their hostile property. The ones named `at most` use up the limit for the patterns of a JobSet.
 */
export const hostilePatterns: Readonly<Record<string, readonly string[]>> = {
  "8,000 × \\pL{1000}": Array<string>(8_000).fill("\\pL{1000}"),
  "20,000 × \\pL{1000}": Array<string>(20_000).fill("\\pL{1000}"),
  "one of a megabyte": ["[\\pL\\PL]".repeat(125_000)],
  "at most, letters": ["ab".repeat(24_998)],
  "at most, nested repeats": Array<string>(39).fill("(?:(?:[^x]{10}){10}){10}"),
  "at most, optional copies": Array<string>(49).fill("[ab]{0,1000}c"),
  "at most, classes": ["\\PL".repeat(75)],
  "at most, small classes": ["[b-d]".repeat(8_332)],
  "at most, alternatives": [formatWords(8_100).join("|")],
  "at most, groups": [`${"(a)*".repeat(12_498)}!`],
  "at most, patterns": Array<string>(10_000).fill("!"),
  "at most, depth": [`${"(".repeat(780)}!${")".repeat(780)}`],
};

function formatWords(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `w${index.toString(36).padStart(4, "0")}`);
}

/** Creates a JobSet with these patterns, followed by an ordinary rule. */
export function aHostileJobSet(patterns: readonly string[]): JobSet {
  const jobSet = aTrainingJobSet(1);
  jobSet.spec.failurePolicy = {
    maxRestarts: 3,
    rules: [
      { name: "hostile", action: "FailJobSet", onJobFailureMessagePatterns: [...patterns] },
      { name: "plain", action: "RestartJobSet" },
    ],
  };
  return jobSet;
}

/** Creates failed Jobs of such a JobSet, with different messages of the maximum length. */
export function failedJobs(count: number): readonly Job[] {
  const [job] = desiredJobs(aHostileJobSet([]), context);
  if (job === undefined) throw new Error("a JobSet without Jobs");
  let seed = 1;
  return Array.from({ length: count }, (_, index) => {
    const message = Array.from({ length: 32_000 }, () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (seed >> 16) % 2 === 0 ? "a" : "b";
    }).join("");
    const failed = {
      type: "Failed" as const,
      status: "True" as const,
      reason: "BackoffLimitExceeded",
      lastTransitionTime: "2026-11-21T11:00:00Z",
      message,
    };
    return {
      ...job,
      metadata: { ...job.metadata, name: `train-workers-${index}`, uid: `job-${index}` },
      status: { conditions: [failed] },
    };
  });
}

/** Validates JobSets with hostile patterns. `size` is the number of bytes. */
export function* hostilePatternsReview(): Generator<Benchmark> {
  for (const [name, patterns] of Object.entries(hostilePatterns)) {
    const jobSet = aHostileJobSet(patterns);
    yield {
      ...createParsingFloor(jobSet, name),
      run: () =>
        validateJobSet({ operation: "CREATE", object: jobSet }, createSnapshot([]), context),
    };
  }
}

/** Reconciles such a JobSet with 100 failed Jobs. */
export function* hostilePatternsPass(): Generator<Benchmark> {
  const jobs = failedJobs(100);
  for (const [name, patterns] of Object.entries(hostilePatterns)) {
    const jobSet = aHostileJobSet(patterns);
    const objects = [jobSet, ...jobs];
    yield {
      ...createParsingFloor(objects, name),
      run: () => reconcile(createSnapshot(objects, { kinds: "all" }), jobSet, context),
    };
  }
}

function createParsingFloor(value: unknown, name: string): Omit<Benchmark, "run"> {
  const text = JSON.stringify(value);
  return {
    size: text.length,
    floor: `JSON.parse of the objects (${name})`,
    runFloor: () => JSON.parse(text),
  };
}
