import { keyOf, listOf, namespaceOf, type OwnerReference, uidOf } from "@jobset-ts/api/kubernetes";
import { FOREGROUND_DELETION, ORPHAN } from "./api-server/deletion.ts";
import { kindRules } from "./api-server/kinds.ts";
import type { Stored } from "./api-server/objects.ts";
import { type Component, objectOf, type Process } from "./kernel/component.ts";

type AnyProcess = Process<undefined>;

/** How long the collector takes to hear of a change; controllers that act at once come before it. */
const REACTION_MILLIS = 10;

/**
 * Deletes what has lost all its owners, and carries out the foreground and orphan deletions of owners.
 *
 * It sees what is stored, without lag.
 */
export const garbageCollector: Component<undefined> = {
  name: "garbage-collector",
  memory: undefined,
  watches: ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim"],
  observe: (change, process) => {
    const { before, after } = change;
    const object = objectOf(change);
    const wake = (item: Stored) => process.wake(`${item.kind}/${keyOf(item)}`, REACTION_MILLIS);
    if (after === undefined) {
      for (const dependent of process.objects.ownedBy(uidOf(object))) wake(dependent);
    } else if (isForeground(after) || (isDeleting(after) && hasFinalizer(after, ORPHAN))) {
      wake(after);
    } else if (before === undefined && !hasSolidOwnersOnly(process, after)) {
      wake(after);
    }
    const references = before?.metadata.ownerReferences;
    if (references === undefined || references === after?.metadata.ownerReferences) return;
    // An owner may have waited for what goes now, or forgets it.
    for (const reference of references) {
      const owner = ownerOf(process, object, reference);
      if (owner !== undefined && isForeground(owner)) wake(owner);
    }
  },
  act: (key, process) => {
    const [kind = "", namespace = "", name = ""] = key.split("/");
    const item = process.objects.get<Stored>(kind, namespace, name);
    if (item === undefined) return;
    if (isForeground(item)) deleteDependents(process, item);
    else if (hasFinalizer(item, ORPHAN) && isDeleting(item)) orphanDependents(process, item);
    else collect(process, item);
  },
};

/** Deletes an object without a living owner; strips it of the others where it has one. */
function collect(process: AnyProcess, item: Stored): void {
  const references = listOf(item.metadata.ownerReferences);
  if (references.length === 0 || isDeleting(item)) return;
  const owners = references.map((reference) => ownerOf(process, item, reference));
  if (owners.some(isSolid)) {
    if (owners.every(isSolid)) return;
    const kept = references.filter((_, at) => isSolid(owners[at]));
    process.edit(item, ({ metadata }) => {
      metadata.ownerReferences = [...kept];
    });
    return;
  }
  const isAwaited = owners.some((owner) => owner !== undefined);
  const hasOwn = process.objects.ownedBy(uidOf(item)).length > 0;
  process.request({
    verb: "delete",
    object: { kind: item.kind, metadata: item.metadata },
    propagationPolicy: isAwaited && hasOwn ? "Foreground" : ownPolicy(item),
    preconditions: { uid: uidOf(item) },
  });
}

/** Of a foreground deletion: deletes what depends on an owner, and lets the owner go when nothing blocks it. */
function deleteDependents(process: AnyProcess, owner: Stored): void {
  for (const dependent of process.objects.ownedBy(uidOf(owner))) collect(process, dependent);
  const isBlocked = process.objects
    .ownedBy(uidOf(owner))
    .some(({ metadata }) =>
      listOf(metadata.ownerReferences).some(
        ({ uid, blockOwnerDeletion }) => uid === uidOf(owner) && blockOwnerDeletion === true,
      ),
    );
  if (!isBlocked) removeFinalizer(process, owner, FOREGROUND_DELETION);
}

/** Of an orphaning deletion: what depends on an owner forgets it, and the owner goes. */
function orphanDependents(process: AnyProcess, owner: Stored): void {
  for (const dependent of process.objects.ownedBy(uidOf(owner))) {
    process.edit(dependent, ({ metadata }) => {
      const others = (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== uidOf(owner));
      if (others.length === 0) delete metadata.ownerReferences;
      else metadata.ownerReferences = others;
    });
  }
  removeFinalizer(process, owner, ORPHAN);
}

function removeFinalizer(process: AnyProcess, item: Stored, finalizer: string): void {
  process.edit(item, ({ metadata }) => {
    const others = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
    if (others.length === 0) delete metadata.finalizers;
    else metadata.finalizers = others;
  });
}

function ownPolicy(item: Stored): "Orphan" | "Foreground" | "Background" {
  if (hasFinalizer(item, ORPHAN)) return "Orphan";
  return hasFinalizer(item, FOREGROUND_DELETION) ? "Foreground" : "Background";
}

/** The living owner that a reference means: of that UID, and where the dependent may have an owner. */
function ownerOf(
  { objects }: AnyProcess,
  item: Stored,
  { kind, name, uid }: OwnerReference,
): Stored | undefined {
  const namespace = kindRules(kind)?.isNamespaced === false ? "" : namespaceOf(item);
  const owner = objects.get<Stored>(kind, namespace, name);
  return owner?.metadata.uid === uid ? owner : undefined;
}

function hasSolidOwnersOnly(process: AnyProcess, item: Stored): boolean {
  return listOf(item.metadata.ownerReferences).every((reference) =>
    isSolid(ownerOf(process, item, reference)),
  );
}

/** Whether an owner lives, and does not wait for its dependents to go. */
function isSolid(owner: Stored | undefined): boolean {
  return owner !== undefined && !isForeground(owner);
}

function isForeground(item: Stored): boolean {
  return isDeleting(item) && hasFinalizer(item, FOREGROUND_DELETION);
}

function isDeleting({ metadata }: Stored): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function hasFinalizer({ metadata }: Stored, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}
