import type { ReplicatedJobStatus } from "@jobset-ts/api";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { parseJobName } from "../../../testing/src/builders/a-job.ts";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { MAX_DESIRED_JOBS } from "../desired/size-limits.ts";
import { restartJob } from "./restart-job.ts";

const noJobs = { ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
const train = aJobSet("train")
  .withReplicatedJob("r", { replicas: 2 })
  .withReplicatedJob("many", { replicas: 4 });

interface Stored {
  readonly restarts?: readonly number[];
  readonly counted?: readonly number[];
}

/** One more restart of a Job, counted or not. */
function restart({ restarts, counted }: Stored, countsTowardsMax: boolean, job = "train-r-0") {
  const { replicatedJob } = parseJobName(job);
  const status = {
    ...noJobs,
    name: replicatedJob,
    jobRestarts: restarts,
    jobRestartsCountTowardsMax: counted,
  } as ReplicatedJobStatus;
  return restartJob(train, aJob(job).failed(), deepFreeze([status]), countsTowardsMax);
}

describe("restartJob", () => {
  it.each<[string, Stored, boolean, string, readonly number[], readonly number[] | undefined]>([
    ["counts a first restart", {}, true, "train-r-0", [1, 0], [1, 0]],
    [
      "counts another restart",
      { restarts: [0, 0], counted: [0, 0] },
      true,
      "train-r-1",
      [0, 1],
      [0, 1],
    ],
    [
      "increases a high count",
      { restarts: [3, 1], counted: [2, 1] },
      true,
      "train-r-0",
      [4, 1],
      [3, 1],
    ],
    [
      "does not count towards the limit",
      { restarts: [1, 0], counted: [0, 0] },
      false,
      "train-r-0",
      [2, 0],
      [0, 0],
    ],
    [
      "keeps the second list absent if the restart does not count towards the limit",
      {},
      false,
      "train-r-1",
      [0, 1],
      undefined,
    ],
    [
      "adds the second list with the first restart that counts towards the limit",
      { restarts: [1, 1] },
      true,
      "train-r-1",
      [1, 2],
      [0, 1],
    ],
    [
      "adds an entry for a Job that was added later",
      { restarts: [1], counted: [1] },
      true,
      "train-r-1",
      [1, 1],
      [1, 1],
    ],
    [
      "lengthens only the list that is too short",
      { restarts: [1, 2], counted: [1] },
      true,
      "train-r-1",
      [1, 3],
      [1, 1],
    ],
    [
      "adds zeros for the Jobs in between",
      { restarts: [1] },
      true,
      "train-many-3",
      [1, 0, 0, 1],
      [0, 0, 0, 1],
    ],
    [
      "does not lengthen a list beyond the Job that restarts (recorded upstream)",
      { restarts: [1], counted: [1] },
      true,
      "train-r-0",
      [2],
      [2],
    ],
    [
      "keeps the counts of Jobs beyond the replicas",
      { restarts: [0, 0, 5] },
      false,
      "train-r-2",
      [0, 0, 6],
      undefined,
    ],
  ])(
    "restartJob %s",
    (_, stored, countsTowardsMax, job, jobRestarts, jobRestartsCountTowardsMax) => {
      const counts = {
        jobRestarts,
        ...(jobRestartsCountTowardsMax !== undefined && { jobRestartsCountTowardsMax }),
      };
      const { replicatedJob } = parseJobName(job);
      expect(restart(stored, countsTowardsMax, job)).toStrictEqual({
        ok: true,
        replicatedJob,
        counts,
      });
    },
  );

  it("restartJob treats counts that are not integers as zero", () => {
    const stored = { restarts: [null, "4"] as never };
    expect(restart(stored, false)).toMatchObject({ counts: { jobRestarts: [1, 0] } });
  });

  it("restartJob stops at the largest int32, and never decreases a count", () => {
    const stored = { restarts: [MAX_INT32, MAX_INT32 + 9] };
    expect(restart(stored, false)).toMatchObject({ counts: { jobRestarts: stored.restarts } });
    expect(restart(stored, false, "train-r-1")).toMatchObject({
      counts: { jobRestarts: stored.restarts },
    });
  });

  const job = aJob("train-r-0").failed();
  const key = (name: string) => `jobset.sigs.k8s.io/${name}`;

  it.each([
    [
      "has no ReplicatedJob label",
      job.withLabels({ [key("replicatedjob-name")]: undefined }),
      `failed job train-r-0 missing ${key("replicatedjob-name")} label`,
    ],
    [
      "has no index label",
      job.withLabels({ [key("job-index")]: undefined }),
      `failed job train-r-0 missing ${key("job-index")} label`,
    ],
    [
      "has an index that is not a number",
      job.withLabels({ [key("job-index")]: "1e3" }),
      `failed job train-r-0 has invalid ${key("job-index")} label: 1e3: strconv.Atoi: parsing "1e3": invalid syntax`,
    ],
    [
      "has an index beyond its ReplicatedJob",
      job.withLabels({ [key("job-index")]: "2" }),
      "failed job train-r-0 has index 2 out of bounds for replicated job r (replicas: 2)",
    ],
    [
      "has a negative index",
      job.withLabels({ [key("job-index")]: "-1" }),
      "failed job train-r-0 has index -1 out of bounds for replicated job r (replicas: 2)",
    ],
    [
      "belongs to an unknown ReplicatedJob",
      job.withLabels({ [key("replicatedjob-name")]: "gone" }),
      "failed job train-r-0 has index 0 out of bounds for replicated job gone (replicas: 0)",
    ],
  ])("restartJob rejects a Job that %s", (_, failed, message) => {
    expect(restartJob(train, failed, [], true)).toEqual({ ok: false, message });
  });

  it("restartJob rejects a negative index in a ReplicatedJob with negative replicas", () => {
    const jobSet = aJobSet("train").withReplicatedJob("r", { replicas: -1 });
    expect(restartJob(jobSet, job, [], true)).toMatchObject({
      message: expect.stringContaining("(replicas: 0)"),
    });
  });

  it("restartJob rejects a list that is longer than the maximum number of Jobs", () => {
    const most = aJobSet("train").withReplicatedJob("r", { replicas: MAX_DESIRED_JOBS });
    expect(restartJob(most, job, [], true).ok).toBe(true);
    const jobSet = aJobSet("train").withReplicatedJob("r", { replicas: MAX_INT32 });
    expect(restartJob(jobSet, job, [], true)).toEqual({
      ok: false,
      message: `failed job train-r-0 is one of 2147483647 jobs of replicated job r, and no more than ${MAX_DESIRED_JOBS} can be counted one by one`,
    });
  });
});
