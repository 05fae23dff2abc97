import type { PlacementPlan, Plan, PlannedMetric, RunOutcome } from "@jobset-ts/core";
import type { ControllerName } from "./options.ts";

const help: Readonly<Record<string, string>> = {
  jobset_failed_total: "The total number of failed JobSets",
  jobset_completed_total: "The total number of completed JobSets",
  jobset_reviews_total: "Answers of the webhooks, by what they decided",
  jobset_passes_total: "Passes of the controllers, by how they ended",
  jobset_planned_requests_total: "Requests that plans asked for",
  jobset_sent_requests_total: "Requests that were sent to the API server, by method",
  jobset_queue_depth: "Keys that wait for a pass",
};

/** Counters in the text format of Prometheus. */
export class Metrics {
  readonly #counters = new Map<string, number>();

  count({ name, labels }: PlannedMetric, by = 1): void {
    const key = name + labelText(labels);
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + by);
  }

  countPass(controller: ControllerName, plan: Plan | PlacementPlan, outcome: RunOutcome): void {
    const result = outcome.ok ? "ok" : outcome.conflict ? "conflict" : "error";
    this.count({ name: "jobset_passes_total", labels: { controller, result } });
    const writesStatus = "status" in plan && plan.status !== undefined;
    const planned = plan.steps.reduce(
      (sum, { effects }) => sum + effects.length,
      writesStatus ? 1 : 0,
    );
    if (planned > 0) {
      this.count({ name: "jobset_planned_requests_total", labels: { controller } }, planned);
    }
    for (const metric of outcome.metrics) this.count(metric);
  }

  /** All counters, and gauges that are taken now. */
  text(gauges: readonly { readonly metric: PlannedMetric; readonly value: number }[]): string {
    const lines = new Map<string, string[]>();
    const add = (key: string, value: number) => {
      const name = key.replace(/\{.*/s, "");
      lines.set(name, [...(lines.get(name) ?? []), `${key} ${value}`]);
    };
    for (const [key, value] of this.#counters) add(key, value);
    for (const { metric, value } of gauges) add(metric.name + labelText(metric.labels), value);
    return [...lines]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, samples]) => [
        `# HELP ${name} ${help[name] ?? name}`,
        `# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}`,
        ...samples.sort(),
        "",
      ])
      .join("\n");
  }
}

function labelText(labels: PlannedMetric["labels"]): string {
  const escaped = (text: string) =>
    text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
