import { aClaim, aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import { running, service, train } from "../testing/typical-pass.ts";

describe("PersistentVolumeClaims", () => {
  const policy = (...names: string[]) => ({
    templates: names.map((name) => ({ metadata: { name }, spec: {} })),
  });
  const jobSet = aJobSet("train").withSpec({
    volumeClaimPolicies: [policy("data", "logs"), policy("cache"), policy("old")],
  });

  it("PersistentVolumeClaims are created policy by policy unless they exist, with any owner", () => {
    const plan = reconcileForTest(jobSet, [service, aClaim("logs-train"), aClaim("old-train")]);
    expect(listRequests(plan)).toEqual([
      ["create PersistentVolumeClaim data-train"],
      ["create PersistentVolumeClaim cache-train"],
    ]);
  });

  it("an existing PersistentVolumeClaim is not an error, and the next policy follows in any case", () => {
    expect(listSteps(reconcileForTest(jobSet, [service]))[0]).toMatchObject({
      phase: "volume-claims",
      concurrency: 1,
      onError: "Stop",
      dependsOn: [],
      failureEventReason: "PVCCreationFailed",
      effects: [{ onExists: "Succeed" }, { onExists: "Succeed" }],
    });
  });
});

describe("the creation of Jobs", () => {
  it("Jobs are created in one step per ReplicatedJob, up to fifty at once", () => {
    const jobSet = train.withReplicatedJob("v");
    const steps = listSteps(reconcileForTest(jobSet, [service]));
    expect(steps.map(({ effects }) => effects.length)).toEqual([2, 1]);
    expect(steps[0]).toMatchObject({
      phase: "create-jobs",
      concurrency: 50,
      onError: "Continue",
      dependsOn: ["service", "volume-claims"],
      errorText: 'job "<name>" creation failed with error: <error>',
      failureEventReason: "JobCreationFailed",
    });
  });

  it("create-jobs waits for dependencies and continues with other ReplicatedJobs", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("a")
      .withReplicatedJob("b", { dependsOn: [{ name: "a", status: "Complete" }] })
      .withReplicatedJob("c");
    const plan = reconcileForTest(jobSet, [service]);
    expect(listRequests(plan)).toEqual([["create Job train-a-0"], ["create Job train-c-0"]]);
    expect(plan.decisions).toContainEqual({
      phase: "create-jobs",
      rule: "DependencyNotReached",
      object: { kind: "ReplicatedJob", name: "b" },
      message: "waits until a is Complete",
    });
    const done = aJob("train-a-0").completed();
    expect(listRequests(reconcileForTest(jobSet, [service, done]))).toEqual([
      ["create Job train-b-0"],
      ["create Job train-c-0"],
    ]);
  });

  it("the decision names the unsatisfied dependency as text, for any spec", () => {
    const hostileName = { toString: 1 };
    const dependsOn = [{ name: hostileName, status: hostileName }] as never;
    const jobSet = aJobSet("train").withReplicatedJob("a", { dependsOn });
    expect(reconcileForTest(jobSet, [service]).decisions.at(-1)?.message).toBe("waits until  is ");
  });

  it("surplus Jobs and Jobs of unknown ReplicatedJobs are ignored", () => {
    const others = [aJob("train-w-7"), aJob("train-gone-0")];
    const plan = reconcileForTest(train, [service, ...others, ...running]);
    expect(listSteps(plan)).toEqual([]);
    expect(plan.warnings).toEqual([
      "Job train-gone-0 does not belong to a ReplicatedJob of the JobSet, so it is not counted",
      "Job train-w-7 does not belong to a ReplicatedJob of the JobSet, so it is not counted",
    ]);
  });
});
