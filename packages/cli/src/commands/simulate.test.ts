import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const spec = `failurePolicy:
  maxRestarts: 1
replicatedJobs:
${aReplicatedJob("workers", 2)}`
  .replace("parallelism: 2", "backoffLimit: 0\n      parallelism: 2")
  .replace("containers:", "restartPolicy: Never\n          containers:");
const files = { "js.yaml": aJobSetFile(spec) };

describe("jobset simulate", () => {
  it("simulate runs a JobSet to its completion", async () => {
    const { out, error, exitCode } = await runCommand(["simulate", "-f", "js.yaml"], { files });
    expect([exitCode, error]).toEqual([0, ""]);
    expect(out).toMatch(/changed JobSet train: Completed \(AllJobsCompleted\)/);
    expect(out).not.toMatch(/restarting/);
  });

  it("simulate prints a few dozen lines for 256 Pods, and all details as JSON", async () => {
    const many = aReplicatedJob("workers", 4).replace(/(parallelism|completions): 2/g, "$1: 64");
    const world = { files: { "js.yaml": aJobSetFile(`replicatedJobs:\n${many}`) } };
    const { out } = await runCommand(["simulate", "-f", "js.yaml"], world);
    expect(out.split("\n").length).toBeLessThan(40);
    expect(out).toMatch(/ created 256 Pods train-workers-\{0\.\.3\}-\{0\.\.63\}: Pending$/m);
    const { entries } = JSON.parse(
      (await runCommand(["simulate", "-f", "js.yaml", "-o", "json"], world)).out,
    );
    const created = (entries as readonly Record<string, string>[]).filter(
      ({ what, kind }) => what === "Created" && kind === "Pod",
    );
    expect(new Set(created.map(({ name }) => name)).size).toBe(256);
  });

  it("simulate and replay print a summary instead of the timeline with --summary", async () => {
    const args = ["simulate", "-f", "js.yaml", "--fail", "workers-1@40s", "--summary"];
    const { out, exitCode } = await runCommand(args, { files });
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      /^JobSet train: Completed \(AllJobsCompleted\) at \d+\.\d{3}s, 1 restart\n/,
    );
    expect(out).toMatch(/^ +40\.000s +FAULT PodFailure: --fail workers-1@40s$/m);
    expect(out).not.toMatch(/ (?:created|changed|deleted) (?:Job|Pod) /);
    expect(await runCommand([...args, "-o", "json"], { files })).toMatchObject({
      exitCode: 2,
      out: "",
      error: expect.stringMatching(
        /--summary replaces the timeline and cannot be combined with -o json/,
      ),
    });
    const url = new URL("../../../../docs/findings/upstream/stale-ready.json", import.meta.url);
    const finding = { files: { "f.json": readFileSync(url, "utf8") } };
    const replayed = await runCommand(["replay", "f.json", "--summary"], finding);
    expect(replayed.exitCode).toBe(1);
    expect(replayed.out).toMatch(/^ +5\.000s {2}user +changed JobSet train: to be resumed$/m);
    expect(replayed.out).toMatch(/^ +5\.005s +VIOLATION startupFollowsTheOrder: /m);
  });

  it("simulate makes the first Pod of a Job fail with --fail", async () => {
    const args = ["simulate", "-f", "js.yaml", "--fail", "workers-1@40s"];
    const { out, exitCode } = await runCommand(args, { files });
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^ {3}40\.000s {2}kubelet +changed Pod train-workers-1-0-\w+: Failed/m);
    expect(out).toMatch(/changed JobSet train: restarting, restart 1/);
    expect(out).toMatch(/changed JobSet train: Completed/);
  });

  it("simulate prints why a JobSet is stuck at the end, and how to fix it", async () => {
    const inPlace = ["startupPolicy: { startupPolicyOrder: InOrder }"]
      .concat(
        "failurePolicy: { maxRestarts: 1, restartStrategy: InPlaceRestart }",
        "replicatedJobs:",
      )
      .concat(aReplicatedJob("driver"), aReplicatedJob("workers"))
      .join("\n")
      .replaceAll("parallelism: 2", "backoffLimit: 2147483647\n      parallelism: 2")
      .replaceAll("parallelism: 2", "podReplacementPolicy: Failed\n      parallelism: 2")
      .replaceAll("containers:", "restartPolicy: OnFailure\n          containers:");
    const world = { files: { "js.yaml": aJobSetFile(inPlace) } };
    const args = ["simulate", "-f", "js.yaml", "--feature-gates", "InPlaceRestart=true"];
    const { out, error, exitCode } = await runCommand(args, world);
    const stuck =
      "train is stuck: workers waits for driver to start, whose pods use in-place restart and wait for those of " +
      "workers; remove the startup order and all dependencies, or use another restart strategy";
    expect([exitCode, error]).toEqual([0, `jobset: note: ${stuck}\n`]);
    expect(out).toMatch(/attempt 0 in place/);
    const page = (await runCommand([...args, "-o", "html"], world)).out;
    expect(page).toContain(`<p class="note">${stuck}</p>`);
  });

  it("simulate prints what an unfinished JobSet waits for when the cluster is idle", async () => {
    const getMessage = async (...edit: readonly [string | RegExp, string]) => {
      const text = files["js.yaml"].replace(...edit);
      return (await runCommand(["simulate", "-f", "js.yaml"], { files: { "js.yaml": text } }))
        .error;
    };
    expect(
      await getMessage(/( +)containers:/, "$1schedulingGates: [{ name: acme.com/wait }]\n$&"),
    ).toMatch(
      /^jobset: note: train waits: train-workers-0-0-\w+ is held by scheduling gates acme\.com\/wait .*; check the controller that sets these gates\n$/,
    );
    expect(await getMessage(/( +)backoffLimit:/, "$1managedBy: acme.com/jobs\n$&")).toBe(
      "jobset: note: train is unfinished, and the cluster is idle\n",
    );
  });

  it("simulate prints the same run for the same seed, and another run for another seed", async () => {
    const outs: string[] = [];
    for (const seed of ["1", "1", "2"]) {
      const args = ["simulate", "-f", "js.yaml", "--seed", seed, "-o", "json"];
      outs.push((await runCommand(args, { files })).out);
    }
    expect(outs[1]).toBe(outs[0]);
    expect(outs[2]).not.toBe(outs[0]);
  });

  it("simulate prints the progress of a long run to a terminal", async () => {
    const files = { "js.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("workers", 60)}`) };
    let now = 0;
    const args = ["simulate", "-f", "js.yaml"];
    const { error } = await runCommand(args, { files, isTTY: true, now: () => (now += 1_000) });
    expect(error).toMatch(/\rsimulated \d+\.\d{3}s, \d+ changes *\r/);
  });

  it("simulate prints the history with the changes of each write", async () => {
    const { out } = await runCommand(["simulate", "-f", "js.yaml", "-o", "json"], { files });
    const { entries, isIdle } = JSON.parse(out) as {
      isIdle: boolean;
      entries: { kind: string; what: string; difference?: string[] }[];
    };
    expect(isIdle).toBe(true);
    const ofJobSet = entries.filter(({ kind, what }) => kind === "JobSet" && what === "Changed");
    expect(ofJobSet.flatMap(({ difference }) => difference ?? []).join("\n")).toMatch(
      /status\.terminalState: \+ "Completed"/,
    );
  });

  it("simulate prints trace events with a thread for each object", async () => {
    const { out } = await runCommand(["simulate", "-f", "js.yaml", "-o", "trace"], { files });
    const { traceEvents } = JSON.parse(out) as { traceEvents: { ph: string; args: object }[] };
    const threads = traceEvents.filter(({ ph }) => ph === "M").map(({ args }) => args);
    expect(threads).toContainEqual({ name: "train-workers-1" });
  });

  it("simulate prints a page without external resources", async () => {
    const { out } = await runCommand(["simulate", "-f", "js.yaml", "-o", "html"], { files });
    expect(out).toMatch(/^<!doctype html>/);
    expect(out.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|src=|@import/);
  });

  it("simulate shows requested failures on the page and in the timeline, and the end of the JobSet on the page", async () => {
    const args = ["simulate", "-f", "js.yaml", "--fail", "workers-1@40s"];
    args.push("--fail", "train-workers-0@1m30.5s");
    const { out } = await runCommand([...args, "-o", "html"], { files });
    expect(out).toMatch(/>--fail workers-1@40s, --fail train-workers-0@90\.5s<\/p>/);
    expect(out).toMatch(/<text [^>]*>--fail workers-1@40s<\/text>/);
    expect(out).toMatch(/>train: Failed \(ReachedMaxRestarts\) at 9\d\.\d{3}s, 1 restart</);
    const timeline = (await runCommand(args, { files })).out;
    expect(timeline).toMatch(/^ {3}40\.000s +FAULT PodFailure: --fail workers-1@40s$/m);
  });

  it("the page shows the next action if the run stops early", async () => {
    const metadata = { name: "train", namespace: "ml" };
    const objects = [{ apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", metadata }];
    const nothing = { workload: [], actions: [], faults: [] };
    const scenario = JSON.stringify({ seed: 1, objects, ...nothing, endsAt: 5 });
    const args = ["replay", "s.json", "-o", "html"];
    const { out, error } = await runCommand(args, { files: { "s.json": scenario } });
    const [, note] = /^jobset: note: (the run stopped early, because .*)$/m.exec(error) ?? [];
    expect(note).toMatch(/the next step is \S+ at 0\.\d{3}s/);
    expect(out).toContain(`<p class="note">${note}</p>`);
    expect(out).toMatch(/>train: created when the run ended</);
  });

  it("the page shows the minutes before a TTL of days, and when the JobSet is deleted", async () => {
    const days = aJobSetFile(`ttlSecondsAfterFinished: 259200\n${spec}`);
    const args = ["simulate", "-f", "js.yaml", "-o", "html"];
    const { out } = await runCommand(args, { files: { "js.yaml": days } });
    expect(out).toMatch(
      />train: Completed \(AllJobsCompleted\) at 6\d\.\d{3}s, gone at 2592\d\d\.\d{3}s \(72h1m\ds\)</,
    );
    expect(Number(/data-ends="([\d.]+)"/.exec(out)?.[1])).toBeLessThan(100_000);
  });

  it("simulate rejects a JobSet that a cluster would deny, with the field, before the run starts", async () => {
    const bad = { "js.yaml": aJobSetFile(spec.replace("name: workers", "name: Workers")) };
    const { out, error, exitCode } = await runCommand(["simulate", "-f", "js.yaml"], {
      files: bad,
    });
    expect([out, exitCode]).toEqual(["", 1]);
    expect(error).toMatch(/^js\.yaml:\d+:\d+: .*replicatedJobs/);
  });

  it("simulate reports when Pods of a Job ran if none ran at the time of --fail, and prints the run", async () => {
    const waiting = aReplicatedJob("check").replace(
      "template:",
      "dependsOn: [{ name: load, status: Complete }]\n  template:",
    );
    const files = {
      "js.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("load")}\n${waiting}`),
    };
    const runWithFailure = (at: string, ...output: readonly string[]) =>
      runCommand(["simulate", "-f", "js.yaml", "--fail", `check-0@${at}`, ...output], { files });
    const early = await runWithFailure("10s");
    expect([early.exitCode, early.out.includes("Completed (AllJobsCompleted)")]).toEqual([1, true]);
    expect(early.error).toMatch(
      /^jobset: --fail train-check-0@10\.000s: no Pod of the Job ran at this time; its Pods ran from 6\d\.\d{3}s to 12\d\.\d{3}s$/m,
    );
    expect((await runWithFailure("10s", "-o", "html")).out).toContain(
      '<p class="note">--fail train-check-0@10.000s: no Pod of the Job ran at this time; its Pods ran from 6',
    );
    const there = await runWithFailure("100s");
    expect([there.exitCode, there.error]).toEqual([0, ""]);
    expect(there.out).toMatch(/^ +100\.000s {2}kubelet +changed Pod train-check-0-\S+: .*/m);
  });

  it("simulate notes that a JobSet does not change if another controller manages it", async () => {
    const getMessage = async (member: string) => {
      const text = aJobSetFile(`${member}\nreplicatedJobs:\n${aReplicatedJob("workers")}`);
      return (await runCommand(["simulate", "-f", "js.yaml"], { files: { "js.yaml": text } }))
        .error;
    };
    expect(await getMessage("suspend: true")).toBe(
      "jobset: note: train is suspended, and nothing resumes it\n",
    );
    expect(await getMessage("managedBy: kueue.x-k8s.io/multikueue")).toBe(
      "jobset: note: train is managed by kueue.x-k8s.io/multikueue, which this cluster does not run\n",
    );
  });

  it("simulate rejects failures of unknown Jobs and invalid times", async () => {
    const request = (fail: string) =>
      runCommand(["simulate", "-f", "js.yaml", "--fail", fail], { files });
    expect((await request("workers-2@1s")).error).toMatch(/no JobSet has a Job "workers-2"/);
    expect((await request("worker-1@1s")).error).toMatch(
      /"worker-1" \(Did you mean workers-1\?\)\n$/,
    );
    expect((await request("train-worker-1@1s")).error).toMatch(
      /"train-worker-1" \(Did you mean train-workers-1\?\)\n$/,
    );
    expect((await request("workers-1@soon")).error).toMatch(/as in workers-1@40s/);
  });

  it("simulate creates nodes that satisfy required node affinity, and prints their labels", async () => {
    const term = "{matchExpressions: [{key: spot, operator: In, values: [always]}]}";
    const affinity = `affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [${term}]}}}`;
    const text = files["js.yaml"].replaceAll(/( +)restartPolicy:/g, `$1${affinity}\n$&`);
    const world = { files: { "js.yaml": text } };
    const { out, error } = await runCommand(["simulate", "-f", "js.yaml"], world);
    expect(out).toContain("changed JobSet train: Completed");
    expect(error).toBe(
      "jobset: note: train requires node affinity: nodes have the labels spot=always\n",
    );
  });

  it("simulate runs a JobSet with a queue under a simulated Kueue", async () => {
    const labels = "name: train\n  labels: {kueue.x-k8s.io/queue-name: team}";
    const world = { files: { "js.yaml": files["js.yaml"].replace("name: train", labels) } };
    const { out, error } = await runCommand(["simulate", "-f", "js.yaml"], world);
    expect(out).toMatch(/ kueue +created Workload /);
    expect(out).toContain("changed JobSet train: Completed");
    expect(error).toBe(
      "jobset: note: train is in queue team of a simulated Kueue, which has quota for it\n",
    );
  });

  it("the simulated Kueue has the WorkloadPriorityClass that a JobSet names", async () => {
    const labels =
      "name: train\n  labels: {kueue.x-k8s.io/queue-name: team, kueue.x-k8s.io/priority-class: low}";
    const world = { files: { "js.yaml": files["js.yaml"].replace("name: train", labels) } };
    const { out } = await runCommand(["simulate", "-f", "js.yaml"], world);
    expect(out).toContain("changed JobSet train: Completed");
    expect(out).not.toContain("WorkloadPriorityClassNotFound");
  });

  it("simulate reports why a run ends before its JobSet", async () => {
    const gates = "$1schedulingGates: [{name: example.com/hold}]\n$&";
    const text = files["js.yaml"]
      .replaceAll(/( +)restartPolicy:/g, gates)
      .replace(
        "name: train",
        "name: train\n  annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: rack}",
      );
    const { error } = await runCommand(["simulate", "-f", "js.yaml"], {
      files: { "js.yaml": text },
    });
    expect(error).toMatch(/the run stopped early, because the simulated time ends at \d+/);
    expect(error).toMatch(/train waits: .* scheduling gates example\.com\/hold/);
  });
});
