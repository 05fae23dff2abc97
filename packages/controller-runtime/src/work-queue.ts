const FIRST_DELAY_MS = 5;
const MAX_DELAY_MS = 1000_000;

/** The result of reconciling a key. */
export type ReconcileResult =
  | { readonly outcome: "Done"; readonly requeueAfterSeconds?: number }
  /** The earliest time to retry, if the server set one. */
  | { readonly outcome: "Retry"; readonly retryAfterSeconds?: number };

/** @param failures - the number of consecutive reconciles of the key that have requested a retry */
type Reconcile = (key: string, failures: number) => Promise<ReconcileResult>;

/**
 * The number of concurrent reconciles. New keys have their own workers, so that they start at once. Updates have few
 * workers, so that changes accumulate during a burst: one more for each hundred waiting keys, up to the number for new
 * keys.
 */
export interface WorkQueueConcurrency {
  readonly newKeys: number;
  readonly updates: number;
}

const WAITING_PER_LANE = 100;

/**
 * A reconcile that takes longer releases its worker, because its delay may concern only this key, such as a slow
 * webhook. At most this many reconciles may be slow at the same time.
 */
const SLOW_AFTER_MS = 2_000;
const MAX_SLOW = 32;

/** The pause of a key after a reconcile, as a multiple of the duration. */
export interface BackoffOptions {
  /** The factor after the first reconcile. */
  readonly factor: number;
  /** The maximum factor of the pause, which doubles after each reconcile that was requested during the pause. */
  readonly maxFactor: number;
  readonly maxMs: number;
}

/**
 * Changes come in bursts. Four Jobs that start and finish cause at least sixteen changes, and each would need a status
 * write. A pause merges them. The duration of a reconcile is a good measure, because it grows with the load of the API
 * server, as the intervals between changes do. On an idle server, the pause is tens of milliseconds.
 */
const DEFAULT_BACKOFF: BackoffOptions = { factor: 2, maxFactor: 16, maxMs: 1_000 };

interface RunningReconcile {
  readonly ended: Promise<void>;
  lane: keyof WorkQueueConcurrency | "slow";
}

/**
 * A queue of keys, each of which is reconciled by one worker at a time. A key that is added while it waits is not added
 * twice. A key that is added during its reconcile or its pause is reconciled once more after the pause. A reconcile
 * that fails is retried after 5 ms, then after twice as long each time, up to 1000 s, as in Go's controller-runtime.
 *
 * @example
 * const seen: string[] = [];
 * const reconcile = async (key: string): Promise<ReconcileResult> => {
 *   seen.push(key);
 *   return { outcome: "Done" };
 * };
 * const queue = new WorkQueue(reconcile, { newKeys: 16, updates: 1 }, () => {});
 * for (const key of ["ml/train", "ml/train"]) queue.add(key);
 * queue.start();
 * await queue.stop();
 * seen // => ["ml/train"]
 */
export class WorkQueue {
  readonly #reconcile: Reconcile;
  readonly #concurrency: WorkQueueConcurrency;
  readonly #onError: (key: string, error: unknown) => void;
  readonly #backoff: BackoffOptions;
  /** The keys that wait for a worker. */
  readonly #waiting = { newKeys: new Set<string>(), updates: new Set<string>() };
  readonly #inFlight = new Map<string, RunningReconcile>();
  /** The paused keys, and whether they were added again. */
  readonly #backingOff = new Map<
    string,
    { readonly timer: ReturnType<typeof setTimeout>; isAdded: boolean }
  >();
  /** The pause factors of keys that are reconciled repeatedly. */
  readonly #factors = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #isStopped = true;

  /** @param onError - called with an error that `reconcile` throws; the key is then retried as after any failure */
  constructor(
    reconcile: Reconcile,
    concurrency: WorkQueueConcurrency,
    onError: (key: string, error: unknown) => void,
    backoff = DEFAULT_BACKOFF,
  ) {
    this.#reconcile = reconcile;
    this.#concurrency = concurrency;
    this.#onError = onError;
    this.#backoff = backoff;
  }

