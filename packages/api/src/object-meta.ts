import { asArray } from "./members.ts";
import type { Open, Unvalidated } from "./unvalidated.ts";
import { truncateUtf8 } from "./utf8.ts";

/**
 * The metadata of every object.
 *
 * @see Kubernetes `metav1.ObjectMeta`
 */
export interface ObjectMeta {
  /** Unique among the objects of one kind in one namespace. */
  name?: string;
  /** The prefix of a name that the server completes with five random characters. */
  generateName?: string;
  namespace?: string;
  /** Unique over space and time: a recreated object with the same name has another UID. */
  uid?: string;
  /** Opaque. A write that carries it fails if the object has changed since. */
  resourceVersion?: string;
  /** Increases with every change outside metadata and status. */
  generation?: number;
  creationTimestamp?: string;
  /** Set once a client has requested the deletion. The object remains while it has finalizers. */
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** At most one of these is the controller. */
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: Open[];
}

/** An owner of an object. Without owners the object is garbage. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** Whether this owner manages the object. */
  controller?: boolean;
  /** Whether the owner's foreground deletion waits for this object. */
  blockOwnerDeletion?: boolean;
}

/** The common members of all kinds. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/**
 * Returns the owner that manages an object: the first reference with `controller: true`. The API server rejects a
 * second one.
 *
 * @see Kubernetes `metav1.GetControllerOf`
 */
export function getControllerOf(
  object: Unvalidated<KubernetesObject>,
): Unvalidated<OwnerReference> | undefined {
  return asArray(object?.metadata?.ownerReferences).find((owner) => owner?.controller === true);
}

/** The maximum length of a `generateName` that is not truncated, in bytes. */
export const MAX_GENERATE_NAME_BYTES = 58;

/**
 * Returns the name that an API server generates from a `generateName`: the prefix, truncated if necessary, and five
 * random characters.
 *
 * @param suffix - the characters; `xxxxx` if they are unknown
 * @see Kubernetes `apiserver/pkg/storage/names`; if that cuts a character in two, this function omits the character,
 *   and the name is invalid in either case
 * @example resolveGenerateName("train-", "b2c3d") // => "train-b2c3d"
 */
export function resolveGenerateName(generateName: string, suffix = "xxxxx"): string {
  return `${truncateUtf8(generateName, MAX_GENERATE_NAME_BYTES)}${suffix}`;
}
