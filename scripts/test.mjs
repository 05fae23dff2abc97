// Runs the tests and checks that a change must pass.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSeconds, mostExpensive } from "./cpu.mjs";
import { bundleProgram } from "./program.mjs";
import { checkProse } from "./prose.mjs";
import { root } from "./root.mjs";
import { capture, spawnTool } from "./tool.mjs";

/** Commands that must exit with 0. If one fails, its output is printed. */
const checks = {
  // The native compiler reports the same errors in a quarter of the time.
  types: () => compile("typescript-native", ["--singleThreaded"]),
  prose: checkProse,
};

/** The suffix of test files that start programs as processes. */
const PROCESS_TEST_SUFFIX = ".process.test.ts";

/** Node flags that save CPU time: no garbage collection threads, and less optimization. */
export const cheaperInCpu = [
  "--single-threaded-gc",
  "--max-semi-space-size=64",
  "--interrupt-budget=400000",
];

/** The number of parallel checks. Each uses about one core. */
const MAX_CONCURRENT = 2;

/**
 * Runs the tests. Runs the checks and replays the recorded decisions at the same time, because many tests mostly wait. The last line
 * counts tests, checks and recorded decisions. Returns the exit code.
 */
export async function test() {
  const cpuBefore = cpuSeconds();
  const parts = Object.entries(checks).map(
    ([name, take]) =>
      () =>
        check(name, take),
  );
  const started = runTests(["--exclude", `**/*${PROCESS_TEST_SUFFIX}`]);
  // Processes that start from here have a lower priority than the tests.
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  const [tests, others] = await Promise.all([
    started,
    runQueued([...parts, replayDecisions], MAX_CONCURRENT),
  ]);
  for (const { text } of others) process.stdout.write(text);
  if (tests.costs) process.stdout.write(`\nTest files with the most CPU time:\n${tests.costs}`);
  if (cpuBefore !== undefined) {
    process.stdout.write(`Total CPU time: ${(cpuSeconds() - cpuBefore).toFixed(0)} s\n`);
  }
  return summarizeParts([tests, ...others]);
}

/** Runs the tests that start programs. The last line counts them. Returns the exit code. */
export async function testProcesses() {
  return summarizeParts([await runTests([PROCESS_TEST_SUFFIX])]);
}

/**
 * Runs the tests without the checks. Properties run at least ten times as many cases. The last line counts the tests. Returns the exit
 * code.
 *
 * @param files - filters for vitest; without any, all files run
 */
export async function testLong(files) {
  process.env.JOBSET_TS_TIER = "long";
  return summarizeParts([await runTests(files)]);
}

export function summarizeParts(parts) {
  const { passed, failed } = sum(parts);
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

export function sum(parts) {
  const [passed, failed] = ["passed", "failed"].map((which) =>
    parts.reduce((before, part) => before + part[which], 0),
  );
  return { passed, failed };
}

/** Calls functions in order, at most `atATime` in parallel. Returns their results. */
async function runQueued(calls, atATime) {
  const results = [];
  const waiting = calls.entries();
  const callNext = async () => {
    for (const [index, call] of waiting) results[index] = await call();
  };
  await Promise.all(Array.from({ length: atATime }, callNext));
  return results;
}

async function check(name, take) {
  const start = performance.now();
  const { code, output } = await take();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const line = `${code === 0 ? "ok  " : "FAIL"} ${name} (${seconds} s)\n`;
  return code === 0
    ? { passed: 1, failed: 0, text: line }
    : { passed: 0, failed: 1, text: `${line}${output}\n` };
}

/** Like {@link check}, but prints the result at once. */
export async function reportCheck(name, take) {
  const part = await check(name, take);
  process.stdout.write(part.text);
  return part;
}

/** Checks all types with one of the installed compilers, whose executables are all named `tsc`. */
export function compile(compiler, options = []) {
  const tsc = join(root, "node_modules", compiler, "bin", "tsc");
  // The native compiler runs only for seconds. Without garbage collection it needs a quarter less time.
  const garbage = { GOGC: "off", GOMEMLIMIT: "2GiB" };
  return capture(process.execPath, [tsc, "-b", ...options], root, garbage);
}

/**
 * Runs vitest. Returns the counts and the most expensive files.
 *
 * @param args - files or options for vitest
 */
export async function runTests(args = []) {
  const folder = mkdtempSync(join(tmpdir(), "jobset-ts-"));
  const report = join(folder, "vitest.json");
  const cpuReport = join(folder, "cpu.jsonl");
  process.env.JOBSET_TS_CPU_REPORT = cpuReport;
  const code = await spawnTool("vitest", [
    "run",
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args,
  ]);
  const counts = existsSync(report)
    ? vitestCounts(readFileSync(report, "utf8"))
    : { passed: 0, failed: 0 };
  const costs = existsSync(cpuReport)
    ? mostExpensive(readFileSync(cpuReport, "utf8")).join("")
    : "";
  rmSync(folder, { recursive: true });
  // A file that does not load, or an unhandled rejection, is a failure without a failed test.
  return { ...atLeastOneFailed(code, counts), costs };
}

function vitestCounts(report) {
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } =
    JSON.parse(report);
  // No test may be skipped, so a skipped test counts as failed.
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests + (numFailedTests === 0 ? numFailedTestSuites : 0),
  };
}

/** Replays the recorded decisions, of large files a sample. Removes the last line with the counts from the output, because the caller prints totals. */
export async function replayDecisions(node = process.execPath) {
  const file = await bundleProgram("conformance");
  const args = ["--enable-source-maps", ...cheaperInCpu, file, "--short"];
  const { code, output } = await capture(node, args);
  const [line = "", passed = 0, failed = 1] = /(\d+) passed, (\d+) failed\n$/.exec(output) ?? [];
  const counts = { passed: Number(passed), failed: Number(failed) };
  const text = output.slice(0, output.length - line.length);
  return { ...atLeastOneFailed(code, counts), text };
}

function atLeastOneFailed(code, { passed, failed }) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
