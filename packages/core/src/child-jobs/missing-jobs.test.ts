import {
  type JobSet,
  type RestartStrategy,
  resolveFeatureGates,
  type Unvalidated,
} from "@jobset-ts/api";
import { type AJob, aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { MAX_DESIRED_JOBS } from "../desired/size-limits.ts";
import { NO_QUIRKS } from "../quirks.ts";
import { readChildJobs } from "../snapshot/child-jobs.ts";
import { missingJobs } from "../testing/missing-jobs.ts";
import { type ClassifiedJobs, classifyJobs } from "./classify-jobs.ts";
import { type ExistingJobNames, existingJobNames, isCreationBlocked } from "./missing-jobs.ts";

const context = { features: resolveFeatureGates({}), quirks: NO_QUIRKS };
const train = aJobSet("train").restarted(1).withReplicatedJob("w", { replicas: 5 });

function classifyForTest(jobSet: Unvalidated<JobSet>, ...jobs: AJob[]): ClassifiedJobs {
  const result = classifyJobs(jobSet, readChildJobs(jobs), context);
  if (!result.ok) throw new TypeError(result.message);
  return result;
}

function missingNames(jobs: readonly AJob[], jobSet: Unvalidated<JobSet> = train) {
  return missingJobs(jobSet, classifyForTest(jobSet, ...jobs), context).map(
    ({ metadata }) => metadata.name,
  );
}

const everyState = [
  aJob("train-w-0").ofAttempt(1),
  aJob("train-w-1").ofAttempt(1).failed(),
  aJob("train-w-2").ofAttempt(1).completed(),
  aJob("train-w-3").ofAttempt(0).beingDeleted(),
];

describe("missingJobs", () => {
  it("missingJobs returns all Jobs if none exists, by index", () => {
    expect(missingNames([])).toEqual([0, 1, 2, 3, 4].map((index) => `train-w-${index}`));
  });

  it("missingJobs omits a name that a child Job in any state has", () => {
    expect(missingNames(everyState)).toEqual(["train-w-4"]);
  });

  it("missingJobs ignores surplus Jobs and Jobs of other ReplicatedJobs", () => {
    expect(missingNames([aJob("train-w-7").ofAttempt(1), aJob("train-v-0").ofAttempt(1)])).toEqual(
      missingNames([]),
    );
  });

  it.each(["train-w-5", "train-w-x"])(
    "missingJobs returns the missing Job if there are as many Jobs as requested, one of which is %s",
    (other) => {
      const jobs = [0, 1, 2, 3, 5].map((index) => aJob(`train-w-${index}`).ofAttempt(1));
      const renamed = jobs.map((job, at) =>
        at < 4 ? job : ({ ...job, metadata: { ...job.metadata, name: other } } as AJob),
      );
      expect(missingNames(renamed)).toEqual(["train-w-4"]);
    },
  );

  it("missingJobs is empty if all Jobs exist", () => {
    const jobs = [0, 1, 2, 3, 4].map((index) => aJob(`train-w-${index}`).ofAttempt(1));
    expect(missingNames(jobs)).toEqual([]);
  });

  it("missingJobs is empty if the JobSet requests more Jobs than a plan may contain", () => {
    const large = train.withReplicatedJob("v", { replicas: MAX_DESIRED_JOBS });
    expect(missingNames([], large)).toEqual([]);
  });

  it("missingJobs is empty while BlockingRecreate waits for Jobs of earlier restart attempts", () => {
    const blocking = train.withSpec({ failurePolicy: { restartStrategy: "BlockingRecreate" } });
    expect(missingNames([aJob("train-w-3").ofAttempt(0)], blocking)).toEqual([]);
    expect(missingNames([aJob("train-w-3").ofAttempt(1)], blocking)).toHaveLength(4);
  });
});

function listIndexes(taken: ExistingJobNames, nameStem: string): number[] {
  return taken.groups(nameStem).flatMap(({ jobs }) => jobs.map(({ nameIndex }) => nameIndex));
}

describe("existingJobNames", () => {
  it("existingJobNames contains Jobs of all states", () => {
    const taken = existingJobNames(classifyForTest(train, ...everyState));
    expect(listIndexes(taken, "train-w").sort()).toEqual([0, 1, 2, 3]);
    expect(listIndexes(taken, "train")).toEqual([]);
  });

  it.each([
    ["train-w-0", 0],
    ["train-w-123456789012345", 123456789012345],
    ["train-w-007", -1],
    ["train-w-", -1],
    ["train-w-1e3", -1],
    ["train-w-9007199254740993", -1],
  ])("existingJobNames returns for the name %s the index %i", (name, index) => {
    const { metadata } = aJob("train-w-0").ofAttempt(1);
    const sorted = classifyJobs(
      train,
      readChildJobs([{ metadata: { ...metadata, name } }]),
      context,
    );
    expect(sorted.ok && listIndexes(existingJobNames(sorted), "train-w")).toEqual([index]);
  });
});

describe("isCreationBlocked", () => {
  const old = aJob("train-w-3").ofAttempt(0);
  const withStrategy = (restartStrategy?: RestartStrategy) =>
    train.withSpec({ failurePolicy: { restartStrategy } });

  it.each<[RestartStrategy | undefined, boolean]>([
    ["BlockingRecreate", true],
    ["Recreate", false],
    ["InPlaceRestart", false],
    [undefined, false],
  ])(
    "isCreationBlocked with %s is %s while Jobs of earlier restart attempts exist",
    (strategy, blocked) => {
      const jobSet = withStrategy(strategy);
      expect(isCreationBlocked(jobSet, classifyForTest(jobSet, old))).toBe(blocked);
      expect(isCreationBlocked(jobSet, classifyForTest(jobSet, old.beingDeleted()))).toBe(blocked);
      expect(isCreationBlocked(jobSet, classifyForTest(jobSet, old.ofAttempt(1)))).toBe(false);
    },
  );

  it("isCreationBlocked is false without a failure policy", () => {
    expect(isCreationBlocked(train, classifyForTest(train, old))).toBe(false);
  });
});
