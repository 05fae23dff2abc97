import type { DependsOnStatus, ReplicatedJobStatus } from "@jobset-ts/api";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { NO_QUIRKS } from "../quirks.ts";
import { countStartedJobs, evaluateDependencies, isDependencySatisfied } from "./dependencies.ts";

const byDefault = { quirks: NO_QUIRKS };

type Counts = readonly [ready: number, succeeded: number, failed: number];

function status(name: string, [ready, succeeded, failed]: Counts): ReplicatedJobStatus {
  return { name, ready, succeeded, failed, active: 0, suspended: 0 };
}

/** The unsatisfied dependency of the last ReplicatedJob, if any. */
function waitsOn(
  dependsOn: readonly { readonly name: string; readonly status: string }[],
  replicas: Readonly<Record<string, number>>,
  counts: Readonly<Record<string, Counts>>,
): string | undefined {
  let jobSet = aJobSet("train");
  for (const [name, count] of Object.entries(replicas)) {
    jobSet = jobSet.withReplicatedJob(name, { replicas: count });
  }
  jobSet = jobSet.withReplicatedJob("last", {
    dependsOn: dependsOn.map(({ name, status }) => ({ name, status: status as DependsOnStatus })),
  });
  const statuses = Object.entries(counts).map(([name, numbers]) => status(name, numbers));
  const gate = evaluateDependencies(jobSet, statuses, byDefault).at(-1);
  return gate?.action === "Wait" ? gate.dependsOn.name : undefined;
}

describe("evaluateDependencies", () => {
  const [aComplete, bComplete] = ["a", "b"].map((name) => ({ name, status: "Complete" }));
  const [aReady, bReady] = ["a", "b"].map((name) => ({ name, status: "Ready" }));

  it.each([
    ["nothing is reached", [], {}, {}, undefined],
    ["a ReplicatedJob without counters is not", [aComplete], { a: 1 }, {}, "a"],
    [
      "all Jobs complete are",
      [aComplete, bComplete],
      { a: 2, b: 2 },
      { a: [0, 2, 0], b: [0, 2, 0] },
      undefined,
    ],
    [
      "a Job still running is not complete",
      [aComplete, bComplete],
      { a: 2, b: 2 },
      { a: [1, 1, 0], b: [0, 2, 0] },
      "a",
    ],
    [
      "Jobs that are ready, have succeeded and have failed are Ready",
      [aReady, bReady],
      { a: 3, b: 3 },
      { a: [1, 1, 1], b: [1, 1, 1] },
      undefined,
    ],
    [
      "a Job that is not ready yet is not Ready",
      [aReady, bReady],
      { a: 3, b: 3 },
      { a: [2, 0, 0], b: [1, 1, 1] },
      "a",
    ],
    ["surplus Jobs are not Ready", [aReady], { a: 1 }, { a: [1, 1, 0] }, "a"],
    ["surplus Jobs are not Complete", [aComplete], { a: 1 }, { a: [0, 2, 0] }, "a"],
    [
      "each dependency has to be reached",
      [aReady, bComplete],
      { a: 1, b: 1 },
      { a: [1, 0, 0], b: [1, 0, 0] },
      "b",
    ],
    ["Jobs that are none are reached at once", [aReady], { a: 0 }, { a: [0, 0, 0] }, undefined],
    [
      "Jobs that are none are Complete at once, too",
      [aComplete],
      { a: 0 },
      { a: [0, 0, 0] },
      undefined,
    ],
    [
      "a status newer than ours is reached",
      [{ name: "a", status: "Warm" }],
      { a: 1 },
      { a: [0, 0, 0] },
      undefined,
    ],
    ["but not without counters", [{ name: "a", status: "Warm" }], { a: 1 }, {}, "a"],
  ] as const)(
    "evaluateDependencies decides about dependencies, %s",
    (_, dependsOn, replicas, counts, expected) => {
      expect(waitsOn(dependsOn as never, replicas as never, counts as never)).toBe(expected);
    },
  );

  it.each([
    [0, false],
    [1, true],
  ])("with %i replicas, a ReplicatedJob that depends on itself waits: %s", (replicas, waits) => {
    const itself = { name: "a", status: "Ready" as const };
    const jobSet = aJobSet("train").withReplicatedJob("a", { replicas, dependsOn: [itself] });
    const [gate] = evaluateDependencies(jobSet, [status("a", [0, 0, 0])], byDefault);
    expect(gate?.action === "Wait").toBe(waits);
  });

  it("evaluateDependencies treats a dependency on a later ReplicatedJob as one without replicas", () => {
    const later = { name: "later", status: "Ready" as const };
    const jobSet = aJobSet("train")
      .withReplicatedJob("a", { dependsOn: [later] })
      .withReplicatedJob("later");
    const actions = (counts: Counts) =>
      evaluateDependencies(jobSet, [status("later", counts)], byDefault).map(
        ({ action }) => action,
      );
    expect(actions([0, 0, 0])).toEqual(["Proceed", "Proceed"]);
    expect(actions([1, 0, 0])).toEqual(["Wait", "Proceed"]);
  });

  it("dependencies skip values that are not dependencies", () => {
    const jobSet = aJobSet("train").withReplicatedJob("a", {
      dependsOn: [null, "b", 5] as never,
    });
    expect(evaluateDependencies(jobSet, [], byDefault)).toEqual([{ action: "Proceed" }]);
  });
});

describe("isDependencySatisfied", () => {
  it("isDependencySatisfied requires equality", () => {
    const counts = { ready: 1, succeeded: 1, failed: 1 };
    expect([2, 3, 4].map((replicas) => isDependencySatisfied("Ready", replicas, counts))).toEqual([
      false,
      true,
      false,
    ]);
    expect(
      [0, 1, 2].map((replicas) => isDependencySatisfied("Complete", replicas, counts)),
    ).toEqual([false, true, false]);
    expect(isDependencySatisfied(undefined, 7, counts)).toBe(true);
  });
});

describe("countStartedJobs", () => {
  it("countStartedJobs counts ready and finished Jobs", () => {
    expect(countStartedJobs({ ready: 1, succeeded: 2, failed: 4 })).toBe(7);
  });
});
