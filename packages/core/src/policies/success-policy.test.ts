import { aJob, aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "../quirks.ts";
import { evaluateSuccessPolicy, type SuccessDecision } from "./success-policy.ts";

interface Example {
  readonly operator?: string;
  readonly targets?: readonly string[];
  /** Replicas by ReplicatedJob. */
  readonly replicas: Readonly<Record<string, number>>;
  /** The Jobs that have succeeded, such as `a-0`. */
  readonly succeeded: readonly string[];
}

function getDecision(example: Example, quirks: Quirks): SuccessDecision {
  const { operator, targets, replicas, succeeded } = example;
  let jobSet = aJobSet("train").withSpec({
    successPolicy: { operator, targetReplicatedJobs: targets } as never,
  });
  for (const [name, count] of Object.entries(replicas)) {
    jobSet = jobSet.withReplicatedJob(name, { replicas: count });
  }
  const jobs = succeeded.map((name) => aJob(`train-${name}`).completed());
  return evaluateSuccessPolicy(jobSet, jobs, { quirks });
}

const quirkCases: readonly (readonly [string, Quirks])[] = [
  ["by default", NO_QUIRKS],
  ["as upstream", UPSTREAM_QUIRKS],
];

describe.each(quirkCases)("evaluateSuccessPolicy %s", (_, quirks) => {
  it.each<[string, Example, boolean]>([
    ["Any", { operator: "Any", replicas: { a: 1, b: 3 }, succeeded: ["b-1"] }, true],
    [
      "Any of a target if another ReplicatedJob has succeeded",
      { operator: "Any", targets: ["b"], replicas: { a: 1, b: 3 }, succeeded: ["a-0"] },
      false,
    ],
    [
      "Any of a target that has succeeded once",
      { operator: "Any", targets: ["b"], replicas: { a: 1, b: 3 }, succeeded: ["b-2"] },
      true,
    ],
    [
      "All",
      { operator: "All", replicas: { a: 1, b: 3 }, succeeded: ["a-0", "b-0", "b-1", "b-2"] },
      true,
    ],
    [
      "All but one",
      { operator: "All", replicas: { a: 1, b: 3 }, succeeded: ["a-0", "b-0", "b-2"] },
      false,
    ],
    [
      "All of a target",
      {
        operator: "All",
        targets: ["b"],
        replicas: { a: 1, b: 3 },
        succeeded: ["b-0", "b-1", "b-2"],
      },
      true,
    ],
    [
      "All of a target with some successes",
      { operator: "All", targets: ["b"], replicas: { a: 1, b: 3 }, succeeded: ["a-0", "b-0"] },
      false,
    ],
    [
      "All of two targets",
      {
        operator: "All",
        targets: ["b", "a"],
        replicas: { a: 1, b: 1, c: 1 },
        succeeded: ["a-0", "b-0"],
      },
      true,
    ],
    ["no policy", { replicas: { a: 2 }, succeeded: ["a-0"] }, false],
    ["no policy if all have succeeded", { replicas: { a: 1 }, succeeded: ["a-0"] }, true],
    ["no success", { operator: "All", replicas: { a: 0 }, succeeded: [] }, false],
    ["no success and operator Any", { operator: "Any", replicas: { a: 1 }, succeeded: [] }, false],
  ])("evaluateSuccessPolicy counts successes with %s", (_case, example, completes) => {
    expect(getDecision(example, quirks).action).toBe(completes ? "Complete" : "None");
  });

  it("the decision contains how many Jobs have succeeded and how many had to", () => {
    const example = { operator: "Any", replicas: { a: 3 }, succeeded: ["a-0", "a-2"] };
    expect(getDecision(example, quirks)).toEqual({
      action: "Complete",
      operator: "Any",
      done: 2,
      needed: 1,
    });
    expect(
      getDecision({ operator: "All", replicas: { a: 1, b: 1 }, succeeded: ["a-0", "b-0"] }, quirks),
    ).toEqual({ action: "Complete", operator: "All", done: 2, needed: 2 });
  });

  it("a Job without a ReplicatedJob label is identified by its name, but upstream counts it for any ReplicatedJob", () => {
    const unowned = aJob("train-a-0")
      .completed()
      .withLabels({ "jobset.sigs.k8s.io/replicatedjob-name": undefined });
    const jobSet = aJobSet("train").withReplicatedJob("a");
    const decide = (targetReplicatedJobs?: string[]) => {
      const successPolicy = { operator: "Any" as const, targetReplicatedJobs };
      return evaluateSuccessPolicy(jobSet.withSpec({ successPolicy }), [unowned], { quirks })
        .action;
    };
    expect(decide(["a"])).toBe(quirks === NO_QUIRKS ? "Complete" : "None");
    expect(decide()).toBe("Complete");
  });

  it.each(["a-1", "gone-0"])(
    "%s, which no ReplicatedJob claims, does not count, except upstream",
    (name) => {
      const [jobSet, jobs] = [
        aJobSet("train").withReplicatedJob("a"),
        [aJob(`train-${name}`).completed()],
      ];
      const decide = (operator: "Any" | "All") =>
        evaluateSuccessPolicy(jobSet.withSpec({ successPolicy: { operator } }), jobs, { quirks })
          .action;
      const expected = quirks === NO_QUIRKS ? "None" : "Complete";
      expect([decide("Any"), decide("All")]).toEqual([expected, expected]);
    },
  );
});

describe("the quirk EmptyTargetCompletes", () => {
  it.each<[string, Example]>([
    [
      "targets without replicas complete the JobSet with any success",
      { operator: "All", targets: ["b"], replicas: { a: 1, b: 0 }, succeeded: ["a-0"] },
    ],
    [
      "unknown targets complete the JobSet with any success",
      { operator: "All", targets: ["unknown"], replicas: { a: 2 }, succeeded: ["a-0"] },
    ],
    [
      "an unknown operator completes the JobSet with any success",
      { operator: "Most", replicas: { a: 2 }, succeeded: ["a-0"] },
    ],
    [
      "an empty operator completes the JobSet with any success",
      { operator: "", replicas: { a: 2 }, succeeded: ["a-0"] },
    ],
    [
      "surplus Jobs replace missing ones",
      { operator: "All", replicas: { a: 2 }, succeeded: ["a-0", "a-2"] },
    ],
    [
      "Jobs of a removed ReplicatedJob replace missing ones",
      { operator: "All", replicas: { a: 1 }, succeeded: ["gone-0"] },
    ],
  ])("%s, and not by default", (_, example) => {
    expect(getDecision(example, UPSTREAM_QUIRKS).action).toBe("Complete");
    expect(getDecision(example, NO_QUIRKS).action).toBe("None");
  });

  it("the success policy does not need surplus Jobs", () => {
    const example = { operator: "All", replicas: { a: 2 }, succeeded: ["a-0", "a-1", "a-7"] };
    expect(getDecision(example, NO_QUIRKS)).toMatchObject({ done: 2, needed: 2 });
    expect(getDecision(example, UPSTREAM_QUIRKS)).toMatchObject({ done: 3, needed: 2 });
  });
});

it("evaluateSuccessPolicy reads only as many indexes as Jobs have succeeded", () => {
  const jobSet = aJobSet("train").withReplicatedJob("a", { replicas: 2 ** 31 - 1 });
  const jobs = [aJob("train-a-0").completed()];
  expect(evaluateSuccessPolicy(jobSet, jobs, { quirks: NO_QUIRKS }).action).toBe("None");
});

it("the success policy reads an operator that is not text as unknown", () => {
  const jobSet = aJobSet("train")
    .withReplicatedJob("a")
    .withSpec({ successPolicy: { operator: { toString: 1 } } as never });
  const jobs = [aJob("train-a-0").completed()];
  expect(evaluateSuccessPolicy(jobSet, jobs, { quirks: UPSTREAM_QUIRKS })).toMatchObject({
    action: "Complete",
    operator: "",
  });
});
