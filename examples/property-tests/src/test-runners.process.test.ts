// Runs the two files that pass all laws to a test runner.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const folder = dirname(fileURLToPath(import.meta.url));

describe("a loop that creates a test for each law", () => {
  it("the loop works with node:test", async () => {
    const { status, stdout } = await runWithNode(
      "controller.node.ts",
      "^(unmanagedJobSetsAreLeftAlone|jobSetSpecsAreNotModified)$",
    );
    expect(stdout).toMatch(/^not ok \d+ - unmanagedJobSetsAreLeftAlone$/m);
    expect(stdout).toMatch(/^ok \d+ - jobSetSpecsAreNotModified$/m);
    expect(stdout).toMatch(/violations\n +patch JobSet train status: /);
    expect(status).toBe(1);
  });

  it("the loop works with vitest", () => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        join(folder, "../../../node_modules/vitest/vitest.mjs"),
        ...["run", "webhook", "--config", join(dirname(folder), "vitest.config.ts")],
        ...["--reporter", "json"],
        ...["-t", "(pendingLeadersAreNotMasked|mutationIsIdempotent)"],
      ],
      { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } },
    );
    const { testResults } = JSON.parse(stdout);
    const results: { title: string; status: string; failureMessages: string[] }[] =
      testResults.flatMap(({ assertionResults }: { assertionResults: [] }) => assertionResults);
    const found = (title: string) => results.find((one) => one.title === title);
    expect(found("mutationIsIdempotent")?.status).toBe("passed");
    expect(found("pendingLeadersAreNotMasked")?.status).toBe("failed");
    expect(found("pendingLeadersAreNotMasked")?.failureMessages[0]).toContain(
      "denies it: follower pod node selector not set",
    );
    expect(status).toBe(1);
  });
});

/** Runs a `node:test` file, bundled with its imports. */
async function runWithNode(file: string, pattern: string) {
  const scripts = join(folder, "../../../scripts/program.mjs");
  const { bundleProgram } = await import(pathToFileURL(scripts).href);
  const bundle = await bundleProgram("property-tests", dirname(folder), `src/${file}`);
  const args = ["--test-reporter=tap", `--test-name-pattern=${pattern}`, bundle];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, args, { encoding: "utf8", env });
}
