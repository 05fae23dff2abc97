import type { Unvalidated } from "@jobset-ts/api";
import { asArray, asString, isObject, type Node } from "@jobset-ts/api/kubernetes";
import { findTrueCondition } from "@jobset-ts/core/status";
import {
  absenceEvidence,
  conditionEvidence,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  type Observation,
  pass,
  podKey,
  unknown,
} from "../../checks/check-results.ts";
import type { FindingId } from "../../checks/finding-ids.ts";
import { jobKey } from "../../checks/jobs/job-evidence.ts";
import { ageOf } from "../../view/age.ts";
import { type Disruption, type DisruptionKind, findDisruption } from "../../view/disruption.ts";
import { findLatest } from "../../view/events.ts";
import type { JobView } from "../../view/jobset-view.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { ageOfFailure } from "../containers/failure-age.ts";
import { isOverdue } from "../deletion/deletion-checks.ts";
import { listEventsOfPods } from "./events-of-pods.ts";

const TOLERATE_DISRUPTIONS =
  "in a new JobSet, let podFailurePolicy ignore the condition DisruptionTarget, so that a disruption does not count as a failure";

/** The checks of a Pod that something other than its containers ended or is ending. */
export const disruptionChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "node-missing",
    causes: [],
    run: (view) => {
      const { pod, facts } = view;
      const { nodeName } = pod;
      const isOver = pod.phase === "Succeeded" || pod.phase === "Failed";
      // Another check reports a missing node of a leader, because followers wait for it.
      const { topologyKey, leaders } = view.job;
      const isLeadersNode = leaders.some((one) => one.isActive && one.nodeName === nodeName);
      if (nodeName === "" || isOver || (topologyKey !== undefined && isLeadersNode)) return pass;
      if (!facts.wasRead("Node")) return unknown("Node");
      if (facts.snapshot.node(nodeName) !== undefined) return pass;
      const node = createObjectKey("Node", "", nodeName);
      const evidence = [
        fieldEvidence(podKey(view), "spec.nodeName", nodeName),
        absenceEvidence(node, "the node does not exist"),
      ];
      // The controller manager deletes the Pods of a node that no longer exists.
      const { deletionTimestamp } = pod.pod.metadata ?? {};
      const { deletionSeconds } = view.jobSet.thresholds;
      const isLeaving =
        pod.isTerminating &&
        ageOf(view.jobSet, deletionTimestamp, deletionSeconds, "Waiting").status === "Waiting";
      const command = `kubectl delete pod -n ${view.jobSet.namespace} ${pod.name} --force`;
      return fail(`node ${nodeName} of ${pod.name} does not exist`, {
        objects: [node, podKey(view)],
        evidence,
        advice: [
          isLeaving
            ? "wait: the Pod is being deleted"
            : `if the node does not return, replace the Pod: ${command}`,
        ],
        ...(isLeaving && { status: "Waiting" }),
      });
    },
  },
  checkDisruption("pod-preempted", "Preemption", {
    causes: [],
    describe: ({ pod }) => `${pod.name} was preempted for a Pod of higher priority`,
    advice: (view) => ["run the JobSet with a higher priority class", ...adviseTolerance(view)],
  }),
  checkDisruption("pod-evicted", "Eviction", {
    causes: [],
    describe: describeEviction,
    advice: adviseOnEviction,
  }),
  checkDisruption("pod-evicted-by-taint", "Taint", {
    causes: ["node-not-ready", "node-missing"],
    describe: (view, { reason }) => {
      if (reason === BY_DEVICE_TAINT)
        return `${view.pod.name} was deleted because of a NoExecute taint of one of its devices on node ${view.pod.nodeName}`;
      const taints = listTaints(findNode(view));
      const named = taints.length === 0 ? "a NoExecute taint" : `taint ${taints.join(", ")}`;
      return `${view.pod.name} was deleted because of ${named} of node ${view.pod.nodeName}`;
    },
    advice: (view, { reason }) => [
      reason === BY_DEVICE_TAINT
        ? "check which device has the taint: kubectl get devicetaintrules,resourceslices"
        : `check why the node has the taint: kubectl describe node ${view.pod.nodeName}`,
      ...adviseTolerance(view),
    ],
  }),
  checkDisruption("pod-rejected-by-kubelet", "Rejection", {
    causes: ["node-not-ready", "node-missing"],
    describe: ({ pod }, { reason, message }) =>
      [`the kubelet of node ${pod.nodeName} rejected ${pod.name}`, reason, message]
        .filter((part) => part !== "")
        .join(": "),
    advice: adviseOnKubeletRejection,
  }),
];

