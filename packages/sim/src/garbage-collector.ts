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

/** How often in a row the turns of a key were refused something. */
type Failures = PersistentMap<number>;
type AnyProcess = Process<Failures>;

/** How long the collector takes to hear of a change; controllers that act at once come before it. */
const REACTION_MS = 10;
const FIRST_BACK_OFF_MS = 5;
const LONGEST_BACK_OFF_MS = 1_000_000;

/**
 * Deletes what has lost all its owners, and carries out the foreground and orphan deletions of owners.
 *
 * It sees what is stored, without lag, and tries again after a back-off what it was refused.
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
    } else if (before === undefined && !hasSolidOwnersOnly(process, after)) {
      wake(after);
    }
    const references = before?.metadata.ownerReferences;
    if (references === undefined || references === after?.metadata.ownerReferences) return;
    // An owner may have waited for what goes now, or forgets it.
    for (const reference of references) {
      const owner = getOwner(process, object, reference);
      if (owner !== undefined && isForeground(owner)) wake(owner);
    }
  },
  act: (key, process) => {
    const [kind = "", namespace = "", name = ""] = key.split("/");
    const item = process.objects.get<Stored>(kind, namespace, name);
    const isDone = item === undefined || lookAfter(process, item);
    const failures = isDone ? 0 : (process.memory.get(key) ?? 0) + 1;
    if (!isDone) {
      const backOff = FIRST_BACK_OFF_MS * 2 ** (failures - 1);
      process.memory = process.memory.set(key, failures);
      process.wake(key, Math.min(backOff, LONGEST_BACK_OFF_MS));
    } else if (process.memory.get(key) !== undefined) process.memory = process.memory.delete(key);
  },
};

/** Processes an item. Returns whether all requested work is done or no longer needed. */
function lookAfter(process: AnyProcess, item: Stored): boolean {
  if (isForeground(item)) return deleteDependents(process, item);
  if (hasFinalizer(item, ORPHAN) && isDeleting(item)) return orphanDependents(process, item);
  return collect(process, item);
}

/** What is gone, or is another one by now, is settled. */
function isSettled(reply: ServerReply | undefined): boolean {
  return reply === undefined || reply.ok || reply.code === 404 || reply.code === 409;
}

/** Deletes an object without a living owner; strips it of the others where it has one. */
function collect(process: AnyProcess, item: Stored): boolean {
  const references = asArray(item.metadata.ownerReferences);
  if (references.length === 0 || isDeleting(item)) return true;
  const owners = references.map((reference) => getOwner(process, item, reference));
  if (owners.some(isSolid)) {
    if (owners.every(isSolid)) return true;
    const kept = references.filter((_, at) => isSolid(owners[at]));
    const stripped = process.edit(item, ({ metadata }) => {
      metadata.ownerReferences = [...kept];
    });
    return isSettled(stripped);
  }
  const isAwaited = owners.some((owner) => owner !== undefined);
  const hasOwn = process.objects.ownedBy(getUid(item)).length > 0;
  const deleted = process.request({
    verb: "delete",
    object: { kind: item.kind, metadata: item.metadata },
    propagationPolicy: isAwaited && hasOwn ? "Foreground" : ownPolicy(item),
    preconditions: { uid: getUid(item) },
  });
  return isSettled(deleted);
}

/** Of a foreground deletion: deletes what depends on an owner, and lets the owner go when nothing blocks it. */
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

/** Of an orphaning deletion: what depends on an owner forgets it, and the owner goes. */
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

function ownPolicy(item: Stored): "Orphan" | "Foreground" | "Background" {
  if (hasFinalizer(item, ORPHAN)) return "Orphan";
  return hasFinalizer(item, FOREGROUND_DELETION) ? "Foreground" : "Background";
}

/** The living owner that a reference means: of that UID, and where the dependent may have an owner. */
function getOwner(
  { objects }: AnyProcess,
  item: Stored,
  { kind, name, uid }: OwnerReference,
): Stored | undefined {
  const namespace = findKindRules(kind)?.isNamespaced === false ? "" : getNamespace(item);
  const owner = objects.get<Stored>(kind, namespace, name);
  return owner?.metadata.uid === uid ? owner : undefined;
}

function hasSolidOwnersOnly(process: AnyProcess, item: Stored): boolean {
  return asArray(item.metadata.ownerReferences).every((reference) =>
    isSolid(getOwner(process, item, reference)),
  );
}

/** Whether an owner lives, and does not wait for its dependents to go. */
function isSolid(owner: Stored | undefined): boolean {
  return owner !== undefined && !isForeground(owner);
}
