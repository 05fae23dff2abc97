import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { createRedactor } from "@jobset-ts/api/redaction";
import { createSnapshot, type Snapshot } from "@jobset-ts/core";
import { indexedReplicatedJobs } from "@jobset-ts/core/desired";
import {
  type AdmittedJobSet,
  admitJobSets,
  type JobSetOptions,
} from "../admission/admit-jobsets.ts";
import { createCluster } from "../input/cluster.ts";
import {
  getNames,
  isSelected,
  type JobSetSelector,
  reportMissing,
  selectJobSets,
} from "../input/jobset-selector.ts";
import { getObjectKey } from "../input/object-key.ts";
import type { Files } from "../input/sources.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import { createJobSetQuery, type LiveOptions, readLive } from "../live/live-cluster.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { escapeLine } from "../output/escape.ts";
import { formatReport } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { formatExcess } from "./names/excess.ts";
import { formatBudgetTables, listNameBudgets } from "./names/name-budgets.ts";
import { findNamesExcess, isIndexed, listNameRows, type NameRow } from "./names/name-rows.ts";

/** The options of `names`. */
export type NamesOptions = Omit<JobSetOptions, "filename"> &
  LiveOptions & {
    /** Whether to print the limits of names instead of the names. */
    readonly budget?: boolean;
  };

/** Prints the names that are derived from JobSets of files or of a cluster, and the DNS names of their Pods. */
export async function names(options: NamesOptions, world: FilesAndCluster): Promise<CommandResult> {
  const { filename } = options;
  const { jobSets, snapshot, diagnostics, exitCode, diagnoseOf } =
    filename === undefined
      ? await readLiveJobSets(options, world)
      : await readFileJobSets({ ...options, filename }, world);
  if (options.budget) {
    const items = listNameBudgets(jobSets, snapshot);
    const report = { items, table: formatBudgetTables(items), diagnostics, exitCode };
    return formatReport(report, options.output === "name" ? "table" : options.output);
  }
  const excesses = jobSets.flatMap((jobSet) => reportExcess(jobSet, diagnoseOf?.get(jobSet)));
  if (excesses.length > 0) {
    return { output: [], diagnostics: [...diagnostics, ...excesses], exitCode: exitCode || 1 };
  }
  const items = createRows(jobSets);
  const notes = jobSets.flatMap((jobSet) => noteUnstablePods(jobSet, diagnoseOf?.get(jobSet)));
  if (options.output === "name")
    return { output: formatPodNames(items), diagnostics: [...diagnostics, ...notes], exitCode };
  const table = formatTable(headings, toCells(items));
  const wide = formatTable([...headings, "FQDN"], toWideCells(items));
  const report = { items, table, wide, diagnostics: [...diagnostics, ...notes], exitCode };
  return formatReport(report, options.output);
}

interface FoundJobSets {
  readonly jobSets: readonly Unvalidated<JobSet>[];
  /** Contains all JobSets that were read. */
  readonly snapshot: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
  readonly exitCode: 0 | 1 | 2;
  /** Creates diagnostics with a position for JobSets from files. */
  readonly diagnoseOf?: ReadonlyMap<Unvalidated<JobSet>, AdmittedJobSet["diagnose"]>;
}

async function readFileJobSets(
  { budget = false, ...options }: JobSetOptions & NamesOptions,
  files: Files,
): Promise<FoundJobSets> {
  const { names } = options; // other namespaces are rejected
  const admitted = await admitJobSets(options, files, {
    // Collisions with names of other JobSets require these JobSets.
    isRequested: (input) => budget || isSelected(getObjectKey(input), { names }),
    // A JobSet is often denied because of a name, and the budget shows by how much the name is too
    // long.
    keepsDenied: budget,
  });
  const all = admitted.jobSets.map(({ jobSet }) => jobSet);
  const jobSets = all.filter((one) => isSelected(getNames(one), { names }));
  const snapshot = createSnapshot(all, { kinds: ["JobSet"] });
  const diagnoseOf = new Map(admitted.jobSets.map(({ jobSet, diagnose }) => [jobSet, diagnose]));
  return addMissing({ ...admitted, jobSets, snapshot, diagnoseOf }, { names }, admitted.found);
}

