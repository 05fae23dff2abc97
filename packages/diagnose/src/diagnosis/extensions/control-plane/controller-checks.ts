import type { Unvalidated } from "@jobset-ts/api";
import {
  asInteger,
  asString,
  findCondition,
  getLabel,
  getName,
  getNamespace,
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
import type { ObjectWithConditions } from "../../view/cluster-facts.ts";
import { getLastEnd, waitingContainer } from "../../view/containers.ts";
import { findLatest } from "../../view/events.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { createMemberPod, type MemberPod } from "../../view/member-pod.ts";

interface Deployment extends ObjectWithConditions {
  readonly spec?: { readonly replicas?: number };
  readonly status?: ObjectWithConditions["status"] & { readonly availableReplicas?: number };
}

/** The name in upstream's manifests, and the beginning of the name in its Helm chart. */
const CONTROLLER = "jobset-controller";

/** The checks of the JobSet controller. */
export const controllerChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "controller-not-running",
    causes: [],
    run: (view) => {
      const deployment = view.facts.objects<Deployment>("Deployment", "apps").find(isController);
      const isScaledDown = asInteger(deployment?.spec?.replicas, 1) === 0;
      if (asInteger(deployment?.status?.availableReplicas, 0) > 0) return pass;
      const pods = listPods(view);
      const [first] = pods;
      if (pods.some(({ isReady }) => isReady) || (first ?? deployment) === undefined) return pass;
      const object = deployment && createKey("Deployment", deployment);
      const problem = isScaledDown ? undefined : findPodProblem(view, pods);
      const namespace = getNamespace(deployment ?? first?.pod ?? {});
      const name = deployment === undefined ? (first?.name ?? "") : getName(deployment);
      const why = isScaledDown ? "it is scaled to 0 replicas" : problem?.text;
      const available = findCondition(deployment?.status?.conditions, "Available");
      const availability =
        object === undefined
          ? []
          : [conditionEvidence(object, "Available", asString(available?.message))];
      return fail(`the JobSet controller ${name} does not run${why ? `: ${why}` : ""}`, {
        objects: [...(object === undefined ? [] : [object]), ...(problem?.objects ?? [])],
        evidence: [...availability, ...(problem?.evidence ?? [])],
        advice: isScaledDown
          ? [`run \`kubectl scale deployment ${name} -n ${namespace} --replicas=1\``]
          : adviseOnPod(problem?.pod, name, namespace),
        ...sinceTime(available?.lastTransitionTime),
      });
    },
  },
];

function adviseOnPod(pod: MemberPod | undefined, deployment: string, namespace: string) {
  const object = pod === undefined ? `deployment ${deployment}` : `pod ${pod.name}`;
  return [
    "repair the controller: until it runs, it reconciles no JobSet and its webhooks do not respond",
    `run \`kubectl describe ${object} -n ${namespace}\``,
  ];
}

function isController(object: Unvalidated<Deployment> | Unvalidated<Pod>): boolean {
  const name = getName(object);
  return (
    name.startsWith(CONTROLLER) ||
    (name.includes(`-${CONTROLLER}`) && getLabel(object, "app.kubernetes.io/name") === "jobset")
  );
}

/** Returns the Pods of the controller that have not finished. */
function listPods({ facts }: JobSetView): readonly MemberPod[] {
  return (facts.snapshot.objects("Pod") as readonly Unvalidated<Pod>[])
    .filter(isController)
    .map(createMemberPod)
    .filter(({ phase }) => phase !== "Succeeded" && phase !== "Failed");
}

/** Returns the first reason why a Pod of the controller does not run. */
function findPodProblem(view: JobSetView, pods: readonly MemberPod[]) {
  for (const pod of pods) {
    const object = getObjectKey("Pod", pod.pod);
    const found = describeProblem(view, pod);
    if (found === undefined) continue;
    const evidence = [fieldEvidence(object, found.at, found.text)];
    return { pod, text: `Pod ${pod.name}: ${found.text}`, objects: [object], evidence };
  }
  return undefined;
}

function describeProblem({ facts }: JobSetView, pod: MemberPod) {
  const waiting = waitingContainer(pod);
  if (waiting !== undefined) {
    const { reason, message } = waiting.status.state?.waiting ?? {};
    const end = getLastEnd(waiting);
    const code = asInteger(end?.exitCode, 0);
    const ended =
      end === undefined ? "" : `it ended with exit code ${code} (${asString(end.reason)})`;
    const text = [asString(reason), asString(message), ended].filter(Boolean).join(": ");
    return { at: `${waiting.path}.state.waiting`, text };
  }
  const type = pod.nodeName === "" ? "PodScheduled" : "Ready";
  const condition = findCondition(pod.pod.status?.conditions, type);
  const events = facts.eventsAbout(pod.pod, "Pod").filter(({ isWarning }) => isWarning);
  const latest = findLatest(
    pod.nodeName === "" ? events.filter(({ reason }) => reason === "FailedScheduling") : events,
  );
  const message = asString(condition?.message) || (latest?.message ?? "");
  const state = pod.nodeName === "" ? "has no node" : "is not ready";
  return {
    at: `status.conditions[${type}]`,
    text: message === "" ? state : `${state}: ${message}`,
  };
}
