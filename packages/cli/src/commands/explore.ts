import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { FeatureGates } from "@jobset-ts/api";
import {
  BATCH_SIZE,
  type ExplorationOptions,
  type FailingScenario,
  type Fault,
  type Scenario,
  scenarioForJobSets,
  shrinkAsync,
  simulate,
} from "@jobset-ts/sim";
import { formatTimeline, recordTrace } from "@jobset-ts/sim/history";
import type { ScenarioFinding } from "@jobset-ts/sim/schema";
import { admitJobSets } from "../admission/admit-jobsets.ts";
import type { FieldValidation } from "../admission/field-validation.ts";
import type { FileOptions } from "../input/cluster.ts";
import type { FilesAndClock } from "../input/sources.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { escapeText } from "../output/escape.ts";
import type { Progress } from "../output/progress.ts";
import { type QuirksName, resolveQuirks } from "./cluster/quirks.ts";
import { settingsToFind } from "./explore/blocks.ts";
import {
  type ExplorationOutcome,
  type ExplorationWorld,
  exploreAll,
  type SharedWork,
} from "./explore/explore-all.ts";
import { reportRejectedChildren } from "./simulation/rejected-children.ts";

/** The options of `explore`. */
export interface ExploreOptions extends Omit<FileOptions, "filename">, SharedWork {
  readonly filename?: readonly string[];
  readonly seed: number;
  readonly faults?: readonly Fault["fault"][];
  readonly quirks: QuirksName;
  /** Where the finding is written. */
  readonly finding: string;
  readonly featureGates: FeatureGates;
  readonly validate: FieldValidation;
}

/** What ends a command before it is through. */
export type Interruption = "SIGINT" | "SIGTERM";

/** What exploring touches of the world. */
export interface ExploreWorld extends FilesAndClock, ExplorationWorld {
  readonly writeFile: (path: string, text: string) => Promise<void>;
  readonly interrupted?: Promise<Interruption>;
}

/** Plays many scenarios, and tells of the first that breaks something, made as small as it goes. */
export async function explore(
  options: ExploreOptions,
  world: ExploreWorld,
): Promise<CommandResult> {
  const { seed, faults, quirks } = options;
  const base = await createBaseScenario(options, world);
  if ("exitCode" in base) return base;
  const { scenario, diagnostics } = base;
  const exploration: ExplorationOptions = {
    seed,
    ...(faults !== undefined && { faults }),
    ...(scenario !== undefined && { scenario }),
  };
  let interruption: Interruption | undefined;
  world.interrupted?.then((signal) => {
    interruption = signal;
  });
  const isOver = () => interruption !== undefined;
  // Findings are shrunk while the exploration continues, so that a user who stops it need not wait.
  const small = new Map<string, Promise<ShrunkFinding>>();
  let isHunting = true;
  const progress: Progress = (said) => {
    if (!isHunting) world.progress?.(said);
  };
  const makeSmall = (found: FailingScenario): Promise<ShrunkFinding> => {
    const { law } = found.violation;
    const made = small.get(law) ?? shrinkFinding(found, quirks, { progress, isOver });
    small.set(law, made);
    return made;
  };
  const reached = await exploreAll({ exploration, quirks }, options, {
    ...world,
    ...(options.keepGoing && { onFound: (found) => void makeSmall(found) }),
  });
  isHunting = false;
  const pages: string[] = [];
  const told: Diagnostic[] = [...diagnostics];
  for (const found of takeFirstOfEach(reached.found).slice(0, options.keepGoing ? undefined : 1)) {
    const { finding, timeline } = await makeSmall(found);
    const file =
      pages.length === 0 ? options.finding : findingPath(options.finding, finding.oracle);
    const text = `${JSON.stringify(finding, null, 2)}\n`;
    pages.push(escapeText(timeline));
    try {
      await world.writeFile(file, text);
      const message = `${finding.oracle}: ${finding.message}; see it again: jobset replay ${file}`;
      told.push({ severity: "error", message });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      told.push({ severity: "error", message: `${finding.oracle}: ${finding.message}` });
      const message = `cannot be written: ${why}; the finding comes after its timeline`;
      told.push({ severity: "error", file, message });
      pages.push(escapeText(text));
    }
  }
  told.push(...reached.deaths.map((message): Diagnostic => ({ severity: "error", message })));
  told.push(...summarize(reached, options));
  const isCutOff = interruption === "SIGTERM" && reached.left !== undefined;
  const undone = reached.deaths.length > 0 ? 3 : isCutOff ? 143 : 0;
  return { output: pages, diagnostics: told, exitCode: pages.length > 0 ? 1 : undone };
}

