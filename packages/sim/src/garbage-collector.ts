import {
  asArray,
  getNamespace,
  getUid,
  namespacedName,
  type OwnerReference,
} from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { ServerReply } from "./api-server/api-request.ts";
import {
  FOREGROUND_DELETION,
  hasFinalizer,
  isDeleting,
  isForeground,
  ORPHAN,
  withoutFinalizer,
} from "./api-server/deletion.ts";
import { findKindRules } from "./api-server/kinds.ts";
import type { Stored } from "./api-server/objects.ts";
import { type Component, getChangedObject, type Process } from "./kernel/component.ts";

/** The number of consecutive failures of each key. */
type Failures = PersistentMap<number>;
type AnyProcess = Process<Failures>;

/** The time from a change to the collector's reaction. Controllers that act at once come first. */
const REACTION_MS = 10;
const INITIAL_BACK_OFF_MS = 5;
const MAX_BACK_OFF_MS = 1_000_000;

/**
 * Deletes objects that have lost all owners, and performs foreground and orphan deletions.
 *
 * It reads the stored objects without lag, and retries failed requests after a back-off.
 */
export const garbageCollector: Component<Failures> = {
  name: "garbage-collector",
  memory: emptyMap(),
  watches: ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Workload"],
  observe: (change, process) => {
    const { before, after } = change;
    const object = getChangedObject(change);
    const wake = (item: Stored) =>
      process.wake(`${item.kind}/${namespacedName(item)}`, REACTION_MS);
    if (after === undefined) {
      for (const dependent of process.objects.ownedBy(getUid(object))) wake(dependent);
    } else if (isForeground(after) || (isDeleting(after) && hasFinalizer(after, ORPHAN))) {
      wake(after);
    } else if (before === undefined && !hasOnlySolidOwners(process, after)) {
      wake(after);
    }
    const references = before?.metadata.ownerReferences;
    if (references === undefined || references === after?.metadata.ownerReferences) return;
    // An owner may wait for this object in foreground deletion.
    for (const reference of references) {
      const owner = getOwner(process, object, reference);
      if (owner !== undefined && isForeground(owner)) wake(owner);
    }
  },
  act: (key, process) => {
    const [kind = "", namespace = "", name = ""] = key.split("/");
    const item = process.objects.get<Stored>(kind, namespace, name);
    const isDone = item === undefined || syncItem(process, item);
    const failures = isDone ? 0 : (process.memory.get(key) ?? 0) + 1;
    if (!isDone) {
      const backOff = INITIAL_BACK_OFF_MS * 2 ** (failures - 1);
      process.memory = process.memory.set(key, failures);
      process.wake(key, Math.min(backOff, MAX_BACK_OFF_MS));
    } else if (process.memory.get(key) !== undefined) process.memory = process.memory.delete(key);
  },
};

/** Processes an item. Returns whether all requested work is done or no longer needed. */
function syncItem(process: AnyProcess, item: Stored): boolean {
  if (isForeground(item)) return deleteDependents(process, item);
  if (hasFinalizer(item, ORPHAN) && isDeleting(item)) return orphanDependents(process, item);
  return collect(process, item);
}

/** A request is settled if the object is gone or another object has its name. */
function isSettled(reply: ServerReply | undefined): boolean {
  return reply === undefined || reply.ok || reply.code === 404 || reply.code === 409;
}

/** Deletes an object without a living owner. If one owner is alive, only removes the references to the others. */
function collect(process: AnyProcess, item: Stored): boolean {
  const references = asArray(item.metadata.ownerReferences);
  if (references.length === 0 || isDeleting(item)) return true;
  const owners = references.map((reference) => getOwner(process, item, reference));
  if (owners.some(isSolidOwner)) {
    if (owners.every(isSolidOwner)) return true;
    const solidReferences = references.filter((_, at) => isSolidOwner(owners[at]));
    const stripped = process.edit(item, ({ metadata }) => {
      metadata.ownerReferences = [...solidReferences];
    });
    return isSettled(stripped);
  }
  const isAwaited = owners.some((owner) => owner !== undefined);
  const hasOwn = process.objects.ownedBy(getUid(item)).length > 0;
  const deleted = process.request({
    verb: "delete",
    object: { kind: item.kind, metadata: item.metadata },
    propagationPolicy: isAwaited && hasOwn ? "Foreground" : getDeletionPolicy(item),
    preconditions: { uid: getUid(item) },
  });
  return isSettled(deleted);
}

/** Performs a foreground deletion: deletes the dependents, and removes the finalizer when none of them blocks. */
function deleteDependents(process: AnyProcess, owner: Stored): boolean {
  let isDone = true;
  for (const dependent of process.objects.ownedBy(getUid(owner))) {
    isDone = collect(process, dependent) && isDone;
  }
  const isBlocked = process.objects
    .ownedBy(getUid(owner))
    .some(({ metadata }) =>
      asArray(metadata.ownerReferences).some(
        ({ uid, blockOwnerDeletion }) => uid === getUid(owner) && blockOwnerDeletion === true,
      ),
    );
  return (isBlocked || removeFinalizer(process, owner, FOREGROUND_DELETION)) && isDone;
}

/** Performs an orphan deletion: removes the owner reference from the dependents, then the finalizer from the owner. */
function orphanDependents(process: AnyProcess, owner: Stored): boolean {
  let isDone = true;
  for (const dependent of process.objects.ownedBy(getUid(owner))) {
    const orphaned = process.edit(dependent, ({ metadata }) => {
      const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== getUid(owner));
      if (others.length === 0) delete metadata.ownerReferences;
      else metadata.ownerReferences = others;
    });
    isDone = isSettled(orphaned) && isDone;
  }
  return isDone && removeFinalizer(process, owner, ORPHAN);
}

function removeFinalizer(process: AnyProcess, item: Stored, finalizer: string): boolean {
  const current = process.objects.current(item);
  if (current === undefined || !hasFinalizer(current, finalizer)) return true;
  const object = withoutFinalizer(current, finalizer);
  return isSettled(process.request({ verb: "update", object }));
}

function getDeletionPolicy(item: Stored): "Orphan" | "Foreground" | "Background" {
  if (hasFinalizer(item, ORPHAN)) return "Orphan";
  return hasFinalizer(item, FOREGROUND_DELETION) ? "Foreground" : "Background";
}

/** Returns the owner of a reference, if the UID matches and the scope allows it. */
function getOwner(
  { objects }: AnyProcess,
  item: Stored,
  { kind, name, uid }: OwnerReference,
): Stored | undefined {
  const namespace = findKindRules(kind)?.isNamespaced === false ? "" : getNamespace(item);
  const owner = objects.get<Stored>(kind, namespace, name);
  return owner?.metadata.uid === uid ? owner : undefined;
}

function hasOnlySolidOwners(process: AnyProcess, item: Stored): boolean {
  return asArray(item.metadata.ownerReferences).every((reference) =>
    isSolidOwner(getOwner(process, item, reference)),
  );
}

/** Returns whether an owner exists and does not wait for its dependents. Kubernetes calls such a reference solid. */
function isSolidOwner(owner: Stored | undefined): boolean {
  return owner !== undefined && !isForeground(owner);
}
