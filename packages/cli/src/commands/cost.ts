import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import { asArray, asString, getName, getNamespace, isObject } from "@jobset-ts/api/kubernetes";
import { suggestName } from "@jobset-ts/api/text";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { createContext } from "@jobset-ts/core";
import { podsPerReplica } from "@jobset-ts/kueue";
import { type WriteCost, type WriteOperation, writeCost } from "@jobset-ts/sim";
import {
  type AdmittedJobSet,
  admitJobSets,
  type JobSetOptions,
} from "../admission/admit-jobsets.ts";
import { formatGateHint } from "../admission/gate-hints.ts";
import type { Files } from "../input/sources.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { createErrorReport, formatReport, type Output } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";

/** The options of `cost`. */
export interface CostOptions extends Omit<JobSetOptions, "output"> {
  readonly output: Output;
  /** The sustained requests per second of the controller's client. */
  readonly qps: number;
  /** The burst of requests of the controller's client. */
  readonly burst: number;
  /** The number of Pods to which each Job of a ReplicatedJob is scaled. The default is twice the current number. */
  readonly scale?: Readonly<Record<string, number>>;
}

/** Prints the API writes that operations on the JobSets of some files cost. */
export async function cost(options: CostOptions, files: Files): Promise<CommandResult> {
  // The size of a write depends on the length of values. No value is printed.
  const keepsValues = true;
  const admitted = await admitJobSets({ ...options, output: "table" }, files, { keepsValues });
  const absent =
    admitted.exitCode === 0 ? reportAbsentReplicatedJobs(admitted.jobSets, options) : [];
  if (absent.length > 0) return createErrorReport(absent, options.output, 1);
  const items = admitted.jobSets.flatMap((one) => measureCosts(one, options));
  const failures = items.flatMap(({ operation, cost, diagnose }): readonly Diagnostic[] =>
    cost.ok ? [] : [diagnose("", `${operation}: ${cost.message}`)],
  );
  const report = {
    items: items.map(({ namespace, name, operation, cost: { ok: _, ...cost } }) => {
      return { namespace, name, operation, ...cost };
    }),
    table: formatTables(items),
    diagnostics: [
      ...admitted.diagnostics,
      ...failures,
      ...noteDisabledGate(items, options.featureGates),
    ],
    exitCode: failures.length > 0 ? 1 : admitted.exitCode,
  } as const;
  return formatReport(report, options.output);
}

/** Reports names in `--scale` that no JobSet has, because they would have no effect. */
function reportAbsentReplicatedJobs(
  jobSets: readonly AdmittedJobSet[],
  { scale = {} }: CostOptions,
): readonly Diagnostic[] {
  const known = jobSets.flatMap(({ jobSet }) =>
    asArray(jobSet.spec?.replicatedJobs)
      .filter(isObject)
      .map((one) => asString(one.name)),
  );
  return Object.keys(scale)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `--scale: no JobSet has a ReplicatedJob "${name}"${suggestName(name, known)}`;
      return { severity: "error", message };
    });
}

interface OperationCost {
  readonly namespace: string;
  readonly name: string;
  readonly operation: string;
  readonly cost: WriteCost;
  readonly diagnose: AdmittedJobSet["diagnose"];
}

function measureCosts(
  { jobSet, diagnose }: AdmittedJobSet,
  { featureGates: features, qps, burst, scale }: CostOptions,
): readonly OperationCost[] {
  const context = { ...createContext({ now: 0 }), features };
  const operations: readonly (readonly [string, WriteOperation])[] = [
    ["create", "create"],
    ["restart", "restart"],
    ["suspend", "suspend"],
    ["resume", "resume"],
    ["scale", { scale: { ...doublePods(jobSet), ...scale } }],
    ["delete", "delete"],
  ];
  return operations.map(([operation, write]) => ({
    namespace: getNamespace(jobSet),
    name: getName(jobSet),
    operation,
    cost: writeCost(jobSet, write, { context, qps, burst }),
    diagnose,
  }));
}

function doublePods(jobSet: Unvalidated<JobSet>): Readonly<Record<string, number>> {
  const replicatedJobs = asArray(jobSet.spec?.replicatedJobs).filter(isObject);
  return Object.fromEntries(
    replicatedJobs.map((one) => [asString(one.name), Math.min(2 * podsPerReplica(one), MAX_INT32)]),
  );
}

/** Without this note, the scale operation would look cheap. */
function noteDisabledGate(
  items: readonly OperationCost[],
  features: FeatureGates,
): readonly Diagnostic[] {
  if (items.length === 0 || features.has("ElasticJobSet")) return [];
  return [{ severity: "note", message: `scale: ${formatGateHint("ElasticJobSet")}` }];
}

function* formatTables(items: readonly OperationCost[]): Generator<string, void, undefined> {
  const rows = items.map(({ namespace, name, operation, cost }): readonly Cell[] => {
    const jobSet = `${namespace}/${name}`;
    if (!cost.ok) return [jobSet, operation, undefined, undefined, undefined, undefined];
    const { count, bytes, passes, minSeconds } = cost;
    return [jobSet, operation, count, bytes, passes, minSeconds];
  });
  yield* formatTable(["JOBSET", "OPERATION", "WRITES", "BYTES", "PASSES", "LEASTSECONDS"], rows);
  if (rows.length > 0) yield "\n";
  yield* formatTable(
    ["JOBSET", "OPERATION", "BY", "VERB", "RESOURCE", "WRITES", "BYTES"],
    items.flatMap(({ namespace, name, operation, cost }) =>
      cost.ok
        ? cost.writes.map(({ by, verb, resource, count, bytes }) => {
            return [`${namespace}/${name}`, operation, by, verb, resource, count, bytes];
          })
        : [],
    ),
  );
}
