// States that do not occur in a well-behaved cluster, and the known reactions of upstream's controller.
import { type AJob, aJob, aJobSet, aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  asReady,
  conditionWith,
  createCounts,
  job0,
  job1,
  jobSetKey,
  listConditions,
  listCreatedJobs,
  service,
  train,
} from "../testing/typical-pass.ts";

describe("an order that the caller did not choose", () => {
  it("the order of the list of Jobs has no effect", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("b")
      .withReplicatedJob("a", { replicas: 3 })
      .withSpec({ failurePolicy: { maxRestarts: 1 } });
    const jobs = [0, 1, 2].map((index) => aJob(`train-a-${index}`).failed());
    const plan = reconcileForTest(jobSet, jobs);
    expect(reconcileForTest(jobSet, jobs.toReversed())).toEqual(plan);
    expect(plan.events[0]?.message).toContain("(first failed job: train-a-0)");
    expect(plan.status?.replicatedJobsStatus?.map(({ name }) => name)).toEqual(["b", "a"]);
  });

  it("deletions, suspension and scaling follow the order of names", () => {
    const names = ["train-w-10", "train-w-2", "train-w-1"];
    const jobs = names.map((name) => aJob(name));
    const inOrder = ["train-w-1", "train-w-10", "train-w-2"];
    const deletions = reconcileForTest(train.restarted(1), [service, ...jobs]);
    expect(listRequests(deletions)[0]).toEqual(inOrder.map((name) => `delete Job ${name}`));
    const suspension = reconcileForTest(train.suspended(), [service, ...jobs, job0]);
    expect(listRequests(suspension).at(-1)).toEqual(
      ["train-w-0", ...inOrder].map((name) => `update Job ${name}`),
    );
  });

  it("a percent sign in a Job's name has no special meaning in messages", () => {
    const jobSet = { ...train, metadata: { ...train.metadata, name: "100%" } };
    const invalidJob = { ...job0.failed(), metadata: { ...job0.metadata, name: "100%-w-0" } };
    const plan = reconcileForTest(jobSet, [invalidJob]);
    expect(plan.events[0]?.message).toContain("(first failed job: 100%-w-0)");
  });
});

