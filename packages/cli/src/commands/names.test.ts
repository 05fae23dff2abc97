import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const files = {
  "train.yaml": aJobSetFile(
    `coordinator:\n  replicatedJob: leader\nreplicatedJobs:\n${aReplicatedJob("leader")}\n${aReplicatedJob("w", 2)}`,
  ),
};

function runNames(args: readonly string[]) {
  return runCommand(["names", "-f", "train.yaml", ...args], { files });
}

describe("jobset names", () => {
  it("names prints a table by default", async () => {
    expect(await runNames([])).toEqual({
      exitCode: 0,
      out: `KIND          NAME                     REPLICATEDJOB   JOB-INDEX   POD-INDEX   DNS-NAME
Service       train                    <none>          <none>      <none>      train
Coordinator   train-leader-0-0.train   <none>          <none>      <none>      train-leader-0-0.train
Job           train-leader-0           leader          0           <none>      <none>
Pod           train-leader-0-0         leader          0           0           train-leader-0-0.train
Pod           train-leader-0-1         leader          0           1           train-leader-0-1.train
Job           train-w-0                w               0           <none>      <none>
Pod           train-w-0-0              w               0           0           train-w-0-0.train
Pod           train-w-0-1              w               0           1           train-w-0-1.train
Job           train-w-1                w               1           <none>      <none>
Pod           train-w-1-0              w               1           0           train-w-1-0.train
Pod           train-w-1-1              w               1           1           train-w-1-1.train
`,
      error: "",
    });
  });

  it("names -o name prints one Pod per line, as a host file needs", async () => {
    expect((await runNames(["-o", "name"])).out).toBe(
      "train-leader-0-0.train\ntrain-leader-0-1.train\n" +
        "train-w-0-0.train\ntrain-w-0-1.train\ntrain-w-1-0.train\ntrain-w-1-1.train\n",
    );
  });

  it("names prints the same rows as JSON and YAML", async () => {
    const report = JSON.parse((await runNames(["-o", "json"])).out) as { items: unknown[] };
    const [yaml] = readYamlDocuments((await runNames(["-o", "yaml"])).out);
    expect(yaml?.value).toEqual(report);
    const { items: rows } = report;
    expect(rows).toHaveLength(11);
    expect(rows.at(-1)).toEqual({
      kind: "Pod",
      name: "train-w-1-1",
      namespace: "default",
      replicatedJob: "w",
      jobIndex: 1,
      podIndex: 1,
      dnsName: "train-w-1-1.train",
      fqdn: "train-w-1-1.train.default.svc.cluster.local",
    });
  });

  it("names suggests the closest JobSet name", async () => {
    expect(await runNames(["trian"])).toEqual({
      exitCode: 1,
      out: "",
      error: 'jobset: JobSet "trian" not found (Did you mean train?)\n',
    });
  });

  it("names rejects the same input as `render`", async () => {
    expect(await runCommand(["names", "-f", "missing.yaml"])).toEqual({
      exitCode: 2,
      out: "",
      error: "missing.yaml: no such file\n",
    });
  });

  it("names lists the Pods of NonIndexed Jobs, and notes that they have no stable hostname", async () => {
    const any = aReplicatedJob("w").replace(
      "parallelism: 2",
      "completionMode: NonIndexed\n      parallelism: 2",
    );
    const world = { files: { "any.yaml": aJobSetFile(`replicatedJobs:\n${any}`) } };
    const { out, error, exitCode } = await runCommand(["names", "-f", "any.yaml"], world);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Pod +train-w-0-xxxxx +w +0 +<none> +<none>$/m);
    expect(error).toMatch(
      /^any\.yaml:\d+:\d+: note: .*completionMode: the Pods of w have random names and no stable hostname, because its Jobs are NonIndexed\n$/,
    );
    expect((await runCommand(["names", "-f", "any.yaml", "-o", "name"], world)).out).toBe("");
  });

  it("names --budget shows by how much a name is too long, although the JobSet is denied", async () => {
    const long = files["train.yaml"].replace("name: train", `name: ${"t".repeat(40)}`);
    const world = { files: { "long.yaml": long } };
    const { out, error, exitCode } = await runCommand(
      ["names", "--budget", "-f", "long.yaml"],
      world,
    );
    expect(exitCode).toBe(1);
    expect(out).toMatch(/ jobset\.sigs\.k8s\.io\/coordinator +<none> +\S+ +92 +63 +-29 /);
    expect(error).toContain("must be no more than 63 bytes");
    expect((await runCommand(["names", "-f", "long.yaml"], world)).out).toBe("");
  });
});
