import { join } from "node:path";
import { controlPlaneBinary } from "./control-plane-binary.ts";
import { playAll, type StoryResult } from "./play.ts";
import { followReadme, INSTALLED } from "./readme-installation.ts";
import { recordJobCases } from "./record-job-cases.ts";
import { readRecordedOutcomes, writeRecordedOutcomes } from "./recorded-outcomes.ts";
import { UNDISTURBED } from "./rounds.ts";
import { measureAtScale, measureUpstreamAtScale } from "./scale.ts";
import { StoryOutcomes } from "./story-outcomes.ts";
import { type Suite, selectSuites } from "./suites.ts";
import { TestBed } from "./test-bed.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const warn = (line: string) => process.stderr.write(`${line}\n`);

/** The argument for the measurements that take too long for every run. */
const SCALE = "at-scale";
/** The argument that records the outcomes of stories again. */
const RECORD = "record";
/** The argument that records again which Jobs an API server accepts. */
const RECORD_JOBS = "record-jobs";

/** Runs the program and returns the exit code. */
async function main(root: string, words: readonly string[]): Promise<number> {
  const isScale = words.join() === SCALE;
  const isRecord = words.join() === RECORD;
  const isRecordJobs = words.join() === RECORD_JOBS;
  const others = words.filter((word) => !INSTALLED.includes(word));
  const isInstalled = words.length === 0 || others.length < words.length;
  let suites: readonly Suite[];
  try {
    const isSuites = words.length === 0 || (others.length > 0 && !isScale && !isRecordJobs);
    suites = isSuites ? selectSuites(isRecord ? [UNDISTURBED] : others) : [];
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 2;
  }
  const binary = controlPlaneBinary(join(root, "packages", "e2e", "controlplane"), warn);
  if (binary.outcome === "Failed") {
    say(binary.reason);
    return 2;
  }
  if (binary.outcome === "Unavailable") {
    say(`skipped: ${binary.reason}`);
    return process.env.JOBSET_E2E === "required" ? 1 : 0;
  }
  const counts = { passed: 0, failed: 0 };
  const report = (isGood: boolean, line: string) => {
    counts[isGood ? "passed" : "failed"] += 1;
    say(`${isGood ? "ok  " : "FAIL"} ${line}`);
  };
  const reportResults = async (all: AsyncIterable<StoryResult>) => {
    for await (const { name, seconds, error } of all) {
      report(error === undefined, `${name} (${seconds.toFixed(1)} s)`);
      if (error !== undefined) say(error.replaceAll(/^/gm, "     "));
    }
  };
  const onTestBed = async <Result>(
    suite: Pick<Suite, "runsJobs">,
    act: (bed: TestBed) => Promise<Result>,
  ): Promise<Result> => {
    const bed = await TestBed.start(binary.path, root, suite);
    try {
      return await act(bed);
    } finally {
      await bed.stop();
    }
  };
  if (isScale) {
    const suite = { runsJobs: true };
    const manager = process.env.JOBSET_E2E_UPSTREAM_MANAGER;
    const upstream = manager
      ? await onTestBed(suite, (bed) => measureUpstreamAtScale(bed, manager))
      : undefined;
    await onTestBed(suite, async (bed) => {
      for await (const { name, value, unit, limit } of measureAtScale(bed, upstream)) {
        report(value <= limit, `${name}: ${value.toFixed(2)} ${unit} (at most ${limit})`);
      }
    });
  }
  if (isRecordJobs) {
    const { count, accepted } = await recordJobCases(binary.path, root);
    say(`recorded ${count} Jobs, of which the API server accepts ${accepted}`);
    return 0;
  }
  for (const suite of suites) {
    await onTestBed(suite, async (bed) => {
      const recorded = isRecord ? {} : readRecordedOutcomes(root);
      const endings = suite.runsJobs ? new StoryOutcomes(bed.cluster, recorded) : undefined;
      await reportResults(playAll(bed, suite, endings));
      if (isRecord && endings !== undefined && counts.failed === 0)
        writeRecordedOutcomes(root, endings.recorded);
    });
  }
  if (isInstalled) {
    await reportResults(followReadme(binary.path, root));
  }
  say(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? 0 : 1;
}

// The bundle of this program is in a cache folder, so the command passes the workspace root.
const [root = "", ...words] = process.argv.slice(2);
process.exit(await main(root, words));
