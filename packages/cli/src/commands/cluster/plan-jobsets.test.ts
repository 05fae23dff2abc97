import { describe, expect, it } from "vitest";
import { FAKE_UID } from "../../admission/request-object.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../../testing.ts";

const train = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const bad = aJobSetFile('managedBy: ""').replace("train", "bad");

async function runPlan(stdin: string, args: readonly string[] = []) {
  const { exitCode, out, error } = await runCommand(["plan", "-f", "-", "-o", "json", ...args], {
    stdin,
  });
  const { items: plans } = JSON.parse(out) as {
    readonly items: readonly {
      readonly jobSet: { readonly namespace: string; readonly name: string; readonly uid?: string };
      readonly steps: readonly { readonly effects: readonly { readonly object?: unknown }[] }[];
    }[];
  };
  return { exitCode, error, plans };
}

describe("a JobSet that no server has stored yet", () => {
  it("plan creates a new JobSet first, with defaults, a namespace and a fake UID", async () => {
    const { exitCode, error, plans } = await runPlan(train);
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(plans.map(({ jobSet: { namespace, name } }) => `${namespace}/${name}`)).toEqual([
      "default/train",
    ]);
    const objects = plans.flatMap(({ steps }) => steps.flatMap(({ effects }) => effects));
    expect(
      objects.find(({ object }) => (object as { kind?: string })?.kind === "Job"),
    ).toMatchObject({
      object: {
        metadata: { namespace: "default", ownerReferences: [{ name: "train", uid: FAKE_UID }] },
        spec: { completionMode: "Indexed" },
      },
    });
    const { out } = await runCommand(["status", "-f", "-", "-o", "json"], { stdin: train });
    expect(JSON.parse(out)).toMatchObject({
      items: [{ namespace: "default", name: "train", changed: true }],
    });
  });

  it("a rejected JobSet is reported, and the others are planned", async () => {
    const { exitCode, error, plans } = await runPlan(`${train}---\n${bad}`);
    expect(exitCode).toBe(1);
    expect(error).toBe("<stdin>:24:3: spec.managedBy: Required value\n");
    expect(plans.map(({ jobSet }) => jobSet.name)).toEqual(["train"]);
    expect(await runCommand(["status", "-f", "-"], { stdin: bad })).toEqual({
      exitCode: 1,
      out: "",
      error: "<stdin>:6:3: spec.managedBy: Required value\n",
    });
  });

  it("plan checks a new JobSet with the quirks and the PersistentVolumeClaims of the cluster", async () => {
    const pattern = aJobSetFile(
      'failurePolicy: {rules: [{action: FailJobSet, onJobFailureMessagePatterns: ["("]}]}',
    );
    expect((await runPlan(pattern)).exitCode).toBe(1);
    expect((await runPlan(pattern, ["--quirks", "upstream"])).exitCode).toBe(0);
  });

  it("plan warns about unknown fields, and reports a generated name", async () => {
    const { error } = await runPlan(
      train.replace("name: train", "generateName: train-").replace("spec:", "spec:\n  bogus: 1"),
    );
    expect(error).toMatch(
      /^<stdin>:6:3: warning: spec\.bogus: .*\n<stdin>:4:3: note: .*train-xxxxx"\n$/,
    );
  });

  it("plan rejects a new JobSet if the cluster has one with the same name", async () => {
    const storedTrain = train.replace(
      "  name: train",
      "  name: train\n  namespace: default\n  uid: 1-2-3",
    );
    const { exitCode, error, plans } = await runPlan(`${storedTrain}---\n${train}`);
    expect(exitCode).toBe(1);
    expect(error).toMatch(
      /: metadata\.name: Duplicate value: the JobSet default\/train exists already\njobset: note: .*\n$/,
    );
    expect(plans).toHaveLength(1);
  });
});

describe("a stored JobSet", () => {
  const withUid = (text: string) => text.replace("metadata:", "metadata:\n  uid: 1-2-3");

  it("plan accepts a stored JobSet without validation", async () => {
    const { plans, ...result } = await runPlan(withUid(bad));
    const error =
      "jobset: note: the files contain none of these kinds, so they count as empty: Job, Service\n";
    expect(result).toEqual({ exitCode: 0, error });
    expect(plans).toHaveLength(1);
  });

  it("plan treats kinds that the files do not contain as empty, and notes it", async () => {
    const inPlace = train.replace(
      "spec:",
      "spec:\n  failurePolicy: {restartStrategy: InPlaceRestart}",
    );
    const service = "apiVersion: v1\nkind: Service\nmetadata: {name: other}\n";
    expect((await runPlan(`${withUid(inPlace)}---\n${service}`)).error).toContain(
      " count as empty: Job, Pod\n",
    );
    expect((await runPlan(train)).error).toBe("");
  });

  it("plan keeps absent fields of a stored JobSet absent", async () => {
    const { plans } = await runPlan(withUid(train));
    const jobs = plans.flatMap(({ steps }) => steps.flatMap(({ effects }) => effects));
    expect(JSON.stringify(jobs)).not.toContain("completionMode");
  });
});