/** The checks of a failed Job whose Pods no longer exist. Their Events remain for about an hour. */
export const vanishedPodChecks: readonly DiagnosisCheck<JobView>[] = [
  {
    id: "vanished-pod-disrupted",
    causes: [],
    texts: { advice: [TOLERATE_DISRUPTIONS] },
    run: (job) => {
      const { facts, namespace } = job.replicatedJob.jobSet;
      if (!hasFailed(job) || job.pods.some(({ phase }) => phase === "Failed")) return pass;
      if (!facts.wasRead("Event")) return unknown("Event");
      const events = listEventsOfPods(facts, namespace, job.name);
      const disrupted = events.filter(({ reason }) => disruptionEvents.has(reason));
      const event = findLatest(disrupted);
      if (event === undefined) return pass;
      const pod = createObjectKey("Pod", namespace, event.podName);
      return fail(
        `${event.podName}, which no longer exists, was ${disruptionEvents.get(event.reason)}: ${event.message}`,
        { objects: [jobKey(job), pod], evidence: [eventEvidence(pod, event)] },
      );
    },
  },
];

/** What happened to a Pod, by the reason of the Event. */
const disruptionEvents: ReadonlyMap<string, string> = new Map([
  ["Preempted", "preempted"],
  ["Evicted", "evicted"],
  ["TaintManagerEviction", "evicted because of a taint"],
  ["NodeShutdown", "terminated by a shutdown of its node"],
]);

interface DisruptionWords {
  readonly causes: readonly FindingId[];
  readonly describe: (view: PodInJob, disruption: Disruption) => string;
  readonly advice: (view: PodInJob, disruption: Disruption) => readonly string[];
}

function checkDisruption(
  id: FindingId,
  kind: DisruptionKind,
  { causes, describe, advice }: DisruptionWords,
): DiagnosisCheck<PodInJob> {
  return {
    id,
    causes,
    run: (view) => {
      const { pod, isReplaced } = view;
      if (pod.isActive || pod.phase === "Succeeded" || isReplaced === true) return pass;
      const disruption = findDisruption(pod);
      if (disruption?.kind !== kind) return pass;
      // Another check reports why the kubelet does not end the Pod.
      if (pod.phase !== "Failed" && isOverdue(view.jobSet, pod)) return pass;
      if (isReplaced === undefined) return unknown("Job");
      return fail(describe(view, disruption), {
        ...observeDisruption(view, disruption),
        advice: advice(view, disruption),
        group: `${id} ${describe(view, disruption).replaceAll(pod.name, "").replaceAll(pod.nodeName, "")}`,
      });
    },
  };
}

function observeDisruption(view: PodInJob, { at, message, since }: Disruption): Observation {
  const { pod, facts, jobSet } = view;
  const object = podKey(view);
  const shown =
    at === "DisruptionTarget"
      ? conditionEvidence(object, at, message)
      : fieldEvidence(object, at, message);
  const events = facts.eventsAbout(pod.pod, "Pod");
  const event = findLatest(events.filter(({ reason }) => disruptionEvents.has(reason)));
  const evidence = event === undefined ? [shown] : [shown, eventEvidence(object, event)];
  const observed = { objects: [object], evidence };
  if (pod.phase === "Failed") {
    return { ...observed, ...ageOfFailure(view, since, true) };
  }
  const deletedAt = pod.pod.metadata?.deletionTimestamp;
  return { ...observed, ...ageOf(jobSet, deletedAt, jobSet.thresholds.deletionSeconds, "Waiting") };
}

