import type { JobSet, Observed, ReplicatedJob } from "@jobset-ts/api";
import {
  generatedName,
  isObject,
  listOf,
  membersOf,
  nameOf,
  namespaceOf,
  textOf,
} from "@jobset-ts/api/kubernetes";
import { MAX_INT32 } from "@jobset-ts/api/typed";
import { type Context, contextOf } from "@jobset-ts/core";
import { jobCount } from "@jobset-ts/core/desired";
import { Rehearsal } from "./rehearsal.ts";
import { type WriteCount, WriteTally, type WritingController } from "./write-tally.ts";

/** What an operation costs, or why that cannot be said. */
export type WriteCost =
  | {
      readonly ok: true;
      /** By who makes them, verb and resource. Events are among them. */
      readonly writes: readonly WriteCount[];
      /** All of them. */
      readonly count: number;
      readonly bytes: number;
      /** How often the controller looks at the JobSet, the last time in vain. */
      readonly passes: number;
      /** What the JobSet controller's writes but for Events take at its client's rate; 0 within the burst. */
      readonly leastSeconds: number;
    }
  | { readonly ok: false; readonly message: string };

/**
 * What is done to a JobSet.
 *
 * - `create`: until all its Jobs run
 * - `restart`: of one that runs, because a Job fails; whatever its failure policy, all Jobs restart
 * - `suspend`, `delete`: of one that runs
 * - `resume`: of one that was created suspended
 * - `scale`: of one that runs, to so many Pods for each Job of a ReplicatedJob; without the gate `ElasticJobSet`
 *   nothing follows
 */
export type WriteOperation =
  | "create"
  | "restart"
  | "suspend"
  | "resume"
  | "delete"
  | { readonly scale: Readonly<Record<string, number>> };

/** Whose writes are counted, and at what rate they go out. */
export interface WriteCostOptions {
  /** Gates and quirks; default: none but those that are on by default. */
  readonly context?: Context;
  /** Default `ours`. */
  readonly controller?: WritingController;
  /** How many requests a second the controller's client sends in the long run; default 500, as upstream's. */
  readonly qps?: number;
  /** How many it sends at once; default 500, as upstream's. */
  readonly burst?: number;
}

/** Each Job is looked at in every pass, and its Pods' template read. */
const MOST_JOBS = 20_000;

/**
 * What it costs an API server that something is done to a JobSet: the writes of the JobSet controller, the Pods that the
 * Job controller creates and deletes, and what the garbage collector deletes.
 *
 * Nothing is calculated but by doing it: the controller's passes are made over a cluster that exists in memory only, in
 * which all goes well and all Jobs start at once. So these are the fewest: where Jobs start one by one, each can
 * cost a write of the JobSet's status. Not counted are what the client itself writes, what scheduler and kubelets do,
 * and what the Job controller writes besides Pods; of those the template alone counts in bytes.
 *
 * @param jobSet - as it is stored, after admission; up to 20,000 Jobs
 * @example
 * const template = { spec: { parallelism: 8, completions: 8 } };
 * const cost = writeCost({ metadata: { name: "train" }, spec: { replicatedJobs: [{ name: "w", replicas: 4, template }] } }, "create");
 * cost.ok && cost.writes.map(({ verb, resource, count }) => `${count} ${verb} ${resource}`) // => ["4 create jobs", "2 update jobsets/status", "32 create pods"]
 */
