import { setTimeout } from "node:timers/promises";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { type Cluster, eventually, type Stored } from "./cluster.ts";
import { freePorts } from "./control-plane.ts";
import type { ControllerProcess } from "./controller-process.ts";
import { forEachIndex } from "./for-each-index.ts";
import { BURST_JOB_SETS, BURST_JOBS, type BurstResult, runBurst } from "./jobset-burst.ts";
import { getMetrics } from "./metrics-page.ts";
import { part } from "./scenario.ts";
import type { TestBed } from "./test-bed.ts";

/** A measured value and its limit. */
export interface ScaleMeasurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly limit: number;
}

const NAMESPACE = "scale";
const JOB_SETS = 300;
const JOBS = 4;
const PODS = 20_000;
/** The maximum number of concurrent requests. */
const SIDE_BY_SIDE = 48;
/** The number of Pod changes per measurement. */
const CHANGES = 200;

/** Changes of Pods trigger a reconcile only with this gate. */
const gates = ["InPlaceRestart"];

type Metrics = () => Promise<ReadonlyMap<string, number>>;

/** Measures how long upstream's controller needs for the burst. */
export async function measureUpstreamAtScale(bed: TestBed, binary: string): Promise<BurstResult> {
  const manager = await bed.startUpstream(binary);
  await manager.ready();
  const took = await runBurst(bed.cluster, manager);
  await manager.stop();
  return took;
}

/**
 * Measures the controller with many objects: JobSets that are created all at once, then thousands of Pods.
 *
 * @param upstream - the measurements of upstream's controller for the burst, if available
 */
export async function* measureAtScale(
  bed: TestBed,
  upstream?: BurstResult,
): AsyncGenerator<ScaleMeasurement> {
  const { cluster } = bed;
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  const [port = 0] = await freePorts(1);
  const args = ["--metrics-port", String(port)];
  const metrics = () => getMetrics(`http://127.0.0.1:${port}/metrics`);

  const first = bed.start("everything", { gates, args });
  await first.ready();
  yield* createBurst(cluster, first, upstream);
  yield* creation(cluster, metrics);
  const few = await microsecondsPerPass(cluster, metrics);
  await first.stop();

  await createPods(cluster);
  const second = bed.start("everything", { gates, args });
  await second.ready();
  await waitUntilIdle(metrics);
  const name = `memory of the controller with ${PODS} Pods`;
  yield { name, value: second.residentBytes() / 1e6, unit: "MB", limit: 400 };
  const many = await microsecondsPerPass(cluster, metrics);
  await second.stop();
  yield {
    name: `a pass after one Pod has changed, with ${PODS} Pods compared to ${JOB_SETS * JOBS}`,
    value: many / few,
    unit: `times as long: ${many.toFixed(0)} us compared to ${few.toFixed(0)} us`,
    // The cluster has 17 times as many Pods, so a time proportional to the Pods would far exceed this limit. The limit
    // is above 1, because the garbage collection of a larger heap takes longer.
    limit: 4,
  };
  yield* explainAll(bed);
}

/** The number of attempts to explain all JobSets. The fastest counts, because other programs may use the machine. */
const ATTEMPTS = 3;

/** Measures `kubectl jobset explain`, for all JobSets and for one. */
async function* explainAll({ kubectl }: TestBed): AsyncGenerator<ScaleMeasurement> {
  const explain = async (args: readonly string[]) => {
    const start = performance.now();
    const { exitCode, out, error } = await kubectl(["jobset", "explain", ...args], { env });
    if (exitCode !== 0) throw new Error(`kubectl ends with ${exitCode}: ${error}`);
    if (!/^(?:\S+\/)?train-0: /m.test(out)) throw new Error("explain did not print train-0");
    const [, cpu = "NaN", memory = "NaN"] = /^usage (\S+) (\S+)$/m.exec(error) ?? [];
    const seconds = (performance.now() - start) / 1000;
    return { seconds, cpuSeconds: Number(cpu) / 1e6, megabytes: Number(memory) / 1e3 };
  };
  const what = `explain of ${JOB_SETS} JobSets with ${PODS} Pods`;
  const attempts: Awaited<ReturnType<typeof explain>>[] = [];
  while (attempts.length < ATTEMPTS && !attempts.some(({ seconds }) => seconds <= 15)) {
    attempts.push(await explain(["-A"]));
  }
  const beside = attempts.map(({ cpuSeconds }) => cpuSeconds.toFixed(1)).join(" and ");
  yield {
    name: what,
    value: Math.min(...attempts.map(({ seconds }) => seconds)),
    unit: `s, with ${beside} s of CPU in addition to kubectl's`,
    limit: 15,
  };
  const megabytes = Math.max(...attempts.map((attempt) => attempt.megabytes));
  yield { name: `${what}, memory`, value: megabytes, unit: "MB", limit: 600 };
  const one = await explain(["train-0", "-n", NAMESPACE]);
  yield {
    name: "explain of one of them",
    value: one.cpuSeconds,
    unit: `s of CPU in addition to kubectl's, ${one.seconds.toFixed(1)} s in all`,
    limit: 3,
  };
}

