import type { JobSetView } from "../../view/jobset-view.ts";
import {
  type DiagnosisCheck,
  failWaiting,
  fieldEvidence,
  getObjectKey,
  pass,
  unknown,
} from "../check-results.ts";
import { pluralize, toBe } from "../pluralize.ts";

/** The checks of leftovers from earlier restart attempts. */
export const cleanupChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "restart-cleanup",
    causes: ["pod-terminating", "job-change-rejected"],
    texts: { advice: ["wait; if a Job remains, check its finalizers and its Pods"] },
    run: ({ previousJobs, facts }) => {
      if (!facts.wasRead("Job")) return unknown("Job");
      if (previousJobs.length === 0) return pass;
      const objects = previousJobs.map((job) => getObjectKey("Job", job));
      const evidence = objects.map((job) =>
        fieldEvidence(job, "metadata.labels", "of an earlier attempt"),
      );
      const text = `${pluralize(previousJobs.length, "job")} of a previous attempt ${toBe(previousJobs.length)} not deleted yet`;
      return failWaiting(text, { objects, evidence });
    },
  },
];
