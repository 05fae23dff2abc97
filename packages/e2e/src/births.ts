import { JOB_RESTART_ATTEMPT_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Cluster, WatchEvent } from "./cluster.ts";

/** Notes which Jobs, Services and volume claims come into being, to tell whether one was created twice. */
export class Births {
  readonly #stopping = new AbortController();
  /** UIDs by what was created, with the restart attempt that it belongs to. */
  readonly #uids = new Map<string, Set<string>>();

  static watch(cluster: Cluster): Births {
    const births = new Births();
    for (const kind of ["Job", "Service", "PersistentVolumeClaim"]) {
      void cluster.follow(kind, (event) => births.#note(event), births.#stopping.signal);
    }
    return births;
  }

  /** @throws Error when something in the namespace was created twice for one restart attempt */
  check(namespace: string): void {
    const twice = [...this.#uids]
      .filter(([what, uids]) => what.startsWith(`${namespace}/`) && uids.size > 1)
      .map(([what, uids]) => `${what} was created ${uids.size} times`);
    if (twice.length > 0) throw new Error(twice.join("\n"));
  }

  stop(): void {
    this.#stopping.abort();
  }

  #note({ type, object }: WatchEvent): void {
    if (type !== "ADDED") return;
    const { namespace, name, uid, labels = {} } = object.metadata;
    const attempts = [RESTART_ATTEMPT_KEY, JOB_RESTART_ATTEMPT_KEY].map((key) => labels[key] ?? 0);
    const what = `${namespace}/${name} (${object.kind}, attempt ${attempts.join(".")})`;
    this.#uids.set(what, (this.#uids.get(what) ?? new Set()).add(uid));
  }
}
