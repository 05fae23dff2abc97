import { createContext } from "@jobset-ts/core";
import { aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { type AnyObject, invalid, jobSet, plain } from "./testing/created-jobsets.ts";
import {
  contextWithoutQuirk,
  createErrors,
  emptyCluster,
  getDenial,
  validateCreation,
} from "./testing/denials.ts";

describe("dependencies", () => {
  const first = plain("DependsOn can't be set for the first ReplicatedJob");
  const reject = (name: string, on: string) =>
    plain(`replicatedJob: ${name} cannot depend on replicatedJob: ${on}`);
  const dependent = (...dependsOn: readonly (readonly string[])[]) =>
    jobSet({
      replicatedJobs: dependsOn.map((names, index) =>
        aReplicatedJob(`${index + 1}`, {
          ...(names.length > 0 && {
            dependsOn: names.map((name) => ({ name, status: "Ready" as const })),
          }),
        }),
      ),
    });

  it.each<[string, readonly (readonly string[])[], readonly string[]]>([
    ["2 on 1 and 3 on 1", [[], ["1"], ["1"]], []],
    ["2 on 1 and 3 on 2", [[], ["1"], ["2"]], []],
    ["3 on 1 and 2", [[], [], ["1", "2"]], []],
    ["2 on 3", [[], ["3"], []], [reject("2", "3")]],
    ["2 on 3 and 1", [[], ["3", "1"], []], [reject("2", "3")]],
    ["2 on an unknown one", [[], ["invalid"]], [reject("2", "invalid")]],
    ["1 on 2", [["2"], []], [first, reject("1", "2")]],
    ["1 on itself", [["1"], []], [first]],
    ["2 on itself", [[], ["2"]], []],
  ])("dependencies of %s", (_, dependsOn, errors) => {
    expect(createErrors(dependent(...dependsOn))).toEqual(errors);
  });

  it("dependencies on others do not depend on whether self-dependencies are allowed", () => {
    const context = contextWithoutQuirk("SelfDependencyAdmitted");
    expect(createErrors(dependent([], ["1"], ["2", "1"]), context)).toEqual([]);
    expect(createErrors(dependent([], ["3", "1"], []), context)).toEqual([reject("2", "3")]);
  });

  it("an empty dependsOn of the first ReplicatedJob is denied, null is not", () => {
    const withList = (dependsOn: AnyObject) =>
      jobSet({ replicatedJobs: [{ ...aReplicatedJob("a"), dependsOn }] });
    expect(createErrors(withList([]))).toEqual([first]);
    expect(createErrors(withList(null))).toEqual([]);
    const later = { ...aReplicatedJob("b"), dependsOn: [] };
    expect(createErrors(jobSet({ replicatedJobs: [aReplicatedJob("a"), later] }))).toEqual([]);
  });

  it("an invalid dependency is reported by the rule that it breaks", () => {
    const result = validateCreation(
      dependent(["1"], ["2"]),
      emptyCluster,
      createContext({ now: 0 }),
    );
    expect(getDenial(result).roots.map(({ id }) => id)).toEqual([
      "first-job-independent",
      "dependency-listed-before",
      "dependency-listed-before",
    ]);
  });

  it("a self-dependency is denied by default and admitted by upstream", () => {
    const itself = dependent([], ["2"]);
    expect(createErrors(itself, contextWithoutQuirk("SelfDependencyAdmitted"))).toEqual([
      reject("2", "2"),
    ]);
    const { roots } = getDenial(validateCreation(itself, emptyCluster, createContext({ now: 0 })));
    expect(roots.map(({ message }) => message)).toEqual([
      invalid(
        "spec.replicatedJobs[1].dependsOn[0].name",
        '"2"',
        "replicatedJob: 2 cannot depend on replicatedJob: 2",
      ),
    ]);
  });
});