describe("states in which upstream is stuck", () => {
  it.each([
    ["missing", undefined, 'strconv.Atoi: parsing "": invalid syntax'],
    ["no number", "one", 'strconv.Atoi: parsing "one": invalid syntax'],
    [
      "too large",
      "9223372036854775808",
      'strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
  ])("a single restart-attempt label that is %s makes the pass fail", (_, attempt, message) => {
    const bad = aJob("train-x-0").withLabels({ [jobSetKey("restart-attempt")]: attempt });
    const plan = reconcileForTest(train.restarted(1), [job0, job1.failed(), bad]);
    expect(plan).toMatchObject({
      steps: [],
      events: [],
      metrics: [],
      error: { phase: "classify", message, object: { kind: "Job", name: "train-x-0" } },
    });
    expect(plan).not.toHaveProperty("status");
  });

  describe("under the gate RestartJob", () => {
    const features = { RestartJob: true };
    const withIndexLabel = (job: AJob, index: string) =>
      job.withLabels({ [jobSetKey("job-restart-attempt")]: "0", [jobSetKey("job-index")]: index });

    it.each([
      ["beyond the replicas", withIndexLabel(job0, "2"), "2", "w"],
      ["below zero", withIndexLabel(job0, "-1"), "-1", "w"],
    ])("a job-index %s makes the pass fail", (_, job, index, replicatedJob) => {
      const plan = reconcileForTest(train, [job], { features });
      expect(plan.error?.message).toBe(
        `job index ${index} is out of bounds for replicated job ${replicatedJob}`,
      );
      expect(listSteps(plan)).toEqual([]);
      expect(reconcileForTest(train, [job]).error).toBeUndefined();
    });

    it.each([
      ["beyond the replicas", withIndexLabel(aJob("train-w-2"), "2"), "2", "w"],
      ["of an unknown ReplicatedJob", withIndexLabel(aJob("train-gone-0"), "0"), "0", "gone"],
    ])(
      "a Job %s makes the pass fail only with the quirk UnclaimedJobsCount",
      (_, job, index, replicatedJob) => {
        expect(reconcileForTest(train, [job], { features }).error).toBeUndefined();
        const plan = reconcileForTest(train, [job], { features, quirks: ["UnclaimedJobsCount"] });
        expect(plan.error?.message).toBe(
          `job index ${index} is out of bounds for replicated job ${replicatedJob}`,
        );
      },
    );

    it("a negative index of a failed Job without its own restarts makes the pass fail only with the quirk", () => {
      const job = job0.withLabels({ [jobSetKey("job-index")]: "-1" }).failed();
      const rules = [{ name: "r", action: "RestartJob" as const }];
      const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 9, rules } });
      const plan = reconcileForTest(jobSet, [job], { features });
      expect(plan.error).toEqual({
        phase: "failure-policy",
        message:
          "failed job train-w-0 has index -1 out of bounds for replicated job w (replicas: 2)",
        object: { kind: "Job", name: "train-w-0" },
      });
    });

    it("restart counts that are too short are padded with zeros", () => {
      const jobSet = train.withStatus({
        replicatedJobsStatus: [createCounts("w", { jobRestarts: [3] })],
      });
      const old = withIndexLabel(job0, "0");
      const plan = reconcileForTest(jobSet, [service, old, withIndexLabel(job1, "1")], {
        features,
      });
      expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
      const attempts = listCreatedJobs(reconcileForTest(jobSet, [service], { features })).map(
        ({ metadata }) => metadata.labels?.[jobSetKey("job-restart-attempt")],
      );
      expect(attempts).toEqual(["3", "0"]);
    });

    it("Jobs that were created without the gate are current, and get the label when they are recreated", () => {
      const plan = reconcileForTest(train, [service, job0], { features });
      expect(listRequests(plan)).toEqual([["create Job train-w-1"]]);
      const [created] = listCreatedJobs(plan);
      expect(created?.metadata.labels?.[jobSetKey("job-restart-attempt")]).toBe("0");
      expect(plan.warnings).toEqual([
        "Job train-w-0 has no label jobset.sigs.k8s.io/job-restart-attempt and counts as current",
      ]);
      expect(reconcileForTest(train, [service, job0]).warnings).toEqual([]);
    });

    it("restart counts are dropped after the gate was disabled", () => {
      const stored = createCounts("w", { ready: 2, active: 2, jobRestarts: [1] });
      const jobSet = train.withStatus({ replicatedJobsStatus: [stored] });
      const jobs = [service, asReady(job0), asReady(job1)];
      expect(reconcileForTest(jobSet, jobs).status?.replicatedJobsStatus).toStrictEqual([
        createCounts("w", { ready: 2, active: 2 }),
      ]);
      expect(reconcileForTest(jobSet, jobs, { features }).status).toBeUndefined();
    });
  });
});

describe("absent values", () => {
  const { successPolicy: _, ...spec } = train.spec;
  const withoutPolicy = { ...train, spec };

  it("without a success policy, all Jobs have to succeed", () => {
    const one = reconcileForTest(withoutPolicy, [service, job0.completed(), job1]);
    expect(listConditions(one)).toEqual([]);
    const all = reconcileForTest(withoutPolicy, [service, job0.completed(), job1.completed()]);
    expect(listConditions(all)).toEqual(["Completed True AllJobsCompleted"]);
  });

  it("a Job without parallelism has one Pod", () => {
    const job = job0.withSpec({ parallelism: undefined, completions: undefined });
    const plan = reconcileForTest(train, [service, job.withStatus({ ready: 1 }), job1]);
    expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("w", { ready: 1 })]);
  });
});

