import { isSuspended } from "@jobset-ts/api";
import { asString, findCondition, getName } from "@jobset-ts/api/kubernetes";
import {
  conditionEvidence,
  createKey,
  type DiagnosisCheck,
  jobSetKey,
  pass,
  sinceTime,
  waits,
} from "../../checks/check-results.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { findWorkload } from "./workloads.ts";

/** The checks of the Workload of a suspended JobSet. */
export const workloadChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "quota-not-reserved",
    causes: [],
    words: { advice: ["wait for quota, or ask the administrator of the ClusterQueue for more"] },
    run: (view) => {
      const workload = isSuspended(view.jobSet) ? findWorkload(view) : undefined;
      const reserved = findCondition(workload?.status?.conditions, "QuotaReserved");
      if (workload === undefined || reserved?.status !== "False") return pass;
      const object = createKey("Workload", workload);
      const message = asString(reserved.message);
      return waits(`Workload ${getName(workload)} has no quota: ${message}`, {
        objects: [object, jobSetKey(view)],
        evidence: [conditionEvidence(object, "QuotaReserved", message)],
        ...sinceTime(reserved.lastTransitionTime),
      });
    },
  },
];
