import { asString } from "@jobset-ts/api/kubernetes";
import {
  type DiagnosisCheck,
  eventEvidence,
  fail,
  failTransiently,
  fieldEvidence,
  pass,
  podKey,
  sinceTime,
  unknown,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { type EventFacts, findLatest } from "../../view/events.ts";
import type { JobView } from "../../view/jobset-view.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import { getCreationTime, type PodInJob } from "../../view/pod-view.ts";
import { findNodeClaimFault } from "./node-claims.ts";
import { findNodePoolFault } from "./node-pools.ts";

/**
 * The checks of the components that make room for a Pod without a node: an autoscaler, or the scheduler by
 * preemption.
 */
export const capacityChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "scale-up-failed",
    causes: [],
    run: (view) => {
      if (!view.facts.wasRead("Event")) return unknown("Event");
      const [event, reporter] = findReport(view);
      const { name } = view.pod;
      const isOfKarpenter = event?.reason === "FailedScheduling";
      if (event?.reason === "FailedScaleUp") {
        const text = `the autoscaler could not add a node for ${name}: ${event.message}`;
        const advice = [adviseOnFailure(event.message)];
        return fail(text, { ...observe(view, event, reporter), advice });
      }
      const fault =
        event === undefined || isOfKarpenter
          ? findNodePoolFault(view)
          : findNodeClaimFault(view, event);
      if (fault !== undefined) {
        const { object, problem, evidence, advice } = fault;
        const text = `the autoscaler could not add a node for ${name}: ${object.kind} ${object.name} ${problem}`;
        const seen = observe(view, event, reporter);
        return fail(text, {
          ...seen,
          objects: [...seen.objects, object],
          evidence: [evidence, ...seen.evidence],
          advice: [advice],
          group: `scale-up-failed ${problem}`,
        });
      }
      if (event === undefined) return pass;
      const isLimit = event.reason === "NotTriggerScaleUp" && limits.test(event.message);
      if (!isOfKarpenter && !isLimit) return pass;
      const message = isOfKarpenter ? shortenKarpenterMessage(event.message) : event.message;
      return fail(`the autoscaler does not add a node for ${name}: ${message}`, {
        ...observe(view, event, reporter),
        advice: [isOfKarpenter ? adviseOnNodePools(message) : adviseOnLimit(message)],
      });
    },
  },
  {
    id: "scaling-up",
    causes: [],
    run: (view) => {
      if (!view.facts.wasRead("Event")) return unknown("Event");
      const event = findAutoscalerEvent(view);
      if (event === undefined || !startsOfScaleUp.has(event.reason)) return pass;
      if (findNodeClaimFault(view, event) !== undefined) return pass;
      const { jobSet, pod } = view;
      const age = ageOf(jobSet, event.seenAt, jobSet.thresholds.scaleUpSeconds);
      return failTransiently(`the autoscaler is adding a node for ${pod.name}: ${event.message}`, {
        ...observe(view, event),
        ...age,
        advice: [
          age.status === "Stuck"
            ? "check the new nodes and the autoscaler: kubectl get events -A --field-selector involvedObject.kind=Node"
            : "wait for the new node",
        ],
      });
    },
  },
  {
    id: "preempting",
    causes: [],
    run: (view) => {
      const { jobSet, pod } = view;
      const node = asString(
        (pod.pod.status as { readonly nominatedNodeName?: string } | undefined)?.nominatedNodeName,
      );
      if (node === "") return pass;
      const { pod: object } = pod;
      const since = object.metadata?.creationTimestamp;
      const text = `${pod.name} waits for node ${node}, where the scheduler is preempting Pods of lower priority`;
      const command = `kubectl get pods -A --field-selector spec.nodeName=${node}`;
      return failTransiently(text, {
        objects: [podKey(view)],
        evidence: [fieldEvidence(podKey(view), "status.nominatedNodeName", node)],
        ...ageOf(jobSet, since, jobSet.thresholds.preemptionSeconds, "Waiting"),
        advice: [`wait until the preempted Pods have terminated: ${command}`],
      });
    },
  },
];

