import type { DiagnosisExtension } from "../../checks/extension.ts";
import { workloadChecks } from "./workload-checks.ts";

/**
 * The checks of Kueue: why a JobSet in a queue is not admitted.
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
  effects: {
    queued: ["quota-not-reserved"],
    suspended: ["quota-not-reserved"],
    "owner-suspended": ["quota-not-reserved"],
  },
};
