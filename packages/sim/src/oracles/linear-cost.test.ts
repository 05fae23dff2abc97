import type { JobSet } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { JobCluster } from "../testing/job-cluster.ts";
import { NodeCluster } from "../testing/node-cluster.ts";
import { getCurrentJobs, getReplicatedJobName } from "./jobset-facts.ts";
import { countsAreWhatIsSeen } from "./planner-oracles.ts";
import { jobRestartsKeepTheirOrder } from "./restart-oracles.ts";
import { getNotReady, waitingReplicatedJobs } from "./startup-oracles.ts";

const context = createContext({ now: "2026-02-07T06:56:19Z" });

/** A JobSet of so many ReplicatedJobs, each of which depends on the one before, with all its Jobs. */
function getChain(length: number, restarts: number) {
  const replicatedJobs = Array.from({ length }, (_, at) => ({
    name: `r${at}`,
    replicas: 1,
    template: { spec: { template: { spec: { containers: [] } } } },
    dependsOn: at === 0 ? [] : [{ name: `r${at - 1}`, status: "Ready" as const }],
  }));
  const replicatedJobsStatus = replicatedJobs.map(({ name }) => {
    return { name, ready: 1, succeeded: 0, failed: 0, active: 1, suspended: 0, jobRestarts: [0] };
  });
  const jobSet = aJobSet("train")
    .withSpec({ replicatedJobs, startupPolicy: { startupPolicyOrder: "InOrder" } })
    .withStatus({ restarts, replicatedJobsStatus }) as JobSet;
  const jobs = desiredJobs(jobSet, context).map((job) => ({
    ...job,
    metadata: { ...job.metadata, uid: job.metadata.name },
    status: { active: 1, ready: 1 },
  })) as unknown as readonly Job[];
  const snapshot = createSnapshot([jobSet, ...jobs], { kinds: "all" });
  return { jobSet, jobs, snapshot };
}

type Chain = ReturnType<typeof getChain>;

/** The CPU time of a call in milliseconds, the least of a few, each with objects of its own. */
function leastMs(length: number, call: (chain: Chain) => void): number {
  const times = [0, 1, 2, 3].map((restarts) => {
    const chain = getChain(length, restarts);
    const before = process.cpuUsage().user;
    for (let time = 0; time < 2; time++) call(chain);
    return (process.cpuUsage().user - before) / 1000;
  });
  return Math.min(...times);
}

const written = ({ jobSet, snapshot }: Chain) => {
  const { status } = jobSet;
  const changed = { ...status, terminalState: "" };
  const object = { ...jobSet, status: changed };
  return { asked: { verb: "update", object, subresource: "status" }, snapshot };
};

describe("the cost of an oracle", () => {
  it.each<[string, number, (chain: Chain) => void]>([
    ["waitingReplicatedJobs", 400, ({ jobSet, jobs }) => void waitingReplicatedJobs(jobSet, jobs)],
    ["getNotReady", 800, ({ jobSet, jobs }) => void getNotReady(jobSet, jobs)],
    ["getCurrentJobs", 8_000, ({ jobSet, snapshot }) => void getCurrentJobs(jobSet, snapshot)],
    [
      "getReplicatedJobName",
      800,
      ({ jobSet, jobs }) => {
        for (const job of jobs) getReplicatedJobName(job, jobSet);
      },
    ],
    [
      "jobRestartsKeepTheirOrder",
      8_000,
      ({ jobSet }) => {
        const after = { ...jobSet, status: { ...jobSet.status } };
        const change = { verb: "Modified", before: jobSet, after } as never;
        jobRestartsKeepTheirOrder.onChange?.(change, {} as never);
      },
    ],
    [
      "countsAreWhatIsSeen",
      800,
      (chain) => void countsAreWhatIsSeen.onRequest?.(written(chain) as never, {} as never),
    ],
  ])("%s grows no faster than the number of ReplicatedJobs", (_, length, call) => {
    leastMs(100, call);
    const [few, many] = [leastMs(100, call), leastMs(length, call)];
    // Comparing each with each takes as many times as long as the square of this.
    const times = length / 100;
    expect(many).toBeLessThan(3 * times * Math.max(few, 0.4));
  });
});

describe("the cost of a request to the simulated API server", () => {
  it.each([
    [
      "the exit codes of a Pod failure policy",
      (length: number) => {
        const values = Array.from({ length }, (_, at) => at);
        const rules = [{ action: "FailJob", onExitCodes: { operator: "NotIn", values } }];
        new JobCluster().create({ podFailurePolicy: { rules } } as never);
      },
    ],
    [
      "the scheduling gates of a Pod",
      (length: number) => {
        const schedulingGates = Array.from({ length }, (_, at) => ({ name: `x.io/g${at}` }));
        new NodeCluster().createPod("p", { schedulingGates });
      },
    ],
  ])("grows no faster than %s", (_, request) => {
    const leastMs = (length: number) => {
      const times = [0, 1, 2].map(() => {
        const before = process.cpuUsage().user;
        request(length);
        return (process.cpuUsage().user - before) / 1000;
      });
      return Math.min(...times);
    };
    leastMs(50);
    const [few, many] = [leastMs(1_000), leastMs(16_000)];
    expect(many).toBeLessThan(64 * Math.max(few, 0.5));
  });
});
