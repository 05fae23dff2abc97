import type { KubernetesObject, ObjectMeta, OwnerReference } from "@jobset-ts/api/kubernetes";

/** Steps that every kind of object can take; each answers with a changed copy. */
export interface ObjectBuilder<Self> {
  /** The same in another namespace. */
  inNamespace(namespace: string): Self;
  /** The same with another UID. */
  withUid(uid: string): Self;
  /** Adds labels; an undefined value takes one away. */
  withLabels(labels: Readonly<Record<string, string | undefined>>): Self;
  /** Adds annotations; an undefined value takes one away. */
  withAnnotations(annotations: Readonly<Record<string, string | undefined>>): Self;
  /** Makes another object the one owner, and the controller. */
  controlledBy(owner: KubernetesObject): Self;
  /** The same without an owner. */
  withoutOwner(): Self;
  /** As between the request to delete the object and its end. */
  beingDeleted(): Self;
}

/**
 * Gives objects of a kind their steps, those of every kind and its own. They are inherited, and not enumerable: they show
 * neither in JSON nor in a comparison, and the object is a plain one to whoever looks at its members.
 */
export function stepping<Kind extends KubernetesObject, Self extends Kind & ObjectBuilder<Self>>(
  own: Omit<Self, keyof Kind | keyof ObjectBuilder<Self>> & ThisType<Self>,
): (object: Kind) => Self {
  const again = (object: Kind): Self => Object.assign(Object.create(inherited), object);
  // As properties of its own they would take each object more time than all else that is done with it.
  const steps = Object.entries({ ...objectSteps(again), ...own });
  const hidden = steps.map(([name, value]) => [name, { value }]);
  const inherited = Object.create(Object.prototype, Object.fromEntries(hidden));
  return again;
}

function objectSteps<Kind extends KubernetesObject, Self>(
  again: (object: Kind) => Self,
): ObjectBuilder<Self> {
  const withMetadata = (object: Kind, metadata: Partial<ObjectMeta>): Self =>
    again({ ...object, metadata: { ...object.metadata, ...metadata } });
  return {
    inNamespace(this: Kind, namespace) {
      return withMetadata(this, { namespace });
    },
    withUid(this: Kind, uid) {
      return withMetadata(this, { uid });
    },
    withLabels(this: Kind, labels) {
      return withMetadata(this, { labels: changed(this.metadata.labels, labels) });
    },
    withAnnotations(this: Kind, annotations) {
      return withMetadata(this, { annotations: changed(this.metadata.annotations, annotations) });
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
 * The reference of an object to the one that manages it.
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

function changed(
  members: Readonly<Record<string, string>> | undefined,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const all = Object.entries({ ...members, ...changes });
  return Object.fromEntries(
    all.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
