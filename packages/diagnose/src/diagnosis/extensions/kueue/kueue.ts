import type { DiagnosisExtension } from "../../checks/extension.ts";
import { childJobChecks } from "./child-job-checks.ts";
import { gateChecks } from "./gate-checks.ts";
import { holdIds, workloadChecks } from "./workload-checks.ts";

/**
 * The checks of Kueue: why a JobSet in a queue is not admitted, and why Kueue holds its Jobs or Pods.
 *
 * @example kueueChecks.kinds.includes("Workload") // => true
 */
export const kueueChecks: DiagnosisExtension = {
  kinds: [
    "Workload",
    "LocalQueue",
    "ClusterQueue",
    "AdmissionCheck",
    "ResourceFlavor",
    "Topology",
    "Cohort",
    "MultiKueueCluster",
    "ProvisioningRequest",
  ],
  jobSet: workloadChecks,
  job: childJobChecks,
  unscheduledPod: gateChecks,
  effects: {
    queued: holdIds,
    suspended: holdIds,
    "owner-suspended": holdIds,
    "managed-elsewhere": holdIds,
    "job-suspended": ["job-queued-separately"],
    "scheduling-gated": ["kueue-gated"],
  },
};
