import { nameOf, namespaceOf } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { clusterFacts, jobSetPhase, type PhaseOfJobSet } from "@jobset-ts/diagnose";
import type { CommandResult } from "./command.ts";
import { chosenJobSets, type DumpReportOptions, readDump } from "./dump.ts";
import type { FilesAndClock } from "./input/sources.ts";
import { refused, reported } from "./output/report.ts";
import { type Cell, tableLines } from "./output/table.ts";
import type { Wanted } from "./wanted.ts";

/** Prints how the JobSets of a dump stand, each in one word and one sentence, and how many stand so. */
export async function top(
  options: DumpReportOptions & Wanted,
  world: FilesAndClock,
): Promise<CommandResult> {
  const dump = await readDump(options, world);
  if (!dump.ok) return refused(dump.diagnostics, options.output);
  const { jobSets, diagnostics, exitCode } = chosenJobSets(dump, options);
  const facts = clusterFacts(dump.snapshot);
  const items = jobSets.map((jobSet, index): StandingJobSet => {
    world.progress?.(`looking at ${index + 1} of ${jobSets.length} JobSets`);
    const phase = jobSetPhase(dump.snapshot, jobSet, dump, facts);
    return { namespace: namespaceOf(jobSet), name: nameOf(jobSet), ...phase };
  });
  return reported({ items, table: tables(items), diagnostics, exitCode }, options.output);
}

interface StandingJobSet extends PhaseOfJobSet {
  readonly namespace: string;
  readonly name: string;
}

function* tables(items: readonly StandingJobSet[]): Generator<string, void, undefined> {
  yield* tableLines(["NAMESPACE", "NAME", "PHASE", "WHY"], items.map(row));
  const counts = new Map<string, number>();
  for (const { phase } of items) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  // The most first: that is what a cluster looks like.
  const rows = [...counts].sort(([a, of], [b, others]) => others - of || compareBytes(a, b));
  if (rows.length > 0) yield "\n";
  yield* tableLines(["PHASE", "JOBSETS"], rows);
}

/** The sentence repeats the phase, save for what it says of restarts. */
function row({ namespace, name, phase, text }: StandingJobSet): readonly Cell[] {
  const prefix = `${phase}: `;
  return [namespace, name, phase, text.startsWith(prefix) ? text.slice(prefix.length) : text];
}