  /** The number of keys that wait for a reconcile, including paused ones. */
  get depth(): number {
    const paused = [...this.#backingOff.values()].filter(({ isAdded }) => isAdded);
    const { newKeys, updates } = this.#waiting;
    return newKeys.size + updates.size + paused.length;
  }

  /**
   * Adds a key to reconcile.
   *
   * @param isFirst - whether the key is new
   */
  add(key: string, isFirst = false): void {
    const paused = this.#backingOff.get(key);
    const { newKeys, updates } = this.#waiting;
    if (paused !== undefined) paused.isAdded = true;
    else if (!newKeys.has(key) && !updates.has(key)) (isFirst ? newKeys : updates).add(key);
    this.#startReconciles();
  }

  /** Starts to reconcile. Until then, keys only accumulate. */
  start(): void {
    this.#isStopped = false;
    this.#startReconciles();
  }

  /** Starts no new reconcile. Resolves when running ones have finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { timer } of this.#backingOff.values()) clearTimeout(timer);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#backingOff.clear();
    this.#timers.clear();
    await Promise.all([...this.#inFlight.values()].map(({ ended }) => ended));
  }

  /** Starts as many reconciles as there are free workers. */
  #startReconciles(): void {
    for (const lane of ["newKeys", "updates"] as const) {
      for (const key of this.#waiting[lane]) {
        if (this.#isStopped || !this.#hasFree(lane)) break;
        if (!this.#inFlight.has(key)) this.#start(lane, key);
      }
    }
  }

  #hasFree(lane: keyof WorkQueueConcurrency): boolean {
    const lanes = [...this.#inFlight.values()].map((one) => one.lane);
    const inLane = lanes.filter((one) => one === lane).length;
    const slow = lanes.filter((one) => one === "slow").length;
    return inLane < this.#workerCount(lane) && slow < MAX_SLOW;
  }

  #workerCount(lane: keyof WorkQueueConcurrency): number {
    const { newKeys, updates } = this.#concurrency;
    if (lane === "newKeys") return newKeys;
    const more = Math.floor(this.#waiting.updates.size / WAITING_PER_LANE);
    return Math.max(updates, Math.min(updates + more, newKeys));
  }

  #start(lane: keyof WorkQueueConcurrency, key: string): void {
    this.#waiting[lane].delete(key);
    const slowTimer = setTimeout(() => {
      running.lane = "slow";
      this.#startReconciles();
    }, SLOW_AFTER_MS);
    // The reconcile starts asynchronously, after its key is marked as running, because it may add the key itself.
    const ended = Promise.resolve()
      .then(() => this.#runReconcile(key))
      .finally(() => clearTimeout(slowTimer));
    const running: RunningReconcile = { ended, lane };
    this.#inFlight.set(key, running);
  }

  async #runReconcile(key: string): Promise<void> {
    // The reconcile that starts now replaces the scheduled one.
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    const startMs = performance.now();
    const result = await this.#reconcileSafely(key);
    const durationMs = performance.now() - startMs;
    this.#inFlight.delete(key);
    if (result.outcome === "Retry") {
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
      const notBeforeMs = (result.retryAfterSeconds ?? 0) * 1000;
      this.#addAfter(key, Math.max(delayMs, notBeforeMs));
      this.#backOff(key, notBeforeMs);
    } else {
      this.#failures.delete(key);
      const { requeueAfterSeconds } = result;
      if (requeueAfterSeconds !== undefined) this.#addAfter(key, requeueAfterSeconds * 1000);
      const factor = this.#factors.get(key) ?? this.#backoff.factor;
      this.#backOff(key, Math.min(durationMs * factor, this.#backoff.maxMs));
    }
    this.#startReconciles();
  }

  async #reconcileSafely(key: string): Promise<ReconcileResult> {
    try {
      return await this.#reconcile(key, this.#failures.get(key) ?? 0);
    } catch (error) {
      this.#onError(key, error);
      return { outcome: "Retry" };
    }
  }

  /** Schedules a key after a delay, even while it is paused. */
  #addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timers.get(key));
    const addAgain = () => {
      this.add(key);
      this.#endBackoff(key);
    };
    // A delay beyond the maximum of a timer ends early. This causes only an unnecessary reconcile.
    this.#timers.set(key, setTimeout(addAgain, Math.min(delayMs, 2 ** 31 - 1)));
  }

  /** Pauses shorter than the resolution of a timer are skipped. */
  #backOff(key: string, backoffMs: number): void {
    if (this.#isStopped || backoffMs < 1) return;
    const { newKeys, updates } = this.#waiting;
    const isAdded = newKeys.delete(key) || updates.delete(key);
    const timer = setTimeout(() => this.#endBackoff(key), backoffMs);
    this.#backingOff.set(key, { timer, isAdded });
  }

  #endBackoff(key: string): void {
    const paused = this.#backingOff.get(key);
    if (paused === undefined) return;
    clearTimeout(paused.timer);
    this.#backingOff.delete(key);
    const { factor, maxFactor } = this.#backoff;
    if (paused.isAdded) {
      this.#factors.set(key, Math.min(2 * (this.#factors.get(key) ?? factor), maxFactor));
      this.add(key);
    } else this.#factors.delete(key);
  }
}
