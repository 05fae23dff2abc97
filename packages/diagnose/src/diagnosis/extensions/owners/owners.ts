import type { DiagnosisExtension } from "../../checks/extension.ts";
import { ownerChecks as checks, describeOwner } from "./owner-checks.ts";

/**
 * The checks of the controller above a JobSet, such as a TrainJob. Advice to change the JobSet goes to that owner.
 *
 * @example ownerChecks.kinds.includes("TrainJob") // => true
 */
export const ownerChecks: DiagnosisExtension = {
  kinds: ["TrainJob", "TrainingRuntime", "ClusterTrainingRuntime"],
  jobSet: checks,
  effects: { queued: ["owner-suspended"], suspended: ["owner-suspended"] },
  advise: (view, id, advice) => {
    const owner = describeOwner(view);
    if (owner === undefined || id === "owner-suspended") return advice;
    return [...advice, `change ${owner}, which owns this JobSet, instead of the JobSet`];
  },
};
