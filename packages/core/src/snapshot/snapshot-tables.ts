import type { Unvalidated } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, JOB_KEY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  type Event,
  getControllerOf,
  type Job,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { asString, getAnnotation, getLabel, getName, getNamespace } from "../jobset-members.ts";
import { controllingJobSetName, controllingJobSetUid } from "../owner.ts";
import { getGroup, SNAPSHOT_KINDS } from "./kinds.ts";
import { Table } from "./table.ts";
import type { GroupKind } from "./unpack.ts";

/** The objects of a kind with their indexes. */
export type AnyTable = Table<Unvalidated<KubernetesObject>, string>;

/** Creates the table of a kind. */
export function createTable(
  kind: string,
  items: readonly Unvalidated<KubernetesObject>[],
): AnyTable {
  const keys = Object.hasOwn(indexKeys, kind) ? indexKeys[kind as IndexedKind] : {};
  return Table.of(keys as Readonly<Record<string, (item: object) => string | undefined>>, items);
}

/** A kind with indexes. */
export type IndexedKind = keyof typeof indexKeys;

/** The index keys of the kinds with indexes. */
const indexKeys = {
  Job: {
    jobSet: controllingJobSetUid,
    jobSetName: (job: Unvalidated<Job>) => getInNamespace(job, controllingJobSetName(job)),
  },
  Pod: {
    controller: getControllerUid,
    jobSet: (pod: Unvalidated<Pod>) => getInNamespace(pod, getLabel(pod, JOBSET_NAME_KEY)),
    jobKey: (pod: Unvalidated<Pod>) =>
      isExclusive(pod) ? getInNamespace(pod, getLabel(pod, JOB_KEY_KEY)) : undefined,
    indexName: (pod: Unvalidated<Pod>) =>
      isExclusive(pod) ? getInNamespace(pod, getIndexName(pod)) : undefined,
  },
  Event: {
    involvedObject: (event: Unvalidated<Event>) => asString(event.involvedObject?.uid) || undefined,
  },
};

/**
 * Returns the name of a kind's table. It includes the group if the kind has the name of one of ours in another group.
 */
export function snapshotKindName({ apiVersion, kind }: GroupKind): string {
  const ours = SNAPSHOT_KINDS.get(kind);
  if (ours === undefined || ours.apiVersion === apiVersion) return kind;
  const group = getGroup(apiVersion);
  return getGroup(ours.apiVersion) === group ? kind : `${kind}.${group}`;
}

/** Returns a key for a name in a namespace. Names contain no slash. */
export function createNameKey(namespace: string, name: string): string {
  return `${asString(namespace)}/${asString(name)}`;
}

/** Returns the UID of an object's controller, if it has one. */
function getControllerUid(object: Unvalidated<KubernetesObject>): string | undefined {
  return asString(getControllerOf(object)?.uid) || undefined;
}

function isExclusive(pod: Unvalidated<Pod>): boolean {
  return getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) !== undefined;
}

/** Returns a Pod's name without its last part, if it has at least five parts. */
function getIndexName(pod: Unvalidated<Pod>): string | undefined {
  const name = getName(pod);
  let [parts, last] = [1, -1];
  for (let at = name.indexOf("-"); at >= 0; at = name.indexOf("-", at + 1)) {
    parts += 1;
    last = at;
  }
  return parts < 5 ? undefined : name.slice(0, last);
}

function getInNamespace(
  object: Unvalidated<KubernetesObject>,
  name: string | undefined,
): string | undefined {
  return name === undefined ? undefined : createNameKey(getNamespace(object), name);
}
