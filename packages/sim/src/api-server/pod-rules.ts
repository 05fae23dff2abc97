import { formatFieldError } from "@jobset-ts/api/errors";
import { asArray, asInteger, type Pod } from "@jobset-ts/api/kubernetes";
import type { KindRules } from "./kind-rules.ts";
import { labelErrors } from "./label-errors.ts";
import { hasEnded, isGated } from "./pod-conditions.ts";
import { podSpecErrors } from "./pod-spec-errors.ts";
import { podUpdateErrors } from "./pod-update-errors.ts";
import { frozen } from "./stored-values.ts";

const DEFAULT_GRACE_SECONDS = 30;

/** What the API server does with a Pod. */
export const podRules: Partial<KindRules> = {
  prepared: (stored) => {
    const gated = isGated(stored as unknown as Pod);
    const status = { phase: "Pending", ...(gated && { conditions: [SCHEDULING_GATED] }) };
    return frozen({ ...stored, status });
  },
  creationErrors: (stored) => {
    const { metadata, spec } = stored as unknown as Pod;
    const names = asArray(spec?.schedulingGates).map(({ name }) => name);
    const seen = new Set<string>();
    const gates = names.flatMap((name, index) => {
      if (seen.has(name)) return [`spec.schedulingGates[${index}]: Duplicate value: "${name}"`];
      seen.add(name);
      return [];
    });
    const labels = labelErrors(metadata.labels, "metadata.labels");
    return [...gates, ...[...labels, ...podSpecErrors(spec, "spec")].map(formatFieldError)];
  },
  updateErrors: (after, before) =>
    podUpdateErrors(after as unknown as Pod, before as unknown as Pod),
  // A Pod that has finished or has no node needs no grace period.
  graceSeconds: (stored, asked) => {
    const pod = stored as unknown as Pod;
    if (!pod.spec?.nodeName || hasEnded(pod)) return 0;
    return asked ?? asInteger(pod.spec.terminationGracePeriodSeconds, DEFAULT_GRACE_SECONDS);
  },
};

/** Set with the Pod and not by a scheduler, so it has no time. */
const SCHEDULING_GATED = {
  type: "PodScheduled",
  status: "False",
  reason: "SchedulingGated",
  message: "Scheduling is blocked due to non-empty scheduling gates",
};
