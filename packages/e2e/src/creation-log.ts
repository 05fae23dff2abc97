import { JOB_RESTART_ATTEMPT_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { type Cluster, eventually, MAX_WAIT_MS, type Stored, type WatchEvent } from "./cluster.ts";

/** A created object. */
interface CreatedObject {
  readonly uid: string;
  /** The UID of the JobSet, or of another controlling owner. */
  readonly ownerUid: string | undefined;
  readonly resourceVersion: bigint;
}

/**
 * Records the creation of Jobs, Services and PersistentVolumeClaims, to detect duplicates.
 *
 * An object that is created after the deletion of its owner JobSet does not count. The garbage collector deletes the
 * objects that a JobSet owned, and a controller may see these deletions first. Based on the JobSet in its cache, it
 * then recreates objects, which the garbage collector deletes as well. No controller with watches can avoid this, and
 * upstream's does not.
 */
export class CreationLog {
  readonly #stopping = new AbortController();
  /** By kind, name and restart attempt. */
  readonly #births = new Map<string, CreatedObject[]>();
  /** The resource version at which each JobSet was deleted, by UID. */
  readonly #ends = new Map<string, bigint>();

  static watch(cluster: Pick<Cluster, "follow">): CreationLog {
    const births = new CreationLog();
    const { signal } = births.#stopping;
    for (const kind of ["Job", "Service", "PersistentVolumeClaim"]) {
      void cluster.follow(kind, (event) => births.#noteChild(event), signal);
    }
    void cluster.follow("JobSet", (event) => births.#noteJobSet(event), signal);
    return births;
  }

  /**
   * @param lateNewsMs - the maximum delay between the report of a JobSet's deletion and the reports about its children,
   *   because the watches are separate
   * @throws Error if an object in the namespace was created twice in one restart attempt
   */
  async check(namespace: string, lateNewsMs = MAX_WAIT_MS): Promise<void> {
    const isFine = async () => this.#findDuplicates(namespace).length === 0;
    await eventually("nothing is created twice", isFine, lateNewsMs).catch(() => {
      throw new Error(this.#findDuplicates(namespace).join("\n"));
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  #findDuplicates(namespace: string): readonly string[] {
    return [...this.#births]
      .filter(([identity]) => identity.startsWith(`${namespace}/`))
      .map(([identity, births]) => ({
        identity,
        times: births.filter((one) => !this.#isLate(one)).length,
      }))
      .filter(({ times }) => times > 1)
      .map(({ identity, times }) => `${identity} was created ${times} times`);
  }

  #isLate({ ownerUid, resourceVersion }: CreatedObject): boolean {
    const end = ownerUid === undefined ? undefined : this.#ends.get(ownerUid);
    return end !== undefined && end < resourceVersion;
  }

  #noteChild({ type, object }: WatchEvent): void {
    if (type !== "ADDED") return;
    const { namespace, name, uid, labels = {}, ownerReferences = [] } = object.metadata;
    const attempts = [RESTART_ATTEMPT_KEY, JOB_RESTART_ATTEMPT_KEY].map((key) => labels[key] ?? 0);
    const identity = `${namespace}/${name} (${object.kind}, attempt ${attempts.join(".")})`;
    const births = this.#births.get(identity) ?? [];
    // After a reconnect, the watch reports existing objects again.
    if (births.some((birth) => birth.uid === uid)) return;
    const ownerUid = ownerReferences.find(({ controller }: Stored) => controller)?.uid;
    births.push({ uid, ownerUid, resourceVersion: getVersion(object) });
    this.#births.set(identity, births);
  }

  #noteJobSet({ type, object }: WatchEvent): void {
    if (type === "DELETED") this.#ends.set(object.metadata.uid, getVersion(object));
  }
}

/** The API server uses one counter for all objects, so the later of two versions is the higher one. */
function getVersion({ metadata }: Stored): bigint {
  return BigInt(metadata.resourceVersion);
}
