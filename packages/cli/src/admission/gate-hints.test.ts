import { featureGates } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const jobs = `replicatedJobs:\n${aReplicatedJob("w")}`;
const train = aJobSetFile(jobs);
const stored = train
  .replace("  name: train", "  name: train\n  namespace: default\n  uid: 1-2-3")
  .replace("      completions: 2", "      completions: 2\n        completionMode: Indexed");
const scaled = stored.replaceAll(/(parallelism|completions): 2/g, "$1: 3");
const service = "apiVersion: v1\nkind: Service\nmetadata: {name: train}\n";
const failed = `apiVersion: batch/v1
kind: Job
metadata:
  name: train-w-0
  namespace: default
  uid: 7-8-9
  labels:
    jobset.sigs.k8s.io/jobset-name: train
    jobset.sigs.k8s.io/replicatedjob-name: w
    jobset.sigs.k8s.io/job-index: "0"
    jobset.sigs.k8s.io/restart-attempt: "0"
  ownerReferences:
  - {apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: train, uid: 1-2-3, controller: true}
spec: {parallelism: 2, completions: 2, completionMode: Indexed}
status:
  conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded, lastTransitionTime: "2026-01-01T00:00:00Z"}]
`;
const rule = "failurePolicy: {maxRestarts: 1, rules: [{name: r, action: RestartJob}]}";
const files = {
  "jobs.yaml": aJobSetFile(`${rule}\n${jobs}`),
  "place.yaml": aJobSetFile(`failurePolicy: {restartStrategy: InPlaceRestart}\n${jobs}`),
  "stored.yaml": stored,
  "scaled.yaml": scaled,
  "repainted.yaml": scaled.replace("w:1", "w:2"),
  "failing.yaml": `${stored.replace("spec:", `spec:\n  ${rule}`)}---\n${failed}---\n${service}`,
  "bad.yaml": aJobSetFile(`managedBy: ""\n${rule}\n${jobs}`),
};

/** Runs a command and returns its notes. */
async function runForNotes(args: readonly string[]) {
  const { out } = await runCommand([...args, "-o", "json"], { files });
  const { notes } = JSON.parse(out) as { notes: { message: string; field?: string }[] };
  return notes.map(({ field, message }) => `${field}: ${message}`);
}

function disableGate(gate: string): string {
  return `the feature gate ${gate} is disabled; use --feature-gates ${gate}=true to enable it`;
}

const action = "spec.failurePolicy.rules[0].action";

describe("hints about feature gates", () => {
  it.each([
    [["admit", "-f", "jobs.yaml"], `${action}: ${disableGate("RestartJob")}`],
    [["names", "-f", "jobs.yaml"], `${action}: ${disableGate("RestartJob")}`],
    [["plan", "-f", "jobs.yaml"], `${action}: ${disableGate("RestartJob")}`],
    [
      ["admit", "-f", "place.yaml"],
      `spec.failurePolicy.restartStrategy: ${disableGate("InPlaceRestart")}`,
    ],
    [
      ["admit", "-f", "scaled.yaml", "--old", "stored.yaml"],
      `spec.replicatedJobs: ${disableGate("ElasticJobSet")}`,
    ],
    [
      ["diff", "stored.yaml", "scaled.yaml"],
      `spec.replicatedJobs: ${disableGate("ElasticJobSet")}`,
    ],
    [
      ["plan", "-f", "failing.yaml"],
      `undefined: JobSet default/train: ${disableGate("RestartJob")}`,
    ],
  ])("a denial because of a disabled feature gate comes with a hint: %j", async (args, note) => {
    const rejected = await runCommand(args, { files });
    expect(rejected).toMatchObject({ exitCode: 1, error: expect.stringContaining("is disabled") });
    expect(await runForNotes(args)).toEqual([note]);
    const gate = /--feature-gates (\S+)/.exec(note)?.[1] ?? "";
    expect(await runForNotes([...args, "--feature-gates", gate])).toEqual([]);
  });

  it("a denial under upstream's quirks, which names no field, comes with the hint", async () => {
    const notes = await runForNotes(["admit", "-f", "jobs.yaml", "--quirks", "upstream"]);
    expect(notes).toEqual([`undefined: ${disableGate("RestartJob")}`]);
  });

  it("a hint appears only for errors that the feature gate would remove", async () => {
    expect(await runForNotes(["admit", "-f", "bad.yaml"])).toEqual([
      `${action}: ${disableGate("RestartJob")}`,
    ]);
    expect(await runForNotes(["diff", "stored.yaml", "repainted.yaml"])).toEqual([]);
  });
});

describe("the help of commands with feature gates", () => {
  it.each(["render", "names", "plan", "status", "admit", "diff"])(
    "the help of %s lists the feature gates and their defaults",
    async (command) => {
      const { out } = await runCommand([command, "--help"]);
      for (const [gate, { default: on }] of Object.entries(featureGates)) {
        expect(out).toContain(`\n  ${gate}=${on} (`);
      }
    },
  );
});
