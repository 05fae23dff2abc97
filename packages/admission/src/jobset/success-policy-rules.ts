import { invalid } from "@jobset-ts/api/errors";
import { errorWithoutPath } from "./error-without-path.ts";
import { type JobSetView, listTexts } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/** Checks that the targets exist. Without a policy, there are no targets, and upstream crashes. */
export function successPolicyRules(view: JobSetView, found: Violations): void {
  const targets = listTexts(view.spec.successPolicy?.targetReplicatedJobs);
  for (const [index, target] of targets.entries()) {
    if (found.isFull) return;
    if (view.replicatedJobNamed.has(target)) continue;
    const detail = `invalid replicatedJob name '${target}' does not appear in .spec.ReplicatedJobs`;
    const field = `spec.successPolicy.targetReplicatedJobs[${index}]`;
    const error = errorWithoutPath(view, detail, invalid(field, target, detail));
    found.add("success-targets-exist", error);
  }
}
