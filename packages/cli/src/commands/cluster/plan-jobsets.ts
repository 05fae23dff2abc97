import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { asRecord } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import { type Plan, reconcile, type Snapshot, type SnapshotOptions } from "@jobset-ts/core";
import { createJobSet } from "../../admission/create-jobset.ts";
import { findGatesBehind, formatGateHint } from "../../admission/gate-hints.ts";
import { isStored } from "../../admission/request-object.ts";
import { createCluster, readInput } from "../../input/cluster.ts";
import { getNames, isSelected, reportMissing, selectJobSets } from "../../input/jobset-selector.ts";
import { getObjectKey } from "../../input/object-key.ts";
import { type InputObject, isJobSet } from "../../input/objects.ts";
import { detectVersion } from "../../jobset-version/detect-version.ts";
import { chooseVersion, readVersion } from "../../jobset-version/read-version.ts";
import type { FilesAndCluster } from "../../live/kubectl.ts";
import { createJobSetQuery, type LiveOptions, readLive } from "../../live/live-cluster.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";
import { createPassContext, type PassContext, type PassOptions } from "./pass-context.ts";

/** The options of `plan` and `status`. */
export type ClusterOptions = PassOptions & LiveOptions;

/** A JobSet of a cluster, and the next actions of the controller. */
export interface PlannedJobSet {
  /** `<namespace>/<name>`. */
  readonly jobSet: string;
  readonly observed: Unvalidated<JobSet>;
  readonly plan: Plan;
}

