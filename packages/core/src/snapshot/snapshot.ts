import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type {
  Event,
  Job,
  KubernetesObject,
  Node,
  PersistentVolumeClaim,
  Pod,
  Service,
} from "@jobset-ts/api/kubernetes";
import { asString, getNamespace, getUid } from "../jobset-members.ts";
import { ChildJobs, readRun } from "./child-jobs.ts";
import {
  type AnyTable,
  createNameKey,
  createTable,
  type IndexedKind,
  snapshotKindName,
} from "./snapshot-tables.ts";
import type { TableChange } from "./table.ts";
import {
  type GroupKind,
  type InvalidObject,
  type UnpackedObject,
  unpackObjects,
} from "./unpack.ts";

/**
 * A coherent, read-only view of a cluster at one instant.
 *
 * Objects are kept as they were passed in, never copied, changed or frozen, and the caller must not change them. Every
 * list is in the byte order of the names, so it does not depend on the order of the input.
 */
export interface Snapshot {
  readonly jobSets: readonly Unvalidated<JobSet>[];
  readonly nodes: readonly Unvalidated<Node>[];
  /** Returns the JobSet with that name, if it exists. */
  jobSet(namespace: string, name: string): Unvalidated<JobSet> | undefined;
  /** Returns the Job with that name, if it exists. */
  job(namespace: string, name: string): Unvalidated<Job> | undefined;
  /** Returns the Pod with that name, if it exists. */
  pod(namespace: string, name: string): Unvalidated<Pod> | undefined;
  /** Returns the Service with that name, if it exists. */
  service(namespace: string, name: string): Unvalidated<Service> | undefined;
  /** Returns the PersistentVolumeClaim with that name, if it exists. */
  volumeClaim(namespace: string, name: string): Unvalidated<PersistentVolumeClaim> | undefined;
  /** Returns the Node with that name, if it exists. */
  node(name: string): Unvalidated<Node> | undefined;
  /** Returns the Jobs in the JobSet's namespace that it controls by UID. */
  childJobs(jobSet: Unvalidated<JobSet>): readonly Unvalidated<Job>[];
  /**
   * Returns the child Jobs with what passes read from them, computed once for each Job in this and all derived
   * snapshots.
   */
  readChildJobs(jobSet: Unvalidated<JobSet>): ChildJobs;
  /** Returns the Jobs that a JobSet with that name controls, whatever its UID. */
  jobsOfJobSetName(namespace: string, jobSetName: string): readonly Unvalidated<Job>[];
  /** Returns the Pods with the JobSet's name in their label, with any owner. */
  podsOfJobSet(namespace: string, jobSetName: string): readonly Unvalidated<Pod>[];
  /** Returns the Pods under exclusive placement with a job key. */
  podsByJobKey(namespace: string, jobKey: string): readonly Unvalidated<Pod>[];
  /** Returns the Pods whose controller has this UID. */
  podsControlledBy(uid: string): readonly Unvalidated<Pod>[];
  /**
   * Returns the Pods under exclusive placement whose name is `<index name>-<suffix>`, as in `train-workers-0-0` for
   * `train-workers-0-0-x7k2p`. Names of fewer than five parts are not indexed.
   */
  podsByIndexName(namespace: string, indexName: string): readonly Unvalidated<Pod>[];
  /** Returns the Events about the object with a UID. */
  eventsAbout(uid: string): readonly Unvalidated<Event>[];
  /**
   * An object of any kind. If a kind has the same name as a kind with an accessor but another API group, its name
   * here is `<kind>.<group>`, as in `Job.batch.volcano.sh` or `Service.serving.knative.dev`. The same applies to the
   * functions below.
   */
  object(kind: string, namespace: string, name: string): Unvalidated<KubernetesObject> | undefined;
  /** Returns all objects of any kind. */
  objects(kind: string): readonly Unvalidated<KubernetesObject>[];
  /**
   * Reports whether objects of a kind were read. A kind that was not read is unknown, which is not the same as empty.
   */
  kindStatus(kind: string): KindStatus;
  /** The inputs of this snapshot, in bulk or as changes, that are not valid objects. */
  readonly invalidObjects: readonly InvalidObject[];
  /**
   * Returns the snapshot after changes. The cost is proportional to the changes. The new snapshot shares the rest
   * with this one, which does not change.
   */
  with(changes: SnapshotChanges): Snapshot;
}

/** Information about the objects that is not part of the objects. */
export interface SnapshotOptions {
  /**
   * The kinds that were read, including those without objects, such as `["Pod", "Event"]`; `"all"` if the objects are the
   * complete cluster.
   */
  readonly kinds?: Iterable<string> | "all";
  /** Kinds that could not be read, and why. Decisions that need them are unknown. */
  readonly readErrors?: Readonly<Record<string, string | ReadError>>;
}

