import { contextOf, reconcile, snapshotOf } from "@jobset-ts/core";
import { aJobSet } from "@jobset-ts/testing";
import { expect, it } from "vitest";
import { Metrics } from "./metrics.ts";

const jobSet = aJobSet("train").withReplicatedJob("workers", { replicas: 2 });
const plan = reconcile(snapshotOf([jobSet]), jobSet, contextOf({ now: 0 }));

/** The lines about our own metrics, without those about Node. */
async function linesOf(metrics: Metrics, name: string): Promise<readonly string[]> {
  const text = await metrics.text();
  return text.split("\n").filter((line) => line.startsWith(`${name}{`));
}

it("counts passes by how they ended, and what their plans asked for", async () => {
  const metrics = new Metrics();
  const failed = { ok: false, phase: "classify", message: "no", metrics: [] } as const;
  metrics.countPass("jobset", plan, { ok: true, events: [], metrics: [] });
  metrics.countPass("jobset", plan, { ...failed, conflict: true });
  metrics.countPass("jobset", plan, { ...failed, conflict: false });
  expect(await linesOf(metrics, "jobset_passes_total")).toEqual([
    'jobset_passes_total{controller="jobset",result="ok"} 1',
    'jobset_passes_total{controller="jobset",result="conflict"} 1',
    'jobset_passes_total{controller="jobset",result="error"} 1',
  ]);
  const requests = plan.steps.flatMap(({ effects }) => effects).length + 1; // and the status
  expect(await linesOf(metrics, "jobset_planned_requests_total")).toEqual([
    `jobset_planned_requests_total{controller="jobset"} ${3 * requests}`,
  ]);
});

it("counts what a pass has to tell, also when its status was not written", async () => {
  const metrics = new Metrics();
  const told = {
    name: "jobset_completed_total",
    labels: { jobset_name: "train", namespace: "ml" },
  };
  metrics.countPass("jobset", plan, { ok: true, events: [], metrics: [told] });
  const why = { phase: "write-status", message: "no", conflict: true } as const;
  metrics.countPass("jobset", plan, { ok: false, ...why, metrics: [told] });
  expect(await linesOf(metrics, "jobset_completed_total")).toEqual([
    'jobset_completed_total{jobset_name="train",namespace="ml"} 2',
  ]);
});

it("passes over a metric that nobody has declared", async () => {
  const metrics = new Metrics();
  metrics.count({ name: "jobset_unheard_of_total", labels: {} });
  expect(await metrics.text()).not.toContain("unheard_of");
});

it("asks for the depth of the queues when it is read", async () => {
  const metrics = new Metrics();
  let depth = 3;
  metrics.watchQueues(() => [["jobset", depth]]);
  expect(await linesOf(metrics, "jobset_queue_depth")).toEqual([
    'jobset_queue_depth{controller="jobset"} 3',
  ]);
  depth = 0;
  expect(await linesOf(metrics, "jobset_queue_depth")).toEqual([
    'jobset_queue_depth{controller="jobset"} 0',
  ]);
});

it("takes the time of what plans, and gives its plan back", async () => {
  const metrics = new Metrics();
  expect(metrics.planning("jobset", () => plan)).toBe(plan);
  expect(await linesOf(metrics, "jobset_planning_seconds_count")).toEqual([
    'jobset_planning_seconds_count{controller="jobset"} 1',
  ]);
});

it("speaks the text format of Prometheus, about the process as well", async () => {
  const metrics = new Metrics();
  expect(metrics.contentType).toMatch(/^text\/plain/);
  expect(await metrics.text()).toMatch(
    /^# HELP process_resident_memory_bytes .*\n# TYPE process_resident_memory_bytes gauge\n/m,
  );
});
