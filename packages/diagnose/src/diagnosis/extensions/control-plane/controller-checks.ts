import type { Unvalidated } from "@jobset-ts/api";
import {
  asInteger,
  asString,
  findCondition,
  getLabel,
  getName,
  getNamespace,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import {
  conditionEvidence,
  createKey,
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  getObjectKey,
  pass,
  sinceTime,
} from "../../checks/check-results.ts";
import type { FindingId } from "../../checks/finding-ids.ts";
import type { ClusterIndex, ObjectWithConditions } from "../../view/cluster-facts.ts";
import { getLastEnd, waitingContainer } from "../../view/containers.ts";
import { findLatest } from "../../view/events.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { createMemberPod, type MemberPod } from "../../view/member-pod.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import { describeTermination } from "../containers/termination.ts";

interface Deployment extends ObjectWithConditions {
  readonly spec?: { readonly replicas?: number };
  readonly status?: ObjectWithConditions["status"] & { readonly availableReplicas?: number };
}

/** A program of the cluster that JobSets need. */
interface Component {
  readonly id: FindingId;
  /** The name of the program in messages. */
  readonly title: string;
  /** The beginning of the names of its Deployment and Pods. */
  readonly prefix: string;
  /** The label `app.kubernetes.io/name` of its Helm chart, which puts the name of the release before the prefix. */
  readonly chart?: string;
  /** The consequence while it does not run. */
  readonly effect: string;
}

const components: readonly Component[] = [
  {
    id: "controller-not-running",
    title: "the JobSet controller",
    prefix: "jobset-controller",
    chart: "jobset",
    effect: "it reconciles no JobSet and its webhooks do not respond",
  },
  {
    id: "kueue-not-running",
    title: "Kueue's controller",
    prefix: "kueue-controller",
    chart: "kueue",
    effect: "it admits no Workload and its webhooks do not respond",
  },
  {
    id: "scheduler-not-running",
    title: "the scheduler",
    prefix: "kube-scheduler",
    effect: "no Pod gets a node",
  },
  {
    id: "job-controller-not-running",
    title: "the controller manager, which has the Job controller,",
    prefix: "kube-controller-manager",
    effect: "Jobs create no Pods",
  },
];

/** The checks of the programs that JobSets need. */
export const controllerChecks: readonly DiagnosisCheck<JobSetView>[] = components.map(
  (component) => {
    // All JobSets of a cluster share the result, because it requires a search of all Pods.
    const check = memoizeByObject((facts: ClusterIndex) => checkComponent(facts, component));
    return { id: component.id, causes: [], run: ({ facts }) => check(facts) };
  },
);

/** The findings of these checks. */
export const componentFaults: readonly FindingId[] = components.map(({ id }) => id);

function checkComponent(facts: ClusterIndex, component: Component) {
  const isOfComponent = (object: Unvalidated<KubernetesObject>) => isPartOf(component, object);
  const deployment = facts.objects<Deployment>("Deployment", "apps").find(isOfComponent);
  const isScaledDown = asInteger(deployment?.spec?.replicas, 1) === 0;
  if (asInteger(deployment?.status?.availableReplicas, 0) > 0) return pass;
  const pods = listPods(facts, isOfComponent);
  const [first] = pods;
  if (pods.some(({ isReady }) => isReady) || (first ?? deployment) === undefined) return pass;
  const object = deployment && createKey("Deployment", deployment);
  const problem = isScaledDown ? undefined : findPodProblem(facts, pods);
  const namespace = getNamespace(deployment ?? first?.pod ?? {});
  const name = deployment === undefined ? (first?.name ?? "") : getName(deployment);
  const conditions = deployment?.status?.conditions;
  const rejected = findCondition(conditions, "ReplicaFailure");
  const noPods =
    rejected?.status === "True" ? `no Pod is created: ${asString(rejected.message)}` : undefined;
  const why = isScaledDown ? "it is scaled to 0 replicas" : (problem?.text ?? noPods);
  const available = findCondition(conditions, "Available");
  const availability =
    object === undefined
      ? []
      : [conditionEvidence(object, "Available", asString(available?.message))];
  return fail(`${component.title} ${name} does not run${why ? `: ${why}` : ""}`, {
    objects: [...(object === undefined ? [] : [object]), ...(problem?.objects ?? [])],
    evidence: [...availability, ...(problem?.evidence ?? [])],
    advice: isScaledDown
      ? [`run \`kubectl scale deployment ${name} -n ${namespace} --replicas=1\``]
      : adviseOnPod(component, problem?.pod, name, namespace),
    ...sinceTime(available?.lastTransitionTime),
  });
}

function adviseOnPod(
  { effect }: Component,
  pod: MemberPod | undefined,
  deployment: string,
  namespace: string,
) {
  const object = pod === undefined ? `deployment ${deployment}` : `pod ${pod.name}`;
  return [
    `repair it: until it runs, ${effect}`,
    `run \`kubectl describe ${object} -n ${namespace}\``,
  ];
}

function isPartOf({ prefix, chart }: Component, object: Unvalidated<KubernetesObject>): boolean {
  const name = getName(object);
  if (name.startsWith(prefix)) return true;
  return (
    chart !== undefined &&
    name.includes(`-${prefix}`) &&
    getLabel(object, "app.kubernetes.io/name") === chart
  );
}

/** Returns the Pods of a component that have not finished. */
function listPods(
  { snapshot }: ClusterIndex,
  isOfComponent: (object: Unvalidated<KubernetesObject>) => boolean,
): readonly MemberPod[] {
  return (snapshot.objects("Pod") as readonly Unvalidated<Pod>[])
    .filter(isOfComponent)
    .map(createMemberPod)
    .filter(({ phase }) => phase !== "Succeeded" && phase !== "Failed");
}

/** Returns the first reason why a Pod of a component does not run. */
function findPodProblem(facts: ClusterIndex, pods: readonly MemberPod[]) {
  for (const pod of pods) {
    const object = getObjectKey("Pod", pod.pod);
    const found = describeProblem(facts, pod);
    if (found === undefined) continue;
    const evidence = [fieldEvidence(object, found.at, found.text)];
    return { pod, text: `Pod ${pod.name}: ${found.text}`, objects: [object], evidence };
  }
  return undefined;
}

function describeProblem(facts: ClusterIndex, pod: MemberPod) {
  const waiting = waitingContainer(pod);
  if (waiting !== undefined) {
    const { reason, message } = waiting.status.state?.waiting ?? {};
    const end = getLastEnd(waiting);
    const ended = end === undefined ? "" : `last exit: ${describeTermination(end)}`;
    const text = [asString(reason), asString(message), ended].filter(Boolean).join(": ");
    return { at: `${waiting.path}.state.waiting`, text };
  }
  const type = pod.nodeName === "" ? "PodScheduled" : "Ready";
  const condition = findCondition(pod.pod.status?.conditions, type);
  const events = facts.eventsAbout(pod.pod, "Pod").filter(({ isWarning }) => isWarning);
  const latest = findLatest(
    pod.nodeName === "" ? events.filter(({ reason }) => reason === "FailedScheduling") : events,
  );
  const stated = asString(condition?.message);
  const seen = latest?.message ?? "";
  // The Ready condition only names the containers. The Event has the reason.
  const message = pod.nodeName === "" ? stated || seen : seen || stated;
  const state = pod.nodeName === "" ? "has no node" : "is not ready";
  return {
    at: `status.conditions[${type}]`,
    text: message === "" ? state : `${state}: ${message}`,
  };
}
