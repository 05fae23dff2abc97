import { invalid } from "@jobset-ts/api/errors";
import { errorWithoutPath } from "./error-without-path.ts";
import type { Violations } from "./jobset-rule.ts";
import { type JobSetView, textsOf } from "./jobset-view.ts";

/** The targets exist. Without a policy there are none: upstream crashes then. */
export function* successPolicyRules(view: JobSetView): Violations {
  const targets = textsOf(view.spec.successPolicy?.targetReplicatedJobs);
  for (const [index, target] of targets.entries()) {
    if (view.replicatedJobNamed.has(target)) continue;
    const detail = `invalid replicatedJob name '${target}' does not appear in .spec.ReplicatedJobs`;
    const field = `spec.successPolicy.targetReplicatedJobs[${index}]`;
    const error = errorWithoutPath(view, detail, invalid(field, target, detail));
    yield { rule: "success-targets-exist", error };
  }
}
