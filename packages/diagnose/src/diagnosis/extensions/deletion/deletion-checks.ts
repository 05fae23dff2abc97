import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asString,
  getName,
  getNamespace,
  getUid,
  isBeingDeleted,
  isObject,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import {
  createKey,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  getObjectKey,
  pass,
  sinceTime,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { findLatest } from "../../view/events.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";

/** The Job controller removes it after it has counted the Pod. */
const JOB_TRACKING = "batch.kubernetes.io/job-tracking";
const PVC_PROTECTION = "kubernetes.io/pvc-protection";

/** The garbage collector removes it after it has removed the owner from the dependents, which remain. */
const ORPHAN = "orphan";

/** Finalizers of the garbage collector, which waits for other objects. */
const ofGarbageCollector = new Set(["foregroundDeletion", ORPHAN]);

/** The checks of reasons why objects of a JobSet that are being deleted remain. */
export const deletionChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "jobset-finalizer",
    causes: [],
    run: (view) => {
      const { jobSet } = view;
      const finalizers = listFinalizers(jobSet);
      if (!isBeingDeleted(jobSet)) return pass;
      if (finalizers.length === 0) {
        const isOrphaning = listAll(jobSet).includes(ORPHAN) && isOld(view, jobSet);
        if (isOrphaning) return describeFinalizers(view, "JobSet", jobSet, [ORPHAN]);
        return isForgotten(view, jobSet, listOwned(view))
          ? describeFinalizers(view, "JobSet", jobSet, listAll(jobSet), FORGOTTEN)
          : pass;
      }
      return describeFinalizers(view, "JobSet", jobSet, finalizers);
    },
  },
  {
    id: "owned-object-kept",
    causes: ["pod-finalizer"],
    run: (view) => {
      const leaving = listOwned(view).filter(({ object }) => isBeingDeleted(object));
      const remaining = leaving.find(({ object }) => isKept(view, object));
      const forgotten = leaving.find(({ object }) =>
        isForgotten(view, object, view.facts.controlledBy(getUid(object), "Pod", "")),
      );
      if (remaining === undefined) {
        if (forgotten === undefined) return pass;
        const { kind, object } = forgotten;
        return describeFinalizers(view, kind, object, listAll(object), FORGOTTEN);
      }
      const { kind, object } = remaining;
      const finalizers = listFinalizers(object);
      const user = finalizers.includes(PVC_PROTECTION) ? findUser(view, object) : undefined;
      const why = user === undefined ? "" : `, because Pod ${getName(user)} uses it`;
      return describeFinalizers(view, kind, object, finalizers, why);
    },
  },
  {
    id: "pod-finalizer",
    causes: [],
    run: (view) => {
      const remaining = listPods(view).filter((pod) => isOnlyKept(view, pod));
      const [first] = remaining;
      if (first === undefined) return pass;
      const more =
        remaining.length === 1 ? "" : `, and ${remaining.length - 1} more Pods are kept as well`;
      return describeFinalizers(view, "Pod", first.pod, listFinalizers(first.pod), more);
    },
  },
  {
    id: "pod-not-ended",
    causes: [],
    run: (view) => {
      const remaining = listPods(view).filter((pod) => isOverdue(view, pod));
      const [first] = remaining;
      if (first === undefined) return pass;
      const { nodeName } = first;
      const key = getObjectKey("Pod", first.pod);
      const event = findLatest(
        view.facts.eventsAbout(first.pod, "Pod").filter(({ reason }) => endFailures.has(reason)),
      );
      const more = remaining.length === 1 ? "" : ` and ${remaining.length - 1} more Pods`;
      const why = event === undefined ? "" : `: ${event.reason}: ${event.message}`;
      const { deletionTimestamp } = first.pod.metadata ?? {};
      return fail(`the kubelet of node ${nodeName} has not ended Pod ${first.name}${more}${why}`, {
        objects: [key, createObjectKey("Node", "", nodeName)],
        evidence: [
          ...(event === undefined ? [] : [eventEvidence(key, event)]),
          fieldEvidence(key, "metadata.deletionTimestamp", "its grace period is over"),
        ],
        ...sinceTime(deletionTimestamp),
        advice: [
          `check the kubelet, the container runtime and the volumes of node ${nodeName}: \`kubectl describe node ${nodeName}\``,
          `if processes hang on the node, restart the node, which terminates the Pod`,
        ],
      });
    },
  },
];

const ownedKinds = [
  ["PersistentVolumeClaim", ""],
  ["Service", ""],
  ["Job", "batch"],
  ["Workload", "kueue.x-k8s.io"],
] as const;

/** The kubelet's reasons why it cannot end a Pod. */
const endFailures: ReadonlySet<string> = new Set([
  "FailedKillPod",
  "FailedUnmount",
  "FailedUnMount",
  "FailedUnmapDevice",
  "FailedPreStopHook",
  "ExceededGracePeriod",
]);

