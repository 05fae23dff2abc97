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
  const chosen = readArguments(words);
  if (!chosen.ok) {
    say(chosen.message);
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
  const run = { root, binaryPath: binary.path, report: new Report() };
  if (chosen.isScale) await measureAll(run);
  if (chosen.isRecordJobs) {
    const { count, accepted } = await recordJobCases(binary.path, root);
    say(`recorded ${count} Jobs, of which the API server accepts ${accepted}`);
    return 0;
  }
  for (const suite of chosen.suites) await playSuite(run, suite, chosen.isRecord);
  if (chosen.isInstalled) await run.report.addResults(followReadme(binary.path, root));
  return run.report.finish();
}

type Arguments =
  | {
      readonly ok: true;
      readonly isScale: boolean;
      readonly isRecord: boolean;
      readonly isRecordJobs: boolean;
      /** Whether to follow the installation of the README. */
      readonly isInstalled: boolean;
      readonly suites: readonly Suite[];
    }
  | { readonly ok: false; readonly message: string };

function readArguments(words: readonly string[]): Arguments {
  const isScale = words.join() === SCALE;
  const isRecord = words.join() === RECORD;
  const isRecordJobs = words.join() === RECORD_JOBS;
  const others = words.filter((word) => !INSTALLED.includes(word));
  const isInstalled = words.length === 0 || others.length < words.length;
  const isSuites = words.length === 0 || (others.length > 0 && !isScale && !isRecordJobs);
  try {
    const suites = isSuites ? selectSuites(isRecord ? [UNDISTURBED] : others) : [];
    return { ok: true, isScale, isRecord, isRecordJobs, isInstalled, suites };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Prints results and counts them. */
class Report {
  passed = 0;
  failed = 0;

  add(isGood: boolean, line: string): void {
    if (isGood) this.passed += 1;
    else this.failed += 1;
    say(`${isGood ? "ok  " : "FAIL"} ${line}`);
  }

  async addResults(all: AsyncIterable<StoryResult>): Promise<void> {
    for await (const { name, seconds, error } of all) {
      this.add(error === undefined, `${name} (${seconds.toFixed(1)} s)`);
      if (error !== undefined) say(error.replaceAll(/^/gm, "     "));
    }
  }

  /** Prints the counts and returns the exit code. */
  finish(): number {
    say(`${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0 ? 0 : 1;
  }
}

interface Run {
  readonly root: string;
  readonly binaryPath: string;
  readonly report: Report;
}

async function measureAll(run: Run): Promise<void> {
  const suite = { runsJobs: true };
  const manager = process.env.JOBSET_E2E_UPSTREAM_MANAGER;
  const upstream = manager
    ? await onTestBed(run, suite, (bed) => measureUpstreamAtScale(bed, manager))
    : undefined;
  await onTestBed(run, suite, async (bed) => {
    for await (const { name, value, unit, limit } of measureAtScale(bed, upstream)) {
      run.report.add(value <= limit, `${name}: ${value.toFixed(2)} ${unit} (at most ${limit})`);
    }
  });
}

async function playSuite(run: Run, suite: Suite, isRecord: boolean): Promise<void> {
  await onTestBed(run, suite, async (bed) => {
    const recorded = isRecord ? {} : readRecordedOutcomes(run.root);
    const endings = suite.runsJobs ? new StoryOutcomes(bed.cluster, recorded) : undefined;
    await run.report.addResults(playAll(bed, suite, endings));
    if (isRecord && endings !== undefined && run.report.failed === 0)
      writeRecordedOutcomes(run.root, endings.recorded);
  });
}

async function onTestBed<Result>(
  { root, binaryPath }: Run,
  suite: Pick<Suite, "runsJobs">,
  act: (bed: TestBed) => Promise<Result>,
): Promise<Result> {
  const bed = await TestBed.start(binaryPath, root, suite);
  try {
    return await act(bed);
  } finally {
    await bed.stop();
  }
}

// The bundle of this program is in a cache folder, so the command passes the workspace root.
const [root = "", ...words] = process.argv.slice(2);
process.exit(await main(root, words));
