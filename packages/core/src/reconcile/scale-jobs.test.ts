import { aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import { job0, job1, running, service } from "../testing/typical-pass.ts";

describe("elastic scaling", () => {
  const features = { ElasticJobSet: true };
  const template = {
    spec: { ...aReplicatedJob("w").template.spec, parallelism: 4, completions: 4 },
  };
  const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 2, template });

  it("elastic scaling patches every active Job that differs, including suspended and deleting ones", () => {
    const jobs = [
      job0.suspended(),
      job1.beingDeleted(),
      aJob("train-w-2").withSpec({ parallelism: 4, completions: 4 }),
      aJob("train-w-3").completed(),
      aJob("train-gone-0"),
    ];
    const plan = reconcileForTest(jobSet.suspended(), [service, ...jobs], { features });
    expect(listRequests(plan)).toEqual([
      ["update Job train-gone-0", "update Job train-w-1", "update Job train-w-2"],
      ["patch Job train-w-0", "patch Job train-w-1"],
    ]);
    expect(listSteps(plan)[1]).toMatchObject({
      phase: "scale",
      concurrency: 1,
      onError: "Continue",
      errorText: 'failed to patch job "<name>" for scaling: <error>',
      effects: [{ patch: { spec: { parallelism: 4, completions: 4 } } }, {}],
    });
  });

  it("elastic scaling requires its gate", () => {
    expect(listSteps(reconcileForTest(jobSet, [service, ...running]))).toEqual([]);
  });

  it("elastic scaling precedes resume, which builds on it", () => {
    const plan = reconcileForTest(jobSet, [service, job0.suspended()], { features });
    expect(listRequests(plan)).toEqual([
      ["patch Job train-w-0"],
      ["update Job train-w-0"],
      ["create Job train-w-1"],
    ]);
    expect(listSteps(plan)[1]?.effects[0]).toMatchObject({
      object: { spec: { parallelism: 4, completions: 4, suspend: false } },
    });
  });
});
