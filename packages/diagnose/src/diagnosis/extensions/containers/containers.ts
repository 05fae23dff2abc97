import type { DiagnosisExtension } from "../../checks/extension.ts";
import { containerChecks } from "./container-checks.ts";

/** The checks of containers: why they do not start, end or restart. */
export const containers: DiagnosisExtension = {
  kinds: [],
  pod: containerChecks,
  effects: {
    "pod-starting": ["pod-start-failing"],
    "pod-not-ready": ["pod-waiting", "pod-restarting"],
  },
  replaces: { "pod-starting": ["pod-waiting"] },
};
