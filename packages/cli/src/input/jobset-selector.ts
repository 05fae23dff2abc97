import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { asString, getName, getNamespace } from "@jobset-ts/api/kubernetes";
import { compareBytes, suggestName } from "@jobset-ts/api/text";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";

/** Selects the JobSets that a command prints. */
export interface JobSetSelector {
  /** The namespace. Absent means all namespaces that were read. */
  readonly namespace?: string;
  /** Names in the form `<name>` or `<namespace>/<name>`. Empty means all JobSets. */
  readonly names?: readonly string[];
}

/** Returns whether a JobSet is selected. */
export function isSelected(
  jobSet: Pick<ObjectKey, "namespace" | "name">,
  { namespace, names = [] }: JobSetSelector,
): boolean {
  return (
    (namespace === undefined || jobSet.namespace === namespace) &&
    (names.length === 0 || names.some((name) => matchesName(jobSet, name)))
  );
}

/** Returns the selected JobSets of a snapshot in kubectl's order: by namespace, then by name. */
export function selectJobSets(
  snapshot: Snapshot,
  selector: JobSetSelector,
): readonly Unvalidated<JobSet>[] {
  // The snapshot is sorted by name, and sorting is stable.
  return snapshot.jobSets
    .filter((jobSet) => isSelected(getNames(jobSet), selector))
    .sort((a, b) => compareBytes(getNamespace(a), getNamespace(b)));
}

/** Object names never contain a slash. */
function matchesName(jobSet: Pick<ObjectKey, "namespace" | "name">, name: string): boolean {
  return name === jobSet.name || name === `${jobSet.namespace}/${jobSet.name}`;
}

/**
 * Returns the namespace and name of a JobSet, for {@link isSelected}. The name of a JobSet whose name the API server will
 * generate is its prefix.
 */
export function getNames(jobSet: Unvalidated<JobSet>): Pick<ObjectKey, "namespace" | "name"> {
  const prefix = asString(jobSet.metadata?.generateName);
  return { namespace: getNamespace(jobSet), name: getName(jobSet) || prefix };
}

/**
 * Reports selected JobSets that do not exist. A missing name is an error. If there are no JobSets at all, it is a note.
 *
 * @param all - the existing JobSets, for suggestions
 */
export function reportMissing(
  found: readonly Unvalidated<JobSet>[],
  { namespace, names = [] }: JobSetSelector,
  all: readonly Pick<ObjectKey, "namespace" | "name">[] = [],
): { readonly isComplete: boolean; readonly diagnostics: readonly Diagnostic[] } {
  const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
  const existing = found.map(getNames);
  const absent = [...new Set(names)].filter(
    (name) => !existing.some((one) => matchesName(one, name)),
  );
  const diagnostics = absent.map((name): Diagnostic => {
    const known = all
      .filter((one) => namespace === undefined || one.namespace === namespace)
      .map((one) => (name.includes("/") ? `${one.namespace}/${one.name}` : one.name));
    const message = `JobSet "${name}" not found${where}${suggestName(name, known)}`;
    return { severity: "error", message };
  });
  if (found.length === 0 && names.length === 0) {
    diagnostics.push({ severity: "note", message: `no JobSet found${where}` });
  }
  return { isComplete: absent.length === 0, diagnostics };
}
