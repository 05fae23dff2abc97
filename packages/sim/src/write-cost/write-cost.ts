import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asRecord,
  asString,
  getName,
  getNamespace,
  isObject,
  type JobSpec,
  type KubernetesObject,
  resolveGenerateName,
} from "@jobset-ts/api/kubernetes";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { type Context, createContext } from "@jobset-ts/core";
import { jobState } from "@jobset-ts/core/child-jobs";
import type { RequestedObject, ServerRequest } from "../api-server/api-request.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { scenarioForJobSets } from "../scenario/scenario-for-jobsets.ts";
import { MeasuredCluster } from "./measured-cluster.ts";
import { type WriteCount, WriteTally, type WritingController } from "./write-tally.ts";

/** The cost of an operation, or why it is unknown. */
export type WriteCost =
  | {
      readonly ok: true;
      /** By author, verb and resource, including Events. */
      readonly writes: readonly WriteCount[];
      /** The total number of writes. */
      readonly count: number;
      readonly bytes: number;
      /** The number of reconciles of the JobSet. */
      readonly passes: number;
      /**
       * The minimum duration of the JobSet controller's writes without Events, at its client's rate. 0 within the
       * burst.
       */
      readonly minSeconds: number;
    }
  | { readonly ok: false; readonly message: string };

/**
 * An operation on a JobSet.
 *
 * - `create`: until all its Jobs run
 * - `restart`: of a running JobSet, because a Job fails; all Jobs restart, for any failure policy
 * - `suspend`, `delete`: of a running JobSet
 * - `resume`: of a JobSet that was created suspended
 * - `scale`: of a running JobSet, to this number of Pods for each Job of a ReplicatedJob; without the gate
 * `ElasticJobSet` the webhook denies it, and nothing is counted
 */
export type WriteOperation =
  | "create"
  | "restart"
  | "suspend"
  | "resume"
  | "delete"
  | { readonly scale: Readonly<Record<string, number>> };

/** The controller whose writes are counted, and its client's rate limit. */
export interface WriteCostOptions {
  /** Feature gates and quirks. Defaults to no quirks and the default gates. */
  readonly context?: Context;
  /** Defaults to `ours`. */
  readonly controller?: WritingController;
  /** The sustained requests per second of the controller's client. Defaults to 500, as upstream. */
  readonly qps?: number;
  /** The burst of the controller's client. Defaults to 500, as upstream. */
  readonly burst?: number;
}

/**
 * Returns the API server load of an operation on a JobSet: the writes of the JobSet controller, the Pods that the Job
 * controller creates and deletes, and the objects that the garbage collector deletes.
 *
 * The function simulates the operation in a cluster without faults, in which each Pod runs as soon as it has a node.
 * Real Pods start one by one, and each can cause another write of the JobSet's status. Not counted: the request of the
 * user, the writes of the scheduler and kubelets, and the writes of the Job controller except for Pods. For Pods, only
 * the template counts in bytes.
 *
 * @param jobSet - as it is stored, after admission; up to 10,000 Jobs and 20,000 Pods
 * @example
 * const pod = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example.com/train" }] } };
 * const template = { spec: { parallelism: 8, completions: 8, template: pod } };
 * const cost = writeCost({ metadata: { name: "train" }, spec: { replicatedJobs: [{ name: "w", replicas: 4, template }] } }, "create");
 * cost.ok && cost.writes.map(({ verb, resource, count }) => `${count} ${verb} ${resource}`) // => ["1 create services", "4 create jobs", "32 create pods", "3 update jobsets/status"]
 */
export function writeCost(
  jobSet: Unvalidated<JobSet>,
  operation: WriteOperation,
  options: WriteCostOptions = {},
): WriteCost {
  const { context = createContext({ now: 0 }), controller = "ours" } = options;
  if (getName(withIdentity(jobSet)) === "") return { ok: false, message: "the JobSet has no name" };
  const cluster = new MeasuredCluster(
    createScenario(toInitialJobSet(jobSet, operation), context),
    context,
  );
  const tally = new WriteTally(controller);
  const stuck = measureOperation(operation, cluster, tally, context);
  if (stuck !== undefined) return { ok: false, message: stuck };
  const { writes } = tally;
  const sum = (member: "count" | "bytes") => writes.reduce((sum, one) => sum + one[member], 0);
  return {
    ok: true,
    writes,
    count: sum("count"),
    bytes: sum("bytes"),
    passes: cluster.passes,
    minSeconds: computeMinSeconds(writes, options),
  };
}

/** Runs the operation and counts from its start. */
function measureOperation(
  operation: WriteOperation,
  cluster: MeasuredCluster,
  tally: WriteTally,
  { features }: Context,
): string | undefined {
  // Without the gate, the webhook denies the operation.
  if (typeof operation === "object" && !features.has("ElasticJobSet")) return undefined;
  if (operation === "create") {
    cluster.countInto(tally);
    return cluster.start();
  }
  const stuck = cluster.start();
  if (stuck !== undefined) return stuck;
  cluster.countInto(tally);
  const [jobSet] = cluster.snapshot.jobSets;
  if (jobSet === undefined) return "the JobSet is gone before the operation";
  switch (operation) {
    case "restart": {
      const job = cluster.snapshot.childJobs(jobSet).find((one) => jobState(one) === "active");
      if (job === undefined) return "the JobSet has no Job that can fail";
      return cluster.request(createPatch(job, { activeDeadlineSeconds: 1 }));
    }
    case "suspend":
    case "resume":
      return cluster.request(createPatch(jobSet, { suspend: operation === "suspend" }));
    case "delete":
      return cluster.request({ verb: "delete", object: jobSet as RequestedObject });
    default: {
      const { replicatedJobs } = withPodCounts(jobSet, asRecord(operation.scale)).spec ?? {};
      return cluster.request(createPatch(jobSet, { replicatedJobs }));
    }
  }
}

