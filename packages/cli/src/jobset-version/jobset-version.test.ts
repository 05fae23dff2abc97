import { UPSTREAM_QUIRKS } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import { aJobSetFile, aReplicatedJob, runCommand } from "../testing.ts";
import { resolveBehavior } from "./behavior.ts";
import { findVersion, MAIN, versionNames } from "./jobset-version.ts";

const gates = { featureGates: new Set(["RestartJob", "TLSOptions"] as const) };

describe("resolveBehavior", () => {
  it("without a version, JobSet is main without defects", () => {
    expect(resolveBehavior(gates)).not.toHaveProperty("schema");
    expect(resolveBehavior(gates).features).toBe(gates.featureGates);
    expect(resolveBehavior(gates).quirks.size).toBe(0);
    expect(resolveBehavior({ ...gates, quirks: "upstream" }).quirks).toBe(UPSTREAM_QUIRKS);
  });

  it("a version has its defects, its rules, its schema and its feature gates", () => {
    const jobsetVersion = findVersion("v0.9");
    const behavior = resolveBehavior({ ...gates, ...(jobsetVersion && { jobsetVersion }) });
    expect(behavior.quirks).toBe(jobsetVersion?.quirks);
    expect(behavior.schema).toBe(jobsetVersion?.schema);
    expect([...behavior.features]).toEqual(["TLSOptions"]);
    expect(behavior.gates).toEqual([]);
  });

  it("a version without defects has its rules", () => {
    for (const name of versionNames) {
      const jobsetVersion = findVersion(name) ?? MAIN;
      expect(resolveBehavior({ ...gates, jobsetVersion, quirks: "none" }).quirks).toBe(
        jobsetVersion.rules,
      );
    }
  });
});

const claims = `volumeClaimPolicies:
- templates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 1Gi
replicatedJobs:
${aReplicatedJob("workers")}
            volumeMounts: [{ name: data, mountPath: /data }]`;
const files = { "js.yaml": aJobSetFile(claims) };

describe("--jobset-version", () => {
  it("admit rejects or prunes the fields that the version does not have", async () => {
    const admit = (...args: string[]) => runCommand(["admit", "-f", "js.yaml", ...args], { files });
    expect(await admit("--jobset-version", "v0.11")).toMatchObject({ exitCode: 0, error: "" });
    const strict = await admit("--jobset-version", "v0.10");
    expect(strict.exitCode).toBe(1);
    expect(strict.error).toMatch(/js\.yaml:6:3: spec\.volumeClaimPolicies: unknown field/);
    const lenient = await admit("--jobset-version", "v0.10", "--validate", "warn");
    expect(lenient.exitCode).toBe(0);
    expect(lenient.error).toMatch(/spec\.volumeClaimPolicies: unknown field, dropped$/m);
  });

  it("render creates only the objects that the version creates", async () => {
    const render = (version: string) => {
      const args = ["-o", "name", "--validate", "ignore", "--jobset-version", version];
      return runCommand(["render", "-f", "js.yaml", ...args], { files });
    };
    expect((await render("v0.11")).out).toMatch(/^persistentvolumeclaim\//m);
    expect((await render("v0.10")).out).not.toMatch(/^persistentvolumeclaim\//m);
  });

  it("schema prints the schema of the version", async () => {
    const list = async (...args: string[]) => {
      const { out } = await runCommand(["schema", ...args]);
      return Object.keys(JSON.parse(out).definitions.JobSetSpec.properties);
    };
    expect(await list()).toContain("volumeClaimPolicies");
    expect(await list("--jobset-version", "0.10.1")).not.toContain("volumeClaimPolicies");
  });

  it("an unknown version is an error that lists the known ones", async () => {
    const args = ["plan", "-f", "js.yaml", "--jobset-version", "v0.7.1"];
    const { exitCode, error } = await runCommand(args, { files });
    expect(exitCode).toBe(2);
    expect(error).toMatch(
      /'v0\.7\.1' is invalid\. Known versions are v0\.8\.2, .*v0\.12\.0, main\./,
    );
  });

  it("a feature gate that the version does not have is an error", async () => {
    const args = ["--jobset-version", "v0.10", "--feature-gates", "InPlaceRestart=true"];
    const { exitCode, error } = await runCommand(["plan", "-f", "js.yaml", ...args], { files });
    expect(exitCode).toBe(2);
    expect(error).toMatch(/JobSet v0\.10\.1 does not have the feature gate InPlaceRestart/);
  });
});

describe("simulate --upgrade", () => {
  const world = { files: { "js.yaml": aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`) } };

  it("simulate replaces JobSet at the given time, and the run continues", async () => {
    const args = ["--upgrade", "v0.11..v0.12@20s"];
    const { out } = await runCommand(["simulate", "-f", "js.yaml", ...args], world);
    expect(out).toMatch(/^ +20\.000s +UPGRADE: upgrade of JobSet to v0\.12\.0$/m);
    expect(out).toMatch(/changed JobSet train: Completed \(AllJobsCompleted\)/);
  });

  it.each([
    [["--upgrade", "v0.10@20s"], /two versions and a time, as in v0\.10\.1\.\.v0\.12\.0@60s/],
    [["--upgrade", "v0.1..v0.12@20s"], /Known versions are v0\.8\.2/],
    [["--upgrade", "v0.10..v0.12@1s", "--jobset-version", "v0.9"], /cannot be used with option/],
  ])("simulate %j is a usage error", async (args, message) => {
    const { exitCode, error } = await runCommand(["simulate", "-f", "js.yaml", ...args], world);
    expect([exitCode, error]).toEqual([2, expect.stringMatching(message)]);
  });
});
