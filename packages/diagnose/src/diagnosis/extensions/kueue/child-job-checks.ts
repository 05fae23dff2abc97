import { isSuspended } from "@jobset-ts/api";
import { getLabel, getUid } from "@jobset-ts/api/kubernetes";
import {
  conditionEvidence,
  createKey,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  pass,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { findLatest } from "../../view/events.ts";
import type { JobView } from "../../view/jobset-view.ts";
import { QUEUE_NAME_KEY } from "../../view/queue-name.ts";
import { findTopOwner } from "../owners/owner-chain.ts";
import { readCondition } from "./hold.ts";
import { findWorkloadsOf } from "./workloads.ts";

/** The reasons of Events about Jobs that only Kueue's Job integration writes. */
const kueueReasons: ReadonlySet<string> = new Set([
  "Stopped",
  "CreatedWorkload",
  "DeletedWorkload",
  "UpdatedWorkload",
  "ErrWorkloadCompose",
  "UpdatedAdmissionCheck",
]);

/** The checks of a Job that Kueue suspends although its JobSet is not suspended. */
export const childJobChecks: readonly DiagnosisCheck<JobView>[] = [
  {
    id: "job-queued-separately",
    causes: [],
    run: (view) => {
      const { job, name, replicatedJob } = view;
      const { jobSet } = replicatedJob;
      if (job?.spec?.suspend !== true || isSuspended(jobSet.jobSet)) return pass;
      const { facts, namespace } = jobSet;
      const [workload] = findWorkloadsOf({ facts }, getUid(job));
      const event = findLatest(
        facts.eventsAbout(job, "Job").filter(({ reason }) => kueueReasons.has(reason)),
      );
      const queue = getLabel(job, QUEUE_NAME_KEY);
      if (workload === undefined && event === undefined && queue === undefined) return pass;
      const key = createObjectKey("Job", namespace, name);
      const workloadKey = workload === undefined ? [] : [createKey("Workload", workload)];
      const reserved =
        workload === undefined ? undefined : readCondition({ workload }, "QuotaReserved");
      const said = reserved?.message || event?.message || "";
      const inQueue = queue === undefined ? "" : ` in queue ${queue}`;
      const age = ageOf(
        jobSet,
        event?.seenAt ?? job.metadata?.creationTimestamp,
        jobSet.thresholds.queueSeconds,
        "Waiting",
      );
      return fail(
        `Kueue suspends job ${name} separately${inQueue}, although its JobSet is not suspended${said === "" ? "" : `: ${said}`}`,
        {
          objects: [key, ...workloadKey],
          evidence: [
            fieldEvidence(key, "spec.suspend", "true"),
            ...(event === undefined ? [] : [eventEvidence(key, event)]),
            ...workloadKey.map((object) =>
              conditionEvidence(
                object,
                "QuotaReserved",
                `${reserved?.reason}: ${reserved?.message}`,
              ),
            ),
          ],
          group: `${queue ?? ""} ${event?.reason ?? ""}`,
          ...age,
          advice: adviseSeparate(view, queue),
        },
      );
    },
  },
];

function adviseSeparate({ replicatedJob: { jobSet } }: JobView, queue: string | undefined) {
  const { kind, name, object } = findTopOwner(jobSet);
  const own = object === undefined ? undefined : getLabel(object, QUEUE_NAME_KEY);
  const label =
    own === undefined
      ? `recreate ${kind} ${name}with label ${QUEUE_NAME_KEY} in its metadata${queue === undefined ? "" : ", and without it in its Job templates"}, so that Kueue queues it as a whole`
      : `recreate ${kind} ${name} without label ${QUEUE_NAME_KEY} in its Job templates`;
  return [
    label,
    `check that Kueue's configuration enables the integration \`jobset.x-k8s.io/jobset\`; without it, Kueue queues each Job separately: kubectl get configmap kueue-manager-config -n kueue-system -o yaml`,
  ];
}
