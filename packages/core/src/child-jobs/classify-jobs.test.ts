import { resolveFeatureGates } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import { aJob, aJobSet } from "@jobset-ts/testing";
import { childJobs, jobSets } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_QUIRKS, type Quirk } from "../quirks.ts";
import { jobState } from "../snapshot/child-job.ts";
import { readChildJobs } from "../snapshot/child-jobs.ts";
import { classifyJobs } from "./classify-jobs.ts";

const off = { features: resolveFeatureGates({}), quirks: NO_QUIRKS };
const on = { features: resolveFeatureGates({ RestartJob: true }), quirks: NO_QUIRKS };
const job = aJob("train-w-0");
const train = aJobSet("train").withReplicatedJob("w", { replicas: 3 });

/** Returns the list that contains a Job, or why no list does. */
function findBucket(one: Job, jobSet = train, context = off): string {
  const classified = classifyJobs(jobSet, readChildJobs([one]), context);
  if (!classified.ok) return classified.message;
  const { ok: _, warnings: __, ...buckets } = classified;
  return Object.entries(buckets).flatMap(([name, jobs]) => (jobs.size > 0 ? [name] : []))[0] ?? "";
}

describe("classifyJobs", () => {
  it.each([
    [undefined, 'strconv.Atoi: parsing "": invalid syntax'],
    ["", 'strconv.Atoi: parsing "": invalid syntax'],
    ["1_0", 'strconv.Atoi: parsing "1_0": invalid syntax'],
    ["9223372036854775808", 'strconv.Atoi: parsing "9223372036854775808": value out of range'],
  ])("classifyJobs rejects a Job with the restart attempt %j", (attempt, message) => {
    const invalidJob = job.withLabels({ [RESTART_ATTEMPT_KEY]: attempt });
    expect(classifyJobs(aJobSet("train"), readChildJobs([invalidJob]), off)).toStrictEqual({
      ok: false,
      job: "train-w-0",
      label: RESTART_ATTEMPT_KEY,
      message,
    });
  });

  it.each([
    ["0", "previous"],
    ["1", "previous"],
    ["-1", "previous"],
    ["2", "active"],
    ["+02", "active"],
    ["3", "active"],
    ["9223372036854775807", "active"],
  ])(
    "after two restarts, classifyJobs classifies a Job of restart attempt %s as %s",
    (attempt, bucket) => {
      const labeled = job.withLabels({ [RESTART_ATTEMPT_KEY]: attempt });
      expect(findBucket(labeled, train.restarted(2))).toBe(bucket);
    },
  );

  it("classifyJobs classifies a Job of an earlier restart attempt as previous in every state", () => {
    const restarted = train.restarted(1);
    for (const old of [job, job.failed(), job.completed(), job.beingDeleted()]) {
      expect(findBucket(old, restarted)).toBe("previous");
    }
  });

  it("classifyJobs classifies other Jobs by state, even if they are being deleted", () => {
    for (const one of [job, job.beingDeleted()]) {
      expect(findBucket(one)).toBe("active");
      expect(findBucket(one.failed())).toBe("failed");
      expect(findBucket(one.completed())).toBe("successful");
    }
  });

  describe("a Job that no ReplicatedJob claims", () => {
    const upstream = { ...off, quirks: new Set<Quirk>(["UnclaimedJobsCount"]) };
    const strays = ["train-gone-0", "train-w-3", "other-w-0"].map((name) =>
      aJob(name).withLabels({ [REPLICATED_JOB_NAME_KEY]: "w" }),
    );

    it.each(strays)(
      "an unclaimed Job does not count in any state, except with the quirk: $metadata.name",
      (unclaimed) => {
        for (const one of [
          unclaimed,
          unclaimed.failed(),
          unclaimed.completed(),
          unclaimed.beingDeleted(),
        ]) {
          expect(findBucket(one)).toBe("unclaimed");
        }
        expect(findBucket(unclaimed, train, upstream)).toBe("active");
        expect(findBucket(unclaimed.failed(), train, upstream)).toBe("failed");
        expect(findBucket(unclaimed.completed(), train, upstream)).toBe("successful");
      },
    );

    it("an unclaimed Job is deleted with the others when the JobSet restarts", () => {
      for (const unclaimed of strays)
        expect(findBucket(unclaimed, train.restarted(1))).toBe("previous");
    });

    it("an unclaimed Job needs no label with its own restarts", () => {
      const [unclaimed = job] = strays;
      const invalidJob = unclaimed.withLabels({
        [REPLICATED_JOB_NAME_KEY]: undefined,
        [JOB_INDEX_KEY]: "9",
        [JOB_RESTART_ATTEMPT_KEY]: "x",
      });
      expect(findBucket(invalidJob, train, on)).toBe("unclaimed");
      const message = "missing label jobset.sigs.k8s.io/replicatedjob-name";
      expect(findBucket(invalidJob, train, { ...on, quirks: upstream.quirks })).toBe(message);
    });

    it.each([
      "train-w--1",
      "train-w-00",
      "train-w-0a",
      "train-w-",
      "train-w",
      "w",
      "",
      "xtrain-w-0",
    ])("a Job with the name %j is unclaimed", (name) => {
      expect(findBucket({ ...job, metadata: { ...job.metadata, name } })).toBe("unclaimed");
    });

    it("a Job whose name ends in an invalid number is unclaimed", () => {
      const named = { ...job, metadata: { ...job.metadata, name: "train-w-1.5" } };
      const many = aJobSet("train").withReplicatedJob("w", { replicas: 100 });
      expect(findBucket(named, many)).toBe("unclaimed");
    });

    it("a Job without labels is claimed by its name", () => {
      const bare = job.withLabels({ [REPLICATED_JOB_NAME_KEY]: undefined, [JOB_INDEX_KEY]: "8" });
      expect(findBucket(bare)).toBe("active");
    });
  });

  it("classifyJobs reports the first Job that it cannot classify", () => {
    const jobWithInvalidAttempt = (name: string) =>
      aJob(name).withLabels({ [RESTART_ATTEMPT_KEY]: "x" });
    const jobs = [job, jobWithInvalidAttempt("train-w-2"), jobWithInvalidAttempt("train-w-1")];
    expect(classifyJobs(aJobSet("train"), readChildJobs(jobs), off)).toMatchObject({
      job: "train-w-2",
    });
  });

  it("classifyJobs distinguishes Jobs beyond the replicas from others of the same ReplicatedJob", () => {
    const names = [0, 1, 2, 3, 4].map((index) => `train-w-${index}`);
    const classified = classifyJobs(train, readChildJobs(names.map(aJob)), off);
    if (!classified.ok) throw new TypeError(classified.message);
    const listNames = (bucket: "active" | "unclaimed") =>
      classified[bucket].list().map(({ job }) => job.metadata?.name);
    expect(listNames("active")).toEqual(names.slice(0, 3));
    expect(listNames("unclaimed")).toEqual(names.slice(3));
  });

  it("classifyJobs keeps the order of its input", () => {
    const jobs = ["train-w-2", "train-w-0", "train-w-1"].map(aJob);
    const classified = classifyJobs(train, readChildJobs(jobs), off);
    expect(classified.ok && classified.active.list().map(({ job }) => job)).toEqual(jobs);
  });

  it("classifyJobs ignores the labels of single restarts while the gate is off", () => {
    const invalidJob = job.withLabels({
      [REPLICATED_JOB_NAME_KEY]: undefined,
      [JOB_INDEX_KEY]: "x",
      [JOB_RESTART_ATTEMPT_KEY]: "x",
    });
    expect(findBucket(invalidJob)).toBe("active");
  });

  describe("under the gate RestartJob", () => {
    const noJobs = { ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
    const single = aJob("train-w-1").withLabels({ [JOB_RESTART_ATTEMPT_KEY]: "1" });
    const jobSet = aJobSet("train")
      .withReplicatedJob("w", { replicas: 3 })
      .withReplicatedJob("v", { replicas: 2 })
      .withStatus({ replicatedJobsStatus: [{ ...noJobs, name: "w", jobRestarts: [0, 1] }] });

    it.each<[string, Record<string, string | undefined>, string, string]>([
      [
        "no ReplicatedJob",
        { [REPLICATED_JOB_NAME_KEY]: undefined, [JOB_INDEX_KEY]: undefined },
        REPLICATED_JOB_NAME_KEY,
        "missing label jobset.sigs.k8s.io/replicatedjob-name",
      ],
      [
        "no index",
        { [JOB_INDEX_KEY]: undefined, [JOB_RESTART_ATTEMPT_KEY]: "x" },
        JOB_INDEX_KEY,
        "missing label jobset.sigs.k8s.io/job-index",
      ],
      [
        "an odd index",
        { [JOB_INDEX_KEY]: "one", [JOB_RESTART_ATTEMPT_KEY]: "x" },
        JOB_INDEX_KEY,
        'strconv.Atoi: parsing "one": invalid syntax',
      ],
      [
        "an odd restart",
        { [JOB_RESTART_ATTEMPT_KEY]: "", [JOB_INDEX_KEY]: "9" },
        JOB_RESTART_ATTEMPT_KEY,
        'strconv.Atoi: parsing "": invalid syntax',
      ],
      [
        "an index beyond the replicas",
        { [JOB_INDEX_KEY]: "+03" },
        JOB_INDEX_KEY,
        "job index 3 is out of bounds for replicated job w",
      ],
      [
        "a negative index",
        { [JOB_INDEX_KEY]: "-1" },
        JOB_INDEX_KEY,
        "job index -1 is out of bounds for replicated job w",
      ],
      [
        "an unknown ReplicatedJob",
        { [REPLICATED_JOB_NAME_KEY]: "old", [JOB_INDEX_KEY]: "0" },
        JOB_INDEX_KEY,
        "job index 0 is out of bounds for replicated job old",
      ],
    ])(
      "with the gate RestartJob, classifyJobs rejects a Job with %s",
      (_, labels, label, message) => {
        const invalidJob = single.withLabels(labels);
        expect(classifyJobs(jobSet, readChildJobs([invalidJob]), on)).toStrictEqual({
          ok: false,
          job: "train-w-1",
          label,
          message,
        });
      },
    );

    it.each([
      ["0", "previous"],
      ["-1", "previous"],
      ["1", "active"],
      ["2", "active"],
      [undefined, "active"],
    ])(
      "with the gate RestartJob, classifyJobs classifies a Job with its own restart %j as %s if the stored count is 1",
      (restart, bucket) => {
        const one = single.withLabels({ [JOB_RESTART_ATTEMPT_KEY]: restart });
        expect(findBucket(one, jobSet, on)).toBe(bucket);
      },
    );

    it("with the gate RestartJob, classifyJobs accepts a Job without its own restart, also at an index beyond the replicas", () => {
      const labeled = single.withLabels({
        [JOB_RESTART_ATTEMPT_KEY]: undefined,
        [JOB_INDEX_KEY]: "9",
      });
      expect(findBucket(labeled, jobSet, on)).toBe("active");
      expect(findBucket(labeled.failed(), jobSet, on)).toBe("failed");
    });

    it("with the gate RestartJob, classifyJobs returns a warning for each such Job", () => {
      const unnumbered = single.withLabels({ [JOB_RESTART_ATTEMPT_KEY]: undefined });
      expect(classifyJobs(jobSet, readChildJobs([single, unnumbered]), on)).toMatchObject({
        warnings: [
          "Job train-w-1 has no label jobset.sigs.k8s.io/job-restart-attempt and counts as current",
        ],
      });
      expect(classifyJobs(jobSet, readChildJobs([unnumbered]), off)).toMatchObject({
        warnings: [],
      });
    });

    it("with the gate RestartJob, classifyJobs treats missing counts as zero: for all Jobs of v, and for the third of w", () => {
      const first = { [JOB_RESTART_ATTEMPT_KEY]: "0" };
      expect(findBucket(aJob("train-v-1").withLabels(first), jobSet, on)).toBe("active");
      expect(findBucket(aJob("train-w-2").withLabels(first), jobSet, on)).toBe("active");
    });

    it("with the gate RestartJob, classifyJobs compares the JobSet's restart attempt first", () => {
      expect(findBucket(single.withLabels({ [JOB_INDEX_KEY]: "x" }), jobSet.restarted(1), on)).toBe(
        "previous",
      );
    });
  });

  it("classifyJobs does not depend on the order of the Jobs", () => {
    const shuffled = childJobs().chain((jobs) =>
      fc.tuple(
        fc.constant(jobs),
        fc.shuffledSubarray([...jobs], { minLength: jobs.length, maxLength: jobs.length }),
      ),
    );
    fc.assert(
      fc.property(
        jobSets(),
        shuffled,
        fc.constantFrom(off, on),
        (jobSet, [jobs, others], gates) => {
          const one = classifyJobs(jobSet, readChildJobs(jobs), gates);
          const other = classifyJobs(jobSet, readChildJobs(others), gates);
          expect(other.ok).toBe(one.ok);
          if (!one.ok || !other.ok) return;
          for (const bucket of [
            "active",
            "successful",
            "failed",
            "previous",
            "unclaimed",
          ] as const) {
            expect(new Set(other[bucket].list())).toEqual(new Set(one[bucket].list()));
          }
          expect(jobs).toHaveLength(
            one.active.size +
              one.successful.size +
              one.failed.size +
              one.previous.size +
              one.unclaimed.size,
          );
        },
      ),
    );
  });
});

describe("jobState", () => {
  const condition = (type: string, status: string) => ({ type, status: status as "True" });

  it("jobState depends on the first True condition Complete or Failed", () => {
    expect(jobState(job.completed().failed())).toBe("successful");
    expect(jobState(job.failed().completed())).toBe("failed");
    expect(jobState(job.withCondition(condition("Complete", "False")).failed())).toBe("failed");
    expect(jobState(job.withCondition(condition("Failed", "Unknown")).completed())).toBe(
      "successful",
    );
  });

  it.each(["FailureTarget", "SuccessCriteriaMet", "Suspended"])(
    "jobState returns active with only %s",
    (type) => {
      expect(jobState(job.withCondition(condition(type, "True")))).toBe("active");
    },
  );

  it("jobState returns active without conditions, and with invalid ones", () => {
    expect(jobState(job)).toBe("active");
    expect(jobState({})).toBe("active");
    expect(jobState(job.withStatus({ conditions: [null, "Failed", []] as never }))).toBe("active");
  });
});