function createPatch(
  { kind, metadata }: Unvalidated<KubernetesObject>,
  spec: object,
): ServerRequest {
  const { namespace, name } = asRecord(metadata);
  return {
    verb: "patch",
    object: { kind, metadata: { namespace, name }, spec } as RequestedObject,
  };
}

/** Creates a scenario in which all Pods run at once until they are stopped. Pods of a dependency complete. */
function createScenario(jobSet: Unvalidated<JobSet>, { features }: Context): Scenario {
  const awaited = new Set(
    asArray(jobSet.spec?.replicatedJobs)
      .flatMap((one) => asArray(one?.dependsOn))
      .flatMap((one) => (one?.status === "Complete" ? [asString(one.name)] : [])),
  );
  return {
    ...scenarioForJobSets([jobSet], { seed: 1, failures: [], features }),
    queueing: undefined, // only the controller's requests count
    workload: [
      ...Array.from(awaited, (replicatedJob) => ({
        ...ENDLESS_RUN,
        replicatedJob,
        runMs: 1,
      })),
      ENDLESS_RUN,
    ],
  };
}

const ENDLESS_RUN = { startMs: 0, readyMs: 0, stopMs: 0 };

/** Returns the JobSet before the operation. */
function toInitialJobSet(
  jobSet: Unvalidated<JobSet>,
  operation: WriteOperation,
): Unvalidated<JobSet> {
  const { status: _, ...created } = withoutDeadlines(withIdentity(jobSet));
  const running = withSpec(created, { suspend: false });
  switch (operation) {
    case "create":
      return created;
    case "resume":
      return withSpec(created, { suspend: true });
    case "restart":
      return withSpec(running, { failurePolicy: { maxRestarts: MAX_INT32 } });
    default:
      return running;
  }
}

/** Replaces the deadlines with ones that never expire. They are kept in the spec, because they count in bytes. */
function withoutDeadlines(jobSet: Unvalidated<JobSet>): Unvalidated<JobSet> {
  return withJobSpecs(jobSet, (spec) => {
    const template = asRecord(spec.template);
    const podSpec = withoutDeadline(asRecord(template.spec));
    return { ...withoutDeadline(spec), template: { ...template, spec: podSpec } };
  });
}

function withoutDeadline<Spec extends object>(spec: Spec): Spec {
  return "activeDeadlineSeconds" in spec ? { ...spec, activeDeadlineSeconds: MAX_INT32 } : spec;
}

/** Sets the name, the namespace and the UID that a server would set. */
function withIdentity(jobSet: Unvalidated<JobSet>): Unvalidated<JobSet> {
  const metadata = asRecord(jobSet?.metadata);
  const generateName = asString(metadata.generateName);
  const name = getName(jobSet) || (generateName === "" ? "" : resolveGenerateName(generateName));
  return {
    ...asRecord(jobSet),
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      ...metadata,
      name,
      namespace: getNamespace(jobSet) || "default",
      uid: "00000000-0000-4000-8000-000000000000",
    },
  };
}

function withSpec(
  jobSet: Unvalidated<JobSet>,
  change: Unvalidated<NonNullable<JobSet["spec"]>>,
): Unvalidated<JobSet> {
  return { ...jobSet, spec: { ...asRecord(jobSet.spec), ...change } };
}

/** Returns the JobSet with other numbers of Pods. */
function withPodCounts(
  jobSet: Unvalidated<JobSet>,
  podCounts: Readonly<Record<string, number>>,
): Unvalidated<JobSet> {
  return withJobSpecs(jobSet, (spec, { name }) => {
    const podCount = podCounts[asString(name)];
    if (podCount === undefined) return spec;
    return { ...spec, parallelism: podCount, completions: podCount };
  });
}

function withJobSpecs(
  jobSet: Unvalidated<JobSet>,
  change: (spec: Unvalidated<JobSpec>, of: Unvalidated<ReplicatedJob>) => Unvalidated<JobSpec>,
): Unvalidated<JobSet> {
  const scaleOne = (one: Unvalidated<ReplicatedJob>): Unvalidated<ReplicatedJob> => {
    if (!isObject(one) || !isObject(one.template)) return one;
    const { spec } = one.template;
    return isObject(spec)
      ? { ...one, template: { ...one.template, spec: change(spec, one) } }
      : one;
  };
  return withSpec(jobSet, { replicatedJobs: asArray(jobSet.spec?.replicatedJobs).map(scaleOne) });
}

/** Simulates a token bucket that starts full. Requests beyond the burst have to wait. Events use another client. */
function computeMinSeconds(
  writes: readonly WriteCount[],
  { qps = 500, burst = 500 }: WriteCostOptions,
): number {
  const limited = writes.filter(
    ({ by, resource }) => by === "JobSetController" && resource !== "events",
  );
  const count = limited.reduce((sum, one) => sum + one.count, 0);
  return qps > 0 ? Math.max(0, count - Math.max(0, burst)) / qps : 0;
}
