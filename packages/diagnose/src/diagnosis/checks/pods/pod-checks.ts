import { JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { asInteger, asString, findCondition } from "@jobset-ts/api/kubernetes";
import { findTrueCondition } from "@jobset-ts/core/status";
import { ageOf } from "../../view/age.ts";
import { isStarting } from "../../view/containers.ts";
import type { JobView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import type { PodView } from "../../view/pod-view.ts";
import {
  conditionEvidence,
  createObjectKey,
  type DiagnosisCheck,
  fail,
  failTransiently,
  fieldEvidence,
  pass,
  podKey,
  unknown,
} from "../check-results.ts";

/** The checks of a Pod that is being deleted. */
export const leavingPodChecks: readonly DiagnosisCheck<PodView>[] = [
  {
    id: "pod-terminating",
    causes: ["node-not-ready"],
    texts: { advice: ["wait for the kubelet; if the Pod remains, check its finalizers"] },
    run: (view) => {
      const { pod } = view;
      if (!pod.isTerminating) return pass;
      const evidence = [fieldEvidence(podKey(view), "metadata.deletionTimestamp", "is set")];
      const { deletionTimestamp, deletionGracePeriodSeconds } = pod.pod.metadata ?? {};
      const { deletionSeconds } = view.jobSet.thresholds;
      const age = ageOf(view.jobSet, deletionTimestamp, deletionSeconds, "Waiting");
      const grace = asInteger(deletionGracePeriodSeconds, 0) * 1000;
      return failTransiently(`pod ${pod.name} is terminating`, {
        objects: [podKey(view)],
        evidence,
        ...age,
        ...(age.since !== undefined && { since: age.since - grace }),
      });
    },
  },
  {
    id: "node-not-ready",
    causes: [],
    texts: { advice: ["repair the node, or delete it if it is permanently lost"] },
    run: ({ pod, facts, jobSet }) => {
      if (pod.nodeName === "" || pod.phase === "Succeeded") return pass;
      if (!facts.wasRead("Node")) return unknown("Node");
      const ready = findCondition(facts.snapshot.node(pod.nodeName)?.status?.conditions, "Ready");
      if (ready === undefined || ready.status === "True") return pass;
      const node = createObjectKey("Node", "", pod.nodeName);
      const evidence = [conditionEvidence(node, "Ready", asString(ready.message))];
      const age = ageOf(jobSet, ready.lastTransitionTime, TOLERATED_SECONDS, "Waiting");
      return fail(`node ${pod.nodeName} is not ready`, {
        objects: [node],
        evidence,
        ...age,
        ...(age.since === undefined && { status: "Stuck" }),
      });
    },
  },
];

/** How long Pods tolerate that their node is not ready, by default. Many nodes return earlier. */
const TOLERATED_SECONDS = 300;

/** The checks of a Pod of the current attempt that has a node. */
export const placedPodChecks: readonly DiagnosisCheck<PodView>[] = [
  {
    id: "pod-starting",
    causes: ["node-not-ready"],
    texts: { advice: ["wait for its containers to start"] },
    run: (view) => {
      if (!isStarting(view.pod)) return pass;
      const evidence = [fieldEvidence(podKey(view), "status.phase", "Pending")];
      const { thresholds } = view.jobSet;
      const age = ageOf(view.jobSet, getScheduledAt(view.pod), thresholds.podStartSeconds);
      const text = `${view.pod.name} is starting`;
      return failTransiently(text, { objects: [podKey(view)], evidence, ...age });
    },
  },
  {
    id: "pod-not-ready",
    causes: ["service-missing", "service-foreign", "node-not-ready"],
    texts: { advice: ["check the Pod's readiness probe and its log"] },
    run: (view) => {
      const { pod } = view;
      if (pod.phase !== "Running" || pod.isReady || pod.isTerminating) return pass;
      const ready = findCondition(pod.pod.status?.conditions, "Ready");
      const evidence = [conditionEvidence(podKey(view), "Ready", asString(ready?.message))];
      const text = `${pod.name} is running but not ready`;
      return failTransiently(text, { objects: [podKey(view)], evidence });
    },
  },
  {
    id: "pod-failed",
    causes: ["node-not-ready"],
    texts: { advice: ["check the Pod's log and the exit status of its containers"] },
    run: (view) => {
      if (view.pod.phase !== "Failed" || view.isReplaced === true) return pass;
      if (view.isReplaced === undefined) return unknown("Job");
      const { reason, message } = view.pod.pod.status ?? {};
      const evidence = [fieldEvidence(podKey(view), "status.phase", "Failed")];
      const why = [asString(reason), asString(message)].filter((part) => part !== "");
      const text = [`${view.pod.name} failed`, ...why].join(": ");
      // The Job terminates its other Pods before it fails.
      const status = isFailing(view.job) ? "Waiting" : "Stuck";
      return fail(text, { objects: [podKey(view)], evidence, status });
    },
  },
];

/** Reports whether a Job has failed but waits for its Pods to terminate. */
export function isFailing(job: JobView | undefined): boolean {
  const conditions = job?.job?.status?.conditions;
  const isTrue = (type: string) => findTrueCondition(conditions, type) !== undefined;
  return isTrue("FailureTarget") && !isTrue(JOB_CONDITION_FAILED);
}

/** Returns when a Pod got its node. */
export function getScheduledAt({ pod }: MemberPod) {
  const scheduled = findCondition(pod.status?.conditions, "PodScheduled");
  return scheduled?.lastTransitionTime ?? pod.metadata?.creationTimestamp;
}
