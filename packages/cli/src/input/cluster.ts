import { asRecord, isObject } from "@jobset-ts/api/kubernetes";
import type { Redactor } from "@jobset-ts/api/redaction";
import { createSnapshot, type Snapshot, type SnapshotOptions } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";
import { withNamespace } from "./namespace.ts";
import { type Input, type InputObject, isJobSet, readObjects } from "./objects.ts";
import { type Files, type ReadOptions, readSources } from "./sources.ts";

/** The objects of a cluster in one snapshot. There is no snapshot if a file cannot be read. */
export interface Cluster {
  /** Absent, not partial, because users easily mistake a partial cluster for a complete one. */
  readonly snapshot?: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
}

/** A cluster with the objects of its files. */
export interface FileCluster extends Cluster {
  readonly objects: readonly InputObject[];
}

/** The options for reading files. */
export interface InputOptions extends ReadOptions {
  /** The namespace of objects without one. Absent means that they get no namespace. */
  readonly namespace?: string;
  /** Applied to every object. Absent means that values do not change. */
  readonly redactor?: Redactor;
  /** Whether to omit `managedFields`, a third of a dump, because the command does not use them. */
  readonly omitManagedFields?: boolean;
}

/** The files to read, and the namespace. */
export interface FileOptions extends InputOptions {
  /** Files and folders in the order of the command line. `-` is standard input. */
  readonly filename: readonly string[];
  /** Whether to read all namespaces. Then `namespace` is absent. */
  readonly allNamespaces?: boolean;
}

/** The objects in files. */
export interface FileInput extends Input {
  /** The files that could be read, by their names in diagnostics. */
  readonly files: readonly string[];
}

/** Reads the objects in files, and returns diagnostics for errors. */
export async function readInput(
  paths: readonly string[],
  files: Files,
  options: InputOptions = {},
): Promise<FileInput> {
  const { sources, diagnostics } = await readSources(paths, files, options);
  const { namespace, redactor, omitManagedFields = false } = options;
  const input = readObjects(sources, files.progress, (object) => {
    const trimmed = omitManagedFields ? withoutManagedFields(object) : object;
    return redactor === undefined ? trimmed : redactor.redactObject(trimmed);
  });
  const shown =
    redactor === undefined ? input.objects : withRedactedMessages(input.objects, redactor);
  const objects =
    namespace === undefined ? shown : shown.map((one) => withNamespace(one, namespace));
  return {
    objects,
    jobSets: objects.filter(isJobSet),
    others: objects.filter((one) => !isJobSet(one)),
    documents: input.documents,
    diagnostics: [...diagnostics, ...input.diagnostics],
    files: sources.map(({ name }) => name),
  };
}

/** Returns the same objects without values that may be secret. Messages of conditions and Events are redacted, too. */
export function redactInputs(
  inputs: readonly InputObject[],
  redactor: Redactor,
): readonly InputObject[] {
  const objects = inputs.map((input) => ({ ...input, value: redactor.redactObject(input.value) }));
  return withRedactedMessages(objects, redactor);
}

/** Runs after all objects are redacted, because messages quote values of other objects. */
function withRedactedMessages(
  inputs: readonly InputObject[],
  { redactMessages }: Redactor,
): readonly InputObject[] {
  return inputs.map((input) => ({ ...input, value: redactMessages(input.value) }));
}

function withoutManagedFields(object: unknown): unknown {
  const { metadata } = asRecord(object as { readonly metadata?: object });
  if (!isObject(metadata) || !Object.hasOwn(metadata, "managedFields")) return object;
  const { managedFields: _, ...others } = metadata as { readonly managedFields?: unknown };
  return { ...(object as object), metadata: others };
}

/** Reads a cluster from files, which contain all its objects. Without files, the cluster is empty. */
export async function readCluster(
  paths: readonly string[],
  files: Files,
  options: InputOptions = {},
): Promise<FileCluster> {
  const { objects, diagnostics } = await readInput(paths, files, options);
  if (diagnostics.length > 0) return { objects, diagnostics };
  return { objects, ...createCluster(objects, { kinds: "all" }) };
}

/**
 * Creates a cluster from objects.
 *
 * @param known - the kinds that were read; absent means that the objects come from files
 */
export function createCluster(
  objects: readonly InputObject[],
  known: SnapshotOptions = { kinds: knownKinds },
): Cluster {
  // Stored objects always have a namespace. Manifests often omit it.
  const stored = objects.map((one) => withNamespace(one, "default").value);
  const snapshot = createSnapshot(stored, known);
  const diagnostics = snapshot.invalidObjects.map(({ at, message }): Diagnostic => {
    const object = objects[Number(/^\[(\d+)\]/.exec(at)?.[1])];
    return object?.diagnose("metadata", message) ?? { severity: "error", message };
  });
  return diagnostics.length > 0 ? { diagnostics } : { snapshot, diagnostics };
}

/**
 * kubectl omits kinds without objects. A JobSet must not be denied because its PersistentVolumeClaims are unknown. A
 * follower, on the other hand, depends on Pods and Nodes, which the files must contain.
 */
const knownKinds = ["PersistentVolumeClaim"];

/** Reports that the files contain no JobSet, and which kinds they contain. */
export function reportNoJobSet({ files, others }: FileInput): Diagnostic {
  return {
    severity: "error",
    ...(files.length === 1 && { file: files[0] }),
    message: `no JobSet found${describeOtherKinds(others)}`,
  };
}

/** Returns the kinds of objects as the end of a message, with a hint for kinds from which Kubeflow Trainer creates JobSets. */
export function describeOtherKinds(objects: readonly InputObject[]): string {
  const kinds = [...new Set(objects.map(({ value }) => String(value.kind)))];
  if (kinds.length === 0) return "";
  const hint =
    "; Kubeflow Trainer creates a JobSet with the name of the TrainJob: use the output of kubectl get jobset NAME -o yaml";
  return `, only ${kinds.join(", ")}${kinds.some((kind) => trainerKinds.has(kind)) ? hint : ""}`;
}

const trainerKinds: ReadonlySet<string> = new Set([
  "TrainJob",
  "TrainingRuntime",
  "ClusterTrainingRuntime",
]);
