import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import { createContext } from "@jobset-ts/core";
import { explainFailure, type FailureExplanation } from "@jobset-ts/diagnose";
import { getNames } from "../input/jobset-selector.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import { createJobSetReader } from "../live/live-cluster.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { escapeLine, truncate } from "../output/escape.ts";
import { createErrorReport, formatReport } from "../output/report.ts";
import { formatTable } from "../output/table.ts";
import { chooseJobSets, type DumpReportOptions, readDump } from "./cluster/dump.ts";
import { createFailedJob, type JobFailure } from "./simulation/job-failure.ts";

/** The options of `what-if`. */
export interface WhatIfOptions extends DumpReportOptions {
  /** The `<name>` or `<namespace>/<name>` of one JobSet. */
  readonly name: string;
  /** The Jobs that fail. */
  readonly fail: readonly JobFailure[];
  readonly featureGates: FeatureGates;
}

/** Prints the effect of Job failures under the failure policy of a JobSet, with reasons. */
export async function whatIf(
  options: WhatIfOptions,
  world: FilesAndCluster,
): Promise<CommandResult> {
  const { name, output } = options;
  const createFailedResult = (diagnostics: readonly Diagnostic[], exitCode: 1 | 2) =>
    createErrorReport(diagnostics, output, exitCode);
  const query = { ...options, names: [name] };
  const dump = await readDump(query, world, { readCluster: createJobSetReader(["Job"]) });
  if (!dump.ok) return createFailedResult(dump.diagnostics, 2);
  const chosen = chooseJobSets(dump, query);
  const absent = chosen.diagnostics.filter(({ severity }) => severity === "error");
  const [jobSet, ...others] = chosen.jobSets;
  if (jobSet === undefined) return createFailedResult(absent, 1);
  if (others.length > 0) return createFailedResult([reportAmbiguous(name, chosen.jobSets)], 2);

  const { namespace, name: jobSetName } = getNames(jobSet);
  const jobs = dump.snapshot.childJobs(jobSet);
  const failures = options.fail.map((requested) =>
    createFailedJob(requested, { jobSet, jobs, now: dump.now }),
  );
  const unknown = failures.flatMap((one) => (one.ok ? [] : [one.diagnostic]));
  if (unknown.length > 0) return createFailedResult(unknown, 1);
  const failed = failures.flatMap((one) => (one.ok ? [one.job] : []));
  const context = { ...createContext({ now: dump.now }), features: options.featureGates };
  const explained = explainFailure(jobSet, failed, context);
  const report = {
    items: [{ namespace, name: jobSetName, ...explained }],
    table: formatExplanation(explained),
    diagnostics: explained.warnings.map((message) => ({ severity: "warning", message }) as const),
    exitCode: 0,
  } as const;
  return formatReport(report, output);
}

function reportAmbiguous(name: string, jobSets: readonly Unvalidated<JobSet>[]): Diagnostic {
  const names = jobSets.map(getNames).map((one) => `${one.namespace}/${one.name}`);
  return {
    severity: "error",
    message: `"${name}" is the name of several JobSets: ${names.join(", ")}`,
  };
}

/** The maximum number of characters of a line. */
const MAX_LINE = 400;

function* formatExplanation(explained: FailureExplanation): Generator<string, void, undefined> {
  const { decision, rules, before, after, result, orders } = explained;
  const toLine = (text: string) => `${truncate(escapeLine(text), MAX_LINE)}\n`;
  yield toLine(`decision: ${formatDecision(decision)}`);
  if (result !== undefined) {
    const reason = result.reason === undefined ? "" : `, ${result.reason}`;
    yield toLine(`ending: ${result.outcome}${reason}`);
  }
  yield toLine(`different order: ${formatOrders(orders)}`);
  if (rules.length > 0) yield "\n";
  yield* formatTable(
    ["RULE", "OUTCOME", "WHY"],
    rules.map((rule) => [rule.name, rule.outcome, explainReason(rule)]),
  );
  yield "\n";
  yield* formatTable(
    ["COUNT", "BEFORE", "AFTER"],
    (Object.keys(before) as (keyof typeof before)[]).map((count) => [
      count,
      before[count],
      after[count],
    ]),
  );
}

function formatDecision(decision: FailureExplanation["decision"]): string {
  const { action, job, rule, reason } = { job: "", rule: "", reason: "", ...decision };
  const details = [reason, rule && `rule ${rule}`, job && `Job ${job}`].filter(Boolean).join(", ");
  return details === "" ? action : `${action} (${details})`;
}

function formatOrders(orders: FailureExplanation["orders"]): string {
  switch (orders.outcome) {
    case "Same":
      return orders.complete
        ? "has the same result"
        : "has the same result, as far as it was checked";
    case "Different": {
      const { outcome, reason } = orders.result;
      const end = reason === undefined ? outcome : `${outcome}, ${reason}`;
      return `${orders.order.join(", then ")} first, which has a different result: ${end}`;
    }
    case "NotLooked":
      return orders.message;
  }
}

/** The texts for a failure that does not match a rule. */
const mismatchTexts = {
  label: "no label of a ReplicatedJob",
  target: "another ReplicatedJob",
  reason: "another reason",
  message: "another message",
  work: "its patterns are too expensive to match",
} as const;

function explainReason(rule: FailureExplanation["rules"][number]): string {
  switch (rule.outcome) {
    case "Applies":
      return `to Job ${rule.job}`;
    case "NotReached":
      return "an earlier rule applies";
    case "DoesNotApply": {
      const misses = rule.misses.map(
        ({ job, jobCount, misses }) =>
          `${job}${jobCount > 1 ? ` and ${jobCount - 1} more` : ""}: ${misses.map((miss) => mismatchTexts[miss]).join(", ")}`,
      );
      const omitted = rule.omittedCount > 0 ? [`… and ${rule.omittedCount} more`] : [];
      return [...misses, ...omitted].join("; ");
    }
  }
}
