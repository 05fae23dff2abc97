import { asString } from "@jobset-ts/api/kubernetes";
import {
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  pass,
  podKey,
  sinceTime,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import type { PodInJob } from "../../view/pod-view.ts";

const DEFAULT_SCHEDULER = "default-scheduler";

/** The checks of the scheduler that a Pod names. */
export const schedulerChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "scheduler-unknown",
    causes: [],
    run: (view) => {
      const { jobSet, pod } = view;
      if (jobSet.schedulingOf(pod).outcome !== "Untried") return pass;
      const { schedulerName } = (pod.pod.spec ?? {}) as { readonly schedulerName?: string };
      const name = asString(schedulerName);
      if (name === "" || name === DEFAULT_SCHEDULER) return pass;
      const createdAt = pod.pod.metadata?.creationTimestamp;
      const { status } = ageOf(jobSet, createdAt, jobSet.thresholds.schedulingSeconds);
      if (status !== "Stuck") return pass;
      return fail(`scheduler ${name} has not reported on ${pod.name}`, {
        objects: [podKey(view)],
        evidence: [fieldEvidence(podKey(view), "spec.schedulerName", name)],
        ...sinceTime(createdAt),
        advice: [
          `check that scheduler ${name} runs, or name ${DEFAULT_SCHEDULER} in a new JobSet: kubectl get pods -A -o wide`,
        ],
      });
    },
  },
];
