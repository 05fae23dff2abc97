import type { DiagnosisExtension } from "../../checks/extension.ts";
import { containerChecks } from "./container-checks.ts";
import { readyChecks } from "./ready-checks.ts";
import { restartLoopChecks } from "./restart-loops.ts";
import { startChecks } from "./start-checks.ts";

/** The checks of containers: why they do not start, do not become ready, end, or restart. */
export const containers: DiagnosisExtension = {
  kinds: [],
  jobSet: restartLoopChecks,
  pod: [...containerChecks, ...startChecks, ...readyChecks],
  effects: { "pods-not-created": ["pod-failed"] },
  replaces: {
    "pod-starting": ["pod-waiting", "pod-starting"],
    "pod-not-ready": ["sidecar-running", "pod-not-ready"],
    "pod-failed": ["pod-failed"],
  },
};
