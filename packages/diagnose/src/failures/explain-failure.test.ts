import type { FailurePolicyRule } from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { createContext, createSnapshot, reconcile } from "@jobset-ts/core";
import { classifyJobs } from "@jobset-ts/core/child-jobs";
import { aJob, aJobSet } from "@jobset-ts/testing";
import { clusters } from "@jobset-ts/testing/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze, findFrozenPath } from "../../../testing/src/testing/freezing.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { explainFailure } from "./explain-failure.ts";
import { restartCounts } from "./restart-counts.ts";

const context = createContext({ now: "2026-02-07T07:00:00Z" });
const single = createContext({ now: "2026-02-07T07:00:00Z", features: { RestartJob: true } });

function aPolicy(maxRestarts: number, ...rules: readonly FailurePolicyRule[]) {
  return aJobSet("train")
    .withReplicatedJob("driver")
    .withReplicatedJob("workers", { replicas: 4 })
    .withSpec({ failurePolicy: { maxRestarts, rules: [...rules] } });
}

const hosts: FailurePolicyRule = {
  name: "hosts",
  action: "RestartJobSetAndIgnoreMaxRestarts",
  onJobFailureReasons: ["PodFailurePolicy"],
};
const driver: FailurePolicyRule = {
  name: "driver",
  action: "FailJobSet",
  targetReplicatedJobs: ["driver"],
};

