import type { JobSet, Observed } from "@jobset-ts/api";
import { createRedactor } from "@jobset-ts/api/redaction";
import { type Snapshot, snapshotOf } from "@jobset-ts/core";
import { admittedJobSets } from "./admitted-jobsets.ts";
import type { CommandResult } from "./command.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { clusterOf } from "./input/cluster.ts";
import type { Files, FilesAndCluster } from "./input/sources.ts";
import { jobSetsAnd, readLive } from "./live/live-cluster.ts";
import { budgetTables, nameBudgets } from "./name-budgets.ts";
import { type NameRow, nameRows } from "./name-rows.ts";
import { objectKeyOf } from "./object-key.ts";
import type { JobSetOptions, NamesOptions } from "./options.ts";
import { printable } from "./output/printable.ts";
import { reported } from "./output/report.ts";
import { type Cell, tableLines } from "./output/table.ts";
import { isWanted, missing, namesOf, type Wanted, wantedJobSets } from "./wanted.ts";

/**
 * Prints the names that JobSets lead to, those of some files or those of a cluster, and under which of them Pods find
 * each other.
 */
export async function names(options: NamesOptions, world: FilesAndCluster): Promise<CommandResult> {
  const { filename } = options;
  const { jobSets, snapshot, diagnostics, exitCode } =
    filename === undefined
      ? await liveJobSets(options, world)
      : await fileJobSets({ ...options, filename }, world);
  if (options.budget) {
    const items = nameBudgets(jobSets, snapshot);
    const report = { items, table: budgetTables(items), diagnostics, exitCode };
    return reported(report, options.output === "name" ? "table" : options.output);
  }
  const items = rowsOf(jobSets);
  if (options.output === "name") return { output: podNames(items), diagnostics, exitCode };
  const table = tableLines(headings, cells(items));
  const wide = tableLines([...headings, "FQDN"], wideCells(items));
  return reported({ items, table, wide, diagnostics, exitCode }, options.output);
}

interface FoundJobSets {
  readonly jobSets: readonly Observed<JobSet>[];
  /** With all JobSets that were read. */
  readonly snapshot: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: 0 | 1 | 2;
}

async function fileJobSets(
  { budget = false, ...options }: JobSetOptions & NamesOptions,
  files: Files,
): Promise<FoundJobSets> {
  const { names } = options; // a namespace that is another one is refused
  const admitted = await admittedJobSets(options, files, {
    // To see which names others make, the others are needed.
    isAsked: (input) => budget || isWanted(objectKeyOf(input), { names }),
  });
  const all = admitted.jobSets.map(({ jobSet }) => jobSet);
  const jobSets = all.filter((one) => isWanted(namesOf(one), { names }));
  const snapshot = snapshotOf(all, { kinds: ["JobSet"] });
  return withMissing({ ...admitted, jobSets, snapshot }, { names }, admitted.found);
}

async function liveJobSets(
  options: NamesOptions,
  { kubectl }: FilesAndCluster,
): Promise<FoundJobSets> {
  const read = await readLive(jobSetsAnd([], options), options, kubectl, createRedactor());
  if (read.refusal !== undefined) {
    return { jobSets: [], snapshot: snapshotOf([]), diagnostics: [read.refusal], exitCode: 2 };
  }
  const { snapshot = snapshotOf([]), diagnostics } = clusterOf(read.objects, read);
  const jobSets = wantedJobSets(snapshot, options);
  const exitCode = diagnostics.length > 0 ? 2 : 0;
  return withMissing({ jobSets, snapshot, diagnostics, exitCode }, options);
}

function withMissing(
  found: FoundJobSets,
  wanted: Wanted,
  all: Parameters<typeof missing>[2] = [],
): FoundJobSets {
  if (found.exitCode !== 0) return found;
  const { diagnostics, isComplete } = missing(found.jobSets, wanted, all);
  return {
    ...found,
    diagnostics: [...found.diagnostics, ...diagnostics],
    exitCode: isComplete ? 0 : 1,
  };
}

function* rowsOf(jobSets: readonly Observed<JobSet>[]): Generator<NameRow, void, undefined> {
  for (const jobSet of jobSets) yield* nameRows(jobSet);
}

/** Under which name each Pod is found; what a host file needs. */
function* podNames(rows: Iterable<NameRow>): Generator<string, void, undefined> {
  for (const { kind, name, dnsName } of rows)
    if (kind === "Pod") yield `${printable(dnsName ?? name)}\n`;
}

const headings = ["KIND", "NAME", "REPLICATEDJOB", "JOB-INDEX", "POD-INDEX", "DNS-NAME"];

function* cells(rows: Iterable<NameRow>): Generator<readonly Cell[], void, undefined> {
  for (const row of rows) {
    yield [row.kind, row.name, row.replicatedJob, row.jobIndex, row.podIndex, row.dnsName];
  }
}

function* wideCells(rows: Iterable<NameRow>): Generator<readonly Cell[], void, undefined> {
  for (const row of rows) {
    const [shown = []] = cells([row]);
    yield [...shown, row.fqdn];
  }
}
