import { isObject } from "@jobset-ts/api";
import { SNAPSHOT_KINDS, type Snapshot, snapshotOf } from "@jobset-ts/core";
import type { Diagnostic } from "../diagnostics.ts";
import { type Input, type InputObject, readObjects } from "./objects.ts";
import { type Files, readSources } from "./sources.ts";

/** The objects of a cluster as one view; none when something could not be read. */
export interface Cluster {
  /** Absent, not partial: half a cluster is easily taken for a whole one. */
  readonly snapshot?: Snapshot;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the objects that files hold, and what is wrong with them. */
export async function readInput(paths: readonly string[], files: Files): Promise<Input> {
  const { sources, diagnostics } = await readSources(paths, files);
  const input = readObjects(sources);
  return { ...input, diagnostics: [...diagnostics, ...input.diagnostics] };
}

/** Reads a cluster from files; without any, it is an empty one. */
export async function readCluster(paths: readonly string[], files: Files): Promise<Cluster> {
  const { objects, diagnostics } = await readInput(paths, files);
  return diagnostics.length > 0 ? { diagnostics } : clusterOf(objects);
}

/** The cluster in which some objects are. */
export function clusterOf(objects: readonly InputObject[]): Cluster {
  const snapshot = snapshotOf(objects.map(inNamespace), { kinds: knownKinds });
  const diagnostics = snapshot.refused.map(({ at, message }): Diagnostic => {
    const object = objects[Number(/^\[(\d+)\]/.exec(at)?.[1])];
    return object?.diagnose("metadata", message) ?? { severity: "error", message };
  });
  return diagnostics.length > 0 ? { diagnostics } : { snapshot, diagnostics };
}

/**
 * kubectl leaves out kinds of which there is nothing. A JobSet is not to be refused because nobody can say whether its
 * volume claims exist; a follower, on the other hand, is decided by Pods and Nodes, which have to be shown.
 */
const knownKinds = ["PersistentVolumeClaim"];

/** A server has put every object into a namespace; files that people write often leave it out. */
function inNamespace({ value }: InputObject): object {
  const { kind, metadata } = value;
  const ours = typeof kind === "string" ? SNAPSHOT_KINDS.get(kind) : undefined;
  if (!ours?.isNamespaced || !isObject(metadata)) return value;
  const { namespace } = metadata as { readonly namespace?: unknown };
  const isGiven = namespace !== undefined && namespace !== null && namespace !== "";
  return isGiven ? value : { ...value, metadata: { ...metadata, namespace: "default" } };
}