describe("explainFailure", () => {
  it("explainFailure names the rule that decides, why earlier rules do not apply, and the later rules", () => {
    const memory: FailurePolicyRule = {
      name: "memory",
      action: "FailJobSet",
      onJobFailureMessagePatterns: ["OOM"],
    };
    const rest: FailurePolicyRule = { name: "rest", action: "RestartJobSet" };
    const both: FailurePolicyRule = {
      name: "both",
      action: "FailJobSet",
      onJobFailureReasons: ["DeadlineExceeded"],
      targetReplicatedJobs: ["driver"],
    };
    const jobSet = aPolicy(3, hosts, driver, both, memory, rest, hosts);
    const failed = [aJob("train-workers-0").failed(), aJob("train-workers-1").failed()];
    const { decision, rules } = explainFailure(jobSet, failed, context);
    expect(decision).toMatchObject({
      action: "RestartJobSet",
      rule: "rest",
      job: "train-workers-0",
    });
    const createMisses = (...misses: string[]) => ({
      outcome: "DoesNotApply",
      misses: [{ job: "train-workers-0", jobCount: 2, misses }],
      omittedCount: 0,
    });
    expect(rules).toEqual([
      { name: "hosts", ...createMisses("reason") },
      { name: "driver", ...createMisses("target") },
      { name: "both", ...createMisses("target", "reason") },
      { name: "memory", ...createMisses("message") },
      { name: "rest", outcome: "Applies", job: "train-workers-0" },
      { name: "hosts", outcome: "NotReached" },
    ]);
  });

  it("explainFailure groups failures by what rules read, and counts the omitted ones", () => {
    const unmatchedRule: FailurePolicyRule = { ...hosts, onJobFailureMessagePatterns: ["never"] };
    const failed = Array.from({ length: 12 }, (_, index) =>
      aJob(`train-workers-${index}`).failed({ message: `exit code ${index}` }),
    );
    const [rule] = explainFailure(aPolicy(3, unmatchedRule), failed, context).rules;
    expect(rule?.outcome === "DoesNotApply" && [rule.misses.length, rule.omittedCount]).toEqual([
      10, 2,
    ]);
  });

  it("explainFailure ignores messages that no rule reads", () => {
    const failed = [0, 1].map((index) =>
      aJob(`train-workers-${index}`).failed({ message: `exit code ${index}` }),
    );
    const [rule] = explainFailure(aPolicy(3, hosts), failed, context).rules;
    expect(rule).toMatchObject({ misses: [{ jobCount: 2 }] });
  });

  it("explainFailure applies no rule to a Job without a ReplicatedJob label", () => {
    const job = aJob("train-workers-0").failed();
    const { [REPLICATED_JOB_NAME_KEY]: _, ...labels } = job.metadata.labels ?? {};
    const nobodys = { ...job, metadata: { ...job.metadata, labels } };
    const [rule] = explainFailure(
      aPolicy(3, { ...hosts, onJobFailureReasons: [] }),
      [nobodys],
      context,
    ).rules;
    expect(rule).toMatchObject({ misses: [{ misses: ["label"] }] });
  });

  it("explainFailure reports patterns that exceed the work limit if all other conditions match", () => {
    const greedy: FailurePolicyRule = {
      name: "greedy",
      action: "FailJobSet",
      onJobFailureMessagePatterns: ["x".repeat(60_000)],
    };
    const plain: FailurePolicyRule = {
      ...greedy,
      name: "plain",
      onJobFailureMessagePatterns: ["backoff"],
    };
    const failed = [aJob("train-workers-0").failed()];
    const explained = explainFailure(aPolicy(3, greedy, plain), failed, context);
    expect(explained.rules).toMatchObject([
      { misses: [{ misses: ["message"] }] },
      { misses: [{ misses: ["work"] }] },
    ]);
    expect(explained.warnings).toHaveLength(1);
  });

  it("explainFailure fails a JobSet without a failure policy and lists no rules", () => {
    const failed = [aJob("train-workers-1").failed()];
    expect(explainFailure(aJobSet("train").withReplicatedJob("workers"), failed, context)).toEqual({
      decision: { action: "FailJobSet", reason: "FailedJobs", job: "train-workers-1" },
      rules: [],
      warnings: [],
      before: NO_RESTARTS,
      after: NO_RESTARTS,
      result: { outcome: "Failed", reason: "FailedJobs", counts: NO_RESTARTS },
      orders: { outcome: "Same", complete: true },
    });
  });

  it("explainFailure returns undefined without failures", () => {
    expect(explainFailure(aPolicy(3, hosts), [], context)).toMatchObject({
      decision: { action: "None" },
      rules: [{ outcome: "DoesNotApply", misses: [] }],
      orders: { outcome: "Same", complete: true },
    });
  });

  describe("restart counts", () => {
    it("explainFailure counts a restart toward the limit if the rule says so", () => {
      const failed = [aJob("train-workers-0").failed({ reason: "PodFailurePolicy" })];
      const jobSet = aPolicy(3, hosts).withStatus({ restarts: 2, restartsCountTowardsMax: 2 });
      expect(explainFailure(jobSet, failed, context)).toMatchObject({
        before: { restarts: 2, restartsCountTowardsMax: 2, left: 1 },
        after: { restarts: 3, restartsCountTowardsMax: 2, left: 1 },
      });
      expect(
        explainFailure(jobSet.withSpec({ failurePolicy: { maxRestarts: 3 } }), failed, context),
      ).toMatchObject({
        after: { restarts: 3, restartsCountTowardsMax: 3, left: 0 },
      });
    });

    it("explainFailure counts the restart of a single Job beside those of the JobSet", () => {
      const alone: FailurePolicyRule = { name: "alone", action: "RestartJob" };
      const jobSet = aPolicy(3, alone).withStatus({ restarts: 1, restartsCountTowardsMax: 1 });
      expect(explainFailure(jobSet, [aJob("train-workers-2").failed()], single)).toMatchObject({
        before: { left: 2, jobRestarts: 0 },
        after: { left: 1, restarts: 1, jobRestarts: 1, jobRestartsCountTowardsMax: 1 },
      });
    });

    it("explainFailure keeps the counts if the action is not possible", () => {
      const alone: FailurePolicyRule = { name: "alone", action: "RestartJob" };
      const explained = explainFailure(
        aPolicy(3, alone),
        [aJob("train-workers-2").failed()],
        context,
      );
      expect(explained.decision.action).toBe("Refuse");
      expect(explained.after).toEqual(explained.before);
      expect(explained.result?.outcome).toBe("Refused");
    });

    it("explainFailure returns the counts that a reconcile writes, in any cluster state", () => {
      let decided = 0;
      fc.assert(
        fc.property(
          clusters({ situation: "Failures", wedged: false }),
          ({ jobSet, others, context }) => {
            const snapshot = createSnapshot([jobSet, ...others], { kinds: "all" });
            const jobs = classifyJobs(jobSet, snapshot.readChildJobs(jobSet), context);
            if (!jobs.ok || jobs.failed.size === 0) return;
            const failed = jobs.failed.list().map(({ job }) => job);
            const plan = reconcile(snapshot, jobSet, context);
            const planned = plan.decisions.find(({ phase }) => phase === "failure-policy");
            if (planned === undefined || plan.status === undefined) return;
            decided += 1;
            const { decision, after } = explainFailure(jobSet, failed, context);
            expect(decision.action).toBe(planned.rule);
            expect(after).toEqual(restartCounts({ ...jobSet, status: plan.status }));
          },
        ),
        { numRuns: runs(150) },
      );
      expect(decided).toBeGreaterThan(30);
    });
  });

  describe("other orders of the same failures", () => {
    const hostDown = aJob("train-workers-0").failed({ reason: "PodFailurePolicy" });
    const driverDown = aJob("train-driver-0").failed();

    it("explainFailure finds an order in which a restart removes the Job whose failure would be final", () => {
      const { result, orders } = explainFailure(
        aPolicy(3, driver, hosts),
        [driverDown, hostDown],
        context,
      );
      expect(result).toMatchObject({ outcome: "Failed", reason: "FailJobSetFailurePolicyAction" });
      expect(orders).toMatchObject({
        outcome: "Different",
        order: ["train-workers-0"],
        result: { outcome: "Restarted", counts: { restarts: 1, restartsCountTowardsMax: 0 } },
      });
    });

    it("explainFailure finds no other order if all lead to the same result", () => {
      const failed = [driverDown, aJob("train-workers-1").failed()];
      expect(explainFailure(aPolicy(3), failed, context).orders).toEqual({
        outcome: "Same",
        complete: true,
      });
    });

    it("explainFailure continues the search after Jobs that restart alone", () => {
      const alone: FailurePolicyRule = {
        name: "alone",
        action: "RestartJob",
        targetReplicatedJobs: ["workers"],
      };
      const workers = [0, 1].map((index) => aJob(`train-workers-${index}`).failed());
      const rules = [alone, { ...driver, action: "RestartJobSet" as const }];
      const { result, orders } = explainFailure(
        aPolicy(2, ...rules),
        [...workers, driverDown],
        single,
      );
      // Processed together, the workers restart first and use up the restart that the driver needs.
      expect(result).toMatchObject({ outcome: "Failed", reason: "ReachedMaxRestarts" });
      expect(orders).toMatchObject({ outcome: "Different", result: { outcome: "Restarted" } });
    });

    it("explainFailure agrees with reconciles that process the failures one after the other", () => {
      const actions = fc.constantFrom(
        "FailJobSet",
        "RestartJobSet",
        "RestartJobSetAndIgnoreMaxRestarts",
        "RestartJob" as const,
      );
      const rules = fc.array(
        fc.record({
          action: actions,
          targetReplicatedJobs: fc.subarray(["driver", "workers"]),
          onJobFailureReasons: fc.subarray(["PodFailurePolicy", "BackoffLimitExceeded"]),
        }),
        { maxLength: 3 },
      );
      const failures = fc.subarray(["train-driver-0", "train-workers-0", "train-workers-1"]);
      const reasons = fc.array(fc.constantFrom("PodFailurePolicy", "BackoffLimitExceeded"), {
        minLength: 3,
        maxLength: 3,
      });
      fc.assert(
        fc.property(rules, failures, reasons, fc.nat(2), (drawn, names, why, maxRestarts) => {
          const named = drawn.map((rule, index) => ({ ...rule, name: `rule${index}` }));
          const jobSet = aPolicy(maxRestarts, ...(named as FailurePolicyRule[]));
          const failed = names.map((name, index) =>
            aJob(name).failed({ reason: why[index] ?? "" }),
          );
          const { orders, result } = explainFailure(jobSet, failed, single);
          const endings = getOrders(failed).map((order) => reconcileWith(jobSet, order));
          const same = endings.every((one) => JSON.stringify(one) === JSON.stringify(result));
          expect(orders).toMatchObject(
            same || failed.length === 0
              ? { outcome: "Same", complete: true }
              : { outcome: "Different" },
          );
        }),
        { numRuns: runs(100) },
      );
    });

    it("explainFailure searches all orders, because the actual order does not matter", () => {
      const each: FailurePolicyRule = {
        name: "each",
        action: "RestartJob",
        onJobFailureMessagePatterns: ["^[0-9]$"],
      };
      const kinds = Array.from({ length: 6 }, (_, index) =>
        aJob(`train-workers-${index}`).failed({ message: `${index}` }),
      );
      const jobSet = aJobSet("train")
        .withReplicatedJob("workers", { replicas: 6 })
        .withSpec({ failurePolicy: { maxRestarts: 9, rules: [each] } });
      expect(explainFailure(jobSet, kinds, single)).toMatchObject({
        result: { outcome: "Restarted", counts: { jobRestarts: 6, left: 3 } },
        orders: { outcome: "Same", complete: true },
      });
    });

    it("explainFailure skips the search if all messages together exceed the work limit", () => {
      const heavy: FailurePolicyRule = {
        name: "heavy",
        action: "FailJobSet",
        onJobFailureMessagePatterns: Array.from(
          { length: 49 },
          (_, index) => `[ab]{0,1000}${"cd"[index % 2]}`,
        ),
      };
      let bits = 1;
      const hard = Array.from({ length: 32_000 }, () => {
        bits = (Math.imul(bits, 1_103_515_245) + 12_345) & 0x7fffffff;
        return bits & 0x10000 ? "a" : "b";
      }).join("");
      const failed = [hard, "c"].map((message, index) =>
        aJob(`train-workers-${index}`).failed({ message }),
      );
      const { decision, orders } = explainFailure(aPolicy(3, heavy), failed, context);
      expect(decision.action).toBe("RestartJobSet");
      expect(orders.outcome).toBe("NotLooked");
    });

    it("explainFailure skips the search for too many failures, and stops it at a limit", () => {
      const many = Array.from({ length: 101 }, (_, index) =>
        aJob(`train-workers-${index}`).failed(),
      );
      expect(explainFailure(aPolicy(3), many, context).orders.outcome).toBe("NotLooked");
      const alone: FailurePolicyRule = { name: "alone", action: "RestartJobAndIgnoreMaxRestarts" };
      const each: FailurePolicyRule = {
        ...alone,
        name: "each",
        onJobFailureMessagePatterns: ["^[0-9]+$"],
      };
      const kinds = Array.from({ length: 12 }, (_, index) =>
        aJob(`train-workers-${index}`).failed({ message: `${index}` }),
      );
      const jobSet = aPolicy(3, each).withReplicatedJob("workers", { replicas: 12 });
      const workers = jobSet.withSpec({
        replicatedJobs: jobSet.spec.replicatedJobs?.slice(2) ?? [],
      });
      expect(explainFailure(workers, kinds, single).orders).toEqual({
        outcome: "Same",
        complete: false,
      });
    });
  });

  it("explainFailure does not modify its input", () => {
    const jobSet = aPolicy(3, hosts, driver);
    const failed = [aJob("train-driver-0").failed(), aJob("train-workers-1").failed()];
    const explained = explainFailure(jobSet, failed, context);
    expect(findFrozenPath([jobSet, failed])).toBeUndefined();
    expect(explainFailure(deepFreeze(jobSet), deepFreeze(failed), context)).toEqual(explained);
  });
});

