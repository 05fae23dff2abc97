import type { DiagnosisExtension } from "../../checks/extension.ts";
import { adviseOwner, ownerChecks as checks } from "./owner-checks.ts";

/**
 * The checks of the controllers above a JobSet, such as a TrainJob. Advice to change the JobSet goes to the topmost one.
 *
 * @example ownerChecks.kinds.includes("TrainJob") // => true
 */
export const ownerChecks: DiagnosisExtension = {
  kinds: ["TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"],
  jobSet: checks,
  effects: { queued: ["owner-suspended"], suspended: ["owner-suspended"] },
  advise: (view, { id }, advice) => adviseOwner(view, id, advice),
};