describe("surprising, and kept", () => {
  it("reconcile deletes only the observed Job, not a successor with the same name", () => {
    const [step] = listSteps(reconcileForTest(train.restarted(1), [service, job0.withUid("old")]));
    expect(step?.effects[0]).toMatchObject({ uid: "old", onNotFound: "Succeed" });
    const [unseen] = listSteps(reconcileForTest(train.restarted(1), [service, job0.withUid("")]));
    expect(unseen?.effects[0]).not.toHaveProperty("uid");
  });

  it("operator All over no Jobs completes the JobSet only with the upstream quirk", () => {
    const successPolicy = { operator: "All" as const, targetReplicatedJobs: ["none"] };
    const jobSet = train.withReplicatedJob("none", { replicas: 0 }).withSpec({ successPolicy });
    const others = [service, job0.completed(), job1];
    expect(listConditions(reconcileForTest(jobSet, others))).toEqual([]);
    const plan = reconcileForTest(jobSet, others, { quirks: ["EmptyTargetCompletes"] });
    expect(listConditions(plan)).toEqual(["Completed True AllJobsCompleted"]);
  });

  it("a JobSet without Jobs never completes", () => {
    const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 0 });
    for (const operator of ["All", "Any"] as const) {
      const plan = reconcileForTest(jobSet.withSpec({ successPolicy: { operator } }), [service]);
      expect([listSteps(plan), plan.events]).toEqual([[], []]);
    }
  });

  it("a ReplicatedJob that is no longer ready reverts in-order startup", () => {
    const jobSet = train
      .withReplicatedJob("v")
      .withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } })
      .withStatus({
        conditions: [
          conditionWith("StartupPolicyInProgress", "False"),
          conditionWith("StartupPolicyCompleted", "True"),
        ],
      });
    // The Job of `v` was deleted, and is not recreated before `w` is ready.
    const plan = reconcileForTest(jobSet, [service, asReady(job0), job1]);
    expect(listSteps(plan)).toEqual([]);
    expect(listConditions(plan)).toEqual([
      "StartupPolicyInProgress True InOrderStartupPolicyInProgress",
      "StartupPolicyCompleted False R",
    ]);
    expect(plan.events).toEqual([
      {
        type: "Normal",
        reason: "InOrderStartupPolicyInProgress",
        message: "in order startup policy is in progress",
      },
    ]);
    const back = reconcileForTest({ ...jobSet, status: plan.status }, [
      service,
      ...[job0, job1, aJob("train-v-0")].map(asReady),
    ]);
    expect(listConditions(back)).toEqual([
      "StartupPolicyInProgress False InOrderStartupPolicyInProgress",
      "StartupPolicyCompleted True InOrderStartupPolicyCompleted",
    ]);
    expect(back.events).toHaveLength(1);
  });

  it.each([
    ["3", "above the JobSet's own counts as the current one", false],
    ["-1", "below zero counts as an earlier one", true],
  ])("a Job's restart attempt of %s, %s", (attempt, _, previous) => {
    const job = job0.withLabels({ [jobSetKey("restart-attempt")]: attempt });
    const plan = reconcileForTest(train, [service, job, job1]);
    expect(listRequests(plan)).toEqual(previous ? [["delete Job train-w-0"]] : []);
  });
});

