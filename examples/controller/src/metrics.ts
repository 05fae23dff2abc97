import type { Plan, PlannedMetric, RunOutcome } from "@jobset-ts/core";
import type { PlacementPlan } from "@jobset-ts/core/placement";
import {
  Counter,
  collectDefaultMetrics,
  exponentialBuckets,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";
import type { ControllerName } from "./options.ts";

/** One sample: the increment of a counter, an observation of a histogram, or the value of a gauge. */
export type Sample = PlannedMetric & { readonly value: number };

type Named = readonly [name: string, help: string, ...labels: string[]];

/** The counters with their help texts and labels. */
const counters: readonly Named[] = [
  ["jobset_failed_total", "The total number of failed JobSets", "jobset_name", "namespace"],
  ["jobset_completed_total", "The total number of completed JobSets", "jobset_name", "namespace"],
  ["jobset_passes_total", "Passes of the controllers by outcome", "controller", "result"],
  ["jobset_planned_requests_total", "Requests in the plans of the controllers", "controller"],
  ["jobset_sent_requests_total", "Requests sent to the API server", "method"],
  ["jobset_reviews_total", "Responses of the webhooks", "kind", "stage", "outcome"],
];

const PLANNING = "jobset_planning_seconds";
const DEPTH = "jobset_queue_depth";

/** The metrics of the program in the Prometheus text format, with Node's process metrics. */
export class Metrics {
  readonly #registry = new Registry();
  /** The functions that accept a sample, by metric name. */
  readonly #takers: ReadonlyMap<string, (sample: Sample) => void>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    const planning = new Histogram({
      name: PLANNING,
      help: "Time that the library takes to plan a pass",
      labelNames: ["controller"],
      buckets: exponentialBuckets(1e-5, 4, 10),
      registers,
    });
    const depth = new Gauge({
      name: DEPTH,
      help: "Keys waiting for a pass",
      labelNames: ["controller"],
      registers,
    });
    this.#takers = new Map([
      ...counters.map(([name, help, ...labelNames]) => {
        const counter = new Counter({ name, help, labelNames, registers });
        return [name, ({ labels, value }: Sample) => counter.inc(labels, value)] as const;
      }),
      [PLANNING, ({ labels, value }) => planning.observe(labels, value)],
      [DEPTH, ({ labels, value }) => depth.set(labels, value)],
    ]);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Adds the samples of a {@link Tally}. Undeclared metrics are ignored. */
  take(samples: readonly Sample[]): void {
    for (const sample of samples) this.#takers.get(sample.name)?.(sample);
  }
}

/** The time that a {@link Tally} collects samples before it sends them. */
const SEND_AFTER_MS = 100;

/** Counts within its own thread, and sends the sums a few times per second. */
export class Tally {
  readonly #send: (samples: readonly Sample[]) => void;
  readonly #counted = new Map<string, Sample>();
  #observed: Sample[] = [];
  #depths: () => readonly (readonly [ControllerName, number])[] = () => [];
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (samples: readonly Sample[]) => void) {
    this.#send = send;
  }

  count(metric: PlannedMetric, by = 1): void {
    const key = JSON.stringify(metric);
    const { value } = this.#counted.get(key) ?? { value: 0 };
    this.#counted.set(key, { ...metric, value: value + by });
    this.#sendSoon();
  }

  /** Measures the duration of a plan function and returns its result. */
  planning<Planned>(controller: ControllerName, plan: () => Planned): Planned {
    const startMs = performance.now();
    const planned = plan();
    const value = (performance.now() - startMs) / 1000;
    this.#observed.push({ name: PLANNING, labels: { controller }, value });
    this.#sendSoon();
    return planned;
  }

  countPass(controller: ControllerName, plan: Plan | PlacementPlan, outcome: RunOutcome): void {
    const result = outcome.ok ? "ok" : outcome.conflict ? "conflict" : "error";
    this.count({ name: "jobset_passes_total", labels: { controller, result } });
    const planned = plan.steps.reduce((sum, { effects }) => sum + effects.length, 0);
    this.count({ name: "jobset_planned_requests_total", labels: { controller } }, planned);
    for (const metric of outcome.metrics) this.count(metric);
  }

  /** @param depths - the number of waiting keys per controller; called before each report */
  watchQueues(depths: () => readonly (readonly [ControllerName, number])[]): void {
    this.#depths = depths;
    this.#sendSoon();
  }

  /** Sends the current sums. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const depths = this.#depths().map(([controller, value]): Sample => {
      return { name: DEPTH, labels: { controller }, value };
    });
    this.#send([...this.#counted.values(), ...this.#observed, ...depths]);
    this.#counted.clear();
    this.#observed = [];
  }

  #sendSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), SEND_AFTER_MS);
  }
}
