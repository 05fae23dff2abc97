import type { Unvalidated } from "@jobset-ts/api";
import {
  asString,
  getControllerOf,
  getLabel,
  getName,
  getNamespace,
  isObject,
  type KubernetesObject,
  validateLabelValue,
} from "@jobset-ts/api/kubernetes";
import { SNAPSHOT_KINDS } from "@jobset-ts/core";
import {
  clusterPath,
  collectionPath,
  objectPath,
  type RequestPath,
} from "@jobset-ts/core/requests";

/**
 * A description of objects on which a response depends: objects of a kind that match all members here.
 *
 * {@link createReadRequest} converts it to a request to the API server.
 */
export interface RequiredObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined for cluster-scoped objects. */
  readonly namespace?: string;
  /** For a namespaced kind: objects of all namespaces. */
  readonly allNamespaces?: true;
  /** The object with this name, whether or not it exists. */
  readonly name?: string;
  /** A prefix of the name. API servers cannot select by it. */
  readonly namePrefix?: string;
  /** Labels with these values. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The UID of the controller. API servers cannot select by it. */
  readonly controllerUid?: string;
  /** For Events: the UID of the object that they are about. */
  readonly involvedObjectUid?: string;
}

/**
 * Reports whether an object is one of the required objects.
 *
 * @example
 * const pod = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "ml", name: "train-w-0-0-x7k2p" } };
 * matchesRequiredObject(pod, { apiVersion: "v1", kind: "Pod", namespace: "ml", namePrefix: "train-w-0-0-" }) // => true
 */
export function matchesRequiredObject(
  object: Unvalidated<KubernetesObject>,
  requirement: RequiredObject,
): boolean {
  const { apiVersion, kind, namespace, name, namePrefix, labels, controllerUid } = requirement;
  const { involvedObjectUid } = requirement;
  return (
    isObject(object) &&
    object.kind === kind &&
    asString(object.apiVersion) === apiVersion &&
    (namespace === undefined || getNamespace(object) === namespace) &&
    (name === undefined || getName(object) === name) &&
    (namePrefix === undefined || getName(object).startsWith(namePrefix)) &&
    Object.entries(labels ?? {}).every(([key, value]) => getLabel(object, key) === value) &&
    (controllerUid === undefined || asString(getControllerOf(object)?.uid) === controllerUid) &&
    (involvedObjectUid === undefined || getInvolvedUid(object) === involvedObjectUid)
  );
}

/** The request that reads the required objects from an API server. */
export type ReadRequest =
  /** Read this path and query: one object for a name, otherwise a list. */
  | { readonly action: "Get"; readonly path: string }
  /** Nothing to read: no object can have such a name, namespace or label. */
  | { readonly action: "None" }
  /** The kind is not one of `SNAPSHOT_KINDS`. */
  | { readonly action: "Unknown" };

/**
 * Returns the GET request that reads the required objects. The list may contain more objects if the API server cannot
 * select them exactly; {@link matchesRequiredObject} filters them.
 *
 * Names and labels come from the object under review. An invalid one is not requested, because it would lead to another
 * path or selector.
 *
 * @example createReadRequest({ apiVersion: "v1", kind: "Node", name: "n1" }) // => { action: "Get", path: "/api/v1/nodes/n1" }
 * @example createReadRequest({ apiVersion: "v1", kind: "Pod", namespace: "ml", namePrefix: "train-w-0-0-" }) // => { action: "Get", path: "/api/v1/namespaces/ml/pods" }
 * @example createReadRequest({ apiVersion: "v1", kind: "Pod", namespace: "", namePrefix: "train-w-0-0-" }) // => { action: "None" }
 * @example createReadRequest({ apiVersion: "v1", kind: "Event", namespace: "ml", involvedObjectUid: "u-1" }) // => { action: "Get", path: "/api/v1/namespaces/ml/events?fieldSelector=involvedObject.uid%3Du-1" }
 */
export function createReadRequest(requirement: RequiredObject): ReadRequest {
  const { apiVersion, kind, labels = {}, involvedObjectUid } = requirement;
  if (SNAPSHOT_KINDS.get(kind)?.apiVersion !== apiVersion) return { action: "Unknown" };
  const collection = getPath(requirement);
  const labelsAreValid = Object.values(labels).every(
    (value) => validateLabelValue(value).length === 0,
  );
  if (!collection.ok || !labelsAreValid) return { action: "None" };
  const selected = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const query = [
    ...(selected.length > 0 ? [`labelSelector=${encodeURIComponent(selected.join(","))}`] : []),
    ...(involvedObjectUid === undefined
      ? []
      : [
          `fieldSelector=${encodeURIComponent(`involvedObject.uid=${escapeSelectorValue(involvedObjectUid)}`)}`,
        ]),
  ];
  const path = query.length === 0 ? collection.path : `${collection.path}?${query.join("&")}`;
  return { action: "Get", path };
}

function getPath(requirement: RequiredObject): RequestPath {
  const { apiVersion, kind, namespace = "", name, allNamespaces } = requirement;
  const served = { apiVersion, kind };
  const isNamespaced = SNAPSHOT_KINDS.get(kind)?.isNamespaced === true;
  if (name !== undefined)
    return objectPath({ ...served, ...(isNamespaced && { namespace }), name });
  // A namespace without a name means no namespace, not all.
  return isNamespaced && allNamespaces !== true
    ? collectionPath({ ...served, namespace })
    : { ok: true, path: clusterPath(served) };
}

function getInvolvedUid(event: Unvalidated<KubernetesObject>): string {
  const { involvedObject } = event as { involvedObject?: { uid?: string } };
  return asString(involvedObject?.uid);
}

/**
 * Escapes a value of a field selector. A lone surrogate cannot be encoded, and no object has one.
 *
 * @see Kubernetes `fields.EscapeValue`
 */
function escapeSelectorValue(value: string): string {
  return value.toWellFormed().replace(/[\\,=]/g, "\\$&");
}
