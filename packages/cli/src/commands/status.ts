import type { JobSetStatus, Unvalidated } from "@jobset-ts/api";
import { asArray, asRecord } from "@jobset-ts/api/kubernetes";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";
import { escapeLine } from "../output/escape.ts";
import { formatReport, formatResourceNames } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { type ClusterOptions, type PlannedJobSet, planJobSets } from "./cluster/plan-jobsets.ts";

/** Prints the next status of every JobSet of a cluster dump. An unchanged status is printed unchanged. */
export async function status(
  options: ClusterOptions,
  files: FilesAndCluster,
): Promise<CommandResult> {
  const { planned, diagnostics, exitCode } = await planJobSets(options, files);
  const items = planned.map(getStatus);
  const [table, names] = [formatTables(planned), formatResourceNames(items)];
  return formatReport({ items, table, names, diagnostics, exitCode }, options.output);
}

interface NextStatus {
  readonly namespace: string;
  readonly name: string;
  /** Whether the new status differs from the current one. */
  readonly changed: boolean;
  readonly status: Unvalidated<JobSetStatus>;
}

function getStatus({ observed, plan }: PlannedJobSet): NextStatus {
  const { namespace, name } = plan.jobSet;
  const { status } = plan;
  return {
    namespace,
    name,
    changed: status !== undefined,
    status: status ?? observed.status ?? {},
  };
}

function* formatTables(planned: readonly PlannedJobSet[]): Generator<string, void, undefined> {
  yield* formatTable(summaryHeadings, planned.map(formatSummary));
  for (const one of planned) {
    const { status } = getStatus(one);
    const jobSet = escapeLine(one.jobSet);
    const conditions = listConditions(status);
    const counters = asArray(asRecord(status).replicatedJobsStatus).map(asRecord);
    if (conditions.length > 0) {
      yield `\n${jobSet}: conditions\n`;
      yield* formatTable(
        ["TYPE", "STATUS", "LASTTRANSITIONTIME", "REASON", "MESSAGE"],
        conditions.map(({ type, status, lastTransitionTime, reason, message }) => [
          type,
          status,
          lastTransitionTime as Cell,
          reason,
          message,
        ]),
      );
    }
    if (counters.length > 0) {
      yield `\n${jobSet}: ReplicatedJobs\n`;
      yield* formatTable(
        ["NAME", "READY", "SUCCEEDED", "FAILED", "ACTIVE", "SUSPENDED"],
        counters.map(({ name, ready, succeeded, failed, active, suspended }) => [
          name,
          ready,
          succeeded,
          failed,
          active,
          suspended,
        ]),
      );
    }
  }
}

/** The printer columns of the CRD, and whether the status changes. */
const summaryHeadings = [
  "NAMESPACE",
  "NAME",
  "TERMINALSTATE",
  "RESTARTS",
  "COMPLETED",
  "SUSPENDED",
  "CHANGES",
];

function formatSummary(one: PlannedJobSet): readonly Cell[] {
  const { namespace, name, changed, status } = getStatus(one);
  const { terminalState, restarts } = asRecord(status);
  const completed = listConditions(status).find(({ type }) => type === "Completed")?.status;
  const suspended = one.observed.spec?.suspend;
  return [namespace, name, terminalState, restarts, completed, suspended, changed];
}

/** A dump can contain a status that no server has checked. */
function listConditions(status: Unvalidated<JobSetStatus>) {
  return asArray(asRecord(status).conditions).map((condition) => asRecord(condition));
}
