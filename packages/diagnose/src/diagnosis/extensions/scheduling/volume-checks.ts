import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asString,
  getName,
  getNamespace,
  isObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import {
  absenceEvidence,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  fieldEvidence,
  getObjectKey,
  pass,
  podKey,
  unknown,
} from "../../checks/check-results.ts";
import { observeUnscheduled as observe } from "../../checks/pods/unscheduled-checks.ts";
import { ageOf } from "../../view/age.ts";
import { findLatest } from "../../view/events.ts";
import type { PodInJob } from "../../view/pod-view.ts";
import { listRefusals, unknownWithoutEvents } from "./refusals.ts";

/** The checks of the PersistentVolumeClaims of a Pod that the scheduler rejects. */
export const volumeChecks: readonly DiagnosisCheck<PodInJob>[] = [
  {
    id: "volume-claim-missing",
    causes: [],
    texts: { advice: ["create the PersistentVolumeClaim that the Pod names"] },
    run: (view) => {
      const refusals = listRefusals(view, "Volume");
      if (refusals.length === 0) return unknownWithoutEvents(view);
      const named = refusals.map(({ text }) =>
        /persistentvolumeclaim "([^"]*)" not found/i.exec(text),
      );
      const claim = named.find((found) => found !== null)?.[1];
      if (claim !== undefined) return reportMissingClaim(view, claim);
      if (!view.facts.wasRead("PersistentVolumeClaim")) return unknown("PersistentVolumeClaim");
      const missing = listClaimNames(view.pod.pod).find(
        (name) => findClaim(view, name) === undefined,
      );
      return missing === undefined ? pass : reportMissingClaim(view, missing);
    },
  },
  {
    id: "volume-claim-pending",
    causes: [],
    texts: { advice: ["check the PersistentVolumeClaim, its storage class and its provisioner"] },
    run: (view) => {
      if (listRefusals(view, "Volume").length === 0) return unknownWithoutEvents(view);
      if (!view.facts.wasRead("PersistentVolumeClaim")) return unknown("PersistentVolumeClaim");
      for (const name of listClaimNames(view.pod.pod)) {
        const claim = findClaim(view, name);
        const phase = asString(
          (claim as { status?: { phase?: string } } | undefined)?.status?.phase,
        );
        if (claim === undefined || phase === "Bound") continue;
        const object = getObjectKey("PersistentVolumeClaim", claim);
        const events = view.facts.eventsAbout(claim, "PersistentVolumeClaim");
        const warning = findLatest(events.filter(({ isWarning }) => isWarning));
        const phaseShown = fieldEvidence(object, "status.phase", phase);
        const evidence =
          warning === undefined ? [phaseShown] : [phaseShown, eventEvidence(object, warning)];
        const why = warning === undefined ? "" : `: ${warning.message}`;
        const text = `PersistentVolumeClaim ${name} of ${view.pod.name} is ${phase}${why}`;
        const { startFailureSeconds } = view.jobSet.thresholds;
        const age = ageOf(view.jobSet, claim.metadata?.creationTimestamp, startFailureSeconds);
        return fail(text, {
          objects: [object, podKey(view)],
          evidence,
          ...age,
          ...((warning !== undefined || age.since === undefined) && { status: "Stuck" }),
        });
      }
      return pass;
    },
  },
];

/** Returns the names of the PersistentVolumeClaims of a Pod. */
export function listClaimNames(pod: Unvalidated<Pod>): readonly string[] {
  return asArray(pod.spec?.volumes)
    .filter(isObject)
    .flatMap((volume) => {
      const claim = asString(volume.persistentVolumeClaim?.claimName);
      if (claim !== "") return [claim];
      return isObject(volume.ephemeral) ? [`${getName(pod)}-${asString(volume.name)}`] : [];
    });
}

function findClaim(view: PodInJob, name: string) {
  return view.facts.snapshot.volumeClaim(getNamespace(view.pod.pod), name);
}

function reportMissingClaim(view: PodInJob, name: string) {
  const object = createObjectKey("PersistentVolumeClaim", getNamespace(view.pod.pod), name);
  const evidence = [
    ...observe(view).evidence,
    absenceEvidence(object, "the PersistentVolumeClaim does not exist"),
  ];
  const text = `PersistentVolumeClaim ${name} of ${view.pod.name} does not exist`;
  return fail(text, { objects: [podKey(view), object], evidence });
}
