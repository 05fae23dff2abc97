import type { Unvalidated } from "@jobset-ts/api";
import {
  asInteger,
  asString,
  findCondition,
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
import { waitingContainer } from "../../view/containers.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { createMemberPod } from "../../view/member-pod.ts";

interface Deployment extends ObjectWithConditions {
  readonly spec?: { readonly replicas?: number };
  readonly status?: ObjectWithConditions["status"] & { readonly availableReplicas?: number };
}

const CONTROLLER = "jobset-controller-manager";

/** The checks of the JobSet controller. */
export const controllerChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "controller-not-running",
    causes: [],
    words: { advice: [`check the Pods and Events of Deployment ${CONTROLLER}`] },
    run: (view) => {
      const { facts } = view;
      const deployment = facts
        .objects<Deployment>("Deployment", "apps")
        .find((one) => getName(one) === CONTROLLER && !isAvailable(one));
      if (deployment === undefined) return pass;
      const object = createKey("Deployment", deployment);
      const available = findCondition(deployment.status?.conditions, "Available");
      const cause = findPodProblem(view, getNamespace(deployment));
      const why = cause === undefined ? "" : `: ${cause.text}`;
      return fail(`the JobSet controller ${CONTROLLER} does not run${why}`, {
        objects: [object, ...(cause?.objects ?? [])],
        evidence: [
          conditionEvidence(object, "Available", asString(available?.message)),
          ...(cause?.evidence ?? []),
        ],
        ...sinceTime(available?.lastTransitionTime),
      });
    },
  },
];

function isAvailable({ spec, status }: Unvalidated<Deployment>): boolean {
  return asInteger(status?.availableReplicas, 0) > 0 || asInteger(spec?.replicas, 1) === 0;
}

/** Returns why a Pod of the controller does not run. */
function findPodProblem({ facts }: JobSetView, namespace: string) {
  for (const pod of facts.snapshot.objects("Pod") as readonly Unvalidated<Pod>[]) {
    if (getNamespace(pod) !== namespace || !getName(pod).startsWith(`${CONTROLLER}-`)) continue;
    const object = getObjectKey("Pod", pod);
    const waiting = waitingContainer(createMemberPod(pod));
    if (waiting !== undefined) {
      const at = `${waiting.path}.state.waiting`;
      const { reason, message } = waiting.status.state?.waiting ?? {};
      const text = [asString(reason), asString(message)].filter(Boolean).join(": ");
      const evidence = [fieldEvidence(object, at, text)];
      return { text: `Pod ${getName(pod)}: ${text}`, objects: [object], evidence };
    }
  }
  return undefined;
}
