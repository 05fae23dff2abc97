import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import { jobPodSets, type KueueFeatureGates, type PodSet } from "@jobset-ts/kueue";
import {
  type AdmittedJobSet,
  admitJobSets,
  type JobSetOptions,
} from "../admission/admit-jobsets.ts";
import type { Files } from "../input/sources.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { formatReport, type Output } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";

/** The options of `kueue podsets`. */
export interface KueuePodSetsOptions extends Omit<JobSetOptions, "output"> {
  readonly output: Output;
  readonly kueueFeatureGates: KueueFeatureGates;
}

/** Prints the Pod sets for which the JobSets of some files need quota, as in a Workload of Kueue. */
export async function kueuePodSets(
  options: KueuePodSetsOptions,
  files: Files,
): Promise<CommandResult> {
  const admitted = await admitJobSets({ ...options, output: "table" }, files);
  const podSets = admitted.jobSets.map((one) => listPodSets(one, options.kueueFeatureGates));
  const errors = podSets.flatMap((one) => ("error" in one ? [one.error] : []));
  // Users easily mistake a partial result for a complete one.
  const items = errors.length > 0 ? [] : podSets.flatMap((one) => ("podSets" in one ? [one] : []));
  const report = {
    items,
    table: formatTable(["JOBSET", "PODSET", "PODS", "TOPOLOGY"], items.flatMap(listRows)),
    diagnostics: [...admitted.diagnostics, ...errors],
    exitCode: errors.length > 0 ? 1 : admitted.exitCode,
  } as const;
  return formatReport(report, options.output);
}

interface JobSetPodSets {
  readonly namespace: string;
  readonly name: string;
  readonly podSets: readonly PodSet[];
}

function listPodSets(
  { jobSet, diagnose }: AdmittedJobSet,
  features: KueueFeatureGates,
): JobSetPodSets | { readonly error: Diagnostic } {
  const sets = jobPodSets(jobSet, features);
  return sets.ok
    ? { namespace: getNamespace(jobSet), name: getName(jobSet), podSets: sets.value }
    : { error: diagnose("spec.replicatedJobs", sets.refusal.message) };
}

function listRows({
  namespace,
  name: jobSet,
  podSets,
}: JobSetPodSets): readonly (readonly Cell[])[] {
  return podSets.map(({ name, count, topologyRequest }) => {
    return [
      `${namespace}/${jobSet}`,
      name,
      count,
      topologyRequest && JSON.stringify(topologyRequest),
    ];
  });
}
