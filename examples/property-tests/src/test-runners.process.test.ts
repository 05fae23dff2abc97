// The two files that hand all laws to a test runner, run by it.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const folder = dirname(fileURLToPath(import.meta.url));

describe("one loop makes a test of each law", () => {
  it("with node:test", async () => {
    const { status, stdout } = await runWithNode(
      "controller.node.ts",
      "^(anothersJobSetIsLeftAlone|jobSetsStayAsTheyAre)$",
    );
    expect(stdout).toMatch(/^not ok \d+ - anothersJobSetIsLeftAlone$/m);
    expect(stdout).toMatch(/^ok \d+ - jobSetsStayAsTheyAre$/m);
    expect(stdout).toMatch(/which is wrong\n +patch JobSet train status: /);
    expect(status).toBe(1);
  });

  it("with vitest", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(folder, "../../../node_modules/vitest/vitest.mjs"),
        ...["run", "webhook", "--config", join(dirname(folder), "vitest.config.ts")],
        ...["--reporter", "json"],
        ...["-t", "(pendingLeadersAreNotMasked|mutatingAgainChangesNothing)"],
      ],
      { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    const { testResults } = JSON.parse(stdout);
    const results: { title: string; status: string; failureMessages: string[] }[] =
      testResults.flatMap(({ assertionResults }: { assertionResults: [] }) => assertionResults);
    const found = (title: string) => results.find((one) => one.title === title);
    expect(found("mutatingAgainChangesNothing")?.status).toBe("passed");
    expect(found("pendingLeadersAreNotMasked")?.status).toBe("failed");
    expect(found("pendingLeadersAreNotMasked")?.failureMessages[0]).toContain(
      "refuses it: follower pod node selector not set",
    );
    expect(status).toBe(1);
  });
});

/** Runs a file of `node:test`, bundled as the programs are, with what it imports. */
async function runWithNode(file: string, pattern: string) {
  const scripts = join(folder, "../../../scripts/program.mjs");
  const { bundleProgram } = await import(pathToFileURL(scripts).href);
  const bundle = await bundleProgram("property-tests", dirname(folder), `src/${file}`);
  const args = ["--test-reporter=tap", `--test-name-pattern=${pattern}`, bundle];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, args, { encoding: "utf8", env });
}
