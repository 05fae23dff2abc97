import type { FeatureGates, Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { getControllerOf, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { asString, getLabel, getName, getNamespace, isObject } from "../jobset-members.ts";

/**
 * Returns the JobSet that needs a reconcile because an object is new, has changed or is gone: the JobSet itself, the
 * controller of a Job or Service, and, with in-place restart, the JobSet in the label of a Pod. PersistentVolumeClaims
 * do not trigger a reconcile.
 *
 * @param object - with `apiVersion` and `kind`; for a changed object, call the function with the old and the new one
 * @see JobSet `SetupWithManager`
 * @example
 * const pod = { kind: "Pod", metadata: { name: "p", namespace: "ml", labels: { "jobset.sigs.k8s.io/jobset-name": "train" } } };
 * jobSetForObject(pod, createContext({ now: 0, features: { InPlaceRestart: true } })) // => { namespace: "ml", name: "train" }
 */
export function jobSetForObject(
  object: Unvalidated<KubernetesObject>,
  context: { readonly features: FeatureGates },
): { readonly namespace: string; readonly name: string } | undefined {
  if (!isObject(object)) return undefined;
  const name = affectedName(object, context);
  return name === "" ? undefined : { namespace: getNamespace(object), name };
}

function affectedName(
  object: Unvalidated<KubernetesObject>,
  { features }: { readonly features: FeatureGates },
): string {
  switch (object.kind) {
    case "JobSet":
      return getName(object);
    case "Job":
    case "Service": {
      const owner = getControllerOf(object);
      const isJobSet = owner?.apiVersion === JOBSET_API_VERSION && owner.kind === JOBSET_KIND;
      return isJobSet ? asString(owner.name) : "";
    }
    case "Pod":
      return features.has("InPlaceRestart") ? (getLabel(object, JOBSET_NAME_KEY) ?? "") : "";
    default:
      return "";
  }
}
