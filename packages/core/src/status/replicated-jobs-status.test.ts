import { type ReplicatedJobStatus, resolveFeatureGates } from "@jobset-ts/api";
import { type AJob, type AJobSet, aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { classifyJobs } from "../child-jobs/classify-jobs.ts";
import { NO_QUIRKS, type Quirk } from "../quirks.ts";
import { isReady } from "../snapshot/child-job.ts";
import { readChildJobs } from "../snapshot/child-jobs.ts";
import { replicatedJobsStatus, sameReplicatedJobsStatus } from "./replicated-jobs-status.ts";

const gates = {
  off: { features: resolveFeatureGates({}), quirks: NO_QUIRKS },
  on: { features: resolveFeatureGates({ RestartJob: true }), quirks: NO_QUIRKS },
};

const noJobs = { ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };

function countJobs(jobSet: AJobSet, jobs: readonly AJob[], context = gates.off) {
  const classified = classifyJobs(jobSet, readChildJobs(jobs), {
    ...gates.off,
    quirks: context.quirks,
  });
  if (!classified.ok) throw new TypeError(classified.message);
  return replicatedJobsStatus(jobSet, classified, context);
}

/** The counters of the only ReplicatedJob `w`, without zeros. */
function countStates(...jobs: readonly AJob[]): Partial<ReplicatedJobStatus> {
  const { statuses } = countJobs(aJobSet("train").restarted(1).withReplicatedJob("w"), jobs);
  const entries = Object.entries(statuses[0] ?? {}).filter(([, value]) => value !== 0);
  return Object.fromEntries(entries.filter(([name]) => name !== "name"));
}

const job = aJob("train-w-0").ofAttempt(1);

describe("isReady", () => {
  it.each([
    [1, 2, 1, 1, true],
    [5, undefined, 2, 3, true],
    [3, 2, 1, 1, true],
    [2, 3, 2, 1, true],
    [4, 5, 2, 1, false],
    [5, undefined, 0, 0, false],
    [0, 0, 0, 0, true],
    [undefined, undefined, 1, undefined, true],
    [undefined, undefined, undefined, undefined, false],
    [2, undefined, 1, undefined, false],
    [0, undefined, undefined, undefined, true],
  ])(
    "isReady with parallelism %s and completions %s, of which %s are ready and %s have succeeded, is %6$s",
    (parallelism, completions, ready, succeeded, expected) => {
      const one = job.withSpec({ parallelism, completions }).withStatus({ ready, succeeded });
      expect(isReady(one)).toBe(expected);
    },
  );
});

describe("replicatedJobsStatus", () => {
  it.each<[string, AJob, Partial<ReplicatedJobStatus>]>([
    ["ready and active", job.withStatus({ ready: 1, active: 1 }), { ready: 1, active: 1 }],
    ["active and not ready", job.withStatus({ active: 3 }), { active: 1 }],
    ["neither ready nor active", job, {}],
    ["suspended", job.suspended(), { suspended: 1 }],
    [
      "suspended and ready, because it needs no Pods",
      job.suspended().withSpec({ parallelism: 0 }),
      { suspended: 1, ready: 1 },
    ],
    ["successful", job.withStatus({ ready: 1, active: 1 }).completed(), { succeeded: 1 }],
    ["failed", job.withStatus({ ready: 1, active: 1 }).failed(), { failed: 1 }],
    ["failed and suspended", job.suspended().failed(), { failed: 1 }],
    ["being deleted", job.beingDeleted().withStatus({ ready: 1 }), { ready: 1 }],
    ["of an earlier attempt", job.ofAttempt(0).withStatus({ ready: 1 }).failed(), {}],
  ])("replicatedJobsStatus counts a Job that is %s", (_, one, expected) => {
    expect(countStates(one)).toEqual(expected);
  });

  describe("at gates", () => {
    const up = { ready: 1, active: 1 };
    const says = { type: "Suspended", status: "True" } as const;
    const stale = job.suspended().withStatus(up);
    const resumed = job.withStatus({ ...up, conditions: [says] });

    function countReady(one: AJob, ...quirks: readonly Quirk[]) {
      const jobSet = aJobSet("train").restarted(1).withReplicatedJob("w");
      const context = { ...gates.off, quirks: new Set(quirks) };
      const { statuses, gateCounters } = countJobs(jobSet, [one], context);
      return [statuses, gateCounters].map(([entry]) => entry?.ready);
    }

    it.each([
      ["runs", job.withStatus(up), [1, 1]],
      ["is suspended without the condition Suspended", stale, [1, 0]],
      ["is suspended and needs no Pods", job.suspended().withSpec({ parallelism: 0 }), [1, 0]],
      ["runs, with the condition of an earlier suspension", resumed, [1, 1]],
    ])("a Job counts in the status and at gates when it %s", (_, one, expected) => {
      expect(countReady(one)).toEqual(expected);
    });

    it("a finished Job counts by its result even if suspended", () => {
      const jobSet = aJobSet("train").restarted(1).withReplicatedJob("w");
      const { statuses, gateCounters } = countJobs(jobSet, [job.suspended().completed()]);
      expect(statuses).toMatchObject([{ succeeded: 1, ready: 0 }]);
      expect(gateCounters).toEqual(statuses);
    });

    it("a suspended Job counts as ready at gates with the quirk SuspendedReadyOpensGates", () => {
      expect(countReady(stale, "SuspendedReadyOpensGates")).toEqual([1, 1]);
    });
  });

  it("surplus Jobs count only with the quirk UnclaimedJobsCount", () => {
    const surplus = [0, 1, 7].map((index) => aJob(`train-w-${index}`).ofAttempt(1).completed());
    expect(countStates(...surplus)).toEqual({ succeeded: 1 });
    const jobSet = aJobSet("train").restarted(1).withReplicatedJob("w");
    const context = { ...gates.off, quirks: new Set<Quirk>(["UnclaimedJobsCount"]) };
    expect(countJobs(jobSet, surplus, context)).toMatchObject({
      statuses: [{ succeeded: 3 }],
      unclaimed: [],
    });
  });

  it("replicatedJobsStatus has an entry for every ReplicatedJob, by name descending", () => {
    const jobSet = aJobSet("train")
      .withReplicatedJob("b")
      .withReplicatedJob("a")
      .withReplicatedJob("B")
      .withReplicatedJob("a-1");
    const { statuses } = countJobs(jobSet, [aJob("train-a-0").failed()]);
    expect(statuses).toEqual([
      { ...noJobs, name: "b" },
      { ...noJobs, name: "a-1" },
      { ...noJobs, name: "a", failed: 1 },
      { ...noJobs, name: "B" },
    ]);
  });

  it("replicatedJobsStatus does not count unclaimed Jobs, and names them", () => {
    const nobodys = job.withLabels({ "jobset.sigs.k8s.io/replicatedjob-name": undefined });
    const empty = aJob("train-w-1").withLabels({ "jobset.sigs.k8s.io/replicatedjob-name": "" });
    const removed = aJob("train-gone-2").failed();
    const jobSet = aJobSet("train").withReplicatedJob("w").withReplicatedJob("");
    const byName = countJobs(
      jobSet,
      [nobodys, empty, removed].map((one) => one.suspended()),
    );
    expect(byName.statuses.map(({ suspended, failed }) => suspended + failed)).toEqual([1, 0]);
    expect(byName.unclaimed).toEqual(["train-w-1", "train-gone-2"]);

    const context = { ...gates.off, quirks: new Set<Quirk>(["UnclaimedJobsCount"]) };
    const { statuses, unclaimed } = countJobs(jobSet, [nobodys, empty, removed], context);
    expect(statuses.map(({ active, failed }) => active + failed)).toEqual([0, 0]);
    expect(unclaimed).toEqual(["train-w-0", "train-w-1", "train-gone-2"]);
  });

  describe("of single restarts", () => {
    const stored = {
      ...noJobs,
      ready: 9,
      name: "w",
      jobRestarts: [1, 2],
      jobRestartsCountTowardsMax: [1],
    };
    const jobSet = aJobSet("train")
      .withReplicatedJob("v")
      .withReplicatedJob("w")
      .withStatus({
        replicatedJobsStatus: [
          stored,
          { ...stored, jobRestarts: [7] },
          { ...noJobs, name: "v", jobRestarts: [] },
        ],
      });

    it("single restarts are kept with the gate, from the first of two entries with a name", () => {
      expect(countJobs(jobSet, [], gates.on).statuses).toStrictEqual([
        { ...noJobs, name: "w", jobRestarts: [1, 2], jobRestartsCountTowardsMax: [1] },
        { ...noJobs, name: "v" },
      ]);
    });

    it("single restarts are dropped without the gate", () => {
      expect(countJobs(jobSet, [], gates.off).statuses).toStrictEqual([
        { ...noJobs, name: "w" },
        { ...noJobs, name: "v" },
      ]);
    });
  });
});

describe("sameReplicatedJobsStatus", () => {
  const [a, b] = ["a", "b"].map((name) => ({ ...noJobs, name })) as [
    ReplicatedJobStatus,
    ReplicatedJobStatus,
  ];

  it("sameReplicatedJobsStatus ignores the order of entries", () => {
    expect(sameReplicatedJobsStatus([a, b], [b, a])).toBe(true);
    expect(sameReplicatedJobsStatus([b, a], [b, a])).toBe(true);
  });

  it("sameReplicatedJobsStatus treats absent and empty lists as equal", () => {
    expect(sameReplicatedJobsStatus([], [])).toBe(true);
    const lists = { jobRestarts: [], jobRestartsCountTowardsMax: [] };
    expect(sameReplicatedJobsStatus([{ ...a, ...lists }], [a])).toBe(true);
    expect(sameReplicatedJobsStatus([{ name: "a" }], [a])).toBe(true);
  });

  it.each([
    ["ready", { ready: 1 }],
    ["succeeded", { succeeded: 1 }],
    ["failed", { failed: 1 }],
    ["active", { active: 1 }],
    ["suspended", { suspended: 1 }],
    ["name", { name: "c" }],
    ["jobRestarts", { jobRestarts: [0] }],
    ["jobRestartsCountTowardsMax", { jobRestartsCountTowardsMax: [1] }],
  ])("sameReplicatedJobsStatus detects another %s", (_, other) => {
    expect(sameReplicatedJobsStatus([{ ...a, ...other }], [a])).toBe(false);
    expect(sameReplicatedJobsStatus([a], [{ ...a, ...other }])).toBe(false);
  });

  it("sameReplicatedJobsStatus detects another or an additional restart count", () => {
    const one = { ...a, jobRestarts: [1, 2] };
    expect(sameReplicatedJobsStatus([one], [{ ...a, jobRestarts: [1, 2] }])).toBe(true);
    expect(sameReplicatedJobsStatus([one], [{ ...a, jobRestarts: [1, 3] }])).toBe(false);
    expect(sameReplicatedJobsStatus([one], [{ ...a, jobRestarts: [1] }])).toBe(false);
  });

  it("statuses with another number of entries or an invalid entry are not equal", () => {
    expect(sameReplicatedJobsStatus([a], [a, b])).toBe(false);
    expect(sameReplicatedJobsStatus([a, b], [b])).toBe(false);
    expect(sameReplicatedJobsStatus([null as never], [a])).toBe(false);
  });
});
