import {
  controllerOf,
  isObject,
  type KubernetesObject,
  labelOf,
  nameOf,
  namespaceOf,
  type Observed,
  textOf,
} from "@jobset-ts/api";
import { collectionPath, objectPath, SNAPSHOT_KINDS } from "@jobset-ts/core";

/**
 * Objects that an answer depends on: those of a kind for which everything holds that is given here.
 *
 * {@link requestPath} makes a request to the API server of it.
 */
export interface Requirement {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for what lives in no namespace, and when those of all namespaces matter. */
  readonly namespace?: string;
  /** The one object of this name, be there one or none. */
  readonly name?: string;
  /** What the names begin with. No API server selects by it. */
  readonly namePrefix?: string;
  /** Labels with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The UID of the owner that is the controller. No API server selects by it. */
  readonly controllerUid?: string;
  /** For Events: the UID of the object that they are about. */
  readonly involvedObjectUid?: string;
}

/** Whether an object is one of those that are required. */
export function meetsRequirement(
  object: Observed<KubernetesObject>,
  requirement: Requirement,
): boolean {
  const { apiVersion, kind, namespace, name, namePrefix, labels, controllerUid } = requirement;
  const { involvedObjectUid } = requirement;
  return (
    isObject(object) &&
    object.kind === kind &&
    textOf(object.apiVersion) === apiVersion &&
    (namespace === undefined || namespaceOf(object) === namespace) &&
    (name === undefined || nameOf(object) === name) &&
    (namePrefix === undefined || nameOf(object).startsWith(namePrefix)) &&
    Object.entries(labels ?? {}).every(([key, value]) => labelOf(object, key) === value) &&
    (controllerUid === undefined || textOf(controllerOf(object)?.uid) === controllerUid) &&
    (involvedObjectUid === undefined || involvedUidOf(object) === involvedObjectUid)
  );
}

/**
 * The path and query of the GET request whose answer holds what is required: one object for a name, else a list, which
 * may hold more where no API server selects by what is asked for; {@link meetsRequirement} tells.
 *
 * @returns `undefined` for a kind that is not one of {@link SNAPSHOT_KINDS}
 * @example requestPath({ apiVersion: "v1", kind: "Node", name: "n1" }) // => "/api/v1/nodes/n1"
 * @example requestPath({ apiVersion: "v1", kind: "Pod", namespace: "ml", namePrefix: "train-w-0-0-" }) // => "/api/v1/namespaces/ml/pods"
 * @example requestPath({ apiVersion: "v1", kind: "Event", namespace: "ml", involvedObjectUid: "u-1" }) // => "/api/v1/namespaces/ml/events?fieldSelector=involvedObject.uid%3Du-1"
 */
export function requestPath(requirement: Requirement): string | undefined {
  const { apiVersion, kind, namespace = "", name, labels = {}, involvedObjectUid } = requirement;
  if (SNAPSHOT_KINDS.get(kind)?.apiVersion !== apiVersion) return undefined;
  const collection = { apiVersion, kind, namespace };
  const path =
    name === undefined ? collectionPath(collection) : objectPath({ ...collection, name });
  const selected = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const query = [
    ...(selected.length > 0 ? [`labelSelector=${encoded(selected.join(","))}`] : []),
    ...(involvedObjectUid === undefined
      ? []
      : [`fieldSelector=${encoded(`involvedObject.uid=${involvedObjectUid}`)}`]),
  ];
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

function involvedUidOf(event: Observed<KubernetesObject>): string {
  const { involvedObject } = event as { involvedObject?: { uid?: string } };
  return textOf(involvedObject?.uid);
}

/** encodeURIComponent throws on a lone surrogate, and no object is named with one. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
