import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";
import type { JobSetDifferences, VersionDifference } from "./upgrade/version-difference.ts";

interface Comparison {
  readonly items: readonly JobSetDifferences[];
  readonly featureGates: readonly { readonly name: string }[];
  readonly behaviors: readonly {
    readonly name: string;
    readonly from: string;
    readonly to: string;
  }[];
}

/** Runs `jobset upgrade` on a file, and returns its data. */
async function compare(from: string, to: string, text: string) {
  const args = ["upgrade", "--from", from, "--to", to, "-f", "js.yaml", "-o", "json"];
  const { exitCode, out, error } = await runCommand(args, { files: { "js.yaml": text } });
  const { items, featureGates, behaviors }: Comparison = JSON.parse(out);
  const [item] = items;
  if (item === undefined) throw new Error(error);
  const find = (category: VersionDifference["category"], field: RegExp) =>
    item.differences.find((one) => one.category === category && field.test(one.field));
  return { exitCode, item, find, featureGates, behaviors };
}

const plain = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const withRules = aJobSetFile(`failurePolicy:
  maxRestarts: 3
  rules:
  - action: FailJobSet
    onJobFailureMessagePatterns: ["out of memory"]
replicatedJobs:
${aReplicatedJob("w")}`);

describe("jobset upgrade", () => {
  it("upgrade reports the labels that the new version adds to Jobs and Pods", async () => {
    const { find, item, exitCode } = await compare("v0.8.2", "v0.9.1", plain);
    expect(exitCode).toBe(0);
    expect(item).toMatchObject({ name: "train", isRejected: false, isAffected: false });
    const label = /^metadata\.labels\[jobset\.sigs\.k8s\.io\/group-name\]$/;
    expect(find("Object", label)).toMatchObject({ object: "Job w-0", to: "default" });
    expect(find("Pod", label)).toMatchObject({ object: "Pod w-0-0", to: "default" });
  });

  it("upgrade reports fields that only one version stores, and their effect on a failed Job", async () => {
    const { find } = await compare("v0.9.1", "v0.10.1", withRules);
    expect(find("Field", /onJobFailureMessagePatterns$/)).toMatchObject({ to: ["out of memory"] });
    expect(find("FailurePolicy", /decision/)).toMatchObject({
      situation: "BackoffLimitExceeded of w",
      from: "FailJobSet",
      to: "RestartJobSet",
    });
  });

  it("upgrade reports the conditions and Events of the new version", async () => {
    const { find, featureGates, behaviors } = await compare("v0.11.1", "v0.12.0", withRules);
    expect(find("Condition", /conditions/)).toMatchObject({
      situation: "BackoffLimitExceeded of w",
      to: [{ type: "RestartingJobSet", status: "True" }],
    });
    expect(find("Event", /^DefaultFailurePolicy$/)).toMatchObject({ to: expect.any(String) });
    expect(featureGates).toContainEqual({ name: "RestartJob", to: false });
    expect(behaviors.map(({ name }) => name)).toContain("RestartConditionAbsent");
  });

  it("upgrade exits with 1 if the new version rejects a JobSet", async () => {
    const long = aJobSetFile(`network: { subdomain: ${"a".repeat(60)} }
coordinator: { replicatedJob: w }
replicatedJobs:
${aReplicatedJob("w")}`);
    const { exitCode, item, find } = await compare("v0.10.1", "v0.11.1", long);
    expect([exitCode, item.isRejected]).toEqual([1, true]);
    expect(find("Admission", /^outcome$/)).toMatchObject({ from: "admitted", to: "denied" });
  });

  it("upgrade compares a JobSet with only generateName as the API server names it, and shows the prefix", async () => {
    const generated = plain.replace("name: train", "generateName: train-");
    const { item, find } = await compare("v0.8.2", "v0.12.0", generated);
    expect(item).toMatchObject({ namespace: "default", name: "train-", isRejected: false });
    expect(find("Object", /group-name\]$/)).toMatchObject({ object: "Job w-0" });
  });

  it("upgrade of a version to itself changes nothing", async () => {
    const { exitCode, item, featureGates, behaviors } = await compare("v0.11", "0.11.1", withRules);
    expect(exitCode).toBe(0);
    expect([item.differences, featureGates, behaviors]).toEqual([[], [], []]);
  });

  it("upgrade reports that a running JobSet no longer counts the Jobs of a deleted one", async () => {
    const { exitCode, item } = await compare("v0.10.1", "v0.11.1", anOrphanedDump());
    expect(exitCode).toBe(0);
    expect(item).toMatchObject({ isRestarted: false, isAffected: true });
    expect(item.differences).toContainEqual({
      category: "FailurePolicy",
      situation: "Now",
      object: "JobSet",
      field: "decision",
      from: "FailJobSet",
      to: "None",
    });
  });

  it("upgrade reports a restart that the new version causes, and exits with 1", async () => {
    // A downgrade: the old version ignores the failed Job, and the new one counts it.
    const policy = `failurePolicy: { maxRestarts: 1 }\n`;
    const { exitCode, item } = await compare("v0.11.1", "v0.10.1", anOrphanedDump(policy));
    expect(exitCode).toBe(1);
    expect(item).toMatchObject({ isRestarted: true, isAffected: true });
  });

  it("upgrade prints equal differences once, with the number of JobSets", async () => {
    const print = async (names: readonly string[]) => {
      const text = names.map((name) => plain.replace("name: train", `name: ${name}`)).join("---\n");
      const args = ["upgrade", "--from", "v0.8", "--to", "v0.9", "-f", "js.yaml"];
      return (await runCommand(args, { files: { "js.yaml": text } })).out;
    };
    const countLines = (text: string) => text.match(/group-name\]/g)?.length;
    const out = await print(["train-1", "train-2", "train-3"]);
    expect(countLines(out)).toBe(countLines(await print(["train-1"])));
    expect(out).toMatch(
      /^Object +Creation +Job w-0 .*group-name\] .*default\/train-1 and 2 more$/m,
    );
    expect(out).toMatch(/^ {2}GroupLabelsAbsent \(#822\)\n {4}v0\.8\.2: .*\n {4}v0\.9\.1: /m);
  });

  it("upgrade needs a version to start from", async () => {
    const args = ["upgrade", "--to", "v0.12", "-f", "js.yaml"];
    const { exitCode, error } = await runCommand(args, { files: { "js.yaml": plain } });
    expect(exitCode).toBe(2);
    expect(error).toMatch(/no object shows the version of JobSet; use --from to set it/);
  });
});

/** A recreated JobSet, and a failed Job of the deleted JobSet with its name. */
function anOrphanedDump(spec = ""): string {
  const jobSet = aJobSetFile(`${spec}replicatedJobs:\n${aReplicatedJob("w")}`).replace(
    "name: train",
    "name: train\n  namespace: ml\n  uid: new",
  );
  return `${jobSet}---
apiVersion: batch/v1
kind: Job
metadata:
  name: train-w-0
  namespace: ml
  uid: job
  labels:
    jobset.sigs.k8s.io/jobset-name: train
    jobset.sigs.k8s.io/replicatedjob-name: w
    jobset.sigs.k8s.io/restart-attempt: "0"
    jobset.sigs.k8s.io/job-index: "0"
  ownerReferences:
  - { apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: old, controller: true }
spec: { template: { spec: {} } }
status:
  conditions:
  - { type: Failed, status: "True", reason: BackoffLimitExceeded, lastTransitionTime: "1970-01-01T00:00:00Z" }
`;
}
