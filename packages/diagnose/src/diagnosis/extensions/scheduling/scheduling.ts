import type { DiagnosisExtension } from "../../checks/extension.ts";
import { rejectionChecks } from "./scheduling-checks.ts";

const rejections = [
  "insufficient-capacity",
  "domain-occupied",
  "domain-sticky",
  "constraint-mismatch",
] as const;

/** The checks of why the scheduler gives a Pod no node. */
export const scheduling: DiagnosisExtension = {
  kinds: ["PersistentVolume", "StorageClass", "ResourceClaim", "ResourceClaimTemplate"],
  unscheduledPod: rejectionChecks,
  effects: {
    "leader-unscheduled": rejections,
    "pod-unscheduled": rejections,
  },
};
