import { findInvariantViolations, type InvariantViolation } from "@jobset-ts/diagnose";
import type { FilesAndCluster } from "../live/kubectl.ts";
import { createJobSetReader } from "../live/live-cluster.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { createErrorReport, formatReport } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { type DumpReportOptions, readDump } from "./cluster/dump.ts";

/** Prints the invariants of JobSet that a cluster violates. Exits with 1 if there are any. */
export async function verify(
  options: DumpReportOptions,
  world: FilesAndCluster,
): Promise<CommandResult> {
  const dump = await readDump(options, world, {
    readCluster: readVerifiedKinds,
    usesVersion: true,
  });
  if (!dump.ok) return createErrorReport(dump.diagnostics, options.output);
  const { namespace } = options;
  const items = findInvariantViolations(dump.snapshot, dump).filter(
    ({ objects }) => namespace === undefined || objects.some((one) => one.namespace === namespace),
  );
  const report = {
    items,
    table: formatTable(["INVARIANT", "WHAT", "OBJECTS"], items.map(formatRow)),
    diagnostics: [...dump.notes, ...(items.length === 0 ? [noViolations] : [])],
    exitCode: items.length > 0 ? 1 : 0,
  } as const;
  return formatReport(report, options.output);
}

const readVerifiedKinds = createJobSetReader([
  "Job",
  "Pod",
  "Node",
  "Service",
  "PersistentVolumeClaim",
]);

const noViolations: Diagnostic = {
  severity: "note",
  message: "the cluster violates no invariant of JobSet",
};

/** The maximum number of objects in a line. The others are counted. */
const MAX_OBJECTS = 5;

function formatRow({ id, message, objects }: InvariantViolation): readonly Cell[] {
  const named = objects.slice(0, MAX_OBJECTS).map(formatRef);
  const left = objects.length - named.length;
  return [id, message, [...named, ...(left > 0 ? [`and ${left} more`] : [])].join(", ")];
}

function formatRef({ kind, namespace, name }: InvariantViolation["objects"][number]): string {
  return [kind, namespace, name].filter((part) => part !== "").join("/");
}
