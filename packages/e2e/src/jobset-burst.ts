import { setTimeout } from "node:timers/promises";
import { type Cluster, eventually, type Stored, type WatchEvent } from "./cluster.ts";
import { forEachIndex } from "./for-each-index.ts";
import { part } from "./scenario.ts";

/** The measurements of a burst of JobSets. */
export interface BurstResult {
  /** The time until all Jobs exist, and the time until all JobSets are completed. */
  readonly secondsToJobs: number;
  readonly secondsToEnd: number;
  /** The median times for creating a JobSet, and for creating a ConfigMap at the same time. */
  readonly creationMs: number;
  readonly configMapMs: number;
  /** The number of status writes for all JobSets. */
  readonly statusWrites: number;
  /** The CPU time of the controller. */
  readonly cpuSeconds: number;
}

export const BURST_JOB_SETS = 100;
export const BURST_JOBS = 4;

const NAMESPACE = "burst";
const SIDE_BY_SIDE = 16;

/**
 * Creates many JobSets with limited concurrency, and waits until they are completed. Before each JobSet, it creates a
 * ConfigMap. The time for the ConfigMap is the share of the API server and the machine.
 */
export async function runBurst(
  cluster: Cluster,
  controller: { cpuSeconds(): number },
): Promise<BurstResult> {
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } });
  const writesBefore = await cluster.statusWrites("jobsets");
  const cpuBefore = controller.cpuSeconds();
  const [configMaps, jobSets]: [number[], number[]] = [[], []];
  const createTimed = async (times: number[], object: Stored) => {
    const start = performance.now();
    await cluster.create(object);
    times.push(performance.now() - start);
  };
  const start = performance.now();
  const secondsSinceStart = () => (performance.now() - start) / 1000;
  const secondsToJobs = waitForCount(cluster, "Job", BURST_JOB_SETS * BURST_JOBS).then(
    secondsSinceStart,
  );
  const createOne = async (index: number) => {
    const metadata = { name: `burst-${index}`, namespace: NAMESPACE };
    await createTimed(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
    const replicatedJobs = ["a", "b"].map((name) =>
      part(name, { replicas: BURST_JOBS / 2, command: ["succeed"] }),
    );
    const jobSet = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" };
    await createTimed(jobSets, { ...jobSet, metadata, spec: { replicatedJobs } });
  };
  await forEachIndex(BURST_JOB_SETS, createOne, SIDE_BY_SIDE);
  await eventually("all JobSets are completed", async () => {
    await setTimeout(500);
    const stored = await cluster.list("JobSet", NAMESPACE);
    return stored.every(({ status }) => status?.terminalState === "Completed");
  });
  return {
    secondsToJobs: await secondsToJobs,
    secondsToEnd: secondsSinceStart(),
    creationMs: median(jobSets),
    configMapMs: median(configMaps),
    statusWrites: (await cluster.statusWrites("jobsets")) - writesBefore,
    cpuSeconds: controller.cpuSeconds() - cpuBefore,
  };
}

/** Waits until this number of objects of a kind has existed in the namespace of the burst. */
async function waitForCount(cluster: Cluster, kind: string, count: number): Promise<void> {
  const seen = new Set<string>();
  const enough = new AbortController();
  const note = ({ object: { metadata } }: WatchEvent) => {
    if (metadata.namespace === NAMESPACE) seen.add(metadata.uid);
    if (seen.size >= count) enough.abort();
  };
  await cluster.follow(kind, note, enough.signal);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
