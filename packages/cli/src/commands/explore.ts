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
import { resolveBehavior } from "../jobset-version/behavior.ts";
import { type QuirksName, resolveQuirks } from "../jobset-version/quirks.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { escapeText } from "../output/escape.ts";
import type { Progress } from "../output/progress.ts";
import { createLawSettings } from "./explore/blocks.ts";
import {
  type ExplorationEnvironment,
  type ExplorationOutcome,
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
  /** The path of the file for the finding. */
  readonly finding: string;
  readonly featureGates: FeatureGates;
  readonly validate: FieldValidation;
}

/** The signals that end a command early. */
export type Interruption = "SIGINT" | "SIGTERM";

/** The dependencies of `explore`. */
export interface ExploreEnvironment extends FilesAndClock, ExplorationEnvironment {
  readonly writeFile: (path: string, text: string) => Promise<void>;
  readonly interrupted?: Promise<Interruption>;
}

/** Runs many scenarios, and prints the first one that violates a law, shrunk to a minimal one. */
export async function explore(
  options: ExploreOptions,
  world: ExploreEnvironment,
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
  const shrunk = new Map<string, Promise<ShrunkFinding>>();
  let isExploring = true;
  const progress: Progress = (text) => {
    if (!isExploring) world.progress?.(text);
  };
  const shrinkOnce = (found: FailingScenario): Promise<ShrunkFinding> => {
    const { law } = found.violation;
    const result = shrunk.get(law) ?? shrinkFinding(found, quirks, { progress, isOver });
    shrunk.set(law, result);
    return result;
  };
  const reached = await exploreAll({ exploration, quirks }, options, {
    ...world,
    ...(options.keepGoing && { onFound: (found) => void shrinkOnce(found) }),
  });
  isExploring = false;
  const pages: string[] = [];
  const messages: Diagnostic[] = [...diagnostics];
  for (const found of takeFirstOfEachLaw(reached.failures).slice(
    0,
    options.keepGoing ? undefined : 1,
  )) {
    const { finding, timeline } = await shrinkOnce(found);
    const file = pages.length === 0 ? options.finding : findingPath(options.finding, finding.law);
    const written = await writeFinding(finding, file, world);
    pages.push(escapeText(timeline), ...written.pages);
    messages.push(...written.messages);
  }
  messages.push(
    ...reached.threadErrors.map((message): Diagnostic => ({ severity: "error", message })),
  );
  messages.push(...summarize(reached, options));
  const isCutOff = interruption === "SIGTERM" && reached.left !== undefined;
  const incomplete = reached.threadErrors.length > 0 ? 3 : isCutOff ? 143 : 0;
  return { output: pages, diagnostics: messages, exitCode: pages.length > 0 ? 1 : incomplete };
}

/** Writes a finding to a file. If that fails, the finding becomes a page of the output. */
async function writeFinding(
  finding: ShrunkFinding["finding"],
  file: string,
  world: ExploreEnvironment,
): Promise<{ readonly messages: readonly Diagnostic[]; readonly pages: readonly string[] }> {
  const text = `${JSON.stringify(finding, null, 2)}\n`;
  const violation = `${finding.law}: ${finding.message}`;
  try {
    await world.writeFile(file, text);
    const message = `${violation}; to replay it, run jobset replay ${file}`;
    return { messages: [{ severity: "error", message }], pages: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `cannot be written: ${why}; the finding is printed after its timeline`;
    return {
      messages: [
        { severity: "error", message: violation },
        { severity: "error", file, message },
      ],
      pages: [escapeText(text)],
    };
  }
}

/** Returns the path of the file for another finding, in the same folder. */
function findingPath(file: string, law: string): string {
  return join(dirname(file), `${law}-${basename(file)}`);
}

type BaseScenario = { readonly scenario?: Scenario; readonly diagnostics: readonly Diagnostic[] };

async function createBaseScenario(
  { filename, ...options }: ExploreOptions,
  world: ExploreEnvironment,
): Promise<BaseScenario | CommandResult> {
  if (filename === undefined) return { diagnostics: [] };
  const jobSetOptions = { ...options, filename, output: "yaml" as const };
  const admitted = await admitJobSets(jobSetOptions, world);
  const { jobSets, diagnostics, exitCode } = admitted;
  if (exitCode !== 0) return { output: [], diagnostics, exitCode };
  const stored = jobSets.map(({ jobSet }) => jobSet);
  const behavior = resolveBehavior(options);
  const { seed } = options;
  const scenario = scenarioForJobSets(stored, { seed, failures: [], features: behavior.features });
  const rejected = reportRejectedChildren(jobSets, scenario, behavior);
  if (rejected.length > 0) return { output: [], diagnostics: rejected, exitCode: 1 };
  return { scenario, diagnostics };
}

/** Returns the first finding for each violated law. */
function takeFirstOfEachLaw(found: readonly FailingScenario[]): readonly FailingScenario[] {
  return [...new Map(found.toReversed().map((one) => [one.violation.law, one])).values()].reverse();
}

interface ShrunkFinding {
  readonly finding: ScenarioFinding;
  readonly timeline: string;
}

/** A shrunk finding. Shrinking stops early if the user interrupts it. */
async function shrinkFinding(
  { scenario, violation }: FailingScenario,
  quirks: QuirksName,
  how: { readonly progress: Progress; readonly isOver: () => boolean },
): Promise<ShrunkFinding> {
  const settingsFor = (one: Scenario) =>
    createLawSettings(violation.law, one, { quirks: resolveQuirks(quirks) });
  const original = simulate(scenario, settingsFor(scenario));
  let triedCount = 0;
  const small = await shrinkAsync(scenario, async (candidate) => {
    if (candidate === scenario) return original;
    await setImmediate();
    // After an interruption, a result does not count as a smaller finding.
    if (how.isOver()) return { ...original, violations: [] };
    triedCount += 1;
    how.progress(`shrinking ${violation.law}: ${triedCount} scenarios tried`);
    return simulate(candidate, settingsFor(candidate));
  });
  const smallest = small?.scenario ?? scenario;
  const { trace, result } = recordTrace(smallest, settingsFor(smallest));
  const { law, message } = result.violations[0] ?? violation;
  return {
    finding: { scenario: smallest, quirks, law, message },
    timeline: formatTimeline(trace.entries),
  };
}

function summarize(
  { simulated, idle, states, failures, blocks, left }: ExplorationOutcome,
  { seed, shard }: ExploreOptions,
): readonly Diagnostic[] {
  const counts = `${simulated} ${simulated === 1 ? "scenario" : "scenarios"}, ${idle} of them became idle, ${states} states, ${failures.length} with a violation`;
  const notes: Diagnostic[] = [{ severity: "note", message: counts }];
  if (blocks === 0 && shard !== undefined) {
    const message = `the shard ${shard.index}/${shard.count} contains no scenarios, because each shard consists of whole blocks of ${BATCH_SIZE}`;
    notes.push({ severity: "warning", message });
  }
  if (left !== undefined) {
    const options = `--seed ${seed} --from ${left.from} --runs ${left.runs}`;
    const message = `stopped early; to continue, run the same command with ${options}`;
    notes.push({ severity: "note", message });
  }
  return notes;
}