/** Reports of the cluster autoscaler and of Karpenter that a new node is coming. */
const startsOfScaleUp = new Set(["TriggeredScaleUp", "Nominated"]);
const autoscalerReasons = new Set([...startsOfScaleUp, "NotTriggerScaleUp", "FailedScaleUp"]);

/** The reasons against a scale-up that are not about the Pod. The scheduler reports the others itself. */
const limits =
  /max(?:imum)? (?:node group size|cluster|total nodes|limit)|limit(?:s)? (?:reached|exceeded)|backoff|quota|not ready for scale-?up|out of resources|exceed/i;

function adviseOnFailure(message: string): string {
  return /quota/i.test(message)
    ? "raise the quota of the cloud account for these machines, or allow another zone or machine type"
    : "wait until the cloud has such machines again, or allow another zone or machine type";
}

function adviseOnLimit(message: string): string {
  return /backoff/.test(message)
    ? "check why the last scale-up failed; the autoscaler tries again later: kubectl get configmap cluster-autoscaler-status -n kube-system -o yaml"
    : "raise the limit of the node group or of the autoscaler, or free a node";
}

function adviseOnNodePools(message: string): string {
  return /exceed limits/.test(message)
    ? "raise the limits of the NodePool, or free a node: kubectl get nodepools"
    : "compare the Pod with the requirements, the taints and the machines of the NodePools: kubectl get nodepools -o yaml";
}

/** Karpenter reports with the reason of the scheduler. */
function isKarpenterMessage({ reason, message }: EventFacts): boolean {
  return reason === "FailedScheduling" && /\b(?:nodepools?|provisioner)\b/i.test(message);
}

function shortenKarpenterMessage(message: string): string {
  return message
    .replace(/^Failed to schedule pod, /, "")
    .replace(/daemonset overhead=\{[^}]*\},? ?/g, "");
}

/**
 * Returns the latest report of an autoscaler about a Pod. Of simultaneous ones, a failure counts. While the autoscaler
 * waits after a failure, the failure counts as well.
 */
function findAutoscalerEvent({
  facts,
  pod,
}: Pick<PodInJob, "facts" | "pod">): EventFacts | undefined {
  const all = facts.eventsAbout(pod.pod, "Pod");
  if (all.length === 0) return undefined;
  const events = all.filter(
    (event) => autoscalerReasons.has(event.reason) || isKarpenterMessage(event),
  );
  const latest = findLatest(events);
  const failed = findLatest(events.filter(({ reason }) => reason === "FailedScaleUp"));
  if (failed === undefined || latest === undefined) return latest;
  const isBackoff = latest.reason === "NotTriggerScaleUp" && /backoff/.test(latest.message);
  return isBackoff || failed.seenAt === latest.seenAt ? failed : latest;
}

/**
 * Returns the latest report of an autoscaler about a Pod, and the name of the Pod in the report. Pods of a Job have one
 * template, so without a report about the Pod itself, one about another waiting Pod of its Job applies.
 */
function findReport(view: PodInJob): readonly [event?: EventFacts, pod?: string] {
  const own = findAutoscalerEvent(view);
  return own === undefined ? findReportInJob(view.job) : [own, view.pod.name];
}

const findReportInJob = /* @__PURE__ */ memoizeByObject(
  ({ pods, replicatedJob }: JobView): readonly [event?: EventFacts, pod?: string] => {
    const { facts } = replicatedJob.jobSet;
    for (const pod of pods) {
      const event =
        pod.isActive && pod.nodeName === "" ? findAutoscalerEvent({ facts, pod }) : undefined;
      if (event !== undefined) return [event, pod.name];
    }
    return [];
  },
);

function observe(view: PodInJob, event: EventFacts | undefined, reporter = view.pod.name) {
  const key = podKey(view);
  return {
    objects: [key],
    evidence: event === undefined ? [] : [eventEvidence({ ...key, name: reporter }, event)],
    ...sinceTime(getCreationTime(view)),
  };
}
