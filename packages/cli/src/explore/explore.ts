import { setImmediate } from "node:timers/promises";
import type { Features } from "@jobset-ts/api";
import {
  BLOCK_SIZE,
  type Exploration,
  type Fault,
  type Found,
  type Scenario,
  shrink,
  timelineText,
  traceOf,
  wholeLife,
} from "@jobset-ts/sim";
import type { Finding } from "@jobset-ts/sim/schema";
import { admittedJobSets } from "../admitted-jobsets.ts";
import type { CommandResult } from "../command.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { redaction } from "../environment.ts";
import type { FieldValidation } from "../field-validation.ts";
import type { FilesAndClock } from "../input/sources.ts";
import type { FileOptions } from "../options.ts";
import { printableLines } from "../output/printable.ts";
import type { TextSink } from "../output/write-all.ts";
import type { Shard } from "../simulation-options.ts";
import { type BlockReport, blockExplorer, type Explorer, quirksOf, type Task } from "./blocks.ts";
import { progressLine } from "./progress.ts";
import type { Threads } from "./threads.ts";

/** What `explore` is asked for. */
export interface ExploreOptions extends Omit<FileOptions, "filename"> {
  readonly filename?: readonly string[];
  readonly random?: boolean;
  readonly runs: number;
  readonly seed: number;
  readonly from: number;
  readonly faults?: readonly Fault["fault"][];
  readonly jobs?: number;
  readonly shard?: Shard;
  readonly keepGoing?: boolean;
  readonly quirks: Task["quirks"];
  /** Where the finding is written. */
  readonly finding: string;
  readonly featureGates: Features;
  readonly validate: FieldValidation;
}

/** What exploring touches of the world. */
export interface ExploreWorld extends FilesAndClock {
  readonly stderr: TextSink & { readonly isTTY?: boolean };
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Absent where everything is done on one thread. */
  readonly threads?: Threads;
  /** Comes when the user has had enough. */
  readonly interrupted?: Promise<void>;
}

/** Plays many schedules, and tells of the first that breaks something, made as small as it goes. */
export async function explore(
  options: ExploreOptions,
  world: ExploreWorld,
): Promise<CommandResult> {
  const { seed, faults, quirks } = options;
  const base = await baseScenario(options, world);
  if ("exitCode" in base) return base;
  const { scenario, diagnostics } = base;
  const exploration: Exploration = {
    seed,
    ...(faults !== undefined && { faults }),
    ...(scenario !== undefined && { scenario }),
  };
  const reached = await exploreAll({ exploration, quirks }, options, world);
  const pages: string[] = [];
  const told: Diagnostic[] = [...diagnostics];
  for (const found of firstOfEach(reached.found).slice(0, options.keepGoing ? undefined : 1)) {
    const { finding, timeline } = shrunk(found, quirks);
    const file = pages.length === 0 ? options.finding : `${finding.oracle}-${options.finding}`;
    try {
      await world.writeFile(file, `${JSON.stringify(finding, null, 2)}\n`);
      const message = `${finding.oracle}: ${finding.message}; see it again: jobset replay ${file}`;
      told.push({ severity: "error", message });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      told.push({ severity: "error", file, message: `cannot be written: ${why}` });
    }
    pages.push(printableLines(timeline));
  }
  told.push(...summary(reached, options));
  return { output: pages, diagnostics: told, exitCode: pages.length > 0 ? 1 : 0 };
}

type Base = { readonly scenario?: Scenario; readonly diagnostics: readonly Diagnostic[] };

async function baseScenario(
  { filename, ...options }: ExploreOptions,
  world: ExploreWorld,
): Promise<Base | CommandResult> {
  if (filename === undefined) return { diagnostics: [] };
  const asked = { ...options, filename, output: "yaml" as const };
  const admitted = await admittedJobSets(asked, world, { redact: redaction() });
  const { jobSets, diagnostics, exitCode } = admitted;
  if (exitCode !== 0) return { output: [], diagnostics, exitCode };
  const stored = jobSets.map(({ jobSet }) => jobSet);
  const { seed, featureGates: features } = options;
  return { scenario: wholeLife(stored, { seed, failures: [], features }), diagnostics };
}

