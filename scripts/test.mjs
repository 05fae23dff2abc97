// Everything that has to hold before a change lands, in one command; CI runs the same.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureBuild } from "./build.mjs";
import { bundleProgram } from "./program.mjs";
import { root } from "./root.mjs";
import { compareSurface } from "./surface.mjs";
import { captureTool, spawnTool } from "./tool.mjs";

/**
 * Runs the checks, the tests and the recorded decisions. The last line counts all of them: a check counts as
 * one, a test as one, a recorded decision as one. Answers with the exit code.
 */
export async function test() {
  const counts = [await runChecks(), await runTests(), await replayDecisions()];
  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/**
 * Runs the tests alone, with properties that run at least ten times as often; which files, as vitest takes it, all
 * without any. The last line counts the tests. Answers with the exit code.
 */
export async function testLong(files) {
  process.env.JOBSET_TS_TIER = "long";
  const { passed, failed } = await runTests(files);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** How many checks run at a time; each keeps about one core busy. */
const CHECKS_AT_A_TIME = 2;

/** Each check is one quick command that must exit with 0; its output is shown only when it does not. */
async function runChecks() {
  const typeChecked = ["packages", "examples"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .map((folder) => join(folder, "tsconfig.json"))
    .filter((file) => existsSync(join(root, file)));
  const checks = [
    [
      "build of the published packages, CommonJS, public surface, size of one helper",
      buildAndMeasure,
    ],
    ["format, lint, purity and layers", () => captureTool("biome", ["ci", "--error-on-warnings"])],
    ["dead code and dependencies", () => captureTool("knip", ["--no-progress"])],
    ...typeChecked.map((file) => [`types: ${file}`, () => captureTool("tsc", ["-p", file])]),
  ];
  let failed = 0;
  const waiting = checks.values();
  const runNext = async () => {
    for (const [name, check] of waiting) {
      const start = performance.now();
      const { code, output } = await check();
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)\n`);
      if (code !== 0) {
        failed += 1;
        process.stdout.write(`${output}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, runNext));
  return { passed: checks.length - failed, failed };
}

async function buildAndMeasure() {
  const built = await captureBuild();
  if (built.code !== 0) return built;
  const surface = compareSurface();
  return surface.code === 0 ? captureTool("size-limit", []) : surface;
}

async function runTests(files = []) {
  const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  const report = join(folder, "vitest.json");
  const code = await spawnTool("vitest", [
    "run",
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...files,
  ]);
  const counts = existsSync(report) ? vitestCounts(readFileSync(report, "utf8")) : noCounts;
  rmSync(folder, { recursive: true });
  // Also what is no test can fail: a file that does not load, an error that nobody awaited.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

const noCounts = { passed: 0, failed: 0 };

function vitestCounts(report) {
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } =
    JSON.parse(report);
  // A skipped test is not one that passed, and none is meant to be skipped.
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests + (numFailedTests === 0 ? numFailedTestSuites : 0),
  };
}

/** Replays what is shipped; its own last line says how many agree. */
async function replayDecisions() {
  const file = await bundleProgram("conformance");
  const { code, output } = await new Promise((resolve) => {
    const child = spawn(process.execPath, ["--enable-source-maps", file], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.on("close", (code) => resolve({ code, output }));
  });
  const [, passed, failed] = /(\d+) passed, (\d+) failed\n$/.exec(output) ?? [];
  // Only the last line of all counts everything; the one of this part would be mistaken for it.
  process.stdout.write(output.replace(/\d+ passed, \d+ failed\n$/, ""));
  if (passed === undefined) return { passed: 0, failed: 1 };
  const counts = { passed: Number(passed), failed: Number(failed) };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