function describeEviction(view: PodInJob, { reason, message }: Disruption): string {
  const { name, nodeName } = view.pod;
  if (reason === BY_POD_GC)
    return `${name} was deleted because its node ${nodeName} no longer exists`;
  if (reason === "EvictionByEvictionAPI") {
    const isCordoned = findNode(view)?.spec?.unschedulable === true;
    const cordonText = isCordoned ? `, and its node ${nodeName} is cordoned, as in a drain` : "";
    return `${name} was evicted through the eviction API${cordonText}`;
  }
  if (shutdowns.has(reason)) return `${name} was terminated by the shutdown of node ${nodeName}`;
  const why = message === "" ? "" : `: ${message.trim()}`;
  return `${name} was evicted by the kubelet of node ${nodeName}${why}`;
}

const BY_POD_GC = "DeletionByPodGC";
const BY_DEVICE_TAINT = "DeletionByDeviceTaintManager";

const shutdowns = new Set(["NodeShutdown", "Terminated", "Shutdown"]);

function adviseOnEviction(view: PodInJob, { message }: Disruption): readonly string[] {
  if (/low on resource: pids/i.test(message)) {
    return [
      `start fewer processes and threads, or raise the limit of process IDs of node ${view.pod.nodeName}`,
    ];
  }
  if (/emptydir|ephemeral|low on resource|exceeds the .*limit/i.test(message)) {
    return [
      "in a new JobSet, request as much memory and ephemeral storage as the containers use, and raise the size limit of the volume",
    ];
  }
  return adviseTolerance(view);
}

function adviseTolerance({ job }: PodInJob): readonly string[] {
  return ignoresDisruptions(job) ? [] : [TOLERATE_DISRUPTIONS];
}

/** Reports whether the podFailurePolicy of a Job does not count disruptions as failures. */
function ignoresDisruptions({ job }: JobView): boolean {
  const { podFailurePolicy } = (job?.spec ?? {}) as {
    readonly podFailurePolicy?: PodFailurePolicy;
  };
  return asArray(podFailurePolicy?.rules).some(
    (rule) =>
      isObject(rule) &&
      rule.action === "Ignore" &&
      asArray(rule.onPodConditions).some((one) => isObject(one) && one.type === "DisruptionTarget"),
  );
}

interface PodFailurePolicy {
  readonly rules?: readonly {
    readonly action?: string;
    readonly onPodConditions?: readonly { readonly type?: string }[];
  }[];
}

function adviseOnKubeletRejection(
  { pod: { nodeName } }: PodInJob,
  { reason, message }: Disruption,
): readonly string[] {
  const describe = `kubectl describe node ${nodeName}`;
  if (/\bdevices?\b/i.test(message)) {
    return [
      `check the devices of node ${nodeName}, their driver and their device plugin: ${describe}`,
    ];
  }
  const pressure = /had condition: \[(\w+)/.exec(message)?.[1];
  if (pressure !== undefined) {
    return [
      `free what node ${nodeName} lacks, or use other nodes until its ${pressure} is over: ${describe}`,
    ];
  }
  return reason.startsWith("OutOf")
    ? [`free the resource on node ${nodeName}, or let kube-scheduler choose a node: ${describe}`]
    : [
        `compare the Pod with the node, whose labels or resources changed after the Pod was scheduled: ${describe}`,
      ];
}

function hasFailed({ job }: JobView): boolean {
  return findTrueCondition(job?.status?.conditions, "Failed", "FailureTarget") !== undefined;
}

function findNode({ facts, pod }: PodInJob): Unvalidated<Node> | undefined {
  return facts.snapshot.node(pod.nodeName);
}

function listTaints(node: Unvalidated<Node> | undefined): readonly string[] {
  return asArray(node?.spec?.taints)
    .filter((taint) => isObject(taint) && taint.effect === "NoExecute")
    .map(({ key, value }) => [asString(key), asString(value)].filter((part) => part).join("="));
}
