import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";

const jobs = `replicatedJobs:\n${aReplicatedJob("driver")}\n${aReplicatedJob("workers", 3)}`;
const withTopology = (topology: string) =>
  aJobSetFile(
    jobs.replaceAll(
      "      template:\n        spec:",
      `      template:\n        metadata: {annotations: {${topology}}}\n        spec:`,
    ),
  );
const files = {
  "train.yaml": aJobSetFile(jobs),
  "rack.yaml": withTopology("kueue.x-k8s.io/podset-required-topology: cloud.com/rack"),
  "bad.yaml": withTopology("kueue.x-k8s.io/podset-unconstrained-topology: maybe"),
};
const runPodSets = (...args: readonly string[]) =>
  runCommand(["kueue", "podsets", ...args], { files });

describe("jobset kueue podsets", () => {
  it("kueue podsets prints a Pod set for each ReplicatedJob, with the Pods of all its Jobs", async () => {
    const { exitCode, out, error } = await runPodSets("-f", "train.yaml");
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    const template = { spec: { containers: [{ image: "example.com/workers:1" }] } };
    expect(readYamlDocuments(out)[0]?.value).toMatchObject({
      items: [
        {
          namespace: "default",
          name: "train",
          podSets: [
            { name: "driver", count: 2 },
            { name: "workers", count: 6, template },
          ],
        },
      ],
    });
  });

  it("kueue podsets shows topology requests unless the gate is disabled", async () => {
    const table = (await runPodSets("-f", "rack.yaml", "-o", "table")).out;
    expect(table).toMatch(
      /^JOBSET +PODSET +PODS +TOPOLOGY\ndefault\/train +driver +2 +\{.*"cloud.com\/rack"/,
    );
    const off = "TopologyAwareScheduling=false";
    const without = await runPodSets(
      "-f",
      "rack.yaml",
      "-o",
      "table",
      "--kueue-feature-gates",
      off,
    );
    expect(without.out).toMatch(/^default\/train +driver +2 +<none>$/m);
  });

  it("kueue podsets rejects invalid topologies and unknown gates", async () => {
    const { exitCode, out, error } = await runPodSets("-f", "bad.yaml", "-o", "table");
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
    expect(error).toMatch(/^bad\.yaml:6:3: spec\.replicatedJobs: /);
    const unknown = await runPodSets("-f", "train.yaml", "--kueue-feature-gates", "Nope=true");
    expect(unknown.exitCode).toBe(2);
    expect(unknown.error).toContain('unknown Kueue feature gate "Nope".');
  });

  it("kueue podsets lists its gates in the help and rejects other names", async () => {
    const { exitCode, out, error } = await runPodSets("--help");
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(out).toMatch(/^Usage: jobset kueue podsets /);
    expect(await runCommand(["kueue", "nonsense"])).toEqual({
      exitCode: 2,
      out: "",
      error: "jobset: unknown command 'nonsense' (see jobset kueue --help)\n",
    });
  });

  it("kueue is a group of commands, which prints its help and exits with a usage error", async () => {
    const help = (await runCommand(["kueue", "--help"])).out;
    expect(help).toMatch(/^Usage: jobset kueue .*\n +podsets /s);
    expect(await runCommand(["kueue"])).toEqual({ exitCode: 2, out: "", error: help });
    expect(await runCommand(["help", "kueue"])).toEqual({ exitCode: 0, out: help, error: "" });
    expect(await runCommand(["help", "nonsense"])).toEqual({
      exitCode: 2,
      out: "",
      error: "jobset: unknown command 'nonsense' (see jobset --help)\n",
    });
  });
});
