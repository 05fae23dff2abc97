import { getSubdomain } from "@jobset-ts/api";
import { jobSetReasons } from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { asString, getLabel, getName } from "@jobset-ts/api/kubernetes";
import { hasDnsHostnames } from "@jobset-ts/core/desired";
import type { JobSetView } from "../../view/jobset-view.ts";
import {
  absenceEvidence,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  jobSetKey,
  pass,
  unknown,
} from "../check-results.ts";
import { lastEvent, needsEvents } from "./jobset-evidence.ts";

/** The checks of the headless Service of a JobSet. */
export const serviceChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "service-rejected",
    causes: [],
    texts: { advice: ["fix the error in the message; the controller retries"] },
    run: (view) => {
      const isThere = isServiceThere(view);
      if (isThere === true || !hasDnsHostnames(view.jobSet)) return pass;
      const event = lastEvent(view, jobSetReasons.ServiceCreationFailed);
      if (event === undefined) return needsEvents(view);
      if (isThere === undefined) return unknown("Service");
      const text = `headless service ${getSubdomain(view.jobSet)} could not be created: ${event.message}`;
      return fail(text, {
        objects: [jobSetKey(view)],
        evidence: [eventEvidence(jobSetKey(view), event)],
      });
    },
  },
  {
    id: "service-missing",
    causes: [
      "service-rejected",
      "not-reconciled",
      "deleting",
      "managed-elsewhere",
      "too-many-jobs",
    ],
    texts: { advice: ["check that the JobSet controller runs: it recreates the Service"] },
    run: (view) => {
      if (isServiceThere(view) !== false) return needsServices(view);
      const service = serviceKey(view);
      const evidence = [absenceEvidence(service, "the Service does not exist")];
      return fail(`headless service ${service.name} is missing`, {
        objects: [service, jobSetKey(view)],
        evidence,
      });
    },
  },
  {
    id: "service-foreign",
    causes: [],
    texts: {
      advice: ["delete or rename the Service, or set another `spec.network.subdomain`"],
    },
    run: checkSelectedPods,
  },
];

function needsServices(view: JobSetView) {
  return hasDnsHostnames(view.jobSet) && !view.facts.wasRead("Service") ? unknown("Service") : pass;
}

/** Reports whether the Service that the Pods need exists. `undefined` if they need none or if this is unknown. */
export function isServiceThere(view: JobSetView): boolean | undefined {
  if (!hasDnsHostnames(view.jobSet) || !view.facts.wasRead("Service")) return undefined;
  return createService(view) !== undefined;
}

function createService({ facts, jobSet, namespace }: JobSetView) {
  return facts.snapshot.service(namespace, getSubdomain(jobSet));
}

function serviceKey({ jobSet, namespace }: JobSetView) {
  return createObjectKey("Service", namespace, getSubdomain(jobSet));
}

function checkSelectedPods(view: JobSetView) {
  if (!hasDnsHostnames(view.jobSet)) return pass;
  const service = createService(view);
  if (service === undefined) return needsServices(view);
  const selector = { labels: service.spec?.selector };
  const selected = getLabel({ metadata: selector }, JOBSET_NAME_KEY);
  const isHeadless = service.spec?.clusterIP === "None";
  if (isHeadless && selected === view.name) return pass;
  const object = serviceKey(view);
  const evidence = [
    isHeadless
      ? fieldEvidence(object, "spec.selector", selected === undefined ? "no JobSet" : selected)
      : fieldEvidence(object, "spec.clusterIP", asString(service.spec?.clusterIP)),
  ];
  const text = `service ${getName(service)} does not select the pods of this JobSet`;
  return fail(text, { objects: [object], evidence });
}
