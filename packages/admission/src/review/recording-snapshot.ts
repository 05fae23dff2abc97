import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOB_KEY_KEY, JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import {
  type Event,
  getUid,
  type Job,
  type KubernetesObject,
  type Node,
  type PersistentVolumeClaim,
  type Pod,
  type Service,
} from "@jobset-ts/api/kubernetes";
import {
  type InvalidObject,
  type KindStatus,
  SNAPSHOT_KINDS,
  type Snapshot,
  type SnapshotChanges,
} from "@jobset-ts/core";
import type { RequiredObject } from "./required-object.ts";

/**
 * A snapshot that records which objects were needed and not read.
 *
 * It claims to know every kind, so that the webhook continues and reveals which objects it needs. Queries after the
 * first unread kind depend on a missing result, so only further queries of the same kind are recorded.
 */
export class RecordingSnapshot implements Snapshot {
  readonly #snapshot: Snapshot;
  readonly #namespace: string;
  readonly #missing = new Map<string, RequiredObject>();

  /**
   * @param namespace - the namespace of the object under review. Required objects are in this
   * namespace or cluster-scoped
   */
  constructor(snapshot: Snapshot, namespace: string) {
    this.#snapshot = snapshot;
    this.#namespace = namespace;
  }

  /**
   * Returns the required objects that were not read: objects of one kind, without duplicates, in
   * query order.
   */
  get missing(): readonly RequiredObject[] {
    return [...this.#missing.values()];
  }

  get jobSets(): readonly Unvalidated<JobSet>[] {
    this.#recordRead("JobSet", { allNamespaces: true });
    return this.#snapshot.jobSets;
  }

  get nodes(): readonly Unvalidated<Node>[] {
    this.#recordRead("Node", {});
    return this.#snapshot.nodes;
  }

  jobSet(namespace: string, name: string): Unvalidated<JobSet> | undefined {
    this.#recordRead("JobSet", { namespace, name });
    return this.#snapshot.jobSet(namespace, name);
  }

  job(namespace: string, name: string): Unvalidated<Job> | undefined {
    this.#recordRead("Job", { namespace, name });
    return this.#snapshot.job(namespace, name);
  }

  pod(namespace: string, name: string): Unvalidated<Pod> | undefined {
    this.#recordRead("Pod", { namespace, name });
    return this.#snapshot.pod(namespace, name);
  }

  service(namespace: string, name: string): Unvalidated<Service> | undefined {
    this.#recordRead("Service", { namespace, name });
    return this.#snapshot.service(namespace, name);
  }

  volumeClaim(namespace: string, name: string): Unvalidated<PersistentVolumeClaim> | undefined {
    this.#recordRead("PersistentVolumeClaim", { namespace, name });
    return this.#snapshot.volumeClaim(namespace, name);
  }

  node(name: string): Unvalidated<Node> | undefined {
    this.#recordRead("Node", { name });
    return this.#snapshot.node(name);
  }

  childJobs(jobSet: Unvalidated<JobSet>): readonly Unvalidated<Job>[] {
    this.#recordRead("Job", { namespace: this.#namespace, controllerUid: getUid(jobSet) });
    return this.#snapshot.childJobs(jobSet);
  }

  readChildJobs(jobSet: Unvalidated<JobSet>): ReturnType<Snapshot["readChildJobs"]> {
    this.childJobs(jobSet);
    return this.#snapshot.readChildJobs(jobSet);
  }

  jobsOfJobSetName(namespace: string, jobSetName: string): readonly Unvalidated<Job>[] {
    this.#recordRead("Job", { namespace });
    return this.#snapshot.jobsOfJobSetName(namespace, jobSetName);
  }

  podsOfJobSet(namespace: string, jobSetName: string): readonly Unvalidated<Pod>[] {
    this.#recordRead("Pod", { namespace, labels: { [JOBSET_NAME_KEY]: jobSetName } });
    return this.#snapshot.podsOfJobSet(namespace, jobSetName);
  }

  podsByJobKey(namespace: string, jobKey: string): readonly Unvalidated<Pod>[] {
    this.#recordRead("Pod", { namespace, labels: { [JOB_KEY_KEY]: jobKey } });
    return this.#snapshot.podsByJobKey(namespace, jobKey);
  }

  podsControlledBy(uid: string): readonly Unvalidated<Pod>[] {
    this.#recordRead("Pod", { namespace: this.#namespace, controllerUid: uid });
    return this.#snapshot.podsControlledBy(uid);
  }

  podsByIndexName(namespace: string, indexName: string): readonly Unvalidated<Pod>[] {
    this.#recordRead("Pod", { namespace, namePrefix: `${indexName}-` });
    return this.#snapshot.podsByIndexName(namespace, indexName);
  }

  eventsAbout(uid: string): readonly Unvalidated<Event>[] {
    if (uid !== "")
      this.#recordRead("Event", { namespace: this.#namespace, involvedObjectUid: uid });
    return this.#snapshot.eventsAbout(uid);
  }

  object<Item extends KubernetesObject>(
    kind: string,
    namespace: string,
    name: string,
  ): Unvalidated<Item> | undefined {
    this.#recordRead(kind, { ...(isNamespaced(kind) && { namespace }), name });
    return this.#snapshot.object(kind, namespace, name) as Unvalidated<Item> | undefined;
  }

  objects<Item extends KubernetesObject>(kind: string): readonly Unvalidated<Item>[] {
    this.#recordRead(kind, { ...(isNamespaced(kind) && { allNamespaces: true }) });
    return this.#snapshot.objects(kind) as readonly Unvalidated<Item>[];
  }

  kindStatus(kind: string): KindStatus {
    const reading = this.#snapshot.kindStatus(kind);
    return reading.outcome === "NotRead" ? { outcome: "Read" } : reading;
  }

  get invalidObjects(): readonly InvalidObject[] {
    return this.#snapshot.invalidObjects;
  }

  with(changes: SnapshotChanges): Snapshot {
    return this.#snapshot.with(changes);
  }

  #recordRead(kind: string, which: Omit<RequiredObject, "apiVersion" | "kind">): void {
    if (this.#snapshot.kindStatus(kind).outcome !== "NotRead") return;
    const [first] = this.#missing.values();
    if (first !== undefined && first.kind !== kind) return;
    const apiVersion = SNAPSHOT_KINDS.get(kind)?.apiVersion ?? "";
    const requirement = { apiVersion, kind, ...which };
    this.#missing.set(JSON.stringify(requirement), requirement);
  }
}

function isNamespaced(kind: string): boolean {
  return SNAPSHOT_KINDS.get(kind)?.isNamespaced === true;
}
