import type { Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  asRecord,
  asString,
  type Event,
  getLabel,
  getNamespace,
  getUid,
  type KubernetesObject,
  namespacedName,
} from "@jobset-ts/api/kubernetes";
import type { InputObject } from "../../input/objects.ts";
import type { JobSetSelection } from "../cluster/dump.ts";

type Value = InputObject["value"];
type StoredObject = Unvalidated<KubernetesObject>;

/**
 * Returns the objects that do not belong to other JobSets: without these JobSets, their Jobs, Pods, Services, PVCs and
 * Workloads, the objects that these own, and Events about them. Objects that belong to no JobSet are kept.
 */
export function omitAllOfOtherJobSets(
  values: readonly Value[],
  selected: JobSetSelection["jobSets"],
): readonly Value[] {
  const isOther = createOtherTest(selected);
  const others = values.filter(isOther) as readonly StoredObject[];
  const names = new Set(others.map(namespacedName));
  const uids = new Set(others.map(getUid).filter((uid) => uid !== ""));
  const isOmitted = (value: Value): boolean => {
    if (isOther(value)) return true;
    const object = value as StoredObject;
    const jobSet = getLabel(object, JOBSET_NAME_KEY);
    if (jobSet !== undefined && names.has(`${getNamespace(object)}/${jobSet}`)) return true;
    const { ownerReferences } = asRecord(object.metadata);
    const owners = asArray(ownerReferences).map((owner) => asString(asRecord(owner).uid));
    return owners.some((uid) => uids.has(uid)) || uids.has(getSubject(value));
  };
  let left = values;
  // Each pass omits the objects that those of the previous pass own: Jobs, their Pods, and the claims and Events of
  // Pods.
  for (let before = -1; before !== uids.size; ) {
    before = uids.size;
    const next: Value[] = [];
    for (const value of left) {
      if (!isOmitted(value)) next.push(value);
      else if (getUid(value as StoredObject) !== "") uids.add(getUid(value as StoredObject));
    }
    left = next;
  }
  return left;
}

/** Returns the objects without the other JobSets, but with what belongs to these. */
export function omitOtherJobSets(
  values: readonly Value[],
  selected: JobSetSelection["jobSets"],
): readonly Value[] {
  const isOther = createOtherTest(selected);
  return values.filter((value) => !isOther(value));
}

/** Returns a function that reports whether a value is a JobSet that is not selected. */
function createOtherTest(selected: JobSetSelection["jobSets"]): (value: Value) => boolean {
  const kept = new Set(selected.map(namespacedName));
  return (value) =>
    value.kind === JOBSET_KIND &&
    value.apiVersion === JOBSET_API_VERSION &&
    !kept.has(namespacedName(value as StoredObject));
}

/** Returns the UID of the object that an Event is about. Empty for other kinds. */
function getSubject(value: Value): string {
  if (value.kind !== "Event") return "";
  const { involvedObject } = value as Unvalidated<Event>;
  return asString(asRecord(involvedObject).uid);
}
