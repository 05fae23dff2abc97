import type { DiagnosisExtension } from "../../checks/extension.ts";
import { inPlaceChecks } from "./in-place-checks.ts";

const barrier = ["in-place-order", "in-place-ignored"] as const;

/** The checks of a JobSet with in-place restart, whose agents block the workers. */
export const inPlaceRestart: DiagnosisExtension = {
  kinds: [],
  jobSet: inPlaceChecks,
  effects: {
    "pod-starting": barrier,
    "pod-not-ready": barrier,
    "dependency-not-ready": ["in-place-order"],
    "startup-order": ["in-place-order"],
  },
};
