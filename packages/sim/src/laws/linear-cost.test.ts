import type { JobSet } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { JobCluster } from "../testing/job-cluster.ts";
import { NodeCluster } from "../testing/node-cluster.ts";
import { getReplicatedJobName } from "./jobset-facts.ts";
import { countsMatchObservedJobs } from "./planner-laws.ts";
import { getCurrentJobs } from "./restart-attempt.ts";
import { jobRestartsKeepTheirOrder } from "./restart-laws.ts";
import { getNotReady, waitingReplicatedJobs } from "./startup-laws.ts";

const context = createContext({ now: "2026-02-07T06:56:19Z" });

/** Returns a JobSet with a number of ReplicatedJobs, each of which depends on the previous one, and all its Jobs. */
function getChain(length: number): readonly [JobSet, ...Job[]] {
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
    .withStatus({ restarts: 0, replicatedJobsStatus }) as JobSet;
  const jobs = desiredJobs(jobSet, context).map((job) => ({
    ...job,
    metadata: { ...job.metadata, uid: job.metadata.name },
    status: { active: 1, ready: 1 },
  })) as unknown as readonly Job[];
  return [jobSet, ...jobs];
}

interface Chain {
  readonly jobSet: JobSet;
  readonly jobs: readonly Job[];
  readonly snapshot: Snapshot;
}

/** Returns how many members of the JobSet, its Jobs and their parts a call reads. Unlike CPU time, this has no noise. */
function countReads(length: number, call: (chain: Chain) => void): number {
  let count = 0;
  const proxies = new WeakMap<object, object>();
  const countAccess = <Item>(item: Item): Item => {
    if (typeof item !== "object" || item === null) return item;
    const proxy = proxies.get(item) ?? new Proxy(item, { get, getOwnPropertyDescriptor });
    proxies.set(item, proxy);
    return proxy as Item;
  };
  const get: ProxyHandler<object>["get"] = (target, name, receiver) => {
    count += 1;
    return countAccess(Reflect.get(target, name, receiver));
  };
  const getOwnPropertyDescriptor = (target: object, name: PropertyKey) => {
    count += 1;
    return Reflect.getOwnPropertyDescriptor(target, name);
  };
  // A proxy cannot replace the members of a frozen object.
  const [jobSet, ...jobs] = countAccess(JSON.parse(JSON.stringify(getChain(length))));
  const snapshot = createSnapshot([jobSet, ...jobs], { kinds: "all" });
  count = 0;
  call({ jobSet, jobs, snapshot });
  return count;
}

const createStatusWrite = ({ jobSet, snapshot }: Chain) => {
  const { status } = jobSet;
  const changed = { ...status, terminalState: "" };
  const object = { ...jobSet, status: changed };
  return { request: { verb: "update", object, subresource: "status" }, snapshot };
};

describe("the cost of a law", () => {
  it.each<[string, (chain: Chain) => void]>([
    ["waitingReplicatedJobs", ({ jobSet, jobs }) => void waitingReplicatedJobs(jobSet, jobs)],
    ["getNotReady", ({ jobSet, jobs }) => void getNotReady(jobSet, jobs)],
    ["getCurrentJobs", ({ jobSet, snapshot }) => void getCurrentJobs(jobSet, snapshot)],
    [
      "getReplicatedJobName",
      ({ jobSet, jobs }) => {
        for (const job of jobs) getReplicatedJobName(job, jobSet);
      },
    ],
    [
      "jobRestartsKeepTheirOrder",
      ({ jobSet }) => {
        const after = { ...jobSet, status: { ...jobSet.status } };
        const change = { verb: "Modified", before: jobSet, after } as never;
        jobRestartsKeepTheirOrder.onChange?.(change, {} as never);
      },
    ],
    [
      "countsMatchObservedJobs",
      (chain) =>
        void countsMatchObservedJobs.onRequest?.(createStatusWrite(chain) as never, {} as never),
    ],
  ])("%s grows no faster than the number of ReplicatedJobs", (_, call) => {
    const [few, many] = [countReads(100, call), countReads(800, call)];
    expect(few).toBeGreaterThan(100);
    // Comparing each item with each other one would read 64 times as much.
    expect(many).toBeLessThan(16 * few);
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
  ])("the cost of a request to the simulated API server grows no faster than %s", (_, request) => {
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
