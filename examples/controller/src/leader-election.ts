import { setTimeout } from "node:timers/promises";
import { formatMicroTime, type KubernetesObject } from "@jobset-ts/api";
import { collectionPath, objectPath } from "@jobset-ts/core";
import type { ApiClient, ApiResponse } from "./api-client.ts";
import { log, type TroubleLog } from "./log.ts";

const LEASE_DURATION_MS = 15_000;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;

interface Lease extends KubernetesObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/**
 * Lets one of several replicas work: the one that holds a Lease, as client-go's leader election does. Whether a
 * Lease has run out is judged by how long it has not changed on our own clock, so clocks need not agree.
 */
export class LeaderElection {
  readonly #client: ApiClient;
  readonly #identity: string;
  readonly #troubles: TroubleLog;
  readonly #target;
  #seen = { resourceVersion: "", atMs: 0 };
  #held: Lease | undefined;

  constructor(
    client: ApiClient,
    { namespace, identity }: { readonly namespace: string; readonly identity: string },
    troubles: TroubleLog,
  ) {
    this.#client = client;
    this.#identity = identity;
    this.#troubles = troubles;
    const apiVersion = "coordination.k8s.io/v1";
    this.#target = { apiVersion, kind: "Lease", namespace, name: "jobset-controller" };
  }

  /** Resolves once the Lease is ours; `false` when the signal was given before. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#tryToHold()) {
        log("info", "this replica leads", { identity: this.#identity });
        return true;
      }
      await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {});
    }
    return false;
  }

  /** Resolves when the Lease is lost, or the signal is given. */
  async keep(signal: AbortSignal): Promise<void> {
    for (let renewedMs = Date.now(); !signal.aborted; ) {
      await setTimeout(RETRY_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      if (await this.#tryToHold()) renewedMs = Date.now();
      else if (this.#held === undefined || Date.now() - renewedMs > RENEW_DEADLINE_MS) return;
    }
  }

  /** Lets the next one in at once. */
  async release(): Promise<void> {
    if (this.#held === undefined) return;
    const { spec } = this.#held;
    const released = {
      ...spec,
      holderIdentity: "",
      leaseDurationSeconds: 1,
      renewTime: formatMicroTime(Date.now()),
    };
    await this.#put({ ...this.#held, spec: released });
    this.#held = undefined;
  }

  /** Takes or renews the Lease, if nobody else holds it. */
  async #tryToHold(): Promise<boolean> {
    const found = await this.#client.send({ method: "GET", path: objectPath(this.#target) });
    if (!found.ok && found.error.code !== 404) return this.#refused(found);
    const lease = found.ok ? (found.object as Lease) : undefined;
    const { holderIdentity = "", leaseTransitions = 0, acquireTime } = lease?.spec ?? {};
    const isOurs = holderIdentity === this.#identity;
    if (lease !== undefined && holderIdentity !== "" && !isOurs && !this.#hasRunOut(lease)) {
      this.#held = undefined;
      return false;
    }
    const spec = {
      holderIdentity: this.#identity,
      leaseDurationSeconds: LEASE_DURATION_MS / 1000,
      acquireTime: isOurs
        ? (acquireTime ?? formatMicroTime(Date.now()))
        : formatMicroTime(Date.now()),
      renewTime: formatMicroTime(Date.now()),
      leaseTransitions: isOurs || lease === undefined ? leaseTransitions : leaseTransitions + 1,
    };
    const { apiVersion, kind, namespace, name } = this.#target;
    const answer =
      lease === undefined
        ? await this.#create({ apiVersion, kind, metadata: { namespace, name }, spec })
        : await this.#put({ ...lease, spec });
    if (!answer.ok) return this.#refused(answer);
    this.#troubles.ends("leader election");
    this.#held = answer.object as Lease;
    return true;
  }

  #hasRunOut({ metadata: { resourceVersion = "" }, spec }: Lease): boolean {
    if (this.#seen.resourceVersion !== resourceVersion) {
      this.#seen = { resourceVersion, atMs: Date.now() };
    }
    const { leaseDurationSeconds = LEASE_DURATION_MS / 1000 } = spec ?? {};
    return Date.now() - this.#seen.atMs > leaseDurationSeconds * 1000;
  }

  #refused(answer: ApiResponse): false {
    // Somebody else was faster: that is what the Lease is for.
    if (!answer.ok && answer.error.code !== 409) {
      this.#troubles.begins("leader election", answer.error.message);
    }
    return false;
  }

  #create(body: Lease): Promise<ApiResponse> {
    const contentType = "application/json";
    return this.#client.send({
      method: "POST",
      path: collectionPath(this.#target),
      contentType,
      body,
    });
  }

  #put(body: Lease): Promise<ApiResponse> {
    const contentType = "application/json";
    return this.#client.send({ method: "PUT", path: objectPath(this.#target), contentType, body });
  }
}
