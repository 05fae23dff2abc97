import type { JobSet } from "@jobset-ts/api";
import type { Event, Job, Node, Pod } from "@jobset-ts/api/kubernetes";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { desiredJobs } from "@jobset-ts/core/desired";
import { diagnose, diagnoseAll, jobSetPhase } from "@jobset-ts/diagnose";
import { allChecks } from "@jobset-ts/diagnose/all";
import { countPods } from "@jobset-ts/diagnose/census";
import { createRunningJobSet, listPods, podsPerJob } from "./fixtures.ts";
import type { Benchmark } from "./measure.ts";

const context = createContext({ now: "2026-11-21T12:00:00Z" });
const options = { now: context.now, checks: allChecks };

/** Diagnoses a JobSet of `size` Jobs with ten running Pods each. The indexes exist already. */
export function* diagnoseRunning(): Generator<Benchmark> {
  for (const size of [100, 1_000, 10_000]) {
    yield createDiagnosisBenchmark(size, withRunningStatus, { status: "Progressing", roots: 0 });
  }
}

/** Diagnoses the same JobSet with unschedulable Pods. */
export function* diagnoseUnschedulable(): Generator<Benchmark> {
  for (const size of [100, 1_000, 10_000]) {
    yield createDiagnosisBenchmark(size, unschedulablePod, { status: "Stuck", roots: 1 });
  }
}

/** Diagnoses the same JobSet in a cluster of 1,000 cordoned nodes, whose taints and labels exclude its Pods as well. */
export function* diagnoseMismatched(): Generator<Benchmark> {
  const nodes = Array.from({ length: 1_000 }, (_, index) => excludingNode(`n${index}`));
  for (const size of [100, 1_000]) {
    yield createDiagnosisBenchmark(size, mismatchedPod, { status: "Stuck", roots: 1 }, nodes);
  }
}

/** Diagnoses `size` JobSets of one Job with ten Pods each, including the indexing of the list. */
export function* diagnoseMany(): Generator<Benchmark> {
  for (const size of [100, 1_000, 10_000]) {
    const { objects, pods } = createTestCluster(size);
    yield {
      size,
      run: () => diagnoseAll(createSnapshot(objects, { kinds: "all" }), options).length,
      ...createParsingFloor(pods),
    };
  }
}

/** Computes the phase of one JobSet among `size`, with an Event about each Pod. The indexes exist already. */
export function* phaseAmongMany(): Generator<Benchmark> {
  for (const size of [100, 1_000, 10_000]) {
    const { objects, jobSets, pods } = createTestCluster(size);
    const snapshot = createSnapshot([...objects, ...pods.map(eventAbout)], { kinds: "all" });
    const [jobSet = {}] = jobSets;
    yield {
      size,
      run: () => jobSetPhase(snapshot, jobSet, options),
      ...createParsingFloor(pods.slice(0, podsPerJob)),
    };
  }
}

/** Counts `size` Pods by state, including the indexing of the list. */
export function* countPodsByState(): Generator<Benchmark> {
  for (const size of [1_500, 150_000]) {
    const { jobs } = createRunningJobSet(size / podsPerJob);
    const pods = cloneThroughJson(jobs.flatMap(listPods).map(withRunningStatus));
    yield {
      size,
      run: () => {
        const census = countPods(createSnapshot(pods));
        if (!census.ok || census.census.counts.running !== size)
          throw new Error("not all Pods were counted");
        return census;
      },
      ...createParsingFloor(pods),
    };
  }
}

function createDiagnosisBenchmark(
  size: number,
  change: (pod: Pod) => Pod,
  expected: { readonly status: string; readonly roots: number },
  nodes: readonly Node[] = [aNode],
): Benchmark {
  const { jobSet, jobs } = createRunningJobSet(size);
  const pods = cloneThroughJson(jobs.flatMap(listPods).map(change));
  const snapshot = createSnapshot([jobSet, ...jobs, ...pods, ...nodes], { kinds: "all" });
  return {
    size,
    run: () => {
      const { status, roots } = diagnose(snapshot, jobSet, options);
      if (status !== expected.status || roots.length !== expected.roots) {
        throw new Error(`the diagnosis has ${roots.length} root causes and the status ${status}`);
      }
    },
    ...createParsingFloor(pods),
  };
}

function createParsingFloor(pods: readonly Pod[]): Pick<Benchmark, "floor" | "runFloor"> {
  const texts = pods.map((pod) => JSON.stringify(pod));
  return {
    floor: "JSON.parse of the Pods",
    runFloor: () => texts.map((text) => JSON.parse(text)).length,
  };
}

/** Returns objects as in a client: parsed from text, without shared parts. */
function cloneThroughJson(pods: readonly Pod[]): readonly Pod[] {
  return pods.map((pod) => JSON.parse(JSON.stringify(pod)));
}

const aNode: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };

function withRunningStatus(pod: Pod): Pod {
  const conditions = ["PodScheduled", "Initialized", "ContainersReady", "Ready"].map((type) => ({
    type,
    status: "True" as const,
    lastTransitionTime: "2026-11-21T11:00:00Z",
  }));
  return { ...pod, status: { phase: "Running", conditions } };
}

function excludingNode(name: string): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { zone: "a" } },
    spec: { unschedulable: true, taints: [{ key: "gpu", value: "true", effect: "NoSchedule" }] },
  };
}

function mismatchedPod(pod: Pod): Pod {
  const message =
    "0/1000 nodes are available: 1000 node(s) were unschedulable, 1000 node(s) had untolerated taint(s), 1000 node(s) didn't match Pod's node affinity/selector.";
  return { ...pod, ...rejectedBy(message, { nodeSelector: { zone: "b" } }) };
}

function unschedulablePod(pod: Pod): Pod {
  const message = "0/1 nodes are available: 1 Insufficient example.com/gpu.";
  return { ...pod, ...rejectedBy(message) };
}

function rejectedBy(
  message: string,
  spec: Partial<Pod["spec"]> = {},
): Pick<Pod, "spec" | "status"> {
  const condition = {
    type: "PodScheduled",
    status: "False" as const,
    reason: "Unschedulable",
    message,
  };
  return {
    spec: { containers: [], ...spec },
    status: { phase: "Pending", conditions: [condition] },
  };
}

function eventAbout({ metadata: { name = "", namespace = "", uid = "" } }: Pod): Event {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.17a9c1`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", namespace, name, uid },
    reason: "Scheduled",
    message: `Successfully assigned ${namespace}/${name} to n1`,
    type: "Normal",
  };
}

/** Creates JobSets of one Job each, all of which run. */
function createTestCluster(count: number): {
  readonly objects: readonly object[];
  readonly jobSets: readonly JobSet[];
  readonly pods: readonly Pod[];
} {
  const { jobSet } = createRunningJobSet(1);
  const jobSets: JobSet[] = [];
  const jobs: Job[] = [];
  for (let index = 0; index < count; index++) {
    const metadata = { ...jobSet.metadata, name: `train-${index}`, uid: `jobset-${index}` };
    const one = { ...jobSet, metadata };
    jobSets.push(one);
    for (const job of desiredJobs(one, context)) {
      jobs.push({ ...job, metadata: { ...job.metadata, uid: `job-${index}` } });
    }
  }
  const pods = cloneThroughJson(jobs.flatMap(listPods).map(withRunningStatus));
  return { objects: [aNode, ...jobSets, ...jobs, ...pods], jobSets, pods };
}
