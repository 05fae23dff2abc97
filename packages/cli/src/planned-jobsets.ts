import type { JobSet, Observed } from "@jobset-ts/api";
import { contextOf, type Plan, reconcile } from "@jobset-ts/core";
import type { Diagnostic } from "./diagnostics.ts";
import { readCluster } from "./input/cluster.ts";
import type { FilesAndClock } from "./input/sources.ts";
import type { ClusterOptions } from "./options.ts";

/** A JobSet of a cluster, and what the controller does next about it. */
export interface PlannedJobSet {
  /** `<namespace>/<name>`. */
  readonly jobSet: string;
  readonly observed: Observed<JobSet>;
  readonly plan: Plan;
}

/** All JobSets of a dump, by name; none when the dump cannot be read. */
export interface PlannedJobSets {
  readonly planned: readonly PlannedJobSet[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0, 1 when a pass over some JobSet fails, 2 when the files could not be read or hold no JobSet. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads the objects of a cluster from files, all of them as one view, and plans a pass over each JobSet. The
 * objects are taken as the cluster stores them: they are not admitted again.
 */
export async function plannedJobSets(
  options: ClusterOptions,
  files: FilesAndClock,
): Promise<PlannedJobSets> {
  const { snapshot, diagnostics: unreadable } = await readCluster(options.filename, files);
  if (snapshot === undefined) return { planned: [], diagnostics: unreadable, exitCode: 2 };
  if (snapshot.jobSets.length === 0) {
    return {
      planned: [],
      diagnostics: [{ severity: "error", message: "no JobSet found" }],
      exitCode: 2,
    };
  }

  const context = contextOf({
    now: options.now ?? files.now(),
    features: Object.fromEntries([...options.featureGates].map((name) => [name, true])),
    quirks: options.quirks,
  });
  const planned = snapshot.jobSets.map((observed) => {
    const { namespace, name } = observed.metadata ?? {};
    return {
      jobSet: `${namespace}/${name}`,
      observed,
      plan: reconcile(snapshot, observed, context),
    };
  });
  const diagnostics = planned.flatMap(diagnosticsOf);
  const failed = planned.some(({ plan }) => plan.error !== undefined);
  return { planned, diagnostics, exitCode: failed ? 1 : 0 };
}

function diagnosticsOf({ jobSet, plan }: PlannedJobSet): readonly Diagnostic[] {
  const warnings = plan.warnings.map(
    (message): Diagnostic => ({ severity: "warning", message: `JobSet ${jobSet}: ${message}` }),
  );
  if (plan.error === undefined) return warnings;
  const { phase, message, object } = plan.error;
  const at = `${object.kind} ${object.name}`;
  return [
    ...warnings,
    {
      severity: "error",
      message: `JobSet ${jobSet}: the pass fails in ${phase} at ${at}: ${message}`,
    },
  ];
}
