import { aReplicatedJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { type AnyObject, jobSet, plain, replicatedJob } from "./testing/created-jobsets.ts";
import { createErrors } from "./testing/denials.ts";

const LABEL_VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe("the coordinator", () => {
  const workers = [replicatedJob("w", { completions: 3 }, { replicas: 2 })];
  const jobSetWithCoordinator = (
    coordinator: AnyObject,
    replicatedJobs: AnyObject = workers,
    name = "js",
  ) => jobSet({ coordinator, replicatedJobs }, name);
  const label = (value: string, messages: string) =>
    plain(
      `spec will lead to invalid label value "${value}" for coordinator label "jobset.sigs.k8s.io/coordinator" (long JobSet / ReplicatedJob / SubDomain name?): ${messages}`,
    );
  const mode = plain(
    "job for coordinator pod must be indexed completion mode, and completions number must be set",
  );

  it.each<[string, AnyObject, AnyObject, readonly string[]]>([
    ["is valid if its Pod exists", { replicatedJob: "w", jobIndex: 1, podIndex: 2 }, workers, []],
    ["has index 0 by default", { replicatedJob: "w" }, workers, []],
    [
      "must belong to an existing ReplicatedJob",
      { replicatedJob: "x" },
      workers,
      [plain("coordinator replicatedJob x does not exist")],
    ],
    [
      "must belong to an existing Job",
      { replicatedJob: "w", jobIndex: 2 },
      workers,
      [plain("coordinator job index 2 is invalid for replicatedJob w")],
    ],
    [
      "must not have a negative job index",
      { replicatedJob: "w", jobIndex: -1 },
      workers,
      [plain("coordinator job index -1 is invalid for replicatedJob w")],
    ],
    [
      "is invalid in a ReplicatedJob without Jobs",
      { replicatedJob: "w" },
      [aReplicatedJob("w", { replicas: 0 })],
      [plain("coordinator job index 0 is invalid for replicatedJob w")],
    ],
    [
      "must belong to an Indexed Job",
      { replicatedJob: "w" },
      [replicatedJob("w", { completionMode: "NonIndexed" })],
      [mode],
    ],
    [
      "must belong to a Job with completions",
      { replicatedJob: "w" },
      [replicatedJob("w", { completions: null })],
      [mode],
    ],
    [
      "must have a pod index below the completions",
      { replicatedJob: "w", podIndex: 3 },
      workers,
      [plain("coordinator pod index 3 is invalid for replicatedJob w job index 0")],
    ],
    [
      "is invalid in a Job without Pods",
      { replicatedJob: "w" },
      [replicatedJob("w", { completions: 0 })],
      [plain("coordinator pod index 0 is invalid for replicatedJob w job index 0")],
    ],
    [
      "must not have an index of 64 bits",
      { replicatedJob: "w", jobIndex: 2 ** 63 },
      workers,
      [plain("coordinator job index 9223372036854775807 is invalid for replicatedJob w")],
    ],
  ])("the coordinator %s", (_, coordinator, replicatedJobs, errors) => {
    const found = createErrors(jobSetWithCoordinator(coordinator, replicatedJobs));
    expect(found.filter((error) => !error.includes("invalid label value"))).toEqual(errors);
  });

  it("without a subdomain the coordinator error names a label with the JobSet's name twice", () => {
    const name = "a".repeat(29);
    const value = `${name}-w-0-0.${name}`; // 65 bytes
    expect(createErrors(jobSetWithCoordinator({ replicatedJob: "w" }, workers, name))).toEqual([
      label(value, "must be no more than 63 bytes"),
    ]);
    expect(
      createErrors(jobSetWithCoordinator({ replicatedJob: "w" }, workers, "a".repeat(28))),
    ).toEqual([]);
  });

  it("a coordinator can be reported both as missing and as an invalid label", () => {
    expect(createErrors(jobSetWithCoordinator({ replicatedJob: "x y" }))).toEqual([
      plain("coordinator replicatedJob x y does not exist"),
      label("js-x y-0-0.js", LABEL_VALUE),
    ]);
  });
});
