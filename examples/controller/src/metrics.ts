import type { PlacementPlan, Plan, PlannedMetric, RunOutcome } from "@jobset-ts/core";
import {
  Counter,
  collectDefaultMetrics,
  exponentialBuckets,
  Gauge,
  Histogram,
  Registry,
} from "prom-client";
import type { ControllerName } from "./options.ts";

/** The counters, what they count, and by which labels. */
const counters: readonly (readonly [name: string, help: string, ...labels: string[]])[] = [
  ["jobset_failed_total", "The total number of failed JobSets", "jobset_name", "namespace"],
  ["jobset_completed_total", "The total number of completed JobSets", "jobset_name", "namespace"],
  ["jobset_passes_total", "Passes of the controllers, by how they ended", "controller", "result"],
  ["jobset_planned_requests_total", "Requests that plans asked for", "controller"],
  ["jobset_sent_requests_total", "Requests that were sent to the API server", "method"],
  ["jobset_reviews_total", "Answers of the webhooks", "kind", "stage", "outcome"],
];

/** What the program is watched by, in the text format of Prometheus; with what Node tells of the process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #counters: ReadonlyMap<string, Counter>;
  readonly #planning: Histogram;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#counters = new Map(
      counters.map(([name, help, ...labelNames]) => [
        name,
        new Counter({ name, help, labelNames, registers }),
      ]),
    );
    this.#planning = new Histogram({
      name: "jobset_planning_seconds",
      help: "How long the library thinks about a pass",
      labelNames: ["controller"],
      buckets: exponentialBuckets(1e-5, 4, 10),
      registers,
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  count({ name, labels }: PlannedMetric, by = 1): void {
    this.#counters.get(name)?.inc(labels, by);
  }

  /** Takes the time of what plans a pass. */
  planning<Planned>(controller: ControllerName, plan: () => Planned): Planned {
    const end = this.#planning.startTimer({ controller });
    const planned = plan();
    end();
    return planned;
  }

  countPass(controller: ControllerName, plan: Plan | PlacementPlan, outcome: RunOutcome): void {
    const result = outcome.ok ? "ok" : outcome.conflict ? "conflict" : "error";
    this.count({ name: "jobset_passes_total", labels: { controller, result } });
    const writesStatus = "status" in plan && plan.status !== undefined;
    const planned = plan.steps.reduce(
      (sum, { effects }) => sum + effects.length,
      writesStatus ? 1 : 0,
    );
    this.count({ name: "jobset_planned_requests_total", labels: { controller } }, planned);
    for (const metric of outcome.metrics) this.count(metric);
  }

  /** @param depths - per controller, how many keys wait; asked each time when the metrics are read */
  watchQueues(depths: () => readonly (readonly [ControllerName, number])[]): void {
    new Gauge({
      name: "jobset_queue_depth",
      help: "Keys that wait for a pass",
      labelNames: ["controller"],
      registers: [this.#registry],
      collect() {
        for (const [controller, depth] of depths()) this.set({ controller }, depth);
      },
    });
  }
}
