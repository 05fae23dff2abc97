import type { JobSet, Observed } from "@jobset-ts/api";
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
import type { KindReading, RefusedObject, Snapshot, SnapshotChanges } from "@jobset-ts/core";

/**
 * A snapshot whose objects are redacted when they are read, so a denial that quotes them holds no values. An Event or
 * condition is redacted by the values of the objects that were read before it.
 */
export class RedactedSnapshot implements Snapshot {
  readonly #snapshot: Snapshot;
  readonly #redactor: Redactor;

  constructor(snapshot: Snapshot, redactor: Redactor) {
    this.#snapshot = snapshot;
    this.#redactor = redactor;
  }

  get jobSets(): readonly Observed<JobSet>[] {
    return this.#allShown(this.#snapshot.jobSets);
  }

  get nodes(): readonly Observed<Node>[] {
    return this.#allShown(this.#snapshot.nodes);
  }

  jobSet(namespace: string, name: string): Observed<JobSet> | undefined {
    return this.#shown(this.#snapshot.jobSet(namespace, name));
  }

  job(namespace: string, name: string): Observed<Job> | undefined {
    return this.#shown(this.#snapshot.job(namespace, name));
  }

  pod(namespace: string, name: string): Observed<Pod> | undefined {
    return this.#shown(this.#snapshot.pod(namespace, name));
  }

  service(namespace: string, name: string): Observed<Service> | undefined {
    return this.#shown(this.#snapshot.service(namespace, name));
  }

  volumeClaim(namespace: string, name: string): Observed<PersistentVolumeClaim> | undefined {
    return this.#shown(this.#snapshot.volumeClaim(namespace, name));
  }

  node(name: string): Observed<Node> | undefined {
    return this.#shown(this.#snapshot.node(name));
  }

  childJobs(jobSet: Observed<JobSet>): readonly Observed<Job>[] {
    return this.#allShown(this.#snapshot.childJobs(jobSet));
  }

  /** As they are: passes read child Jobs, and webhooks do not. */
  readChildJobs(jobSet: Observed<JobSet>): ReturnType<Snapshot["readChildJobs"]> {
    return this.#snapshot.readChildJobs(jobSet);
  }

  podsOfJobSet(namespace: string, jobSetName: string): readonly Observed<Pod>[] {
    return this.#allShown(this.#snapshot.podsOfJobSet(namespace, jobSetName));
  }

  podsByJobKey(namespace: string, jobKey: string): readonly Observed<Pod>[] {
    return this.#allShown(this.#snapshot.podsByJobKey(namespace, jobKey));
  }

  podsControlledBy(uid: string): readonly Observed<Pod>[] {
    return this.#allShown(this.#snapshot.podsControlledBy(uid));
  }

  podsByIndexName(namespace: string, indexName: string): readonly Observed<Pod>[] {
    return this.#allShown(this.#snapshot.podsByIndexName(namespace, indexName));
  }

  eventsAbout(uid: string): readonly Observed<Event>[] {
    return this.#allShown(this.#snapshot.eventsAbout(uid));
  }

  object(kind: string, namespace: string, name: string): Observed<KubernetesObject> | undefined {
    return this.#shown(this.#snapshot.object(kind, namespace, name));
  }

  objects(kind: string): readonly Observed<KubernetesObject>[] {
    return this.#allShown(this.#snapshot.objects(kind));
  }

  reading(kind: string): KindReading {
    const reading = this.#snapshot.reading(kind);
    if (reading.outcome !== "Failed") return reading;
    return { ...reading, message: this.#redactor.redactText(reading.message) };
  }

  get refused(): readonly RefusedObject[] {
    return this.#snapshot.refused;
  }

  with(changes: SnapshotChanges): Snapshot {
    return new RedactedSnapshot(this.#snapshot.with(changes), this.#redactor);
  }

  #shown<Item>(item: Item): Item {
    return this.#redactor.redactMessages(this.#redactor.redactObject(item));
  }

  #allShown<Item>(items: readonly Item[]): readonly Item[] {
    return items.map((item) => this.#shown(item));
  }
}
