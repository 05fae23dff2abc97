import { jobSetReasons } from "@jobset-ts/api/conditions";
import { unavailableWebhook } from "../../view/creation-failure.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import {
  type DiagnosisCheck,
  eventEvidence,
  fail,
  jobSetKey,
  pass,
  unknown,
} from "../check-results.ts";
import { lastEvent, needsEvents } from "./jobset-evidence.ts";

/** Checks for reasons why Jobs and PVCs cannot be created. */
export const creationChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "webhook-unavailable",
    causes: [],
    texts: { advice: ["check the webhook's Pods, Service and certificate"] },
    run: (view) => {
      const isLacking = lacksJobs(view);
      if (isLacking === false) return pass;
      const event = lastEvent(view, jobSetReasons.JobCreationFailed);
      const failure = event && unavailableWebhook(event.message);
      if (event === undefined || failure === undefined) return needsEvents(view);
      if (isLacking === undefined) return unknown("Job");
      const text = `webhook ${failure.webhook} cannot be called: ${failure.message}`;
      return fail(text, {
        objects: [jobSetKey(view)],
        evidence: [eventEvidence(jobSetKey(view), event)],
      });
    },
  },
  {
    id: "volume-claim-rejected",
    causes: [],
    texts: { advice: ["fix the error in the message; the controller retries"] },
    run: (view) => {
      const isLacking = lacksJobs(view);
      if (isLacking === false) return pass;
      const event = lastEvent(view, jobSetReasons.ClaimCreationFailed);
      if (event === undefined) return needsEvents(view);
      if (isLacking === undefined) return unknown("Job");
      const context = {
        objects: [jobSetKey(view)],
        evidence: [eventEvidence(jobSetKey(view), event)],
      };
      return fail(`PersistentVolumeClaim could not be created: ${event.message}`, context);
    },
  },
];

/** Reports whether a required Job is missing. `undefined` if Jobs were not read. */
function lacksJobs({ facts, replicatedJobs }: JobSetView): boolean | undefined {
  if (!facts.wasRead("Job")) return undefined;
  return replicatedJobs.some(({ jobs }) =>
    jobs.some(({ isDue, job }) => isDue && job === undefined),
  );
}
