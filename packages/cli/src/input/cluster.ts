import { asRecord, isObject } from "@jobset-ts/api/kubernetes";
import type { Redactor } from "@jobset-ts/api/redaction";
import { createSnapshot, type Snapshot, type SnapshotOptions } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";
import { withNamespace } from "./namespace.ts";
import { type Input, type InputObject, isJobSet, readObjects } from "./objects.ts";
import { type Files, type ReadOptions, readSources } from "./sources.ts";

/** The objects of a cluster as one view; none when something could not be read. */
export interface Cluster {
  /** Absent, not partial: half a cluster is easily taken for a whole one. */
  readonly snapshot?: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
}

/** How files are read. */
export interface InputOptions extends ReadOptions {
  /** The namespace of objects that say none; absent means that they are left without one. */
  readonly namespace?: string;
  /** Applied to every object; without one they keep their values. */
  readonly redactor?: Redactor;
  /** Whether the objects are only trimmed at: then they come without `managedFields`, a third of a dump. */
  readonly omitManagedFields?: boolean;
}

/** Which files are read, and for which namespace. */
export interface FileOptions extends InputOptions {
  /** Files and folders in the order given; `-` is standard input. */
  readonly filename: readonly string[];
  /** Every namespace; then `namespace` is absent. */
  readonly allNamespaces?: boolean;
}

/** The objects that files hold. */
export interface FileInput extends Input {
  /** The files that could be read, as diagnostics call them. */
  readonly files: readonly string[];
}

/** Reads the objects that files hold, and what is wrong with them. */
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

/** The same objects of files, without values that may be secret, also in the messages of conditions and Events. */
export function redactInputs(
  inputs: readonly InputObject[],
  redactor: Redactor,
): readonly InputObject[] {
  const objects = inputs.map((input) => ({ ...input, value: redactor.redactObject(input.value) }));
  return withRedactedMessages(objects, redactor);
}

/** Once all objects are redacted: messages quote values of other objects. */
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

/** Reads a cluster from files, which hold all there is of it; without any, it is an empty one. */
export async function readCluster(
  paths: readonly string[],
  files: Files,
  options: InputOptions = {},
): Promise<Cluster> {
  const { objects, diagnostics } = await readInput(paths, files, options);
  return diagnostics.length > 0 ? { diagnostics } : createCluster(objects, { kinds: "all" });
}

/**
 * The cluster in which some objects are.
 *
 * @param known - what is known of its kinds; absent means that the objects come from files
 */
export function createCluster(
  objects: readonly InputObject[],
  known: SnapshotOptions = { kinds: knownKinds },
): Cluster {
  // A server has put every object into a namespace; files that people write often leave it out.
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
