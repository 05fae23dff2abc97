import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import { asArray, asInteger, asRecord, isObject, type JobSpec } from "@jobset-ts/api/kubernetes";
import { findSizeExcess } from "@jobset-ts/core/desired";
import type { RequestedObject } from "../api-server/api-request.ts";
import type { RejectedRequest } from "../kernel/advance.ts";
import { START_TIME } from "../kernel/cluster.ts";
import type { Scenario } from "./scenario.ts";

/** The maximum number of Jobs in a scenario. A simulation keeps each of them, and its history, in memory. */
const MAX_JOBS = 10_000;

/** The maximum number of Pods in a scenario. */
const MAX_PODS = 20_000;

/** The maximum number of nodes that are created for JobSets. */
export const MAX_NODES = 100_000;

/** The maximum number of turns of any run. A JobSet on 15,000 nodes takes 250,000. */
const MAX_TURNS = 2_000_000;
const MIN_TURNS = 5_000;
const TURNS_FOR_EACH_OBJECT = 200;

/** A turn counts once more for each 100 objects that the scenario does not request, such as failed Pods. */
const OBJECTS_FOR_EACH_TURN = 100;

/** Equal Jobs, and the object that requests them. */
interface RequestedJobs {
  readonly object: RequestedObject;
  /** The field of the object that requests them. */
  readonly field: string;
  readonly replicatedJob: Unvalidated<ReplicatedJob>;
}

/**
 * Returns the object by which a scenario exceeds the Jobs or Pods that a simulation can hold. The cost does not depend
 * on the numbers in it.
 */
export function findTooLarge({
  objects,
  actions,
}: Pick<Scenario, "objects" | "actions">): RejectedRequest | undefined {
  const created = actions.filter(({ request }) => request.verb === "create");
  const changed = actions.filter(({ request }) => request.verb !== "create");
  const groups = [
    [...objects, ...created.map(({ request }) => request.object)],
    ...changed.map(({ request }) => [request.object]),
  ];
  for (const group of groups) {
    const rejected = findExcessIn(group.flatMap(listJobs));
    if (rejected !== undefined) return rejected;
  }
  return undefined;
}

/** The work limit of a run. */
export interface WorkLimit {
  /** The maximum number of turns. Small clusters get fewer. */
  readonly turns: number;
  /** Returns how many turns one turn counts for, in a cluster with this number of objects. */
  readonly getWeight: (objectCount: number) => number;
}

/**
 * Returns the work limit of a scenario. In a cluster that grows without limit, turns take longer and longer, so they
 * count as more turns.
 */
export function computeWorkLimit({ objects, actions }: Scenario): WorkLimit {
  const requested = [...objects, ...actions.map(({ request }) => request.object)];
  let count = requested.length;
  for (const { replicatedJob } of requested.flatMap(listJobs)) {
    const { completions, parallelism } = replicatedJob.template?.spec ?? {};
    const pods = asInteger(completions, asInteger(parallelism, 1));
    count += Math.max(0, asInteger(replicatedJob.replicas, 1)) * (1 + Math.max(0, pods));
  }
  return {
    turns: Math.min(MAX_TURNS, MIN_TURNS + TURNS_FOR_EACH_OBJECT * count),
    getWeight: (objectCount) => 1 + Math.max(0, objectCount - count) / OBJECTS_FOR_EACH_TURN,
  };
}

function findExcessIn(requested: readonly RequestedJobs[]): RejectedRequest | undefined {
  const together = { spec: { replicatedJobs: requested.map((one) => one.replicatedJob) } };
  const excess = findSizeExcess(together, { jobs: MAX_JOBS, pods: MAX_PODS });
  const [, at, member] = /^spec\.replicatedJobs\[(\d+)\]\.(.*)$/.exec(excess?.field ?? "") ?? [];
  const found = requested[Number(at)];
  if (excess === undefined || found === undefined) return undefined;
  const { object, field } = found;
  const path = `${field}${member}`.replace(/^template\./, "");
  const { count, resource, limit } = excess;
  const message = `${path}: ${count} ${resource} are more than the ${limit} that a simulation can hold`;
  return {
    at: START_TIME,
    actor: "user",
    request: { verb: "create", object },
    rejection: { ok: false, code: 413, reason: "RequestEntityTooLarge", message },
  };
}

function listJobs(object: RequestedObject): readonly RequestedJobs[] {
  if (object.kind === "JobSet") {
    const { spec } = object as Unvalidated<JobSet>;
    return asArray(spec?.replicatedJobs).flatMap((replicatedJob, index) => {
      const field = `spec.replicatedJobs[${index}].`;
      return isObject(replicatedJob) ? [{ object, field, replicatedJob }] : [];
    });
  }
  if (object.kind !== "Job") return [];
  const spec = asRecord(object.spec as Unvalidated<JobSpec> | undefined);
  return [{ object, field: "", replicatedJob: { template: { spec } } }];
}