/**
 * Changes to a cluster, or to the knowledge about it. A kind in `kinds`, and a kind with a list in `put`, counts as
 * read, and its earlier read error is dropped.
 */
export interface SnapshotChanges extends SnapshotOptions {
  /** New objects, and new versions of existing ones. */
  readonly put?: Iterable<unknown>;
  /**
   * Removed objects: `apiVersion`, `kind`, namespace and name are enough. They are removed before those of `put` are
   * added.
   */
  readonly remove?: Iterable<unknown>;
}

/** Whether a kind was read. */
export type KindStatus =
  /** The kind was read: an object or a list of it was put, or the caller declared it as read. */
  | { readonly outcome: "Read" }
  /** The kind was not read. */
  | { readonly outcome: "NotRead"; readonly message: string }
  /** The read failed. */
  | ({ readonly outcome: "Failed" } & ReadError);

/** Why a read failed. */
export interface ReadError {
  readonly message: string;
  /** The API server's reason, such as `Forbidden`. Absent if the error is not the API server's. */
  readonly reason?: string;
  /** The HTTP status of the response. */
  readonly code?: number;
}

/**
 * Creates a snapshot of any objects, including Kubernetes lists.
 *
 * If two objects have the same kind, namespace and name, the later one counts. Timestamps may be RFC 3339 text or
 * `Date`. Values that are not objects with a kind and a name are listed under `invalidObjects`; they never throw.
 *
 * @example createSnapshot([{ apiVersion: "v1", kind: "Node", metadata: { name: "n1" } }]).nodes.length // => 1
 */
export function createSnapshot(
  objects: Iterable<unknown>,
  options: SnapshotOptions = {},
): Snapshot {
  const { unpacked, lists, invalidObjects } = unpackObjects(objects);
  const byKind = new Map<string, Unvalidated<KubernetesObject>[]>();
  for (const one of unpacked) {
    const table = snapshotKindName(one);
    const items = byKind.get(table);
    if (items === undefined) byKind.set(table, [one.object]);
    else items.push(one.object);
  }
  const tables = new Map<string, AnyTable>();
  for (const [kind, items] of byKind) tables.set(kind, createTable(kind, items));
  const kinds = getKinds([...byKind.keys(), ...lists.map(snapshotKindName)], options);
  return new IndexedSnapshot(tables, kinds, invalidObjects, indexReadErrors(options ?? {}));
}

/** The kinds that were read, or all. */
type Kinds = ReadonlySet<string> | "all";

function getKinds(read: Iterable<string>, options: SnapshotOptions): Kinds {
  const named = options?.kinds ?? [];
  return named === "all" ? "all" : new Set([...read, ...named]);
}

/** Returns the kinds that were read before, that were put, or that were read again. */
function allKinds(before: Kinds, put: readonly GroupKind[], read: Kinds): Kinds {
  if (before === "all" || read === "all") return "all";
  const names = [...put.map(snapshotKindName), ...read];
  return names.every((kind) => before.has(kind)) ? before : new Set([...before, ...names]);
}

/** Returns the earlier errors without kinds that were read again, and the new errors. */
function errorsLeft(before: ReadErrors, read: Kinds, errors: ReadErrors): ReadErrors {
  if (before.size === 0) return errors;
  const left = [...before].filter(([kind]) => read !== "all" && !read.has(kind));
  return new Map([...left, ...errors]);
}

type ReadErrors = ReadonlyMap<string, ReadError>;

function indexReadErrors({ readErrors }: SnapshotOptions): ReadErrors {
  const entries = Object.entries(readErrors ?? {});
  if (entries.length === 0) return NO_ERRORS;
  return new Map(
    entries.map(([kind, error]) => [kind, typeof error === "string" ? { message: error } : error]),
  );
}

const NO_ERRORS: ReadErrors = new Map();

const READ: KindStatus = { outcome: "Read" };

class IndexedSnapshot implements Snapshot {
  readonly #tables: ReadonlyMap<string, AnyTable>;
  readonly #kinds: Kinds;
  readonly invalidObjects: readonly InvalidObject[];
  readonly #readErrors: ReadErrors;

  constructor(
    tables: ReadonlyMap<string, AnyTable>,
    kinds: Kinds,
    rejected: readonly InvalidObject[],
    readErrors: ReadErrors,
  ) {
    this.#tables = tables;
    this.#kinds = kinds;
    this.invalidObjects = rejected;
    this.#readErrors = readErrors;
  }

  get jobSets(): readonly Unvalidated<JobSet>[] {
    return this.objects("JobSet");
  }

  get nodes(): readonly Unvalidated<Node>[] {
    return this.objects("Node");
  }

  jobSet(namespace: string, name: string): Unvalidated<JobSet> | undefined {
    return this.object("JobSet", namespace, name);
  }