function describeFinalizers(
  view: JobSetView,
  kind: string,
  object: Unvalidated<KubernetesObject>,
  finalizers: readonly string[],
  why = "",
) {
  const key = kind === "Workload" ? createKey(kind, object) : getObjectKey(kind, object);
  const { deletionTimestamp } = object.metadata ?? {};
  const age = ageOf(view, deletionTimestamp, view.thresholds.deletionSeconds, "Waiting");
  const names = finalizers.join(", ");
  return fail(
    `${kind} ${key.name} is being deleted, but finalizer ${names} blocks its deletion${why}`,
    {
      objects: [key],
      evidence: [fieldEvidence(key, "metadata.finalizers", names)],
      ...age,
      advice: [...new Set(finalizers.map((finalizer) => adviseOn(key, finalizer)))],
    },
  );
}

function adviseOn({ kind, namespace, name }: ObjectKey, finalizer: string): string {
  if (finalizer === PVC_PROTECTION) {
    return `stop the Pods that use the claim: kubectl get pods -n ${namespace}`;
  }
  if (finalizer === JOB_TRACKING) {
    return "check that the Job controller runs and can update Pods: kubectl get pods -n kube-system";
  }
  if (finalizer.startsWith("kueue.x-k8s.io/")) {
    return "check that Kueue's controller runs, which removes the finalizer: kubectl get pods -n kueue-system";
  }
  if (ofGarbageCollector.has(finalizer)) {
    return "check that kube-controller-manager runs, whose garbage collector removes the finalizer: kubectl get pods -n kube-system";
  }
  const edit = `kubectl edit ${kind.toLowerCase()} -n ${namespace} ${name}`;
  return `check the controller that sets finalizer ${finalizer}; only if it no longer exists, remove the finalizer: ${edit}`;
}

/** Returns the finalizers of others than the garbage collector. */
function listFinalizers(object: Unvalidated<KubernetesObject>): readonly string[] {
  return listAll(object).filter((finalizer) => !ofGarbageCollector.has(finalizer));
}

function listAll(object: Unvalidated<KubernetesObject>): readonly string[] {
  const { finalizers } = (object.metadata ?? {}) as { readonly finalizers?: readonly string[] };
  return asArray(finalizers)
    .map((finalizer) => asString(finalizer))
    .filter((finalizer) => finalizer !== "");
}

function listOwned({ facts, jobSet }: JobSetView) {
  return ownedKinds.flatMap(([kind, group]) =>
    facts
      .controlledBy<KubernetesObject>(getUid(jobSet), kind, group)
      .map((object) => ({ kind, object })),
  );
}

const FORGOTTEN = ", although none of its dependents is left";

/** Reports whether only the garbage collector's finalizer keeps an object, and nothing is left to wait for. */
function isForgotten(
  view: JobSetView,
  object: Unvalidated<KubernetesObject>,
  dependents: readonly unknown[],
): boolean {
  const { facts } = view;
  const wasRead = ["Job", "Pod", "Service", "PersistentVolumeClaim"].every(facts.wasRead);
  if (!wasRead || dependents.length > 0 || listFinalizers(object).length > 0) return false;
  return listAll(object).length > 0 && isOld(view, object) && listPods(view).length === 0;
}

function listPods({ replicatedJobs }: JobSetView): readonly MemberPod[] {
  return replicatedJobs
    .flatMap(({ jobs }) => jobs)
    .flatMap(({ pods, stray, previousPods }) => [...previousPods, ...stray, ...pods])
    .filter(({ isTerminating }) => isTerminating);
}

/**
 * Reports whether a finalizer keeps an object that is being deleted. While the JobSet remains, its controller deletes
 * objects too, and a finalizer may take a moment.
 */
function isKept(view: JobSetView, object: Unvalidated<KubernetesObject>): boolean {
  if (listFinalizers(object).length === 0) return false;
  return isBeingDeleted(view.jobSet) || isOld(view, object);
}

function isOld(view: JobSetView, { metadata }: Unvalidated<KubernetesObject>): boolean {
  const { deletionSeconds } = view.thresholds;
  return ageOf(view, metadata?.deletionTimestamp, deletionSeconds).status === "Stuck";
}

/** Reports whether a Pod has ended and only a finalizer keeps it. The Job controller needs a moment for its own. */
function isOnlyKept(view: JobSetView, { pod, phase }: MemberPod): boolean {
  if (phase !== "Failed" && phase !== "Succeeded") return false;
  return listFinalizers(pod).length > 0 && isOld(view, pod);
}

/**
 * Reports whether the kubelet should have ended a Pod long ago. A node that is missing or not ready is another finding,
 * and so is a finalizer on a Pod whose containers have ended.
 */
export function isOverdue(view: JobSetView, member: MemberPod): boolean {
  const { pod, nodeName } = member;
  if (nodeName === "" || !view.facts.wasRead("Node") || !view.facts.isReadyNode(nodeName)) {
    return false;
  }
  return isOld(view, pod) && !isOnlyKept(view, member);
}

function findUser({ facts }: JobSetView, claim: Unvalidated<KubernetesObject>) {
  return facts
    .objects<Pod>("Pod", "")
    .find(
      (pod) =>
        getNamespace(pod) === getNamespace(claim) &&
        asArray(pod.spec?.volumes).some(
          (volume) =>
            isObject(volume) && volume.persistentVolumeClaim?.claimName === getName(claim),
        ),
    );
}