interface Reached {
  readonly played: number;
  readonly quiet: number;
  readonly states: number;
  readonly found: readonly Found[];
  /** The first schedule that was not played, where not all were. */
  readonly resumeFrom?: number;
}

/** Shares the blocks out among threads, until all are done, something is found, or the user has had enough. */
async function exploreAll(
  task: Task,
  options: ExploreOptions,
  world: ExploreWorld,
): Promise<Reached> {
  const blocks = blocksOf(options);
  const { threads, stderr, now } = world;
  const count = Math.min(options.jobs ?? threads?.count ?? 1, Math.max(1, blocks.length));
  const explorers = Array.from({ length: count }, () => threads?.start(task) ?? atHome(task));
  const states = new Set<string>();
  const found: Found[] = [];
  const done = new Set<number>();
  const begun = now();
  let [played, quiet, next, isOver] = [0, 0, 0, false];
  const interruption = world.interrupted?.then(() => {
    isOver = true;
    return undefined;
  });
  const take = ({ states: reached, ...report }: BlockReport, block: number) => {
    done.add(block);
    played += report.played;
    quiet += report.quiet;
    for (const state of reached) states.add(state);
    found.push(...report.found);
    if (found.length > 0 && !options.keepGoing) isOver = true;
    if (stderr.isTTY) {
      const total = blocks.length * BLOCK_SIZE;
      const elapsedMs = now() - begun;
      const so = { played, total, states: states.size, found: found.length, elapsedMs };
      stderr.write(progressLine(so), () => {});
    }
  };
  const work = async (explorer: Explorer) => {
    while (!isOver) {
      const block = blocks[next++];
      if (block === undefined) return;
      const answer = explorer.explore(block);
      const report = await (interruption ? Promise.race([answer, interruption]) : answer);
      if (report === undefined) return;
      take(report, block);
    }
  };
  try {
    await Promise.all(explorers.map(work));
  } finally {
    for (const explorer of explorers) explorer.stop();
    if (stderr.isTTY && played > 0) stderr.write("\n", () => {});
  }
  const missing = blocks.find((block) => !done.has(block));
  return {
    played,
    quiet,
    states: states.size,
    found,
    ...(missing !== undefined && { resumeFrom: missing * BLOCK_SIZE }),
  };
}

/** Without threads, between two blocks others have their turn. */
function atHome(task: Task): Explorer {
  const explore = blockExplorer(task);
  return {
    explore: async (block) => {
      await setImmediate();
      return explore(block);
    },
    stop: () => {},
  };
}

/** The blocks of a shard: whole ones, in their order. */
function blocksOf({ from, runs, shard = { index: 0, count: 1 } }: ExploreOptions) {
  const [first, end] = [Math.floor(from / BLOCK_SIZE), Math.ceil((from + runs) / BLOCK_SIZE)];
  return Array.from({ length: end - first }, (_, at) => first + at).filter(
    (block) => block % shard.count === shard.index,
  );
}

/** Of each sentence that does not hold one finding. */
function firstOfEach(found: readonly Found[]): readonly Found[] {
  return [
    ...new Map(found.toReversed().map((one) => [one.violation.oracle, one])).values(),
  ].reverse();
}

function shrunk(
  { scenario, violation }: Found,
  quirks: Task["quirks"],
): { readonly finding: Finding; readonly timeline: string } {
  const settings = { quirks: quirksOf(quirks) };
  const small = shrink(scenario, settings);
  const smallest = small?.scenario ?? scenario;
  const { trace, played } = traceOf(smallest, settings);
  const { oracle, message } = played.violations[0] ?? violation;
  return {
    finding: { scenario: smallest, quirks, oracle, message },
    timeline: timelineText(trace.entries),
  };
}

function summary(
  { played, quiet, states, found, resumeFrom }: Reached,
  { seed }: ExploreOptions,
): readonly Diagnostic[] {
  const counts = `${played} schedules, ${quiet} of them came to rest, ${states} states, ${found.length} found`;
  const notes: Diagnostic[] = [{ severity: "note", message: counts }];
  if (resumeFrom !== undefined) {
    const message = `not all were played; to go on: --seed ${seed} --from ${resumeFrom}`;
    notes.push({ severity: "note", message });
  }
  return notes;
}
