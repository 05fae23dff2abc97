import type { DiagnosisExtension } from "../../checks/extension.ts";
import { deletionChecks } from "./deletion-checks.ts";

/** The checks of objects that are being deleted and remain. */
export const deletion: DiagnosisExtension = {
  kinds: [],
  jobSet: deletionChecks,
  effects: {
    deleting: [
      "jobset-finalizer",
      "owned-object-kept",
      "pod-finalizer",
      "pod-not-ended",
      "node-not-ready",
      "node-missing",
    ],
    "pod-failed": ["deleting"],
    "pod-terminating": ["deleting", "pod-finalizer", "pod-not-ended"],
    // Whether the JobSet may run no longer matters.
    queued: ["deleting"],
    suspended: ["deleting"],
    "owner-suspended": ["deleting"],
    "restart-cleanup": ["owned-object-kept", "pod-finalizer", "pod-not-ended"],
  },
};
