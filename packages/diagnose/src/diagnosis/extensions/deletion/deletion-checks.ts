import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asString,
  getName,
  getNamespace,
  getUid,
  isObject,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import {
  type DiagnosisCheck,
  fail,
  fieldEvidence,
  getObjectKey,
  jobSetKey,
  pass,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { isBeingDeleted, type MemberPod } from "../../view/member-pod.ts";

/** The Job controller removes it after it has counted the Pod. */
const JOB_TRACKING = "batch.kubernetes.io/job-tracking";
const PVC_PROTECTION = "kubernetes.io/pvc-protection";

/** Finalizers of the garbage collector, which waits for other objects. */
const ofGarbageCollector = new Set(["foregroundDeletion", "orphan"]);

/** The checks of what keeps objects of a JobSet that are being deleted. */
export const deletionChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "jobset-finalizer",
    causes: [],
    run: (view) => {
      const { jobSet } = view;
      const finalizers = listFinalizers(jobSet);
      if (!isBeingDeleted(jobSet) || finalizers.length === 0) return pass;
      return held(view, jobSetKey(view), jobSet, `JobSet ${getName(jobSet)}`, finalizers);
    },
  },
  {
    id: "owned-object-kept",
    causes: ["pod-finalizer"],
    run: (view) => {
      if (!isBeingDeleted(view.jobSet)) return pass;
      const kept = ownedKinds
        .flatMap(([kind, group]) =>
          view.facts
            .controlledBy<KubernetesObject>(getUid(view.jobSet), kind, group)
            .map((object) => ({ kind, object })),
        )
        .find(({ object }) => isBeingDeleted(object) && listFinalizers(object).length > 0);
      if (kept === undefined) return pass;
      const { kind, object } = kept;
      const finalizers = listFinalizers(object);
      const user = finalizers.includes(PVC_PROTECTION) ? findUser(view, object) : undefined;
      const why = user === undefined ? "" : `, because Pod ${getName(user)} uses it`;
      const what = `${kind} ${getName(object)}`;
      return held(view, getObjectKey(kind, object), object, what, finalizers, why);
    },
  },
  {
    id: "pod-finalizer",
    causes: [],
    run: (view) => {
      const kept = listPods(view).filter((pod) => isOnlyKept(view, pod));
      const [first] = kept;
      if (first === undefined) return pass;
      const more = kept.length === 1 ? "" : `, and ${kept.length - 1} more Pods are kept as well`;
      const what = `Pod ${first.name}`;
      const key = getObjectKey("Pod", first.pod);
      return held(view, key, first.pod, what, listFinalizers(first.pod), more);
    },
  },
];

const ownedKinds = [
  ["PersistentVolumeClaim", ""],
  ["Service", ""],
  ["Job", "batch"],
] as const;

function held(
  view: JobSetView,
  key: ObjectKey,
  object: Unvalidated<KubernetesObject>,
  what: string,
  finalizers: readonly string[],
  why = "",
) {
  const { deletionTimestamp } = object.metadata ?? {};
  const age = ageOf(view, deletionTimestamp, view.thresholds.deletionSeconds, "Waiting");
  const names = finalizers.join(", ");
  return fail(`${what} is being deleted, and finalizer ${names} keeps it${why}`, {
    objects: [key],
    evidence: [fieldEvidence(key, "metadata.finalizers", names)],
    ...age,
    advice: [adviseOn(key, finalizers)],
  });
}

function adviseOn({ kind, namespace, name }: ObjectKey, finalizers: readonly string[]): string {
  if (finalizers.includes(PVC_PROTECTION)) {
    return `end the Pods that use the claim: kubectl get pods -n ${namespace}`;
  }
  if (finalizers.includes(JOB_TRACKING)) {
    return "check that the Job controller runs and can update Pods: kubectl get pods -n kube-system";
  }
  const edit = `kubectl edit ${kind.toLowerCase()} -n ${namespace} ${name}`;
  return `check the controller that sets the finalizer; only if it no longer exists, remove the finalizer: ${edit}`;
}

function listFinalizers(object: Unvalidated<KubernetesObject>): readonly string[] {
  const { finalizers } = (object.metadata ?? {}) as { readonly finalizers?: readonly string[] };
  return asArray(finalizers)
    .map((finalizer) => asString(finalizer))
    .filter((finalizer) => finalizer !== "" && !ofGarbageCollector.has(finalizer));
}

function listPods({ replicatedJobs }: JobSetView): readonly MemberPod[] {
  return replicatedJobs
    .flatMap(({ jobs }) => jobs)
    .flatMap(({ pods, stray, previousPods }) => [...previousPods, ...stray, ...pods])
    .filter(({ isTerminating }) => isTerminating);
}

/** Reports whether a Pod has ended and only a finalizer keeps it. The Job controller needs a moment for its own. */
function isOnlyKept(view: JobSetView, { pod, phase }: MemberPod): boolean {
  if (phase !== "Failed" && phase !== "Succeeded") return false;
  if (listFinalizers(pod).length === 0) return false;
  const { deletionTimestamp } = pod.metadata ?? {};
  const { status } = ageOf(view, deletionTimestamp, view.thresholds.deletionSeconds);
  return status === "Stuck";
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
