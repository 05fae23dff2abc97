import { forbidden, invalid } from "@jobset-ts/api/errors";
import { errorWithoutPath } from "./error-without-path.ts";
import { type JobSetView, listObjects, namesText, type ReplicatedJobView } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/** Checks that the first ReplicatedJob has no dependencies. An empty list counts as dependencies, null does not. */
export function firstJobRules(view: JobSetView, found: Violations): void {
  const [first] = view.replicatedJobs;
  if ((first?.replicatedJob.dependsOn ?? undefined) === undefined) return;
  const detail = "DependsOn can't be set for the first ReplicatedJob";
  const pathed = forbidden("spec.replicatedJobs[0].dependsOn", detail);
  found.add("first-job-independent", errorWithoutPath(view, detail, pathed));
}

/**
 * Checks that a ReplicatedJob depends only on earlier ones. Call it for each ReplicatedJob in order.
 *
 * Upstream counts a ReplicatedJob as earlier than itself, and then it never starts.
 */
export function dependencyRules(
  view: JobSetView,
  found: Violations,
): (one: ReplicatedJobView) => void {
  const before = new Set<string>();
  return ({ field, name, replicatedJob }) => {
    const countsItself = view.quirks.has("SelfDependencyAdmitted");
    if (countsItself) before.add(name);
    const dependencies = listObjects(replicatedJob.dependsOn);
    const checked = view.quirks.has("OneDependencyChecked")
      ? dependencies.slice(0, 1)
      : dependencies;
    for (const [index, dependency] of checked.entries()) {
      if (found.isFull) return;
      const on = namesText(dependency.name);
      if (before.has(on)) continue;
      const detail = `replicatedJob: ${name} cannot depend on replicatedJob: ${on}`;
      const pathed = invalid(`${field}.dependsOn[${index}].name`, on, detail);
      found.add("dependency-listed-before", errorWithoutPath(view, detail, pathed));
    }
    before.add(name);
  };
}
