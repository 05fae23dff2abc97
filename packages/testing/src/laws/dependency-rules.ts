import {
  createJobSet,
  insertAtEachIndex,
  type RuleRow,
  replicatedJob,
  samples,
} from "./rule-samples.ts";

const createDependentJob = (name: string, ...others: readonly string[]) =>
  replicatedJob(name, {}, { dependsOn: others.map((one) => ({ name: one, status: "Ready" })) });

/** The rules of `dependsOn`. */
export const dependencyRules: readonly RuleRow[] = [
  {
    rule: "dependency-listed-before",
    says: "a ReplicatedJob depends only on preceding ReplicatedJobs",
    kept: samples(
      createJobSet([replicatedJob("a"), createDependentJob("b", "a")]),
      createJobSet([
        replicatedJob("a"),
        createDependentJob("b", "a"),
        createDependentJob("c", "a", "b"),
      ]),
      createJobSet([
        replicatedJob("a"),
        createDependentJob("b", "a"),
        createDependentJob("c", "b"),
        createDependentJob("d", "c", "a"),
      ]),
    ),
    broken: samples(
      createJobSet([replicatedJob("a"), createDependentJob("b", "nope")]),
      createJobSet([replicatedJob("a"), createDependentJob("b", "c"), replicatedJob("c")]),
      createJobSet([replicatedJob("a"), createDependentJob("b", "c", "a"), replicatedJob("c")]),
      createJobSet([replicatedJob("a"), createDependentJob("b", "b")]),
      createJobSet([replicatedJob("aa"), createDependentJob("b", "a")]),
      createJobSet([replicatedJob("aa"), createDependentJob("b", "AA")]),
      ...insertAtEachIndex("nope", ["a", "b"]).map((names) =>
        createJobSet([replicatedJob("a"), replicatedJob("b"), createDependentJob("c", ...names)]),
      ),
      ...["nope", "b", "c", "d"].map((name) =>
        createJobSet([
          replicatedJob("a"),
          createDependentJob("b", name),
          createDependentJob("c", "a"),
          createDependentJob("d", "c"),
        ]),
      ),
      ...["nope", "c", "d"].map((name) =>
        createJobSet([
          replicatedJob("a"),
          createDependentJob("b", "a"),
          createDependentJob("c", name),
          createDependentJob("d", "c"),
        ]),
      ),
      ...["nope", "d"].map((name) =>
        createJobSet([
          replicatedJob("a"),
          createDependentJob("b", "a"),
          createDependentJob("c", "a"),
          createDependentJob("d", name),
        ]),
      ),
    ),
  },
];

/** A dependency of the first ReplicatedJob violates both rules, because no ReplicatedJob precedes it. */
export const firstJobRules: readonly RuleRow[] = [
  {
    rule: "first-job-independent",
    says: "the first ReplicatedJob has no dependencies",
    kept: samples(createJobSet([replicatedJob("a"), createDependentJob("b", "a")])),
    broken: samples(createJobSet([createDependentJob("a", "b"), replicatedJob("b")])),
  },
];
