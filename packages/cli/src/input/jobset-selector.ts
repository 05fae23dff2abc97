import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace } from "@jobset-ts/api/kubernetes";
import { compareBytes, suggestName } from "@jobset-ts/api/text";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import type { Diagnostic } from "../output/diagnostics.ts";

/** Which JobSets of those that there are a command tells of. */
export interface JobSetSelector {
  /** Absent means those of every namespace that was read. */
  readonly namespace?: string;
  /** Each is `<name>` or `<namespace>/<name>`; none means all of them. */
  readonly names?: readonly string[];
}

/** Whether a JobSet is among those. */
export function isSelected(
  jobSet: Pick<ObjectKey, "namespace" | "name">,
  { namespace, names = [] }: JobSetSelector,
): boolean {
  return (
    (namespace === undefined || jobSet.namespace === namespace) &&
    (names.length === 0 || names.some((name) => matchesName(jobSet, name)))
  );
}

/** The JobSets of a snapshot that a command tells of, in kubectl's order: by namespace, then by name. */
export function selectJobSets(
  snapshot: Snapshot,
  wanted: JobSetSelector,
): readonly Unvalidated<JobSet>[] {
  // They come by name, and a sort keeps the order of what is equal.
  return snapshot.jobSets
    .filter((jobSet) => isSelected(getNames(jobSet), wanted))
    .sort((a, b) => compareBytes(getNamespace(a), getNamespace(b)));
}

/** No name of an object has a slash in it. */
function matchesName(jobSet: Pick<ObjectKey, "namespace" | "name">, name: string): boolean {
  return name === jobSet.name || name === `${jobSet.namespace}/${jobSet.name}`;
}

/** What {@link isSelected} asks about a JobSet that is stored. */
export function getNames(jobSet: Unvalidated<JobSet>): Pick<ObjectKey, "namespace" | "name"> {
  return { namespace: getNamespace(jobSet), name: getName(jobSet) };
}

/**
 * What is to be said when some JobSets are not there: that none has a name is an error, that there is none at all is not.
 *
 * @param all - those that exist, of which one may be meant
 */
export function reportMissing(
  found: readonly Unvalidated<JobSet>[],
  { namespace, names = [] }: JobSetSelector,
  all: readonly Pick<ObjectKey, "namespace" | "name">[] = [],
): { readonly isComplete: boolean; readonly diagnostics: readonly Diagnostic[] } {
  const where = namespace === undefined ? "" : ` in namespace ${namespace}`;
  const there = found.map(getNames);
  const absent = [...new Set(names)].filter((name) => !there.some((one) => matchesName(one, name)));
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
