import { formatMicroTime } from "@jobset-ts/api";
import { asRecord, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { collectionPath, objectPath } from "@jobset-ts/core/requests";
import type { ApiClient, ApiResponse } from "./api-client.ts";
import type { ConditionReporter } from "./condition-log.ts";
import { sleep } from "./sleep.ts";

/** The duration of the Lease, the deadline to renew it, and the retry interval. */
export interface LeaseTimes {
  readonly durationMs: number;
  readonly renewWithinMs: number;
  readonly retryMs: number;
}

const DEFAULT_TIMES: LeaseTimes = { durationMs: 15_000, renewWithinMs: 10_000, retryMs: 2_000 };

const CONDITION_NAME = "leader election";

/** The Lease to hold, and the identity of the holder. */
export interface LeaseHolder {
  readonly namespace: string;
  readonly name: string;
  /** The identity of the holder. It must differ between replicas and between starts of one replica. */
  readonly identity: string;
}

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
 * Ensures that only one of several replicas is active: the holder of a Lease, as in client-go's leader election. A
 * Lease expires if it has not changed for its duration on the local clock, so clocks need not agree.
 *
 * @example
 * // An API server that has no Lease, and takes the one that is written.
 * const fetch: Fetch = async (_url, { method, body }) =>
 *   method === "GET"
 *     ? Response.json({ kind: "Status", code: 404, message: "there is none" }, { status: 404 })
 *     : new Response(body, { status: 201 });
 * const client = new ApiClient({ server: "https://10.0.0.1", fetch });
 * const lease = { namespace: "jobset-system", name: "my-controller", identity: "host_1a2b" };
 * const election = new LeaderElection(client, lease, new ConditionLog());
 * await election.acquire(new AbortController().signal) // => true
 */
export class LeaderElection {
  readonly #client: ApiClient;
  readonly #identity: string;
  readonly #conditions: ConditionReporter;
  readonly #times: LeaseTimes;
  /** The Lease before any replica holds it. */
  readonly #lease: Lease;
  readonly #leasePath: string;
  readonly #leasesPath: string;
  /** The last seen Lease of another holder, and since when it has not changed. */
  #seen = { resourceVersion: "", atMs: 0 };
  #held: Lease | undefined;
  #renewedMs = 0;
  /** The last attempt to acquire or renew, which may still be in progress. */
  #trying: Promise<boolean> = Promise.resolve(false);

  /** @throws TypeError if the Lease cannot exist */
  constructor(
    client: ApiClient,
    { namespace, name, identity }: LeaseHolder,
    conditions: ConditionReporter,
    times: LeaseTimes = DEFAULT_TIMES,
  ) {
    this.#client = client;
    this.#identity = identity;
    this.#conditions = conditions;
    this.#times = times;
    const kind = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
    const key = { ...kind, namespace, name };
    const [leases, lease] = [collectionPath(key), objectPath(key)];
    if (!leases.ok || !lease.ok)
      throw new TypeError(`invalid Lease "${name}" in namespace "${namespace}"`);
    this.#lease = { ...kind, metadata: { namespace, name } };
    this.#leasePath = lease.path;
    this.#leasesPath = leases.path;
  }

  /** Resolves once this replica holds the Lease. Resolves with `false` if the signal aborted first. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#tryToAcquire()) return true;
      await sleep(this.#times.retryMs, signal);
    }
    return false;
  }

  /** Renews the Lease. Resolves when it is lost or the signal aborts. Call it as soon as the Lease is acquired. */
  async renew(signal: AbortSignal): Promise<void> {
    const { retryMs, renewWithinMs } = this.#times;
    while (!signal.aborted) {
      await sleep(retryMs, signal);
      if (signal.aborted || (await this.#tryToAcquire())) continue;
      if (this.#held === undefined || now() - this.#renewedMs >= renewWithinMs) return;
    }
  }

  /** Releases the Lease, so that another replica can acquire it at once. */
  async release(): Promise<void> {
    await this.#trying;
    if (this.#held === undefined) return;
    const { spec } = this.#held;
    const released = {
      ...spec,
      holderIdentity: "",
      leaseDurationSeconds: 1,
      renewTime: formatMicroTime(Date.now()),
    };
    await this.#write("PUT", { ...this.#held, spec: released });
    this.#held = undefined;
  }

  /** Acquires or renews the Lease, unless another replica holds it. */
  #tryToAcquire(): Promise<boolean> {
    // The Lease is lost if it is not renewed in time, even if the server does not respond at all.
    const sinceMs = this.#held === undefined ? 0 : now() - this.#renewedMs;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.max(this.#times.renewWithinMs - sinceMs, 0));
    this.#trying = this.#tryUntil(late.signal).finally(() => clearTimeout(timer));
    return this.#trying;
  }

  async #tryUntil(signal: AbortSignal): Promise<boolean> {
    const { durationMs } = this.#times;
    const startedMs = now();
    const request = { method: "GET", path: this.#leasePath } as const;
    const found = await this.#client.send(request, { signal });
    if (!found.ok && found.error.code !== 404) return this.#handleRejection(found);
    const lease = found.ok ? (found.object as Lease) : undefined;
    const { holderIdentity = "", leaseTransitions = 0, acquireTime } = lease?.spec ?? {};
    const isOurs = holderIdentity === this.#identity;
    if (lease !== undefined && holderIdentity !== "" && !isOurs && !this.#hasRunOut(lease)) {
      this.#conditions.resolve(CONDITION_NAME);
      this.#held = undefined;
      return false;
    }
    const time = formatMicroTime(Date.now());
    const spec = {
      holderIdentity: this.#identity,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      acquireTime: isOurs ? (acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: isOurs || lease === undefined ? leaseTransitions : leaseTransitions + 1,
    };
    const next = { ...this.#lease, ...lease, spec };
    const response = await this.#write(lease === undefined ? "POST" : "PUT", next, signal);
    if (!response.ok) return this.#handleRejection(response);
    this.#conditions.resolve(CONDITION_NAME);
    this.#held = response.object as Lease;
    // Waiting replicas count from the time when they see the renewal, which is later.
    this.#renewedMs = startedMs;
    return true;
  }

  #hasRunOut({ metadata, spec }: Lease): boolean {
    const { resourceVersion = "" } = asRecord(metadata);
    if (this.#seen.resourceVersion !== resourceVersion) {
      this.#seen = { resourceVersion, atMs: now() };
    }
    const { leaseDurationSeconds = this.#times.durationMs / 1000 } = spec ?? {};
    return now() - this.#seen.atMs > leaseDurationSeconds * 1000;
  }

  #handleRejection({ error }: Extract<ApiResponse, { ok: false }>): false {
    const { code, message, responseText } = error;
    // On a conflict another replica was faster, which is normal.
    if (code !== 409)
      this.#conditions.raise(CONDITION_NAME, message, {
        affectsReadiness: true,
        fields: { response: responseText },
      });
    return false;
  }

  #write(method: "POST" | "PUT", body: Lease, signal?: AbortSignal): Promise<ApiResponse> {
    const path = method === "POST" ? this.#leasesPath : this.#leasePath;
    return this.#client.send({ method, path, contentType: "application/json", body }, { signal });
  }
}

/** Returns milliseconds of a monotonic clock. */
function now(): number {
  return performance.now();
}
