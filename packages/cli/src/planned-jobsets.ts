import type { JobSet, Observed } from "@jobset-ts/api";
import { type Context, type Plan, reconcile, type Snapshot } from "@jobset-ts/core";
import { createdJobSet } from "./created-jobset.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { gateHint, gatesBehind } from "./gate-hints.ts";
import { clusterOf, readInput } from "./input/cluster.ts";
import { type InputObject, isJobSet } from "./input/objects.ts";
import type { FilesAndClock } from "./input/sources.ts";
import { isStored } from "./new-object.ts";
import type { ClusterOptions } from "./options.ts";
import { passContext } from "./pass-context.ts";

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
  /**
   * 0, 1 when a JobSet was refused or a pass over one fails, 2 when the files could not be read or hold no JobSet.
   */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads the objects of a cluster from files, all of them as one view, and plans a pass over each JobSet. What a server
 * has stored is taken as it is; a JobSet that none has stored yet is created first, as the cluster would.
 */
export async function plannedJobSets(
  options: ClusterOptions,
  files: FilesAndClock,
): Promise<PlannedJobSets> {
  const { objects, jobSets, diagnostics: unreadable } = await readInput(options.filename, files);
  const isNew = (input: InputObject) => isJobSet(input) && !isStored(input);
  const { snapshot: stored, diagnostics: unfit } = clusterOf(objects.filter((one) => !isNew(one)));
  const problems = [...unreadable, ...unfit];
  if (problems.length > 0 || stored === undefined) return refused(problems);
  if (jobSets.length === 0) return refused([{ severity: "error", message: "no JobSet found" }]);

  const context = passContext(options, files);
  const {
    snapshot,
    diagnostics: created,
    isRefused,
  } = withNew(jobSets.filter(isNew), stored, context);
  const planned = snapshot.jobSets.map((observed) => {
    const { namespace, name } = observed.metadata ?? {};
    return {
      jobSet: `${namespace}/${name}`,
      observed,
      plan: reconcile(snapshot, observed, context),
    };
  });
  const isFailed = planned.some(({ plan }) => plan.error !== undefined);
  return {
    planned,
    diagnostics: [
      ...created,
      ...planned.flatMap(diagnosticsOf),
      ...planned.flatMap((one) => hintsOn(one, snapshot, context)),
    ],
    exitCode: isRefused || isFailed ? 1 : 0,
  };
}

function refused(diagnostics: readonly Diagnostic[]): PlannedJobSets {
  return { planned: [], diagnostics, exitCode: 2 };
}

/** The cluster with the new JobSets that it lets in, one after the other. */
function withNew(
  inputs: readonly InputObject[],
  stored: Snapshot,
  context: Context,
): {
  readonly snapshot: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
  readonly isRefused: boolean;
} {
  let snapshot = stored;
  let isRefused = false;
  const diagnostics: Diagnostic[] = [];
  for (const input of inputs) {
    const created = createdJobSet(input, {}, snapshot, context);
    const { jobSet } = created;
    for (const diagnostic of created.diagnostics) diagnostics.push(diagnostic);
    const { namespace = "", name = "" } = jobSet?.metadata ?? {};
    if (jobSet === undefined) {
      isRefused = true;
    } else if (snapshot.jobSet(namespace, name) !== undefined) {
      isRefused = true;
      const message = `Duplicate value: there is a JobSet ${namespace}/${name} already`;
      diagnostics.push(input.diagnose("metadata.name", message));
    } else {
      snapshot = snapshot.with({ put: [jobSet] });
    }
  }
  return { snapshot, diagnostics, isRefused };
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

/** Names the gates that are off and of which a pass complains. */
function hintsOn(
  { jobSet, observed, plan }: PlannedJobSet,
  snapshot: Snapshot,
  context: Context,
): readonly Diagnostic[] {
  const complaintsUnder = (features: Context["features"]) =>
    complaintsOf(reconcile(snapshot, observed, { ...context, features }));
  return gatesBehind(complaintsOf(plan), context.features, complaintsUnder).map(([gate]) => {
    return { severity: "note", message: `JobSet ${jobSet}: ${gateHint(gate)}` };
  });
}

function complaintsOf({ warnings, error }: Plan): ReadonlyMap<string, string> {
  const texts = error === undefined ? warnings : [...warnings, error.message];
  return new Map(texts.map((text) => [text, text]));
}
