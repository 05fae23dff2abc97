import { type Snapshot, type SnapshotOptions, snapshotOf } from "@jobset-ts/core";
import type { Diagnostic } from "../diagnostics.ts";
import { readObjects } from "./objects.ts";
import { type Files, readSources } from "./sources.ts";

/**
 * The objects of a cluster that files hold, all of them as one view.
 *
 * @param known - which kinds were read although the files hold none of them
 * @returns no snapshot when something could not be read: half a cluster is easily taken for a whole one
 */
export async function readCluster(
  paths: readonly string[],
  files: Files,
  known: SnapshotOptions = {},
): Promise<{ readonly snapshot?: Snapshot; readonly diagnostics: readonly Diagnostic[] }> {
  const { sources, diagnostics: unreadable } = await readSources(paths, files);
  const found = readObjects(sources);
  const problems = [...unreadable, ...found.diagnostics];
  if (problems.length > 0) return { diagnostics: problems };

  const objects = [...found.jobSets, ...found.others];
  const snapshot = snapshotOf(
    objects.map(({ value }) => value),
    known,
  );
  const diagnostics = snapshot.refused.map(({ at, message }): Diagnostic => {
    const object = objects[Number(/^\[(\d+)\]/.exec(at)?.[1])];
    return object?.diagnose("metadata", message) ?? { severity: "error", message };
  });
  return diagnostics.length > 0 ? { diagnostics } : { snapshot, diagnostics };
}
