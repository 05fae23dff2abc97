import { formatTime } from "@jobset-ts/api";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { indexCluster, type JobSetPhaseResult, jobSetPhase } from "@jobset-ts/diagnose";
import type { JobSetSelector } from "../input/jobset-selector.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";
import { createErrorReport, formatReport, formatResourceNames } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { clusterChecks } from "./cluster/cluster-checks.ts";
import { chooseJobSets, type DumpReportOptions, readDump } from "./cluster/dump.ts";

/** Prints the phase of each JobSet of a dump with its reason, and the count of each phase. */
export async function top(
  options: DumpReportOptions & JobSetSelector,
  world: FilesAndCluster,
): Promise<CommandResult> {
  const dump = await readDump(options, world, { usesVersion: true });
  if (!dump.ok) return createErrorReport(dump.diagnostics, options.output);
  const { jobSets, diagnostics, exitCode } = chooseJobSets(dump, options);
  const facts = indexCluster(dump.snapshot);
  const items = jobSets.map((jobSet, index): JobSetPhaseItem => {
    world.progress?.(`diagnosing ${index + 1} of ${jobSets.length} JobSets`);
    const { phase, reason, since, ...others } = jobSetPhase(
      dump.snapshot,
      jobSet,
      { now: dump.now, quirks: dump.quirks, checks: clusterChecks },
      facts,
    );
    return {
      namespace: getNamespace(jobSet),
      name: getName(jobSet),
      phase,
      reason,
      ...(since !== undefined && { since: formatTime(since) }),
      ...others,
    };
  });
  const [table, wide, names] = [
    formatTables(items, []),
    formatTables(items, counts),
    formatResourceNames(items),
  ];
  return formatReport({ items, table, wide, names, diagnostics, exitCode }, options.output);
}

interface JobSetPhaseItem extends Omit<JobSetPhaseResult, "since"> {
  readonly namespace: string;
  readonly name: string;
  /** An RFC 3339 time. */
  readonly since?: string;
}

/** A column of the table: its heading, and its cell for a JobSet. */
type Column = readonly [heading: string, of: (item: JobSetPhaseItem) => Cell];

const counts: readonly Column[] = [
  ["RESTARTS", ({ restarts }) => restarts],
  ["COUNTED", ({ restartsCounted, maxRestarts }) => `${restartsCounted}/${maxRestarts}`],
  ["READY", ({ numbers: { ready, wanted } }) => `${ready}/${wanted ?? "?"}`],
  ["PENDING", ({ numbers }) => numbers.unscheduled],
];

function* formatTables(
  items: readonly JobSetPhaseItem[],
  more: readonly Column[],
): Generator<string, void, undefined> {
  const headings = ["NAMESPACE", "NAME", "PHASE", ...more.map(([heading]) => heading), "WHY"];
  yield* formatTable(
    headings,
    items.map((item) => formatRow(item, more)),
  );
  const byPhase = new Map<string, number>();
  for (const { phase } of items) byPhase.set(phase, (byPhase.get(phase) ?? 0) + 1);
  // The most frequent phase comes first, because it describes the cluster best.
  const rows = [...byPhase].sort(([a, of], [b, others]) => others - of || compareBytes(a, b));
  if (rows.length > 0) yield "\n";
  yield* formatTable(["PHASE", "JOBSETS"], rows);
}

function formatRow(item: JobSetPhaseItem, more: readonly Column[]): readonly Cell[] {
  const { namespace, name, phase, reason, restartsCounted, maxRestarts } = item;
  const restarts = phase === "Restarting" ? `restart ${restartsCounted} of ${maxRestarts}: ` : "";
  const why = `${restarts}${reason}`;
  return [namespace, name, phase, ...more.map(([, of]) => of(item)), why];
}