/** A file beside another one, for another finding. */
function findingPath(file: string, law: string): string {
  return join(dirname(file), `${law}-${basename(file)}`);
}

type BaseScenario = { readonly scenario?: Scenario; readonly diagnostics: readonly Diagnostic[] };

async function createBaseScenario(
  { filename, ...options }: ExploreOptions,
  world: ExploreWorld,
): Promise<BaseScenario | CommandResult> {
  if (filename === undefined) return { diagnostics: [] };
  const asked = { ...options, filename, output: "yaml" as const };
  const admitted = await admitJobSets(asked, world, {
    quirks: resolveQuirks(options.quirks),
  });
  const { jobSets, diagnostics, exitCode } = admitted;
  if (exitCode !== 0) return { output: [], diagnostics, exitCode };
  const stored = jobSets.map(({ jobSet }) => jobSet);
  const { seed, featureGates: features } = options;
  const scenario = scenarioForJobSets(stored, { seed, failures: [], features });
  const refused = reportRejectedChildren(jobSets, scenario, features);
  if (refused.length > 0) return { output: [], diagnostics: refused, exitCode: 1 };
  return { scenario, diagnostics };
}

/** Of each sentence that does not hold one finding. */
function takeFirstOfEach(found: readonly FailingScenario[]): readonly FailingScenario[] {
  return [...new Map(found.toReversed().map((one) => [one.violation.law, one])).values()].reverse();
}

interface ShrunkFinding {
  readonly finding: ScenarioFinding;
  readonly timeline: string;
}

/** A finding made as small as it goes, or as it went until the user had enough. */
async function shrinkFinding(
  { scenario, violation }: FailingScenario,
  quirks: QuirksName,
  how: { readonly progress: Progress; readonly isOver: () => boolean },
): Promise<ShrunkFinding> {
  const settingsFor = (one: Scenario) =>
    settingsToFind(violation.law, one, { quirks: resolveQuirks(quirks) });
  const begun = simulate(scenario, settingsFor(scenario));
  let tried = 0;
  const small = await shrinkAsync(scenario, async (candidate) => {
    if (candidate === scenario) return begun;
    await setImmediate();
    // A result that is no longer needed counts as no smaller finding.
    if (how.isOver()) return { ...begun, violations: [] };
    tried += 1;
    how.progress(`making ${violation.law} smaller: ${tried} scenarios tried`);
    return simulate(candidate, settingsFor(candidate));
  });
  const smallest = small?.scenario ?? scenario;
  const { trace, played } = recordTrace(smallest, settingsFor(smallest));
  const { law, message } = played.violations[0] ?? violation;
  return {
    finding: { scenario: smallest, quirks, oracle: law, message },
    timeline: formatTimeline(trace.entries),
  };
}

function summarize(
  { played, quiet, states, found, blocks, left }: ExplorationOutcome,
  { seed, shard }: ExploreOptions,
): readonly Diagnostic[] {
  const counts = `${played} ${played === 1 ? "scenario" : "scenarios"}, ${quiet} of them became idle, ${states} states, ${found.length} found`;
  const notes: Diagnostic[] = [{ severity: "note", message: counts }];
  if (blocks === 0 && shard !== undefined) {
    const message = `the shard ${shard.index}/${shard.count} has none of these: a shard has whole blocks of ${BATCH_SIZE}`;
    notes.push({ severity: "warning", message });
  }
  if (left !== undefined) {
    const options = `--seed ${seed} --from ${left.from} --runs ${left.runs}`;
    const message = `not all were played; to go on, the same command with ${options}`;
    notes.push({ severity: "note", message });
  }
  return notes;
}
