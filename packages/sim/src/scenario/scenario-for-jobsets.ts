import {
  type FeatureGates,
  type JobSet,
  resolveFeatureGates,
  type Unvalidated,
} from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  asInteger,
  asRecord,
  asString,
  getAnnotation,
  getLabel,
  getName,
  isObject,
  type Job,
} from "@jobset-ts/api/kubernetes";
import { stringifyJson } from "@jobset-ts/api/text";
import { formatInt64 } from "@jobset-ts/api/typed";
import { desiredJobs } from "@jobset-ts/core/desired";
import { QUEUE_NAME_KEY } from "@jobset-ts/kueue";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { QueueConfig } from "../queueing/queueing.ts";
import { type Amounts, addAmounts, getPodRequests } from "../scheduler/resource-amounts.ts";
import { findRequiredNodeLabels } from "./required-node-labels.ts";
import type { Scenario } from "./scenario.ts";
import { findTooLarge, MAX_NODES } from "./size.ts";

/** Options for a scenario that runs JobSets. */
export interface JobSetScenarioOptions {
  readonly seed: number;
  /** The number of nodes, at most 100,000. Default: as many as the JobSets need. */
  readonly nodes?: number;
  /** The times at which the first Pods of Jobs fail, by Job name, in milliseconds since the start. */
  readonly failures: readonly { readonly job: string; readonly at: number }[];
  readonly features: FeatureGates;
}

/** The minimum run time of Pods that succeed, and of Pods that others wait for. */
const RUN_MS = 60_000;
/** The run time after the last failure. */
const EXTRA_RUN_MS = 20_000;
const DAY_MS = 86_400_000;

/**
 * Creates a scenario that runs JobSets on a suitable cluster: nodes that fit their Pods and have the labels that
 * these require, a topology domain for each exclusive Job, the priority classes that they name, and Pods that
 * succeed after some time unless a failure is requested. JobSets with a queue run under Kueue, whose only quota
 * suffices for all Pods. If the JobSets request more Jobs or Pods than a simulation can hold, there is one node,
 * and `simulate` rejects the scenario. Owners and finalizers of the JobSets are removed, because their controllers
 * do not exist here.
 *
 * @param jobSets - as a cluster stores them
 * @example scenarioForJobSets([], { seed: 1, failures: [], features: new Set() }).objects.length // => 1
 */
export function scenarioForJobSets(
  jobSets: readonly Unvalidated<JobSet>[],
  options: JobSetScenarioOptions,
): Scenario {
  const { seed, failures, features } = options;
  const isTooLarge = findTooLarge({ objects: jobSets.map(withoutTies), actions: [] }) !== undefined;
  const jobs = isTooLarge
    ? []
    : jobSets.flatMap((jobSet) => desiredJobs(jobSet, { features }) as readonly Job[]);
  // A Job without completion indexes has no first Pod, so all of its Pods fail.
  const indexed = new Set(
    jobs.filter(({ spec }) => spec.completionMode === "Indexed").map((job) => getName(job)),
  );
  const lastFailure = Math.max(0, ...failures.map(({ at }) => at));
  const createRun = (runMs: number) => ({ readyMs: 1000, runMs, stopMs: 500 });
  return {
    seed,
    objects: [
      ...nodesFor(jobs, options.nodes),
      ...priorityClassesFor(jobs),
      ...jobSets.map(withoutTies),
    ],
    workload: [
      // The first rule about a Pod whose time has not passed applies.
      ...failures
        .toSorted((one, other) => one.at - other.at)
        .map(({ job, at }) => ({
          job,
          ...(indexed.has(job) && { index: 0 }),
          endsAtMs: at,
          exitCode: 1,
        })),
      // Jobs that wait for these would otherwise start after the time of their failure.
      ...Array.from(listPrerequisites(jobSets, jobs, failures), (replicatedJob) => ({
        replicatedJob,
        ...createRun(RUN_MS),
      })),
      createRun(Math.max(RUN_MS, lastFailure + EXTRA_RUN_MS)),
    ],
    actions: [],
    faults: [],
    features: getGates(features),
    ...(jobSets.some(hasQueue) && { queueing: createQueue(jobs) }),
    endsAt: DAY_MS + Math.max(0, ...jobSets.map(ttlMs)),
  };
}

function hasQueue(jobSet: Unvalidated<JobSet>): boolean {
  return (getLabel(asRecord(jobSet) as JobSet, QUEUE_NAME_KEY) ?? "") !== "";
}

/** Returns a queue with quota for all Pods. */
function createQueue(jobs: readonly Job[]): QueueConfig {
  const flavor = { name: "default", nodeLabels: {}, quota: allocatableFor(jobs) };
  return { flavors: [flavor], evictions: [] };
}

/** Returns the ReplicatedJobs that must complete before a Job with a requested failure starts. */
function listPrerequisites(
  jobSets: readonly Unvalidated<JobSet>[],
  jobs: readonly Job[],
  failures: JobSetScenarioOptions["failures"],
): ReadonlySet<string> {
  const names = new Set(failures.map(({ job }) => job));
  const failing = jobs.filter((job) => names.has(getName(job)));
  const awaited = new Set<string>();
  for (const { spec } of jobSets) {
    // Collects transitively. Iteration over a Set includes values that are added meanwhile.
    const before = new Set(failing.map((job) => getLabel(job, REPLICATED_JOB_NAME_KEY)));
    const byName = new Map(
      asArray(spec?.replicatedJobs)
        .filter(isObject)
        .toReversed()
        .map((one) => [one.name, one]),
    );
    for (const name of before) {
      const dependencies = asArray(byName.get(name)?.dependsOn).filter(isObject);
      for (const { name: named, status } of dependencies) {
        const earlier = asString(named);
        before.add(earlier);
        if (status === "Complete") awaited.add(earlier);
      }
    }
  }
  return awaited;
}