/** Prints the CPU time of a Node program in microseconds and its maximum memory in KB to standard error. */
const printUsage = `process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write("usage " + (userCPUTime + systemCPUTime) + " " + maxRSS + "\\n");
});`;
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printUsage)}` };

async function* createBurst(
  cluster: Cluster,
  controller: ControllerProcess,
  upstream: BurstResult | undefined,
): AsyncGenerator<ScaleMeasurement> {
  const took = await runBurst(cluster, controller);
  const load = `${BURST_JOB_SETS} JobSets of ${BURST_JOBS} Jobs`;
  const formatUpstreamFigure = (figure: number | undefined) =>
    figure === undefined ? "" : `; upstream's controller ${figure.toFixed(2)}`;
  yield {
    name: `${load}, until all Jobs exist`,
    value: took.secondsToJobs,
    unit: `s${formatUpstreamFigure(upstream?.secondsToJobs)}`,
    limit: 60,
  };
  yield {
    name: `${load}, until completed`,
    value: took.secondsToEnd,
    unit: `s${formatUpstreamFigure(upstream?.secondsToEnd)}`,
    limit: 120,
  };
  const { creationMs, configMapMs } = took;
  const times = (ms: number) => `${creationMs.toFixed(0)} ms compared to ${ms.toFixed(0)} ms`;
  // A JobSet requires two more reviews than a ConfigMap. Before webhooks had their own thread, this took more than
  // twice as long.
  const name = "creating one of them through the webhooks, median";
  yield upstream === undefined
    ? {
        name,
        value: creationMs / configMapMs,
        unit: `times a ConfigMap: ${times(configMapMs)}`,
        limit: 6,
      }
    : {
        name,
        value: creationMs / upstream.creationMs,
        unit: `times upstream's controller: ${times(upstream.creationMs)}`,
        limit: 1.5,
      };
  yield {
    name: `${load}: writes of each status`,
    value: took.statusWrites / BURST_JOB_SETS,
    unit: `(${took.statusWrites} in all)${formatUpstreamFigure(upstream && upstream.statusWrites / BURST_JOB_SETS)}`,
    // Upstream's controller writes each status 4.2 to 4.3 times.
    limit: 4.5,
  };
  yield {
    name: `${load}: CPU time of the controller`,
    value: took.cpuSeconds,
    unit: `s of CPU${formatUpstreamFigure(upstream?.cpuSeconds)}`,
    limit: 9,
  };
}

async function* creation(cluster: Cluster, metrics: Metrics): AsyncGenerator<ScaleMeasurement> {
  const start = performance.now();
  const create = (index: number) =>
    cluster.create({
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: `train-${index}`, namespace: NAMESPACE },
      spec: { replicatedJobs: ["a", "b"].map((name) => onNoNode(name)) },
    });
  await forEachIndex(JOB_SETS, create, SIDE_BY_SIDE);
  await eventually("all Jobs exist and are counted", async () => {
    // Listing so many objects loads the API server, which is busy already.
    await setTimeout(1_000);
    const [jobs, jobSets] = await Promise.all([
      cluster.list("Job", NAMESPACE),
      cluster.list("JobSet", NAMESPACE),
    ]);
    return jobs.length === JOB_SETS * JOBS && jobSets.every(isCounted);
  });
  const seconds = (performance.now() - start) / 1000;
  const name = `${JOB_SETS} JobSets of ${JOBS} Jobs, created and counted`;
  yield { name, value: seconds, unit: "s", limit: 60 };

  await waitUntilIdle(metrics);
  const counts = await metrics();
  const planned = counts.get("jobset_planned_requests_total") ?? Number.NaN;
  const sent = counts.get("jobset_sent_requests_total") ?? Number.NaN;
  yield {
    name: "requests sent, including reads",
    value: sent / planned,
    unit: `times the ${planned} planned requests`,
    limit: 1.2,
  };
}

function isCounted({ status }: Stored): boolean {
  const counted = status?.replicatedJobsStatus ?? [];
  return counted.length === 2 && counted.every(({ active }: Stored) => active === JOBS / 2);
}

/** Two Jobs of one Pod each, which waits for a node that does not exist. */
function onNoNode(name: string) {
  return part(name, { replicas: JOBS / 2, podSpec: { nodeSelector: { pool: "none" } } });
}

/** Waits until the controller has sent no requests for some time. */
async function waitUntilIdle(metrics: Metrics): Promise<void> {
  let before = Number.NaN;
  for (;;) {
    const sent = (await metrics()).get("jobset_sent_requests_total") ?? 0;
    if (sent === before) return;
    before = sent;
    await setTimeout(2_000);
  }
}

/** Measures the time to plan a pass after a change of one Pod, in microseconds. */
async function microsecondsPerPass(cluster: Cluster, metrics: Metrics): Promise<number> {
  const [pod] = await cluster.list("Pod", NAMESPACE);
  const before = await metrics();
  for (let change = 0; change < CHANGES; change += 1) {
    await cluster.patch(pod, { metadata: { annotations: { change: String(change) } } });
  }
  await waitUntilIdle(metrics);
  const after = await metrics();
  const countNew = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const [seconds, passes] = ["sum", "count"].map((of) => countNew(`jobset_planning_seconds_${of}`));
  if (!passes || !seconds) throw new Error("the changes of a Pod caused no pass");
  return (seconds / passes) * 1e6;
}

/**
 * Creates the Pods of the JobSets directly. The Job controller would take minutes for so many. The Pods bypass the
 * webhooks and the scheduler.
 */
async function createPods(cluster: Cluster): Promise<void> {
  for (const kind of ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]) {
    for (const { metadata } of await cluster.list(kind)) {
      await cluster.delete(kind, "", metadata.name);
    }
  }
  const existing = await cluster.list("Pod", NAMESPACE);
  const { spec, metadata } = existing[0];
  const { serviceAccount: _, ...rest } = spec;
  const create = (index: number) => {
    const labels = { ...metadata.labels, [JOBSET_NAME_KEY]: `train-${index % JOB_SETS}` };
    const name = `train-${index % JOB_SETS}-more-${index}`;
    return cluster.create({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: NAMESPACE, labels, annotations: metadata.annotations },
      spec: { ...rest, schedulerName: "none" },
    });
  };
  await forEachIndex(PODS - existing.length, create, SIDE_BY_SIDE);
}
