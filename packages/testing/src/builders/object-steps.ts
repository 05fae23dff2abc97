import type { KubernetesObject, ObjectMeta, OwnerReference } from "@jobset-ts/api/kubernetes";

/** Steps that every kind of object can take; each answers with a changed copy. */
export interface ObjectSteps<Self> {
  inNamespace(namespace: string): Self;
  withUid(uid: string): Self;
  /** Adds labels; an undefined value takes one away. */
  withLabels(labels: Readonly<Record<string, string | undefined>>): Self;
  /** Adds annotations; an undefined value takes one away. */
  withAnnotations(annotations: Readonly<Record<string, string | undefined>>): Self;
  /** Makes another object the one owner, and the controller. */
  controlledBy(owner: KubernetesObject): Self;
  withoutOwner(): Self;
  /** As between the request to delete the object and its end. */
  beingDeleted(): Self;
}

/**
 * Gives objects of a kind their steps. They are inherited, and not enumerable: they show neither in JSON nor in a
 * comparison, and the object is a plain one to whoever looks at its members.
 *
 * @param stepsOf - the steps of one object, the same names for all
 */
export function stepping<Kind extends KubernetesObject, Steps extends object>(
  stepsOf: (object: Kind) => Steps,
): (object: Kind) => Kind & Steps {
  // Properties of its own would take each object more time than all else that is done with it.
  let steps: object | undefined;
  return (object) => {
    steps ??= inheritable(object, stepsOf);
    return Object.assign(Object.create(steps), object);
  };
}

/** What objects of a kind inherit: a step asks for the steps of the object that takes it. */
function inheritable<Kind>(example: Kind, stepsOf: (object: Kind) => object): object {
  const properties = Object.keys(stepsOf(example)).map((name) => {
    function step(this: Kind, ...args: unknown[]): unknown {
      return Reflect.get(stepsOf(this), name)(...args);
    }
    return [name, { value: step }];
  });
  return Object.create(Object.prototype, Object.fromEntries(properties));
}

/**
 * The steps of every kind.
 *
 * @param again - gives a changed object its steps back
 */
export function objectSteps<Kind extends KubernetesObject, Self>(
  object: Kind,
  again: (object: Kind) => Self,
): ObjectSteps<Self> {
  const withMetadata = (metadata: Partial<ObjectMeta>): Self =>
    again({ ...object, metadata: { ...object.metadata, ...metadata } });
  return {
    inNamespace: (namespace) => withMetadata({ namespace }),
    withUid: (uid) => withMetadata({ uid }),
    withLabels: (labels) => withMetadata({ labels: changed(object.metadata.labels, labels) }),
    withAnnotations: (annotations) =>
      withMetadata({ annotations: changed(object.metadata.annotations, annotations) }),
    controlledBy: (owner) => withMetadata({ ownerReferences: [controllerReference(owner)] }),
    withoutOwner: () => withMetadata({ ownerReferences: [] }),
    beingDeleted: () =>
      withMetadata({
        deletionTimestamp: "2026-02-07T07:00:00Z",
        finalizers: ["foregroundDeletion"],
      }),
  };
}

/** The reference of an object to the one that manages it. */
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
