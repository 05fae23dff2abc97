import type { KubernetesObject, ObjectMeta, OwnerReference } from "@jobset-ts/api/kubernetes";

/** Methods of all builders. Each returns a changed copy. */
export interface ObjectBuilder<Self> {
  /** Sets the namespace. */
  inNamespace(namespace: string): Self;
  /** Sets the UID. */
  withUid(uid: string): Self;
  /** Adds labels. An undefined value removes a label. */
  withLabels(labels: Readonly<Record<string, string | undefined>>): Self;
  /** Adds annotations. An undefined value removes an annotation. */
  withAnnotations(annotations: Readonly<Record<string, string | undefined>>): Self;
  /** Makes another object the only owner and the controller. */
  controlledBy(owner: KubernetesObject): Self;
  /** Removes all owners. */
  withoutOwner(): Self;
  /** Sets a deletion timestamp, as if finalizers blocked the deletion. */
  beingDeleted(): Self;
}

/**
 * Adds the methods of a kind and the common ones to objects. The methods are inherited and not enumerable, so JSON and
 * comparisons do not include them.
 */
export function withBuilderMethods<
  Kind extends KubernetesObject,
  Self extends Kind & ObjectBuilder<Self>,
>(
  own: Omit<Self, keyof Kind | keyof ObjectBuilder<Self>> & ThisType<Self>,
): (object: Kind) => Self {
  const rebuild = (object: Kind): Self => Object.assign(Object.create(inherited), object);
  // The methods are inherited. Copying them as own properties would take most of the time of a test.
  const steps = Object.entries({ ...objectSteps(rebuild), ...own });
  const hidden = steps.map(([name, value]) => [name, { value }]);
  const inherited = Object.create(Object.prototype, Object.fromEntries(hidden));
  return rebuild;
}

function objectSteps<Kind extends KubernetesObject, Self>(
  rebuild: (object: Kind) => Self,
): ObjectBuilder<Self> {
  const withMetadata = (object: Kind, metadata: Partial<ObjectMeta>): Self =>
    rebuild({ ...object, metadata: { ...object.metadata, ...metadata } });
  return {
    inNamespace(this: Kind, namespace) {
      return withMetadata(this, { namespace });
    },
    withUid(this: Kind, uid) {
      return withMetadata(this, { uid });
    },
    withLabels(this: Kind, labels) {
      return withMetadata(this, { labels: changeObject(this.metadata.labels, labels) });
    },
    withAnnotations(this: Kind, annotations) {
      return withMetadata(this, {
        annotations: changeObject(this.metadata.annotations, annotations),
      });
    },
    controlledBy(this: Kind, owner) {
      return withMetadata(this, { ownerReferences: [controllerReference(owner)] });
    },
    withoutOwner(this: Kind) {
      return withMetadata(this, { ownerReferences: [] });
    },
    beingDeleted(this: Kind) {
      return withMetadata(this, {
        deletionTimestamp: "2026-02-07T07:00:00Z",
        finalizers: ["foregroundDeletion"],
      });
    },
  };
}

/**
 * Returns the owner reference to the controller of an object.
 *
 * @example controllerReference(aJobSet("train")).name // => "train"
 */
export function controllerReference({
  apiVersion,
  kind,
  metadata,
}: KubernetesObject): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function changeObject(
  members: Readonly<Record<string, string>> | undefined,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const all = Object.entries({ ...members, ...changes });
  return Object.fromEntries(
    all.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
