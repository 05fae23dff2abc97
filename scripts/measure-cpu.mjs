// A set-up file of the tests: writes down how much CPU each file of tests uses. Workers run several files, one after the other, and
// what a file loads is there for those after it, so the first one pays for it.
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