describe("Jobs that no ReplicatedJob claims", () => {
  const quirks = ["UnclaimedJobsCount"] as const;
  const inOrder = train.withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });

  it("unclaimed Jobs block neither in-order startup nor the end of a restart, except with the quirk", () => {
    const jobSet = inOrder
      .withReplicatedJob("v", { replicas: 1 })
      .withStatus({ conditions: [conditionWith("RestartingJobSet")] });
    const jobs = [service, ...[job0, job1, aJob("train-w-2")].map(asReady)];
    expect(listRequests(reconcileForTest(jobSet, jobs))).toEqual([["create Job train-v-0"]]);
    const upstream = reconcileForTest(jobSet, jobs, { quirks });
    expect(listSteps(upstream)).toEqual([]);
    expect(upstream.status?.replicatedJobsStatus).toContainEqual(
      createCounts("w", { ready: 3, active: 3 }),
    );

    const all = reconcileForTest(jobSet, [...jobs, asReady(aJob("train-v-0"))]);
    expect(all.status?.replicatedJobsStatus).toContainEqual(
      createCounts("w", { ready: 2, active: 2 }),
    );
    expect(listConditions(all)).toEqual([
      "RestartingJobSet False JobsReady",
      "StartupPolicyCompleted True InOrderStartupPolicyCompleted",
    ]);
  });

  it("unclaimed Jobs do not count as started for missing ones, except with the quirk", () => {
    const jobs = [service, asReady(job0), asReady(aJob("train-w-7"))];
    expect(listRequests(reconcileForTest(inOrder, jobs))).toEqual([["create Job train-w-1"]]);
    expect(listRequests(reconcileForTest(inOrder, jobs, { quirks }))).toEqual([]);
  });

  it("unclaimed Jobs do not satisfy dependencies, except with the quirk", () => {
    const jobSet = train.withReplicatedJob("v", {
      dependsOn: [{ name: "w", status: "Complete" }],
    });
    const jobs = [service, job0.completed(), job1, aJob("train-w-7").completed()];
    expect(listRequests(reconcileForTest(jobSet, jobs))).toEqual([]);
    expect(listRequests(reconcileForTest(jobSet, jobs, { quirks }))).toEqual([
      ["create Job train-v-0"],
    ]);
  });

  it("unclaimed Jobs do not replace Jobs that must succeed, except with the quirk", () => {
    const jobs = [service, ...[job0, aJob("train-w-7")].map((job) => job.completed())];
    expect(listConditions(reconcileForTest(train, jobs))).toEqual([]);
    expect(listConditions(reconcileForTest(train, jobs, { quirks }))).toEqual([
      "Completed True AllJobsCompleted",
    ]);
  });

  it.each(["train-gone-0", "train-w-2"])(
    "%s fails and restarts nothing, except with the quirk",
    (name) => {
      const jobs = [service, aJob(name).failed(), job0, job1];
      const plan = reconcileForTest(train, jobs);
      expect([listRequests(plan), listConditions(plan)]).toEqual([[], []]);
      expect(plan.warnings).toEqual([
        `Job ${name} does not belong to a ReplicatedJob of the JobSet, so it is not counted`,
      ]);
      expect(listConditions(reconcileForTest(train, jobs, { quirks }))).toEqual([
        "Failed True FailedJobs",
      ]);

      const rules = [{ name: "any", action: "FailJobSet" as const }];
      const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 1, rules } });
      expect(listConditions(reconcileForTest(jobSet, jobs))).toEqual([]);
      expect(listConditions(reconcileForTest(jobSet, jobs, { quirks }))).toEqual([
        "Failed True FailJobSetFailurePolicyAction",
      ]);
    },
  );

  it("unclaimed Jobs are neither resumed nor scaled, except surplus Jobs with the quirk", () => {
    const template = {
      spec: { ...aReplicatedJob("w").template.spec, parallelism: 4, completions: 4 },
    };
    const jobSet = aJobSet("train").withReplicatedJob("w", { replicas: 1, template });
    const settled = job0.withSpec({ parallelism: 4, completions: 4 });
    const jobs = [
      service,
      settled,
      aJob("train-w-2").suspended(),
      aJob("train-gone-0").suspended(),
    ];
    const features = { ElasticJobSet: true };
    expect(listRequests(reconcileForTest(jobSet, jobs, { features }))).toEqual([]);
    expect(listRequests(reconcileForTest(jobSet, jobs, { features, quirks }))).toEqual([
      ["patch Job train-w-2"],
      ["update Job train-w-2"],
    ]);
  });
});
