import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const policy = `failurePolicy:
  maxRestarts: 3
  rules:
  - {name: driver, action: FailJobSet, targetReplicatedJobs: [driver]}
  - {name: hosts, action: RestartJobSetAndIgnoreMaxRestarts, onJobFailureReasons: [PodFailurePolicy]}`;
const jobs = `replicatedJobs:\n${aReplicatedJob("driver")}\n${aReplicatedJob("workers", 2)}`;
const train = aJobSetFile(`${policy}\n${jobs}`);
const inNamespace = (name: string) =>
  train.replace("name: train", `name: train\n  namespace: ${name}`);
const files = {
  "train.yaml": train,
  "two.yaml": `${inNamespace("a")}---\n${inNamespace("b")}`,
};

const runWhatIf = (...args: readonly string[]) =>
  runCommand(["what-if", "--requested-kinds", all, ...args], { files });
const all = "jobset,job,pod,node,service,event,persistentvolumeclaim";

describe("jobset what-if", () => {
  it("what-if prints the effect of failures, the rule that decides, and whether their order matters", async () => {
    const early = "train-workers-0@2026-02-07T06:56:19Z=PodFailurePolicy";
    const late = "train-driver-0@2026-02-07T06:56:20Z";
    const { exitCode, out, error } = await runWhatIf(
      ...["-f", "train.yaml", "train", "--fail", early, "--fail", late],
    );
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(out).toBe(`\
decision: FailJobSet (FailJobSetFailurePolicyAction, rule driver, Job train-driver-0)
ending: Failed, FailJobSetFailurePolicyAction
different order: train-workers-0 first, which has a different result: Restarted

RULE     OUTCOME      WHY
driver   Applies      to Job train-driver-0
hosts    NotReached   an earlier rule applies

COUNT                        BEFORE   AFTER
restarts                     0        0
restartsCountTowardsMax      0        0
jobRestarts                  0        0
jobRestartsCountTowardsMax   0        0
left                         3        3
`);
  });

  it("what-if prints why no rule applies, and that the JobSet restarts", async () => {
    const { out } = await runWhatIf("-f", "train.yaml", "train", "--fail", "train-workers-1");
    expect(out).toMatch(/^decision: RestartJobSet \(Job train-workers-1\)$/m);
    expect(out).toMatch(/^driver +DoesNotApply +train-workers-1: another ReplicatedJob$/m);
    expect(out).toMatch(/^hosts +DoesNotApply +train-workers-1: another reason$/m);
    expect(out).toMatch(/^left +3 +2$/m);
  });

  it("what-if treats all text after a colon as the message", async () => {
    const pattern = train.replace(
      "onJobFailureReasons: [PodFailurePolicy]",
      'onJobFailureMessagePatterns: ["exit: 3$"]',
    );
    const args = ["what-if", "-f", "-", "train", "-o", "json", "--fail"];
    const { out } = await runCommand([...args, "train-workers-0=Some:exit: 3"], { stdin: pattern });
    expect(JSON.parse(out)).toMatchObject({
      items: [{ namespace: "default", name: "train", decision: { rule: "hosts" } }],
    });
  });

  it("what-if rejects unknown Jobs and JobSets, and an ambiguous name", async () => {
    const failing = ["--fail", "train-workers-0"];
    expect(await runWhatIf("-f", "train.yaml", "train", "--fail", "train-workers-2")).toEqual({
      exitCode: 1,
      out: "",
      error: 'jobset: JobSet default/train has no Job "train-workers-2"\n',
    });
    expect(await runWhatIf("-f", "train.yaml", "other", ...failing)).toEqual({
      exitCode: 1,
      out: "",
      error: 'jobset: JobSet "other" not found\n',
    });
    const { error: job } = await runWhatIf("-f", "train.yaml", "train", "--fail", "train-worker-1");
    expect(job).toContain('has no Job "train-worker-1" (Did you mean train-workers-1?)\n');
    const { error: jobSet } = await runWhatIf("-f", "train.yaml", "trian", ...failing);
    expect(jobSet).toBe('jobset: JobSet "trian" not found (Did you mean train?)\n');
    expect(await runWhatIf("-f", "two.yaml", "train", ...failing)).toEqual({
      exitCode: 2,
      out: "",
      error: 'jobset: "train" is the name of several JobSets: a/train, b/train\n',
    });
    expect((await runWhatIf("-f", "two.yaml", "b/train", ...failing)).exitCode).toBe(0);
  });

  it.each(["", "@2026-02-07T06:56:19Z", "a@noon", "a=", "a=:message"])(
    "what-if rejects the failure %j",
    async (failure) => {
      const { exitCode, error } = await runWhatIf("-f", "train.yaml", "train", "--fail", failure);
      expect(exitCode).toBe(2);
      expect(error).toContain("A failure is JOB[@TIME][=REASON[:MESSAGE]], as in ");
    },
  );
});
