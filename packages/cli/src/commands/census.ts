import { formatTime, type Unvalidated } from "@jobset-ts/api";
import { getNamespace, type Pod } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import {
  countPods,
  type JobOwnedRule,
  type PodCensus,
  type PodCensusOptions,
} from "@jobset-ts/diagnose/census";
import type { FilesAndCluster } from "../live/kubectl.ts";
import { createPodQuery, readLive } from "../live/live-cluster.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { createErrorReport, formatReport } from "../output/report.ts";
import { formatTable } from "../output/table.ts";
import { type DumpReportOptions, readDump } from "./cluster/dump.ts";

/** The rules that exempt Pods from counting as unscheduled. */
export const jobOwnedRules = {
  "kind-contains-job": "KindContainsJob",
  "exact-kind": "ExactKind",
  "helm-hook": "HelmHook",
  none: "None",
} as const satisfies Readonly<Record<string, JobOwnedRule>>;

/** The options of `census`. */
export interface CensusCommandOptions extends DumpReportOptions {
  readonly jobOwned: keyof typeof jobOwnedRules;
}

/** Prints a summary of the Pods of a dump. */
export async function census(
  options: CensusCommandOptions,
  world: FilesAndCluster,
): Promise<CommandResult> {
  const dump = await readDump(options, world, {
    needsJobSets: false,
    readCluster: (live, kubectl, redactor) =>
      readLive(createPodQuery(live), live, kubectl, redactor),
  });
  if (!dump.ok) return createErrorReport(dump.diagnostics, options.output);
  const { snapshot } = dump;
  const settings = {
    jobOwned: jobOwnedRules[options.jobOwned],
    ...excludeOtherNamespaces(options.namespace, snapshot),
  };
  const counted = countPods(snapshot, settings);
  if (!counted.ok)
    return createErrorReport([{ severity: "error", message: counted.message }], options.output);
  const report = {
    items: [toWireCensus(counted.census)],
    table: formatTables(counted.census),
    diagnostics: noteExemptPods(counted.census, snapshot, settings),
    exitCode: 0,
  } as const;
  return formatReport(report, options.output);
}

/** Returns the census with times in the format of the API. */
function toWireCensus(found: PodCensus): object {
  if (found.attempts.outcome !== "Failed") return found;
  const attempts = found.attempts.attempts.map(({ lastAt, ...attempt }) => {
    return { ...attempt, ...(lastAt !== undefined && { lastAt: formatTime(lastAt) }) };
  });
  return { ...found, attempts: { ...found.attempts, attempts } };
}

/** The library excludes namespaces, so a request for one namespace excludes all others. */
function excludeOtherNamespaces(
  namespace: string | undefined,
  snapshot: Snapshot,
): Pick<PodCensusOptions, "excludedNamespaces"> {
  if (namespace === undefined) return {};
  const all = new Set((snapshot.objects("Pod") as readonly Unvalidated<Pod>[]).map(getNamespace));
  all.delete(namespace);
  return { excludedNamespaces: [...all] };
}

/** All Pods of a JobSet are owned by Jobs. Without this note, a stuck cluster would look healthy. */
function noteExemptPods(
  { counts }: PodCensus,
  snapshot: Snapshot,
  settings: PodCensusOptions,
): readonly Diagnostic[] {
  const all = countPods(snapshot, { ...settings, jobOwned: "None" });
  const count = all.ok ? all.census.counts.unscheduled - counts.unscheduled : 0;
  if (count === 0) return [];
  const message = `${count} pending Pods without a node do not count as unscheduled because Jobs own them; use --job-owned=none to count them`;
  return [{ severity: "note", message }];
}

function* formatTables(found: PodCensus): Generator<string, void, undefined> {
  const { counts, distribution, unscheduled, failed, attempts } = found;
  yield* formatTable(
    Object.keys(counts).map((name) => name.toUpperCase()),
    [Object.values(counts)],
  );
  yield* formatSection(
    ["NODE", "PODS"],
    distribution.map(({ node, podCount }) => [node, podCount]),
  );
  yield* formatSection(
    ["UNSCHEDULED"],
    unscheduled.map(({ namespace, name }) => [`${namespace}/${name}`]),
  );
  yield* formatSection(
    ["FAILED", "REASON", "MESSAGE"],
    failed.map(({ namespace, name, reason, message }) => [`${namespace}/${name}`, reason, message]),
  );
  switch (attempts.outcome) {
    case "NothingToSchedule":
      return;
    case "NotTried":
      yield "\nthe dump contains no scheduling attempt\n";
      return;
    case "Unknown":
      yield `\nthe scheduler's messages are unknown: ${attempts.message}\n`;
      return;
    case "Failed":
      yield* formatSection(
        ["NOT SCHEDULED", "TIMES", "WHY"],
        attempts.attempts.map(({ namespace, name, count, message }) => [
          `${namespace}/${name}`,
          count,
          message,
        ]),
      );
      if (attempts.omittedCount > 0) yield `… and ${attempts.omittedCount} older ones\n`;
  }
}

function* formatSection(
  ...[headings, rows]: Parameters<typeof formatTable>
): Generator<string, void, undefined> {
  let first = "\n";
  for (const line of formatTable(headings, rows)) {
    yield first + line;
    first = "";
  }
}
