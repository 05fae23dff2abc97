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
import type { Redactor } from "@jobset-ts/api/redaction";
import type { InvalidObject, KindStatus, Snapshot, SnapshotChanges } from "@jobset-ts/core";

/**
 * A snapshot that redacts objects when they are read, so that a denial that quotes them contains no values. An Event or
 * condition is redacted by the values of objects that were read before it.
 */
export class RedactedSnapshot implements Snapshot {
  readonly #snapshot: Snapshot;
  readonly #redactor: Redactor;

  constructor(snapshot: Snapshot, redactor: Redactor) {
    this.#snapshot = snapshot;
    this.#redactor = redactor;
  }

  get jobSets(): readonly Unvalidated<JobSet>[] {
    return this.#allShown(this.#snapshot.jobSets);
  }

  get nodes(): readonly Unvalidated<Node>[] {
    return this.#allShown(this.#snapshot.nodes);
  }

  jobSet(namespace: string, name: string): Unvalidated<JobSet> | undefined {
    return this.#redactItem(this.#snapshot.jobSet(namespace, name));
  }

  job(namespace: string, name: string): Unvalidated<Job> | undefined {
    return this.#redactItem(this.#snapshot.job(namespace, name));
  }

  pod(namespace: string, name: string): Unvalidated<Pod> | undefined {
    return this.#redactItem(this.#snapshot.pod(namespace, name));
  }

  service(namespace: string, name: string): Unvalidated<Service> | undefined {
    return this.#redactItem(this.#snapshot.service(namespace, name));
  }

  volumeClaim(namespace: string, name: string): Unvalidated<PersistentVolumeClaim> | undefined {
    return this.#redactItem(this.#snapshot.volumeClaim(namespace, name));
  }

  node(name: string): Unvalidated<Node> | undefined {
    return this.#redactItem(this.#snapshot.node(name));
  }

  childJobs(jobSet: Unvalidated<JobSet>): readonly Unvalidated<Job>[] {
    return this.#allShown(this.#snapshot.childJobs(jobSet));
  }

  /** Child Jobs are not redacted, because only passes read them, not webhooks. */
  readChildJobs(jobSet: Unvalidated<JobSet>): ReturnType<Snapshot["readChildJobs"]> {
    return this.#snapshot.readChildJobs(jobSet);
  }

  jobsOfJobSetName(namespace: string, jobSetName: string): readonly Unvalidated<Job>[] {
    return this.#allShown(this.#snapshot.jobsOfJobSetName(namespace, jobSetName));
  }

  podsOfJobSet(namespace: string, jobSetName: string): readonly Unvalidated<Pod>[] {
    return this.#allShown(this.#snapshot.podsOfJobSet(namespace, jobSetName));
  }

  podsByJobKey(namespace: string, jobKey: string): readonly Unvalidated<Pod>[] {
    return this.#allShown(this.#snapshot.podsByJobKey(namespace, jobKey));
  }

  podsControlledBy(uid: string): readonly Unvalidated<Pod>[] {
    return this.#allShown(this.#snapshot.podsControlledBy(uid));
  }

  podsByIndexName(namespace: string, indexName: string): readonly Unvalidated<Pod>[] {
    return this.#allShown(this.#snapshot.podsByIndexName(namespace, indexName));
  }

  eventsAbout(uid: string): readonly Unvalidated<Event>[] {
    return this.#allShown(this.#snapshot.eventsAbout(uid));
  }

  object(kind: string, namespace: string, name: string): Unvalidated<KubernetesObject> | undefined {
    return this.#redactItem(this.#snapshot.object(kind, namespace, name));
  }

  objects(kind: string): readonly Unvalidated<KubernetesObject>[] {
    return this.#allShown(this.#snapshot.objects(kind));
  }

  kindStatus(kind: string): KindStatus {
    const reading = this.#snapshot.kindStatus(kind);
    if (reading.outcome !== "Failed") return reading;
    return { ...reading, message: this.#redactor.redactText(reading.message) };
  }

  get invalidObjects(): readonly InvalidObject[] {
    return this.#snapshot.invalidObjects;
  }

  with(changes: SnapshotChanges): Snapshot {
    return new RedactedSnapshot(this.#snapshot.with(changes), this.#redactor);
  }

  #redactItem<Item>(item: Item): Item {
    return this.#redactor.redactMessages(this.#redactor.redactObject(item));
  }

  #allShown<Item>(items: readonly Item[]): readonly Item[] {
    return items.map((item) => this.#redactItem(item));
  }
}
