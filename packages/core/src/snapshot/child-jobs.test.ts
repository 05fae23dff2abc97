import type { Job } from "@jobset-ts/api/kubernetes";
import { type AJob, aJob, aJobSet } from "@jobset-ts/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChildJobs, readChildJobs } from "./child-jobs.ts";
import { createSnapshot } from "./snapshot.ts";
import { MAX_BLOCK } from "./sorted-items.ts";

const train = aJobSet("train");
const listNames = (jobs: ChildJobs) => jobs.list().map(({ job }) => job.metadata?.name);

/** Two ReplicatedJobs in which every third Job has failed, so adjacent Jobs in the list often differ. */
const mixed = ["a", "b"].flatMap((name) =>
  [0, 1, 2, 3, 4, 5].map((index) => {
    const job = aJob(`train-${name}-${index}`);
    return index % 3 === 0 ? job.failed() : job;
  }),
);

describe("ChildJobs", () => {
  it("ChildJobs groups Jobs that differ only in their index, even if others are between them", () => {
    const jobs = readChildJobs(mixed);
    const groups = jobs.groups.map(({ traits, jobs, lowestIndex, highestIndex }) => [
      traits.nameStem,
      traits.state,
      jobs.length,
      lowestIndex,
      highestIndex,
    ]);
    expect(groups).toEqual([
      ["train-a", "failed", 2, 0, 3],
      ["train-a", "active", 4, 1, 5],
      ["train-b", "failed", 2, 0, 3],
      ["train-b", "active", 4, 1, 5],
    ]);
    expect(jobs.size).toBe(12);
  });

  it.each<[string, (job: AJob) => Job]>([
    ["its state", (job) => job.completed()],
    ["its restart attempt", (job) => job.ofAttempt(1)],
    ["whether it is suspended", (job) => ({ ...job, spec: { ...job.spec, suspend: true } }) as Job],
    ["its active Pods", (job) => ({ ...job, status: { active: 1 } }) as Job],
    ["its Pods that are ready", (job) => ({ ...job, status: { ready: 9 } }) as Job],
    ["its name", (job) => ({ ...job, metadata: { ...job.metadata, name: "train-v-1" } }) as Job],
    ["its namespace", (job) => job.inNamespace("elsewhere")],
    [
      "a name without an index",
      (job) => ({ ...job, metadata: { ...job.metadata, name: "train-w-x" } }) as Job,
    ],
    [
      "the label of its ReplicatedJob",
      (job) => job.withLabels({ "jobset.sigs.k8s.io/replicatedjob-name": "v" }),
    ],
  ])("ChildJobs separates Jobs that differ in %s", (_, changed) => {
    const [one, other] = [aJob("train-w-0"), aJob("train-w-1")];
    expect(readChildJobs([one, other]).groups).toHaveLength(1);
    expect(readChildJobs([one, changed(other)]).groups).toHaveLength(2);
  });

  it("ChildJobs keeps list order in each partition", () => {
    const byState = readChildJobs(mixed).split(({ traits }) => traits.state);
    const names = ["train-a-0", "train-a-3", "train-b-0", "train-b-3"];
    expect(listNames(byState("failed"))).toEqual(names);
    expect(listNames(byState("active"))).toHaveLength(8);
    expect(listNames(byState("successful"))).toEqual([]);
    expect(
      listNames(readChildJobs(mixed).filter(({ traits }) => traits.state === "failed")),
    ).toEqual(names);
  });

  it("ChildJobs returns itself if all its groups are in one partition", () => {
    const jobs = readChildJobs(mixed);
    expect(jobs.filter(() => true)).toBe(jobs);
    expect(jobs.split(() => "all")("all")).toBe(jobs);
    expect(jobs.apart(() => true)).toBe(jobs);
  });

  it("ChildJobs splits groups that cannot be decided as a whole, in order", () => {
    const apart = readChildJobs(mixed).apart(({ traits }) => traits.state === "active");
    expect(apart.groups.map(({ jobs }) => jobs[0]?.job)).toEqual(mixed);
    expect(listNames(apart)).toEqual(listNames(readChildJobs(mixed)));
  });

  it("ChildJobs replaces some Jobs with other versions in place", () => {
    const jobs = readChildJobs(mixed).map((child) =>
      child.nameIndex === 1 ? { ...child, job: { metadata: { name: "other" } } } : child,
    );
    expect(listNames(jobs)[1]).toBe("other");
    expect(jobs.groups.map(({ jobs: { length } }) => length)).toEqual([2, 4, 2, 4]);
  });
});

describe("readChildJobs", () => {
  const job = (index: number) => aJob(`train-w-${index}`).controlledBy(train);
  const edits = fc.array(
    fc.record({
      index: fc.nat(3 * MAX_BLOCK),
      becomes: fc.constantFrom("running", "failed", "suspended", "gone"),
    }),
    { minLength: 1, maxLength: 60 },
  );

  it("readChildJobs after any changes equals a fresh reading, and earlier snapshots do not change", () => {
    fc.assert(
      fc.property(fc.nat(2 * MAX_BLOCK), edits, fc.nat(5), (count, steps, every) => {
        const there = new Map<number, Job>(
          Array.from({ length: count }, (_, index) => [index, job(index)]),
        );
        let snapshot = createSnapshot([train, ...there.values()], { kinds: "all" });
        const first = snapshot.readChildJobs(train);
        const namesAtFirst = listNames(first);
        for (const [step, { index, becomes }] of steps.entries()) {
          const created = job(index);
          const changed = {
            running: created,
            failed: created.failed(),
            suspended: created.suspended(),
          };
          if (becomes === "gone") there.delete(index);
          else there.set(index, changed[becomes]);
          snapshot = snapshot.with(
            becomes === "gone" ? { remove: [created] } : { put: [changed[becomes]] },
          );
          if (step % (every + 1) === 0) snapshot.readChildJobs(train);
        }
        const read = snapshot.readChildJobs(train);
        const fresh = createSnapshot([train, ...there.values()], { kinds: "all" }).readChildJobs(
          train,
        );
        expect(read.size).toBe(there.size);
        expect(read.list()).toEqual(fresh.list());
        for (const state of ["active", "failed"] as const) {
          const isWanted = (jobs: ChildJobs) => jobs.filter(({ traits }) => traits.state === state);
          expect(listNames(isWanted(read))).toEqual(listNames(isWanted(fresh)));
        }
        expect(listNames(first)).toEqual(namesAtFirst);
      }),
    );
  });
});
