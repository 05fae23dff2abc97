// A vitest setup file that reports the CPU time of each test file. A worker runs several files in sequence, and the first file that
// imports a module pays for loading it.
import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { cpuSeconds } from "./cpu.mjs";

const report = process.env.JOBSET_TS_CPU_REPORT;
const start = cpuSeconds();

if (report !== undefined && start !== undefined) {
  afterAll(() => {
    const { testPath } = expect.getState();
    const seconds = cpuSeconds() - start;
    if (testPath) appendFileSync(report, `${JSON.stringify({ file: testPath, seconds })}\n`);
  });
}
