import type { Condition } from "@jobset-ts/api/kubernetes";
import type { AJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { replicatedJob } from "./testing/created-jobsets.ts";
import { updateErrors, withGates } from "./testing/denials.ts";
import { createJobSet, replicatedJobsAreImmutable } from "./testing/updated-jobsets.ts";

describe("the size of Indexed Jobs", () => {
  const on = withGates("ElasticJobSet");
  const createSizedJobSet = (
    parallelism?: number,
    completions = parallelism,
    completionMode = "Indexed",
  ) => createJobSet(replicatedJob("w", { parallelism, completions, completionMode }));
  const field = "spec.replicatedJobs[0].template.spec";
  const tooSmall = (member: string, value: number) =>
    `${field}.${member}: Invalid value: ${value}: ${member} must be >= 1`;
  const notInTandem = (value: number) =>
    `${field}.completions: Invalid value: ${value}: completions must be equal to parallelism for Elastic Indexed Jobs`;

  it("the size of Indexed Jobs may change with its gate, suspended or not", () => {
    expect(updateErrors(createSizedJobSet(2), createSizedJobSet(8), on)).toEqual([]);
    expect(
      updateErrors(createSizedJobSet(2).suspended(), createSizedJobSet(8).suspended(), on),
    ).toEqual([]);
    expect(updateErrors(createSizedJobSet(2), createSizedJobSet(8))).toEqual([
      replicatedJobsAreImmutable,
    ]);
  });

  it("the size of NonIndexed Jobs is immutable", () => {
    for (const size of [8, 0]) {
      const next = createSizedJobSet(size, size, "NonIndexed");
      expect(updateErrors(createSizedJobSet(2, 2, "NonIndexed"), next, on)).toEqual([
        replicatedJobsAreImmutable,
      ]);
    }
  });

  it("a change to Indexed is reported beside a change of size", () => {
    expect(
      updateErrors(createSizedJobSet(2, 2, "NonIndexed"), createSizedJobSet(8, 8), on),
    ).toEqual([replicatedJobsAreImmutable]);
  });

  it.each<[string, AJobSet, AJobSet, readonly string[]]>([
    [
      "0 and 0",
      createSizedJobSet(2),
      createSizedJobSet(0),
      [tooSmall("parallelism", 0), tooSmall("completions", 0)],
    ],
    ["2 and 3", createSizedJobSet(2), createSizedJobSet(2, 3), [notInTandem(3)]],
    [
      "0 and 3",
      createSizedJobSet(2),
      createSizedJobSet(0, 3),
      [tooSmall("parallelism", 0), notInTandem(3)],
    ],
    [
      "both absent",
      createSizedJobSet(2),
      createJobSet(replicatedJob("w", { parallelism: undefined, completions: undefined })),
      [],
    ],
    [
      "absent completions",
      createSizedJobSet(2),
      createJobSet(replicatedJob("w", { parallelism: 2, completions: undefined })),
      [],
    ],
    [
      "parallelism alone",
      createJobSet(replicatedJob("w", { completions: undefined })),
      createJobSet(replicatedJob("w", { completions: undefined, parallelism: 4 })),
      [],
    ],
    ["values that were invalid before", createSizedJobSet(0, 3), createSizedJobSet(0, 3), []],
    [
      "a parallelism that stays 0",
      createSizedJobSet(0, 3),
      createSizedJobSet(0, 2),
      [notInTandem(2)],
    ],
    ["completions that stay 0", createSizedJobSet(3, 0), createSizedJobSet(2, 0), [notInTandem(0)]],
  ])("the size of Indexed Jobs becomes %s", (_, old, next, errors) => {
    expect(updateErrors(old, next, on)).toEqual(errors);
  });

  it.each(["Completed", "Failed"])(
    "the size of Indexed Jobs is immutable once the JobSet has %s",
    (type) => {
      const createEndedCondition = (status: Condition["status"]) =>
        createSizedJobSet(2).withStatus({
          conditions: [
            { type, status, reason: "R", message: "", lastTransitionTime: "2026-02-07T06:56:19Z" },
          ],
        });
      expect(updateErrors(createEndedCondition("True"), createSizedJobSet(0), on)).toEqual([
        `${field}: Forbidden: Cannot mutate parallelism or completions when JobSet is in a terminal state (Completed or Failed)`,
      ]);
      expect(updateErrors(createEndedCondition("False"), createSizedJobSet(8), on)).toEqual([]);
      expect(updateErrors(createEndedCondition("True"), createSizedJobSet(2), on)).toEqual([]);
    },
  );
});
