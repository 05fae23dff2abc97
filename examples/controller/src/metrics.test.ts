import { createContext, createSnapshot, reconcile } from "@jobset-ts/core";
import { aJobSet } from "@jobset-ts/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Metrics, type Sample, Tally } from "./metrics.ts";

const jobSet = aJobSet("train").withReplicatedJob("workers", { replicas: 2 });
const plan = reconcile(
  createSnapshot([jobSet], { kinds: "all" }),
  jobSet,
  createContext({ now: 0 }),
);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Creates a tally that sends its samples to metrics. */
function createTally(): { readonly metrics: Metrics; readonly tally: Tally } {
  const metrics = new Metrics();
  return { metrics, tally: new Tally((samples) => metrics.take(samples)) };
}

/** Returns the lines about a metric of ours, without the metrics of Node. */
async function formatLines(metrics: Metrics, name: string): Promise<readonly string[]> {
  vi.runAllTimers();
  const text = await metrics.text();
  return text.split("\n").filter((line) => line.startsWith(`${name}{`));
}

it("the metrics count passes by outcome and the requests of their plans", async () => {
  const { metrics, tally } = createTally();
  const failed = { ok: false, phase: "classify", message: "no", metrics: [] } as const;
  tally.countPass("jobset", plan, { ok: true, events: [], metrics: [] });
  tally.countPass("jobset", plan, { ...failed, conflict: true });
  tally.countPass("jobset", plan, { ...failed, conflict: false });
  expect(await formatLines(metrics, "jobset_passes_total")).toEqual([
    'jobset_passes_total{controller="jobset",result="ok"} 1',
    'jobset_passes_total{controller="jobset",result="conflict"} 1',
    'jobset_passes_total{controller="jobset",result="error"} 1',
  ]);
  const requests = plan.steps.flatMap(({ effects }) => effects).length;
  expect(await formatLines(metrics, "jobset_planned_requests_total")).toEqual([
    `jobset_planned_requests_total{controller="jobset"} ${3 * requests}`,
  ]);
});

it("the metrics count the terminal state of a JobSet even if its status was not written", async () => {
  const { metrics, tally } = createTally();
  const metric = {
    name: "jobset_completed_total",
    labels: { jobset_name: "train", namespace: "ml" },
  };
  tally.countPass("jobset", plan, { ok: true, events: [], metrics: [metric] });
  const why = { phase: "write-status", message: "no", conflict: true } as const;
  tally.countPass("jobset", plan, { ok: false, ...why, metrics: [metric] });
  expect(await formatLines(metrics, "jobset_completed_total")).toEqual([
    'jobset_completed_total{jobset_name="train",namespace="ml"} 2',
  ]);
});

it("the metrics ignore an undeclared metric", async () => {
  const { metrics, tally } = createTally();
  tally.count({ name: "jobset_unheard_of_total", labels: {} });
  vi.runAllTimers();
  expect(await metrics.text()).not.toContain("unheard_of");
});

it("the tally reads the queue depth each time it sends", async () => {
  const { metrics, tally } = createTally();
  let depth = 3;
  tally.watchQueues(() => [["jobset", depth]]);
  expect(await formatLines(metrics, "jobset_queue_depth")).toEqual([
    'jobset_queue_depth{controller="jobset"} 3',
  ]);
  depth = 0;
  tally.count({ name: "jobset_sent_requests_total", labels: { method: "GET" } });
  expect(await formatLines(metrics, "jobset_queue_depth")).toEqual([
    'jobset_queue_depth{controller="jobset"} 0',
  ]);
});

it("planning measures the duration of a plan function and returns its plan", async () => {
  const { metrics, tally } = createTally();
  expect(tally.planning("jobset", () => plan)).toBe(plan);
  expect(await formatLines(metrics, "jobset_planning_seconds_count")).toEqual([
    'jobset_planning_seconds_count{controller="jobset"} 1',
  ]);
});

describe("the tally", () => {
  const get = { name: "jobset_sent_requests_total", labels: { method: "GET" } };
  const put = { ...get, labels: { method: "PUT" } };

  it("the tally sends sums a few times per second, and nothing without changes", () => {
    const sent: (readonly Sample[])[] = [];
    const tally = new Tally((samples) => sent.push(samples));
    for (const one of [get, put, get, get]) tally.count(one);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(sent).toEqual([
      [
        { ...get, value: 3 },
        { ...put, value: 1 },
      ],
    ]);
    vi.advanceTimersByTime(60_000);
    expect(sent).toHaveLength(1);
    tally.count(put);
    tally.flush();
    expect(sent.slice(1)).toEqual([[{ ...put, value: 1 }]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("the metrics use the Prometheus text format and include the process", async () => {
  const metrics = new Metrics();
  expect(metrics.contentType).toMatch(/^text\/plain/);
  expect(await metrics.text()).toMatch(
    /^# HELP process_resident_memory_bytes .*\n# TYPE process_resident_memory_bytes gauge\n/m,
  );
});
