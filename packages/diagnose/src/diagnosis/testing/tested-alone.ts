import type { FindingId } from "../checks/finding-ids.ts";

/** The findings that generated clusters do not contain. Each has tests with a minimal cluster next to its check. */
export const testedAlone: ReadonlySet<FindingId> = new Set<FindingId>([
  "controller-not-running",
  "job-controller-not-running",
  "job-deadline-exceeded",
  "job-invalid",
  "job-without-pods",
  "jobset-finalizer",
  "kueue-not-running",
  "node-missing",
  "owned-object-kept",
  "pod-evicted",
  "pod-evicted-by-taint",
  "pod-finalizer",
  "pod-not-ended",
  "pod-preempted",
  "pod-rejected-by-kubelet",
  "preempting",
  "quota-exhausted",
  "resource-claim-missing",
  "scale-up-failed",
  "scaling-up",
  "scheduler-not-running",
  "scheduler-unknown",
  "sidecar-running",
  "vanished-pod-disrupted",
]);
