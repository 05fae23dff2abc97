import type { Unvalidated } from "@jobset-ts/api";
import { asString, getControllerOf, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import {
  createKey,
  type DiagnosisCheck,
  fieldEvidence,
  jobSetKey,
  pass,
  waits,
} from "../../checks/check-results.ts";
import type { JobSetView } from "../../view/jobset-view.ts";

/** A controller of a JobSet, as far as the checks read it. */
interface Owner extends KubernetesObject {
  readonly spec?: { readonly suspend?: boolean };
}

/** The checks of the owner of a JobSet. */
export const ownerChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "owner-suspended",
    causes: [],
    run: (view) => {
      const owner = findOwner(view);
      if (owner === undefined || owner.spec?.suspend !== true) return pass;
      const [object, name] = [createKey(asString(owner.kind), owner), describeOwner(view) ?? ""];
      return waits(`${name} is suspended, so its JobSet is suspended too`, {
        objects: [object, jobSetKey(view)],
        evidence: [fieldEvidence(object, "spec.suspend", "true")],
        advice: [`resume ${name}: its controller then resumes the JobSet`],
      });
    },
  },
];

/** Returns the object that controls a JobSet, if it was read. */
export function findOwner({ jobSet, facts, namespace }: JobSetView) {
  const reference = getControllerOf(jobSet);
  const [kind, name] = [asString(reference?.kind), asString(reference?.name)];
  return facts.snapshot.object(kind, namespace, name) as Unvalidated<Owner> | undefined;
}

/** Returns the kind and name of the controller of a JobSet, such as `TrainJob yolo`. */
export function describeOwner({ jobSet }: JobSetView): string | undefined {
  const owner = getControllerOf(jobSet);
  return owner === undefined ? undefined : `${asString(owner.kind)} ${asString(owner.name)}`;
}
