import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import { isStored } from "../admission/request-object.ts";
import { getNames, isSelected, reportMissing } from "../input/jobset-selector.ts";
import { withNamespace } from "../input/namespace.ts";
import { isJobSet } from "../input/objects.ts";
import type { JobSetVersion } from "../jobset-version/jobset-version.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { createErrorReport, formatReport } from "../output/report.ts";
import { type DumpReportOptions, detectDumpVersion, readDump } from "./cluster/dump.ts";
import { createPassContext } from "./cluster/pass-context.ts";
import { compareJobSet } from "./upgrade/compare-jobset.ts";
import { listBehaviorChanges, listGateChanges } from "./upgrade/general-changes.ts";
import { formatComparison } from "./upgrade/upgrade-text.ts";

/** The options of `upgrade`. */
export interface UpgradeOptions extends DumpReportOptions {
  /** The old version. Absent means the version of the cluster. */
  readonly from?: JobSetVersion;
  readonly to: JobSetVersion;
  readonly featureGates: FeatureGates;
}

/** Prints what an upgrade of JobSet changes for the JobSets of files or of a cluster. */
export async function upgrade(
  options: UpgradeOptions,
  world: FilesAndCluster,
): Promise<CommandResult> {
  const { output, to, featureGates } = options;
  const dump = await readDump(options, world, { omitsNewJobSets: true });
  if (!dump.ok) return createErrorReport(dump.diagnostics, output);
  const detected =
    options.from === undefined ? await detectDumpVersion(dump, options, world) : { notes: [] };
  const from = options.from ?? detected.version;
  if (from === undefined) return createErrorReport([unknownVersion, ...detected.notes], output);
  const { snapshot, now } = dump;
  const manifests = dump.objects
    .filter((one) => isJobSet(one) && !isStored(one))
    .map((one) => withNamespace(one, "default").value as Unvalidated<JobSet>);
  const all = [...manifests, ...snapshot.jobSets];
  const selected = all.filter((one) => isSelected(getNames(one), options));
  const absent = reportMissing(selected, options, all.map(getNames));
  const versions = {
    from: createPassContext({ now, featureGates, jobsetVersion: from }, world),
    to: createPassContext({ now, featureGates, jobsetVersion: to }, world),
  };
  const jobSets = selected.map((jobSet, index) => {
    world.progress?.(`comparing ${index + 1} of ${selected.length} JobSets`);
    return compareJobSet(jobSet, snapshot, versions);
  });
  const featureGateChanges = listGateChanges(from, to);
  const behaviors = listBehaviorChanges(from, to);
  const isFinding = jobSets.some((one) => one.isRejected || one.isRestarted);
  const names = { from: from.name, to: to.name };
  const report = {
    items: jobSets,
    lists: { featureGates: featureGateChanges, behaviors },
    table: formatComparison({ jobSets, featureGates: featureGateChanges, behaviors, ...names }),
    diagnostics: [
      ...detected.notes,
      // Manifests have no state, so the notes do not apply to them.
      ...(snapshot.jobSets.length > 0 ? dump.notes : []),
      ...absent.diagnostics,
    ],
    exitCode: isFinding || !absent.isComplete ? 1 : 0,
  } as const;
  return formatReport(report, output);
}

const unknownVersion: Diagnostic = {
  severity: "error",
  message: "no object shows the version of JobSet; use --from to set it",
};
