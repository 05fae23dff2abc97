import assert from "node:assert/strict";
import type { Stored } from "../../cluster.ts";
import { getRejectionMessage, part, type Scenario, type Stage } from "../../scenario.ts";
import { complete, ready } from "./job-statuses.ts";
import { deniedJobSet } from "./messages.ts";

const gates = ["ElasticJobSet"];

/** Changes the Job template of the ReplicatedJob. */
async function scale(stage: Stage, change: Stored): Promise<Stored> {
  const jobSet = await stage.jobSet();
  const [workers] = jobSet.spec.replicatedJobs;
  Object.assign(workers.template.spec, change);
  return stage.cluster.patch(jobSet, { spec: { replicatedJobs: [workers] } });
}

/** Waits until both Jobs have this parallelism and these completions. */
function sizes(stage: Stage, ...expected: readonly Stored[]): Promise<void> {
  return stage.waitForValue(async () => {
    const jobs = await Promise.all(["workers-0", "workers-1"].map((name) => stage.job(name)));
    return jobs.map(({ spec }) => [spec.parallelism, spec.completions]);
  }, expected);
}

const AT = "spec.replicatedJobs[0].template.spec";

export const elasticScaling: readonly Scenario[] = [
  {
    name: "a running JobSet scales up and down without new Jobs",
    gates,
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2, pods: 2 })] });
      const before = await stage.jobs("workers-0", "workers-1");
      await stage.jobStatuses(["workers-0", "workers-1"], ready(2));
      await stage.waitForCounts("workers", { ready: 2 });
      await scale(stage, { parallelism: 4, completions: 4 });
      await sizes(stage, [4, 4], [4, 4]);
      await stage.waitForCounts("workers", { ready: 0, active: 2 });
      await scale(stage, { parallelism: 1, completions: 1 });
      await sizes(stage, [1, 1], [1, 1]);
      await stage.waitForCounts("workers", { ready: 2 });
      const after = await stage.jobs("workers-0", "workers-1");
      const uids = (jobs: readonly Stored[]) => jobs.map(({ metadata }) => metadata.uid).sort();
      assert.deepEqual(uids(after), uids(before));
    },
  },
  {
    name: "a succeeded Job is not scaled",
    gates,
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2, pods: 2 })] });
      await stage.jobStatus("workers-0", complete(2));
      await stage.waitForCounts("workers", { succeeded: 1 });
      await scale(stage, { parallelism: 3, completions: 3 });
      await sizes(stage, [2, 2], [3, 3]);
    },
  },
  {
    name: "a suspended JobSet is scaled",
    gates,
    async play(stage) {
      await stage.create({
        suspend: true,
        replicatedJobs: [part("workers", { replicas: 2, pods: 2 })],
      });
      await stage.jobs("workers-0", "workers-1");
      await scale(stage, { parallelism: 3, completions: 3 });
      await sizes(stage, [3, 3], [3, 3]);
    },
  },
  {
    name: "invalid sizes of an elastic JobSet are rejected",
    gates,
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { replicas: 2, pods: 2 })] });
      assert.equal(
        await getRejectionMessage(scale(stage, { parallelism: 3 })),
        deniedJobSet(
          `${AT}.completions: Invalid value: 2: completions must be equal to parallelism for Elastic Indexed Jobs`,
        ),
      );
      assert.equal(
        await getRejectionMessage(scale(stage, { parallelism: 0, completions: 0 })),
        deniedJobSet(
          `[${AT}.parallelism: Invalid value: 0: parallelism must be >= 1, ${AT}.completions: Invalid value: 0: completions must be >= 1]`,
        ),
      );
    },
  },
  {
    name: "a finished JobSet is not scaled",
    gates,
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { pods: 2 })] });
      await stage.jobStatus("workers-0", complete(2));
      await stage.condition("Completed");
      assert.equal(
        await getRejectionMessage(scale(stage, { parallelism: 3, completions: 3 })),
        deniedJobSet(
          `${AT}: Forbidden: Cannot mutate parallelism or completions when JobSet is in a terminal state (Completed or Failed)`,
        ),
      );
    },
  },
  {
    name: "parallelism and completions are immutable without the gate",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { pods: 2 })] });
      assert.match(
        await getRejectionMessage(scale(stage, { parallelism: 3, completions: 3 })),
        /is invalid: spec\.replicatedJobs: Invalid value: \[.*\]: field is immutable$/,
      );
    },
  },
];
