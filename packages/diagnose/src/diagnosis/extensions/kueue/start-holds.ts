import { isSuspended } from "@jobset-ts/api";
import { asString, getLabel, getName } from "@jobset-ts/api/kubernetes";
import {
  absenceEvidence,
  conditionEvidence,
  fieldEvidence,
  jobSetKey,
  sinceTime,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { findLatest } from "../../view/events.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { findEviction } from "./eviction-holds.ts";
import { type HeldJobSet, type Hold, MULTIKUEUE, readCondition } from "./hold.ts";
import { createKueueKey, listMembers, PREBUILT_WORKLOAD_KEY } from "./kueue-objects.ts";
import { findQueued } from "./workloads.ts";

/** Returns the hold of a JobSet in a queue for which Kueue has no Workload. */
export function findMissingWorkload(view: JobSetView): Hold | undefined {
  const found = findQueued(view);
  if (found === undefined) return undefined;
  const { queued, queue } = found;
  const { object } = queued;
  const prebuilt = object === undefined ? undefined : getLabel(object, PREBUILT_WORKLOAD_KEY);
  const name = `${queued.kind} ${queued.name}`;
  const event =
    object === undefined
      ? undefined
      : findLatest(
          view.facts
            .eventsAbout(object, queued.kind)
            .filter(({ isWarning, reason }) => isWarning && /Workload/.test(reason)),
        );
  const message =
    prebuilt === undefined
      ? `Kueue has not created a Workload for ${name} in queue ${queue}`
      : `Workload ${prebuilt}, which ${name} names, does not exist`;
  return {
    id: "workload-missing",
    message: event === undefined ? message : `${message}: ${event.message}`,
    objects: prebuilt === undefined ? [] : [createKueueKey("Workload", view.namespace, prebuilt)],
    evidence: [
      absenceEvidence(jobSetKey(view), "no Workload belongs to it"),
      ...(event === undefined
        ? []
        : [
            {
              kind: "Event" as const,
              object: jobSetKey(view),
              at: event.reason,
              text: event.message,
            },
          ]),
    ],
    ...ageOf(view, object?.metadata?.creationTimestamp, view.thresholds.queueSeconds, "Waiting"),
    advice:
      event === undefined
        ? adviseMissingWorkload(view, prebuilt)
        : ["correct what the message names; Kueue then creates the Workload by itself"],
  };
}

function adviseMissingWorkload(view: JobSetView, prebuilt: string | undefined): readonly string[] {
  if (prebuilt !== undefined) {
    return [
      `create Workload ${prebuilt}, or recreate the object without label ${PREBUILT_WORKLOAD_KEY}`,
    ];
  }
  const isRemote = view.jobSet.spec?.managedBy === MULTIKUEUE;
  return [
    "check that Kueue's controller runs: kubectl get pods -n kueue-system",
    `check that its configuration enables the integration (\`jobset.x-k8s.io/jobset\`)${isRemote ? " and MultiKueue" : ""} and manages namespace ${view.namespace}: kubectl get configmap kueue-manager-config -n kueue-system -o yaml`,
  ];
}

/** Returns the hold of a JobSet that stays suspended although Kueue has admitted or finished its Workload. */
export function findUnstarted(held: HeldJobSet): Hold | undefined {
  const { view, workload, key, title } = held;
  const finished = readCondition(held, "Finished");
  const command = `kubectl describe workload ${getName(workload)} -n ${view.namespace}`;
  if (finished.isTrue) {
    return {
      id: "workload-not-started",
      message: `${title} is finished (${finished.reason}), so Kueue does not start its JobSet: ${finished.message}`,
      evidence: [conditionEvidence(key, "Finished", `${finished.reason}: ${finished.message}`)],
      ...ageOf(view, finished.time, view.thresholds.queueSeconds, "Waiting"),
      advice: [`create a new object; Kueue admits each one once: ${command}`],
    };
  }
  const admitted = readCondition(held, "Admitted");
  if (!admitted.isTrue) return undefined;
  // A Workload keeps its quota until the Pods of its JobSet have ended.
  const evicted = findEviction(held);
  if (evicted !== undefined) return evicted;
  const remote = findRemote(held);
  if (remote !== undefined) return remote;
  if (!isSuspended(view.jobSet)) return undefined;
  return {
    id: "workload-not-started",
    message: `${title} is admitted, but its JobSet is still suspended`,
    evidence: [conditionEvidence(key, "Admitted", `${admitted.reason}: ${admitted.message}`)],
    ...ageOf(view, admitted.time, view.thresholds.queueSeconds),
    advice: [
      "check that Kueue's controller runs, and read its log: kubectl logs -n kueue-system deploy/kueue-controller-manager",
      command,
    ],
  };
}

/** Returns the hold of a JobSet that MultiKueue runs in a worker cluster. */
function findRemote({ view, workload, key, title }: HeldJobSet): Hold | undefined {
  if (view.jobSet.spec?.managedBy !== MULTIKUEUE) return undefined;
  const cluster = asString(workload.status?.clusterName);
  const check = listMembers(workload.status?.admissionChecks).find(
    ({ state }) => state === "Ready",
  );
  const said = asString(check?.message);
  const where = cluster === "" ? said : `worker cluster ${cluster}`;
  const command = `kubectl${cluster === "" ? "" : ` --context ${cluster}`} describe jobset ${view.name} -n ${view.namespace}`;
  return {
    id: "multikueue-dispatched",
    message: `MultiKueue (${MULTIKUEUE}) has dispatched ${title}${where === "" ? "" : `: ${where}`}`,
    evidence: [
      cluster === ""
        ? fieldEvidence(key, "status.admissionChecks", `Ready: ${said}`)
        : fieldEvidence(key, "status.clusterName", cluster),
    ],
    status: "Progressing",
    ...sinceTime(check?.lastTransitionTime),
    advice: [`diagnose the JobSet in that cluster: ${command}`],
  };
}
