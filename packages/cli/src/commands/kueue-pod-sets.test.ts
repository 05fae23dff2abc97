import { describe, expect, it } from "vitest";
import { readYamlDocuments } from "../input/yaml-documents.ts";
import { aJobSetFile, aReplicatedJob, ran } from "../testing.ts";

const jobs = `replicatedJobs:\n${aReplicatedJob("driver")}\n${aReplicatedJob("workers", 3)}`;
const placed = (topology: string) =>
  aJobSetFile(
    jobs.replaceAll(
      "      template:\n        spec:",
      `      template:\n        metadata: {annotations: {${topology}}}\n        spec:`,
    ),
  );
const files = {
  "train.yaml": aJobSetFile(jobs),
  "rack.yaml": placed("kueue.x-k8s.io/podset-required-topology: cloud.com/rack"),
  "bad.yaml": placed("kueue.x-k8s.io/podset-unconstrained-topology: maybe"),
};
const asked = (...args: readonly string[]) => ran(["kueue", "podsets", ...args], { files });

describe("jobset kueue podsets", () => {
  it("prints a Pod set for each ReplicatedJob, with the Pods of all its Jobs", async () => {
    const { exitCode, out, error } = await asked("-f", "train.yaml");
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

  it("shows which topology they ask for, unless the gate is off", async () => {
    const table = (await asked("-f", "rack.yaml", "-o", "table")).out;
    expect(table).toMatch(
      /^JOBSET +PODSET +PODS +TOPOLOGY\ndefault\/train +driver +2 +\{.*"cloud.com\/rack"/,
    );
    const off = "TopologyAwareScheduling=false";
    const without = await asked("-f", "rack.yaml", "-o", "table", "--kueue-feature-gates", off);
    expect(without.out).toMatch(/^default\/train +driver +2 +<none>$/m);
  });

  it("refuses topologies that cannot be read, and gates that Kueue has not", async () => {
    const { exitCode, out, error } = await asked("-f", "bad.yaml", "-o", "table");
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: "" });
    expect(error).toMatch(/^bad\.yaml:6:3: spec\.replicatedJobs: /);
    const unknown = await asked("-f", "train.yaml", "--kueue-feature-gates", "Nope=true");
    expect(unknown.exitCode).toBe(2);
    expect(unknown.error).toContain('unknown feature gate "Nope" of Kueue.');
  });

  it("kueue podsets lists its gates in the help and rejects other names", async () => {
    const { exitCode, out, error } = await asked("--help");
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
    expect(out).toMatch(/^Usage: jobset kueue podsets /);
    expect(await ran(["kueue", "nonsense"])).toEqual({
      exitCode: 2,
      out: "",
      error: "jobset: unknown command 'nonsense' (see jobset kueue --help)\n",
    });
  });

  it("is a command of a group, which alone prints its help and is wrong usage", async () => {
    const help = (await ran(["kueue", "--help"])).out;
    expect(help).toMatch(/^Usage: jobset kueue .*\n +podsets /s);
    expect(await ran(["kueue"])).toEqual({ exitCode: 2, out: "", error: help });
    expect(await ran(["help", "kueue"])).toEqual({ exitCode: 0, out: help, error: "" });
    expect(await ran(["help", "nonsense"])).toEqual({
      exitCode: 2,
      out: "",
      error: "jobset: unknown command 'nonsense' (see jobset --help)\n",
    });
  });
});
