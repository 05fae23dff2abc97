// What has to hold before a change lands.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSeconds, mostExpensive } from "./cpu.mjs";
import { bundleProgram } from "./program.mjs";
import { root } from "./root.mjs";
import { capture, captureTool, spawnTool } from "./tool.mjs";

/** Commands that must exit with 0; their output is shown when they do not. Those that take longest begin first. */
const checks = {
  // The native compiler says the same in a quarter of the time.
  types: () => compile("typescript-native", ["--singleThreaded"]),
  "format, lint and purity": () => captureTool("biome", ["ci", "--error-on-warnings"]),
  "dead code and dependencies": () => captureTool("knip", ["--no-progress"]),
};

/** How the files end whose tests start programs, and mostly test what the system does with them. */
const OF_PROCESSES = ".process.test.ts";

/** Flags of Node that save CPU: no threads that collect garbage, and less code that is optimized. */
const cheaperInCpu = [
  "--single-threaded-gc",
  "--max-semi-space-size=64",
  "--interrupt-budget=400000",
];

/** How many checks run at a time; each keeps about one core busy. */
const AT_A_TIME = 2;

/**
 * Runs the tests, and beside them, since many tests wait, the checks and the recorded decisions. The last line counts all
 * of them: a check counts as one, a test as one, a recorded decision as one. Answers with the exit code.
 */
export async function test() {
  const cpuBefore = cpuSeconds();
  const parts = Object.entries(checks).map(
    ([name, take]) =>
      () =>
        check(name, take),
  );
  const started = runTests(["--exclude", `**/*${OF_PROCESSES}`]);
  // What starts from here on takes what the tests leave of the cores, as long as they run.
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);
  const [tests, others] = await Promise.all([
    started,
    inTurn([...parts, replayDecisions], AT_A_TIME),
  ]);
  for (const { text } of others) process.stdout.write(text);
  if (tests.costs) process.stdout.write(`\nFiles that need the most CPU:\n${tests.costs}`);
  if (cpuBefore !== undefined) {
    process.stdout.write(`CPU in all: ${(cpuSeconds() - cpuBefore).toFixed(0)} s\n`);
  }
  return conclude([tests, ...others]);
}

/** Runs the tests that start programs. The last line counts them. Answers with the exit code. */
export async function testProcesses() {
  return conclude([await runTests([OF_PROCESSES])]);
}

/**
 * Runs the tests alone, with properties that run at least ten times as often; which files, as vitest takes it, all
 * without any. The last line counts the tests. Answers with the exit code.
 */
export async function testLong(files) {
  process.env.JOBSET_TS_TIER = "long";
  return conclude([await runTests(files)]);
}

export function conclude(parts) {
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

/** Calls functions in their order, so many at a time, and answers what they come to. */
async function inTurn(calls, atATime) {
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

/** The same, told at once. */
export async function toldCheck(name, take) {
  const part = await check(name, take);
  process.stdout.write(part.text);
  return part;
}

/** Checks all types with one of the compilers that are installed; all call themselves `tsc`. */
export function compile(compiler, options = []) {
  const tsc = join(root, "node_modules", compiler, "bin", "tsc");
  // The native compiler runs for seconds: collecting garbage costs it a quarter of its time, and saves memory that it may take.
  const garbage = { GOGC: "off", GOMEMLIMIT: "2GiB" };
  return capture(process.execPath, [tsc, "-b", ...options], root, garbage);
}

/** @param args - for vitest: files, or options */
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
  // Also what is no test can fail: a file that does not load, an error that nobody awaited.
  return { ...atLeastOneFailed(code, counts), costs };
}

function vitestCounts(report) {
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } =
    JSON.parse(report);
  // A skipped test is not one that passed, and none is meant to be skipped.
  return {
    passed: numPassedTests,
    failed: numFailedTests + numPendingTests + (numFailedTests === 0 ? numFailedTestSuites : 0),
  };
}

/** Replays what is shipped; its own last line says how many agree, and is left to the one that counts everything. */
export async function replayDecisions(node = process.execPath) {
  const file = await bundleProgram("conformance");
  const { code, output } = await capture(node, ["--enable-source-maps", ...cheaperInCpu, file]);
  const [line = "", passed = 0, failed = 1] = /(\d+) passed, (\d+) failed\n$/.exec(output) ?? [];
  const counts = { passed: Number(passed), failed: Number(failed) };
  const text = output.slice(0, output.length - line.length);
  return { ...atLeastOneFailed(code, counts), text };
}

function atLeastOneFailed(code, { passed, failed }) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}
