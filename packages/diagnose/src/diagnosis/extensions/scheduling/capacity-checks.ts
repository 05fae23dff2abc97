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
import type { PodInJob } from "../../view/pod-view.ts";

/** The checks of who makes room for a Pod without a node: an autoscaler, or the scheduler by preemption. */
export const capacityChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "scale-up-failed",
    causes: [],
    run: (view) => {
      if (!view.facts.wasRead("Event")) return unknown("Event");
      const event = findAutoscalerEvent(view);
      if (event === undefined) return pass;
      if (event.reason === "FailedScaleUp") {
        const text = `the autoscaler could not add a node for ${view.pod.name}: ${event.message}`;
        return fail(text, {
          ...observe(view, event),
          advice: [
            "wait until the cloud has such machines again, or allow another zone or machine type",
          ],
        });
      }
      if (event.reason !== "NotTriggerScaleUp" || !limits.test(event.message)) return pass;
      const text = `the autoscaler does not add a node for ${view.pod.name}: ${event.message}`;
      return fail(text, {
        ...observe(view, event),
        advice: ["raise the limit of the node group or of the autoscaler, or free a node"],
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

/** Reports of the cluster autoscaler and of Karpenter that a node is on the way. */
const startsOfScaleUp = new Set(["TriggeredScaleUp", "Nominated"]);
const autoscalerReasons = new Set([...startsOfScaleUp, "NotTriggerScaleUp", "FailedScaleUp"]);

/** The reasons against a scale-up that are not about the Pod. The scheduler reports the others itself. */
const limits =
  /max(?:imum)? (?:node group size|cluster|total nodes|limit)|limit(?:s)? (?:reached|exceeded)|backoff|quota|not ready for scale-?up|out of resources|exceed/i;

/** Returns the latest report of an autoscaler about a Pod. Of simultaneous ones, a failure counts. */
function findAutoscalerEvent({ facts, pod }: PodInJob): EventFacts | undefined {
  const events = facts
    .eventsAbout(pod.pod, "Pod")
    .filter(({ reason }) => autoscalerReasons.has(reason));
  const latest = findLatest(events);
  const failed = findLatest(events.filter(({ reason }) => reason === "FailedScaleUp"));
  return failed !== undefined && failed.seenAt === latest?.seenAt ? failed : latest;
}

function observe(view: PodInJob, event: EventFacts) {
  return {
    objects: [podKey(view)],
    evidence: [eventEvidence(podKey(view), event)],
    ...sinceTime(view.pod.pod.metadata?.creationTimestamp),
  };
}
