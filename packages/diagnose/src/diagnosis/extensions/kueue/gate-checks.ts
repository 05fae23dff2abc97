import { asArray, asString, getName, getUid, isObject } from "@jobset-ts/api/kubernetes";
import {
  conditionEvidence,
  createKey,
  type DiagnosisCheck,
  failWaiting,
  fieldEvidence,
  pass,
  podKey,
} from "../../checks/check-results.ts";
import { ageOf } from "../../view/age.ts";
import { getCreationTime, type PodInJob } from "../../view/pod-view.ts";
import { findTopOwner } from "../owners/owner-chain.ts";
import { readCondition } from "./hold.ts";
import { listMembers } from "./kueue-objects.ts";
import { findWorkload, findWorkloadsOf } from "./workloads.ts";

const PREFIX = "kueue.x-k8s.io/";
const ADMISSION_GATE = "kueue.x-k8s.io/admission";

/** The checks of a Pod that one of Kueue's scheduling gates holds. */
export const gateChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "kueue-gated",
    causes: [],
    run: (view) => {
      const gate = findGate(view);
      if (gate === undefined) return pass;
      return gate === ADMISSION_GATE ? describeQueuedPod(view) : describeGatedPod(view, gate);
    },
  },
];

/** Returns Kueue's gate of a Pod. A Pod with a gate of another controller waits for that one, too. */
function findGate({ pod }: PodInJob): string | undefined {
  const names = asArray(pod.pod.spec?.schedulingGates)
    .filter((gate) => isObject(gate))
    .map(({ name }) => asString(name));
  return names.every((name) => name.startsWith(PREFIX)) ? names[0] : undefined;
}

/** Describes a Pod that waits for its topology domain, or for the Workload slice that it belongs to. */
function describeGatedPod(view: PodInJob, gate: string) {
  const { jobSet, pod } = view;
  const workload = findWorkload(jobSet);
  const gated = fieldEvidence(podKey(view), "spec.schedulingGates", gate);
  const start = `${pod.name} is held by Kueue's scheduling gate ${gate}`;
  const { queueSeconds } = jobSet.thresholds;
  const log = "kubectl logs -n kueue-system deploy/kueue-controller-manager";
  if (workload === undefined) {
    return failWaiting(`${start}, and no Workload of its JobSet was found`, {
      objects: [podKey(view)],
      evidence: [gated],
      group: gate,
      ...ageOf(jobSet, getCreationTime(view), queueSeconds, "Waiting"),
      advice: [`check that Kueue's controller runs: ${log}`],
    });
  }
  const name = getName(workload);
  const key = createKey("Workload", workload);
  const admitted = readCondition({ workload }, "Admitted");
  const assignments = listMembers(workload.status?.admission?.podSetAssignments);
  const isAssigned = assignments.some(({ topologyAssignment }) => isObject(topologyAssignment));
  const state = !admitted.isTrue
    ? `Workload ${name} is not admitted`
    : isAssigned
      ? `Workload ${name} is admitted with a topology assignment, but Kueue has not ungated the Pod`
      : `Workload ${name} is admitted without a topology assignment`;
  return failWaiting(`${start}: ${state}`, {
    objects: [podKey(view), key],
    evidence: [
      gated,
      conditionEvidence(key, "Admitted", `${admitted.reason}: ${admitted.message}`),
    ],
    group: gate,
    ...ageOf(
      jobSet,
      admitted.isTrue ? latest(admitted.time, getCreationTime(view)) : getCreationTime(view),
      queueSeconds,
      "Waiting",
    ),
    advice: [
      `check that Kueue's controller runs, and read what its topology ungater reports: ${log}`,
      `compare the topology assignment with the Pods: kubectl get workload ${name} -n ${jobSet.namespace} -o yaml`,
    ],
  });
}

/** Returns the later of two times. RFC 3339 text in UTC sorts by time. */
function latest(one: unknown, other: unknown): unknown {
  return typeof one === "string" && typeof other === "string" && one < other ? other : one;
}

/** Describes a Pod that Kueue queues by itself. The Pods of a JobSet belong to the JobSet's own Workload. */
function describeQueuedPod(view: PodInJob) {
  const { jobSet, pod } = view;
  const [workload] = findWorkloadsOf(view, getUid(pod.pod));
  const reserved =
    workload === undefined ? undefined : readCondition({ workload }, "QuotaReserved");
  const objects = workload === undefined ? [] : [createKey("Workload", workload)];
  const why = reserved === undefined || reserved.message === "" ? "" : `: ${reserved.message}`;
  const top = findTopOwner(jobSet);
  return failWaiting(
    `Kueue queues ${pod.name} by itself, with scheduling gate ${ADMISSION_GATE}${why}`,
    {
      objects: [podKey(view), ...objects],
      evidence: [
        fieldEvidence(podKey(view), "spec.schedulingGates", ADMISSION_GATE),
        ...objects.map((key) =>
          conditionEvidence(key, "QuotaReserved", `${reserved?.reason}: ${reserved?.message}`),
        ),
      ],
      group: ADMISSION_GATE,
      status: "Waiting",
      advice: [
        `let Kueue queue ${top.kind} ${top.name} as a whole: recreate it with the queue label in its own metadata, and without the label in its Pod templates`,
        `find what it waits for now: kubectl get workloads -n ${jobSet.namespace}`,
      ],
    },
  );
}