  job(namespace: string, name: string): Unvalidated<Job> | undefined {
    return this.object("Job", namespace, name);
  }

  pod(namespace: string, name: string): Unvalidated<Pod> | undefined {
    return this.object("Pod", namespace, name);
  }

  service(namespace: string, name: string): Unvalidated<Service> | undefined {
    return this.object("Service", namespace, name);
  }

  volumeClaim(namespace: string, name: string): Unvalidated<PersistentVolumeClaim> | undefined {
    return this.object("PersistentVolumeClaim", namespace, name);
  }

  node(name: string): Unvalidated<Node> | undefined {
    return this.object("Node", "", name);
  }

  childJobs(jobSet: Unvalidated<JobSet>): readonly Unvalidated<Job>[] {
    const jobs = this.#group<Job>("Job", "jobSet", getUid(jobSet));
    const children = this.readChildJobs(jobSet);
    return children.size === jobs.length ? jobs : children.list().map(({ job }) => job);
  }

  readChildJobs(jobSet: Unvalidated<JobSet>): ChildJobs {
    const namespace = getNamespace(jobSet);
    const runs = this.#tables.get("Job")?.group("jobSet", getUid(jobSet))?.read(readRun);
    return ChildJobs.of(runs ?? []).filter(({ traits }) => traits.namespace === namespace);
  }

  jobsOfJobSetName(namespace: string, jobSetName: string): readonly Unvalidated<Job>[] {
    return this.#group<Job>("Job", "jobSetName", createNameKey(namespace, jobSetName));
  }

  podsOfJobSet(namespace: string, jobSetName: string): readonly Unvalidated<Pod>[] {
    return this.#group<Pod>("Pod", "jobSet", createNameKey(namespace, jobSetName));
  }

  podsByJobKey(namespace: string, jobKey: string): readonly Unvalidated<Pod>[] {
    return this.#group<Pod>("Pod", "jobKey", createNameKey(namespace, jobKey));
  }

  podsControlledBy(uid: string): readonly Unvalidated<Pod>[] {
    return this.#group<Pod>("Pod", "controller", asString(uid));
  }

  podsByIndexName(namespace: string, indexName: string): readonly Unvalidated<Pod>[] {
    return this.#group<Pod>("Pod", "indexName", createNameKey(namespace, indexName));
  }

  eventsAbout(uid: string): readonly Unvalidated<Event>[] {
    return this.#group<Event>("Event", "involvedObject", asString(uid));
  }

  object<Item extends KubernetesObject>(
    kind: string,
    namespace: string,
    name: string,
  ): Unvalidated<Item> | undefined {
    return this.#tables.get(kind)?.get(asString(namespace), asString(name)) as
      | Unvalidated<Item>
      | undefined;
  }

  objects<Item extends KubernetesObject>(kind: string): readonly Unvalidated<Item>[] {
    return (this.#tables.get(kind)?.all() ?? []) as readonly Unvalidated<Item>[];
  }

  kindStatus(kind: string): KindStatus {
    const error = this.#readErrors.get(kind);
    if (error !== undefined) return { outcome: "Failed", ...error };
    if (this.#kinds === "all" || this.#kinds.has(kind)) return READ;
    return { outcome: "NotRead", message: `objects of kind ${asString(kind)} were not read` };
  }

  with(handed: SnapshotChanges): Snapshot {
    const puts = unpackObjects(handed?.put, "put");
    const removals = unpackObjects(handed?.remove, "remove");
    const changes = new Map<string, TableChange<Unvalidated<KubernetesObject>>[]>();
    const change = (one: UnpackedObject, item?: Unvalidated<KubernetesObject>) => {
      const table = snapshotKindName(one);
      const list = changes.get(table) ?? [];
      list.push({ at: one.object, item });
      changes.set(table, list);
    };
    for (const one of removals.unpacked) change(one);
    for (const one of puts.unpacked) change(one, one.object);

    const tables = new Map(this.#tables);
    for (const [kind, list] of changes) {
      const table = tables.get(kind) ?? createTable(kind, []);
      tables.set(kind, table.with(list));
    }
    const read = getKinds(puts.lists.map(snapshotKindName), handed);
    const kinds = allKinds(this.#kinds, puts.unpacked, read);
    const rejected = [...puts.invalidObjects, ...removals.invalidObjects];
    const readErrors = errorsLeft(this.#readErrors, read, indexReadErrors(handed ?? {}));
    return new IndexedSnapshot(tables, kinds, rejected, readErrors);
  }

  #group<Item extends KubernetesObject>(
    kind: IndexedKind,
    index: string,
    key: string,
  ): readonly Unvalidated<Item>[] {
    return (this.#tables.get(kind)?.group(index, key)?.list() ??
      []) as readonly Unvalidated<Item>[];
  }
}