/** The selected JobSets of a cluster, by name. Empty if the cluster cannot be read. */
export interface PlannedJobSets {
  readonly planned: readonly PlannedJobSet[];
  readonly diagnostics: readonly Diagnostic[];
  /**
   * 0 on success, 1 if a JobSet is denied or its reconcile fails, 2 if the files cannot be read or contain no JobSet.
   */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads the objects of a cluster from files or through kubectl, and plans one reconcile of each selected JobSet. Stored
 * objects are used as they are. A JobSet that no server has stored yet is created first, as the cluster would.
 */
export async function planJobSets(
  options: ClusterOptions,
  world: FilesAndCluster,
): Promise<PlannedJobSets> {
  const found = await readClusterObjects(options, world);
  if (found.errors.length > 0) return createFailure(found.errors);
  const isNew = (input: InputObject) => isJobSet(input) && !isStored(input);
  const { snapshot: stored, diagnostics: unfit } = createCluster(
    found.objects.filter((one) => !isNew(one)),
    found.known,
  );
  if (stored === undefined) return createFailure(unfit);

  const { notes, ...version } = await chooseVersion(options, () =>
    options.filename === undefined
      ? readVersion(options, world.kubectl)
      : detectVersion(found.objects),
  );
  const context = createPassContext({ ...options, ...version }, world);
  const added = found.objects.filter((one) => isNew(one) && isSelected(getObjectKey(one), options));
  const { snapshot, diagnostics: created, isDenied } = createNewJobSets(added, stored, context);
  const selected = selectJobSets(snapshot, options);
  const planned = selected.map((observed) => {
    const { namespace, name } = observed.metadata ?? {};
    return {
      jobSet: `${namespace}/${name}`,
      observed,
      plan: reconcile(snapshot, observed, context),
    };
  });
  const absent = reportMissing(selected, options, snapshot.jobSets.map(getNames));
  const isFailed = planned.some(({ plan }) => plan.error !== undefined);
  return {
    planned,
    diagnostics: [
      ...notes,
      ...found.warnings,
      ...created,
      ...(isDenied ? [] : absent.diagnostics),
      ...planned.flatMap(listDiagnostics),
      ...planned.flatMap((one) => listPlanHints(one, snapshot, context)),
    ],
    exitCode: isDenied || isFailed || !absent.isComplete ? 1 : 0,
  };
}

/** The objects of a cluster, without values that may be secret. */
interface ClusterObjects {
  readonly objects: readonly InputObject[];
  /** The knowledge about the kinds: which were read. */
  readonly known?: SnapshotOptions;
  readonly warnings: readonly Diagnostic[];
  /** The reasons why there are no objects. */
  readonly errors: readonly Diagnostic[];
}

async function readClusterObjects(
  options: ClusterOptions,
  { kubectl, ...files }: FilesAndCluster,
): Promise<ClusterObjects> {
  const redactor = createRedactor();
  const nothing = { objects: [], warnings: [] };
  if (options.filename === undefined) {
    const kinds = ["Job", "Service", "PersistentVolumeClaim", "Pod"] as const;
    const read = await readLive(createJobSetQuery(kinds, options), options, kubectl, redactor);
    if (read.failure !== undefined) return { ...nothing, errors: [read.failure] };
    return { objects: read.objects, known: read, warnings: read.diagnostics, errors: [] };
  }
  const read = await readInput(options.filename, files, { ...options, redactor });
  if (read.diagnostics.length > 0) return { ...nothing, errors: read.diagnostics };
  const none: Diagnostic = { severity: "error", message: "no JobSet found" };
  if (read.jobSets.length === 0) return { ...nothing, errors: [none] };
  const { objects } = read;
  return { objects, known: { kinds: "all" }, warnings: noteAbsentKinds(objects), errors: [] };
}

/** Users may have only these files. Kinds that the files do not contain count as empty, and a note says so. */
function noteAbsentKinds(objects: readonly InputObject[]): readonly Diagnostic[] {
  if (!objects.some((one) => isJobSet(one) && isStored(one))) return [];
  const present = new Set(objects.map(({ value }) => value.kind));
  const readsPods = objects.some(({ value }) => {
    const { failurePolicy } = asRecord((value as Unvalidated<JobSet>).spec);
    return failurePolicy?.restartStrategy === "InPlaceRestart";
  });
  const required = ["Job", "Service", ...(readsPods ? ["Pod"] : [])];
  const absent = required.filter((kind) => !present.has(kind));
  if (absent.length === 0) return [];
  const message = `the files contain none of these kinds, so they count as empty: ${absent.join(", ")}`;
  return [{ severity: "note", message }];
}

function createFailure(diagnostics: readonly Diagnostic[]): PlannedJobSets {
  return { planned: [], diagnostics, exitCode: 2 };
}

/** Returns the cluster with the new JobSets that it admits, one after the other. */
function createNewJobSets(
  inputs: readonly InputObject[],
  stored: Snapshot,
  context: PassContext,
): {
  readonly snapshot: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
  readonly isDenied: boolean;
} {
  let snapshot = stored;
  let isDenied = false;
  const diagnostics: Diagnostic[] = [];
  for (const input of inputs) {
    const created = createJobSet(input, {}, snapshot, context);
    const { jobSet } = created;
    for (const diagnostic of created.diagnostics) diagnostics.push(diagnostic);
    const { namespace = "", name = "" } = jobSet?.metadata ?? {};
    if (jobSet === undefined) {
      isDenied = true;
    } else if (snapshot.jobSet(namespace, name) !== undefined) {
      isDenied = true;
      const message = `Duplicate value: the JobSet ${namespace}/${name} exists already`;
      diagnostics.push(input.diagnose("metadata.name", message));
    } else {
      snapshot = snapshot.with({ put: [jobSet] });
    }
  }
  return { snapshot, diagnostics, isDenied };
}

function listDiagnostics({ jobSet, plan }: PlannedJobSet): readonly Diagnostic[] {
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
      message: `JobSet ${jobSet}: the reconcile fails in ${phase} at ${at}: ${message}`,
    },
  ];
}

/** Names the disabled gates that cause warnings or errors of a plan. */
function listPlanHints(
  { jobSet, observed, plan }: PlannedJobSet,
  snapshot: Snapshot,
  context: PassContext,
): readonly Diagnostic[] {
  const errorsUnder = (features: PassContext["features"]) =>
    listErrorsById(reconcile(snapshot, observed, { ...context, features }));
  return findGatesBehind(listErrorsById(plan), context, errorsUnder).map(([gate]) => {
    return { severity: "note", message: `JobSet ${jobSet}: ${formatGateHint(gate)}` };
  });
}

function listErrorsById({ warnings, error }: Plan): ReadonlyMap<string, string> {
  const texts = error === undefined ? warnings : [...warnings, error.message];
  return new Map(texts.map((text) => [text, text]));
}
