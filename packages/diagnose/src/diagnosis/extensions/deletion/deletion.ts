import type { DiagnosisExtension } from "../../checks/extension.ts";
import { findingIds } from "../../checks/finding-ids.ts";
import { deletionChecks } from "./deletion-checks.ts";

/** The checks of objects that are being deleted and remain. */
export const deletion: DiagnosisExtension = {
  order: findingIds,
  kinds: [],
  jobSet: deletionChecks,
  effects: {
    deleting: ["jobset-finalizer", "owned-object-kept", "pod-finalizer"],
    "pod-terminating": ["pod-finalizer"],
    "restart-cleanup": ["pod-finalizer"],
  },
};