export function writeCost(
  jobSet: Observed<JobSet>,
  operation: WriteOperation,
  options: WriteCostOptions = {},
): WriteCost {
  const { context = contextOf({ now: 0 }), controller = "ours" } = options;
  if (nameOf(withIdentity(jobSet)) === "") return { ok: false, message: "the JobSet has no name" };
  if (jobCount(jobSet) > MOST_JOBS) {
    const message = `the JobSet has ${jobCount(jobSet)} Jobs, and no more than ${MOST_JOBS} are rehearsed`;
    return { ok: false, message };
  }
  const rehearsal = new Rehearsal(asBefore(jobSet, operation), context);
  const tally = new WriteTally(controller);
  const stuck = rehearsed(operation, rehearsal, tally);
  if (stuck !== undefined) return { ok: false, message: stuck };
  const { writes } = tally;
  const sumOf = (member: "count" | "bytes") => writes.reduce((sum, one) => sum + one[member], 0);
  return {
    ok: true,
    writes,
    count: sumOf("count"),
    bytes: sumOf("bytes"),
    passes: rehearsal.passes,
    leastSeconds: leastSeconds(writes, options),
  };
}

/** Does it, counting from when it is done. */
function rehearsed(
  operation: WriteOperation,
  rehearsal: Rehearsal,
  tally: WriteTally,
): string | undefined {
  if (operation === "create") {
    rehearsal.countInto(tally);
    return rehearsal.comeToRest();
  }
  const stuck = rehearsal.comeToRest();
  if (stuck !== undefined) return stuck;
  rehearsal.countInto(tally);
  switch (operation) {
    case "restart": {
      const job = rehearsal.activeJob;
      if (job === undefined) return "the JobSet has no Job that could fail";
      rehearsal.fail(job);
      break;
    }
    case "suspend":
    case "resume":
      rehearsal.edit((jobSet) => withSpec(jobSet, { suspend: operation === "suspend" }));
      break;
    case "delete":
      rehearsal.delete();
      return undefined;
    default:
      rehearsal.edit((jobSet) => scaled(jobSet, membersOf(operation.scale)));
  }
  return rehearsal.comeToRest();
}

/** The JobSet as it is before something is done to it. */
function asBefore(jobSet: Observed<JobSet>, operation: WriteOperation): Observed<JobSet> {
  const { status: _, ...created } = withIdentity(jobSet);
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

/** The JobSet with the name, the namespace and the UID that a server gives it. */
function withIdentity(jobSet: Observed<JobSet>): Observed<JobSet> {
  const metadata = membersOf(jobSet?.metadata);
  const generateName = textOf(metadata.generateName);
  const name = nameOf(jobSet) || (generateName === "" ? "" : generatedName(generateName));
  return {
    ...membersOf(jobSet),
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      ...metadata,
      name,
      namespace: namespaceOf(jobSet) || "default",
      uid: "00000000-0000-4000-8000-000000000000",
    },
  };
}

function withSpec(
  jobSet: Observed<JobSet>,
  change: Observed<NonNullable<JobSet["spec"]>>,
): Observed<JobSet> {
  return { ...jobSet, spec: { ...membersOf(jobSet.spec), ...change } };
}

/** The JobSet with other numbers of Pods. */
function scaled(
  jobSet: Observed<JobSet>,
  podCounts: Readonly<Record<string, number>>,
): Observed<JobSet> {
  const scaledJob = (one: Observed<ReplicatedJob>): Observed<ReplicatedJob> => {
    const podCount = isObject(one) ? podCounts[textOf(one.name)] : undefined;
    if (podCount === undefined) return one;
    const template = membersOf(one.template);
    const numbers = { parallelism: podCount, completions: podCount };
    return { ...one, template: { ...template, spec: { ...membersOf(template.spec), ...numbers } } };
  };
  return withSpec(jobSet, { replicatedJobs: listOf(jobSet.spec?.replicatedJobs).map(scaledJob) });
}

/** A bucket that is full at first and fills up steadily: what is beyond it has to wait. Events go over another client. */
function leastSeconds(
  writes: readonly WriteCount[],
  { qps = 500, burst = 500 }: WriteCostOptions,
): number {
  const limited = writes.filter(
    ({ by, resource }) => by === "JobSetController" && resource !== "events",
  );
  const count = limited.reduce((sum, one) => sum + one.count, 0);
  return qps > 0 ? Math.max(0, count - Math.max(0, burst)) / qps : 0;
}