/** Removes references to objects and programs that the scenario does not contain. */
function withoutTies(jobSet: Unvalidated<JobSet>): RequestedObject {
  const { ownerReferences: _, finalizers: __, ...metadata } = asRecord(jobSet.metadata);
  return { ...jobSet, metadata } as RequestedObject;
}

function ttlMs({ spec }: Unvalidated<JobSet>): number {
  return asInteger(spec?.ttlSecondsAfterFinished, 0) * 1_000;
}

/** Returns the gates that are not at their default. */
function getGates(features: FeatureGates): Readonly<Record<string, boolean>> {
  const defaults = resolveFeatureGates({});
  const all = new Set([...features, ...defaults]);
  const changed = [...all].filter((gate) => features.has(gate) !== defaults.has(gate));
  return Object.fromEntries(changed.map((gate) => [gate, features.has(gate)]));
}

/** Each Pod gets its own node up to this number of Pods per generated node. */
const PODS_PER_NODE = 8;
const MAX_SPREAD = 100;

function nodesFor(jobs: readonly Job[], nodeCount: number | undefined): readonly RequestedObject[] {
  const allocatable = allocatableFor(jobs);
  const places = createNodeLabels(jobs);
  return Array.from({ length: Math.min(nodeCount ?? places.length, MAX_NODES) }, (_, at) => {
    const name = `node-${at}`;
    // Under placement by host, each node is a domain.
    const labels = { ...places[at % places.length], "kubernetes.io/hostname": name };
    return {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels },
      spec: {},
      status: { allocatable, conditions: [{ type: "Ready", status: "True" }] },
    };
  });
}

/** Returns the priority classes that Pods name, all with one value. System classes exist by default. */
function priorityClassesFor(jobs: readonly Job[]): readonly RequestedObject[] {
  const names = new Set(jobs.map(({ spec }) => asString(spec.template.spec?.priorityClassName)));
  return [...names]
    .filter((name) => name !== "" && !name.startsWith("system-"))
    .map((name) => ({
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name },
      value: 0,
    }));
}

type Labels = Readonly<Record<string, string>>;

/** Returns the node labels: a domain for each exclusive Job, and some domains for each other ReplicatedJob. */
function createNodeLabels(jobs: readonly Job[]): readonly Labels[] {
  const shared = new Map<string, { readonly labels: Labels; pods: number }>();
  const own: Labels[] = [];
  for (const job of jobs) {
    const { template } = job.spec;
    const labels = findRequiredNodeLabels(template.spec);
    const topologyKey = getAnnotation(job, EXCLUSIVE_TOPOLOGY_KEY);
    if (topologyKey !== undefined)
      own.push({ ...withoutKey(labels, topologyKey), [topologyKey]: `domain-${own.length}` });
    else {
      const key = `${getLabel(job, REPLICATED_JOB_NAME_KEY)} ${stringifyJson(labels)}`;
      const place = shared.get(key) ?? { labels, pods: 0 };
      place.pods += podCount(job);
      shared.set(key, place);
    }
  }
  const spread = [...shared.values()].flatMap(({ labels, pods }) => {
    const count = Math.min(MAX_SPREAD, Math.ceil(pods / PODS_PER_NODE));
    return Array.from({ length: Math.max(1, count) }, () => labels);
  });
  // Each Pod without exclusive placement may occupy a domain that an exclusive Job needs.
  const others = [...shared.values()].reduce((sum, { pods }) => sum + pods, 0);
  const domains = own.length === 0 ? 0 : Math.min(MAX_SPREAD, others);
  const spare = Array.from({ length: domains }, (_, at) => {
    const like = own[at % own.length] ?? {};
    const key = Object.keys(like).at(-1) ?? "";
    return { ...like, [key]: `domain-${own.length + at}` };
  });
  const places = [...own, ...spare, ...spread];
  return places.length === 0 ? [{}] : places;
}

/** Moves the key to the end if it is set again. */
function withoutKey({ ...labels }: Labels, key: string): Labels {
  const { [key]: _, ...others } = labels;
  return others;
}

function podCount({ spec }: Job): number {
  const parallelism = asInteger(spec.parallelism, 1);
  return Math.max(0, Math.min(parallelism, asInteger(spec.completions, parallelism)));
}

const NO_CONTAINERS = { containers: [] };

/** The largest quantity that an API server stores unchanged. */
const MAX_AMOUNT = 2 ** 63;

/** Returns resources that hold all Pods on any node. */
function allocatableFor(jobs: readonly Job[]): Readonly<Record<string, string>> {
  let all: Amounts = { cpu: 64_000, memory: 256 * 2 ** 30 };
  let pods = 110;
  for (const job of jobs) {
    const count = podCount(job);
    pods += count;
    const requests = Object.entries(getPodRequests(job.spec.template.spec ?? NO_CONTAINERS));
    all = addAmounts(
      all,
      Object.fromEntries(requests.map(([name, amount]) => [name, amount * count])),
    );
  }
  const quantities = Object.entries(all).map(([name, amount]) => {
    const digits = formatInt64(Math.min(amount, MAX_AMOUNT));
    return [name, name === "cpu" ? `${digits}m` : digits];
  });
  return { ...Object.fromEntries(quantities), pods: String(pods) };
}