async function readLiveJobSets(
  options: NamesOptions,
  { kubectl }: FilesAndCluster,
): Promise<FoundJobSets> {
  const read = await readLive(createJobSetQuery([], options), options, kubectl, createRedactor());
  if (read.failure !== undefined) {
    return { jobSets: [], snapshot: createSnapshot([]), diagnostics: [read.failure], exitCode: 2 };
  }
  const { snapshot = createSnapshot([]), diagnostics } = createCluster(read.objects, read);
  const jobSets = selectJobSets(snapshot, options);
  const exitCode = diagnostics.length > 0 ? 2 : 0;
  return addMissing({ jobSets, snapshot, diagnostics, exitCode }, options);
}

function addMissing(
  found: FoundJobSets,
  selector: JobSetSelector,
  all: Parameters<typeof reportMissing>[2] = [],
): FoundJobSets {
  if (found.exitCode !== 0) return found;
  const { diagnostics, isComplete } = reportMissing(found.jobSets, selector, all);
  return {
    ...found,
    diagnostics: [...found.diagnostics, ...diagnostics],
    exitCode: isComplete ? 0 : 1,
  };
}

function reportExcess(
  jobSet: Unvalidated<JobSet>,
  diagnose: AdmittedJobSet["diagnose"] | undefined,
): readonly Diagnostic[] {
  const excess = findNamesExcess(jobSet);
  if (excess === undefined) return [];
  const text = formatExcess(excess, "are listed");
  if (diagnose !== undefined) return [diagnose(excess.field, text)];
  const { namespace, name } = getNames(jobSet);
  return [{ severity: "error", message: `JobSet ${namespace}/${name}: ${excess.field}: ${text}` }];
}

/** Reports the ReplicatedJobs whose Pods have random names. */
function noteUnstablePods(
  jobSet: Unvalidated<JobSet>,
  diagnose: AdmittedJobSet["diagnose"] | undefined,
): readonly Diagnostic[] {
  return indexedReplicatedJobs(jobSet).flatMap(
    ({ name, replicas, replicatedJob }, index): readonly Diagnostic[] => {
      if (replicas === 0 || isIndexed(replicatedJob)) return [];
      const message = `the Pods of ${name} have random names and no stable hostname, because its Jobs are NonIndexed`;
      const field = `spec.replicatedJobs[${index}].template.spec.completionMode`;
      return [diagnose?.(field, message, "note") ?? { severity: "note", message }];
    },
  );
}

function* createRows(jobSets: readonly Unvalidated<JobSet>[]): Generator<NameRow, void, undefined> {
  for (const jobSet of jobSets) yield* listNameRows(jobSet);
}

/** Returns the DNS name of each Pod, as a host file needs. */
function* formatPodNames(rows: Iterable<NameRow>): Generator<string, void, undefined> {
  for (const { kind, name, dnsName, podIndex } of rows)
    if (kind === "Pod" && podIndex !== undefined) yield `${escapeLine(dnsName ?? name)}\n`;
}

const headings = ["KIND", "NAME", "REPLICATEDJOB", "JOB-INDEX", "POD-INDEX", "DNS-NAME"];

function* toCells(rows: Iterable<NameRow>): Generator<readonly Cell[], void, undefined> {
  for (const row of rows) {
    yield [row.kind, row.name, row.replicatedJob, row.jobIndex, row.podIndex, row.dnsName];
  }
}

function* toWideCells(rows: Iterable<NameRow>): Generator<readonly Cell[], void, undefined> {
  for (const row of rows) {
    const [shown = []] = toCells([row]);
    yield [...shown, row.fqdn];
  }
}