const NO_RESTARTS = {
  restarts: 0,
  restartsCountTowardsMax: 0,
  jobRestarts: 0,
  jobRestartsCountTowardsMax: 0,
  left: 0,
};

type AFailedJob = ReturnType<typeof aJob>;

function getOrders(jobs: readonly AFailedJob[]): readonly (readonly AFailedJob[])[] {
  if (jobs.length === 0) return [[]];
  return jobs.flatMap((first) =>
    getOrders(jobs.filter((job) => job !== first)).map((rest) => [first, ...rest]),
  );
}

/** Returns the result of a JobSet whose Jobs fail one after the other, with a reconcile after each. */
function reconcileWith(jobSet: ReturnType<typeof aJobSet>, order: readonly AFailedJob[]) {
  let current = jobSet;
  for (const [index, job] of order.entries()) {
    const attempt = { [RESTART_ATTEMPT_KEY]: String(current.status?.restarts ?? 0) };
    const snapshot = createSnapshot([current, job.withLabels(attempt)], { kinds: "all" });
    const { status = current.status, decisions } = reconcile(snapshot, current, single);
    const next = current.withStatus(status ?? {});
    const counts = restartCounts(next);
    const { rule } = decisions.find(({ phase }) => phase === "failure-policy") ?? {};
    if (rule === "FailJobSet") {
      const reason = status?.conditions?.find(({ type }) => type === "Failed")?.reason;
      return { outcome: "Failed", reason, counts };
    }
    if (rule !== "RestartJob" || index === order.length - 1)
      return { outcome: "Restarted", counts };
    current = next;
  }
  return undefined;
}
