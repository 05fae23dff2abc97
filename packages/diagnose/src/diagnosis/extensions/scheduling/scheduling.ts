import type { DiagnosisExtension } from "../../checks/extension.ts";
import { capacityChecks } from "./capacity-checks.ts";
import { resourceClaimChecks } from "./resource-claim-checks.ts";
import { schedulerChecks } from "./scheduler-checks.ts";
import { rejectionChecks } from "./scheduling-checks.ts";
import { volumeChecks } from "./volume-checks.ts";

const rejections = [
  "insufficient-capacity",
  "domain-occupied",
  "domain-sticky",
  "constraint-mismatch",
] as const;

/** The checks of reasons why the scheduler does not bind a Pod. */
export const scheduling: DiagnosisExtension = {
  kinds: [
    "PersistentVolume",
    "StorageClass",
    "ResourceClaim",
    "ResourceClaimTemplate",
    "NodeClaim",
    "NodePool",
  ],
  unscheduledPod: [
    ...schedulerChecks,
    ...capacityChecks,
    ...volumeChecks,
    ...resourceClaimChecks,
    ...rejectionChecks,
  ],
  effects: {
    "scheduler-not-tried": ["scheduler-unknown"],
    "leader-unscheduled": rejections,
    "pod-unscheduled": rejections,
  },
};
