import type { DiagnosisExtension } from "../../checks/extension.ts";
import { disruptionChecks, vanishedPodChecks } from "./disruption-checks.ts";

const disruptedPods = [
  "node-missing",
  "pod-preempted",
  "pod-evicted",
  "pod-evicted-by-taint",
  "pod-rejected-by-kubelet",
] as const;

/** The checks of Pods that end because of their node or of other Pods, rather than by their own containers. */
export const disruptions: DiagnosisExtension = {
  kinds: [],
  job: vanishedPodChecks,
  pod: disruptionChecks,
  effects: {
    "pod-not-ready": ["node-missing", "node-unknown"],
    "pod-starting": ["node-missing", "node-unknown"],
    "pod-terminating": disruptedPods,
    "leader-failed": disruptedPods,
    "job-failing": [...disruptedPods, "vanished-pod-disrupted"],
    "job-failed": [...disruptedPods, "vanished-pod-disrupted"],
    // The controller deletes the Jobs of a failed JobSet, and then their Pods are missing.
    "pods-not-created": ["jobset-failed", "restarts-exhausted", ...disruptedPods],
  },
  replaces: {
    "pod-failed": [
      "pod-preempted",
      "pod-evicted",
      "pod-evicted-by-taint",
      "pod-rejected-by-kubelet",
    ],
  },
};
