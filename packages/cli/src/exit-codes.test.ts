import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exitCodes } from "./output/command-result.ts";
import { aJobSetFile, aReplicatedJob, runCommand } from "./testing.ts";

const good = aJobSetFile(`replicatedJobs:\n${aReplicatedJob("w")}`);
const files = {
  "good.yaml": good,
  "refused.yaml": `${good}  ttlSecondsAfterFinished: -1\n`,
  "unreadable.yaml": "spec: [",
};

describe("exit codes", () => {
  it.each([
    [0, ["--help"]],
    [0, ["schema"]],
    [0, ["version"]],
    [0, ["completion", "fish"]],
    [0, ["render", "-f", "good.yaml"]],
    [0, ["diff", "good.yaml", "good.yaml"]],
    [0, ["verify", "-f", "good.yaml"]],
    [1, ["render", "-f", "refused.yaml"]],
    [1, ["admit", "-f", "refused.yaml"]],
    [1, ["diff", "good.yaml", "refused.yaml"]],
    [1, ["names", "-f", "good.yaml", "unknown"]],
    [1, ["explain", "-f", "good.yaml", "unknown"]],
    [2, []],
    [2, ["kueue"]],
    [2, ["nonsense"]],
    [2, ["render"]],
    [2, ["render", "-f", "good.yaml", "-o", "xml"]],
    [2, ["render", "-f", "good.yaml", "-o", "jsonpath={.items[7]}"]],
    [2, ["completion", "tcsh"]],
    [2, ["top", "-f", "unreadable.yaml"]],
    [2, ["top", "-f", "missing.yaml"]],
  ] as const)("the exit code is %i for jobset %j", async (code, args) => {
    expect((await runCommand(args, { files })).exitCode).toBe(code);
  });

  it("the exit code is 3 on an internal error", async () => {
    const now = () => {
      throw new Error("no time");
    };
    expect((await runCommand(["plan", "-f", "good.yaml"], { files, now })).exitCode).toBe(3);
  });

  it("the help and the README list the same exit codes", async () => {
    const { out } = await runCommand(["--help"]);
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    for (const [code, meaning] of Object.entries(exitCodes)) {
      expect(out).toContain(`\n  ${code}  ${meaning}\n`);
      expect(readme).toContain(`\n| ${code} | ${meaning} |\n`);
    }
  });
});
