import {
  type FeatureGates,
  type JobSet,
  parseIntegerLabel,
  type Unvalidated,
} from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import { indexedReplicatedJobs } from "../desired/job-indexes.ts";
import { type JobRestarts, jobRestartsByName } from "../desired/job-restarts.ts";
import { getLabel, getName, getRestarts } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";
import type { JobSummary } from "../snapshot/child-job.ts";
import type { ChildJobs } from "../snapshot/child-jobs.ts";
import { jobClaims } from "./job-claims.ts";

/**
 * The child Jobs of a JobSet by restart attempt and state, each list in input order. A ReplicatedJob claims either all
 * Jobs of a group or none.
 */
export interface ClassifiedJobs {
  readonly ok: true;
  /** Unfinished Jobs of the current restart attempt. */
  readonly active: ChildJobs;
  /** Completed Jobs of the current restart attempt. */
  readonly successful: ChildJobs;
  /** Failed Jobs of the current restart attempt. */
  readonly failed: ChildJobs;
  /** Jobs of earlier restart attempts, in any state: to be deleted. */
  readonly previous: ChildJobs;
  /**
   * Jobs of the current restart attempt that no ReplicatedJob claims, in any state: their ReplicatedJob was removed, or
   * has fewer replicas now. Policies and counters ignore them. They are suspended and deleted with the others, but
   * never resumed.
   */
  readonly unclaimed: ChildJobs;
  /** One sentence for each unusual label of Jobs that could still be sorted. */
  readonly warnings: readonly string[];
}

/** A child Job whose labels do not identify its restart attempt. No decision is possible then. */
export interface UnclassifiableJob {
  readonly ok: false;
  readonly job: string;
  /** The wrong label. */
  readonly label: string;
  readonly message: string;
}

/**
 * Sorts the child Jobs of a JobSet by restart attempt and by state. A Job that is being deleted is sorted like any
 * other. A Job that no ReplicatedJob claims belongs to the current attempt if it has the JobSet's restart count,
 * whatever its labels say about its own restarts.
 *
 * @param jobs - child Jobs only
 * @returns the first Job in input order that cannot be sorted, if any
 */
export function classifyJobs(
  jobSet: Unvalidated<JobSet>,
  jobs: ChildJobs,
  context: { readonly features: FeatureGates; readonly quirks: Quirks },
): ClassifiedJobs | UnclassifiableJob {
  const restarts = getRestarts(jobSet);
  const restartsOfJob = context.features.has("RestartJob") ? singleRestarts(jobSet) : undefined;
  const claimantOf = jobClaims(jobSet, context);
  const isClaimed = ({ nameStem, replicatedJob }: JobSummary, nameIndex: number) =>
    claimantOf({ nameStem, replicatedJob, nameIndex }) !== undefined;
  // Jobs whose names differ only in the index are claimed up to some index, and their individual restarts
  // are counted separately.
  const alike = jobs.apart(
    ({ traits, jobs: { length }, lowestIndex, highestIndex }) =>
      length === 1 ||
      (restartsOfJob === undefined &&
        isClaimed(traits, lowestIndex) === isClaimed(traits, highestIndex)),
  );
  const warnings: string[] = [];
  let unclassifiable: UnclassifiableJob | undefined;
  const ofSort = alike.split(({ traits, jobs: [first], lowestIndex }): Sort => {
    const job = first?.job ?? {};
    const claimed = isClaimed(traits, lowestIndex);
    const attempt = getAttempt(job, traits, restarts, claimed ? restartsOfJob : undefined);
    if (!attempt.ok) {
      unclassifiable ??= { ...attempt, job: getName(job) };
      return "previous";
    }
    if (attempt.warning !== undefined) warnings.push(attempt.warning);
    if (attempt.previous) return "previous";
    return claimed ? traits.state : "unclaimed";
  });
  if (unclassifiable !== undefined) return unclassifiable;
  return {
    ok: true,
    active: ofSort("active"),
    successful: ofSort("successful"),
    failed: ofSort("failed"),
    previous: ofSort("previous"),
    unclaimed: ofSort("unclaimed"),
    warnings,
  };
}

type Sort = Exclude<keyof ClassifiedJobs, "ok" | "warnings">;

type Attempt =
  | { readonly ok: true; readonly previous: boolean; readonly warning?: string }
  | { readonly ok: false; readonly label: string; readonly message: string };

const CURRENT: Attempt = { ok: true, previous: false };
const PREVIOUS: Attempt = { ok: true, previous: true };

function getAttempt(
  job: Unvalidated<Job>,
  { restartAttempt }: JobSummary,
  restarts: number,
  restartsOfJob: ((replicatedJobName: string) => JobRestarts) | undefined,
): Attempt {
  if (restartAttempt === undefined) return unreadable(job, RESTART_ATTEMPT_KEY);
  if (restartAttempt < restarts) return PREVIOUS;
  return restartsOfJob === undefined ? CURRENT : getSingleAttempt(job, restartsOfJob);
}

/** Returns the restart attempt of an individual Job (gate `RestartJob`). */
function getSingleAttempt(
  job: Unvalidated<Job>,
  restartsOfJob: (replicatedJobName: string) => JobRestarts,
): Attempt {
  const name = getLabel(job, REPLICATED_JOB_NAME_KEY);
  if (name === undefined) return createMissingAttempt(REPLICATED_JOB_NAME_KEY);
  const indexLabel = getLabel(job, JOB_INDEX_KEY);
  if (indexLabel === undefined) return createMissingAttempt(JOB_INDEX_KEY);
  const index = parseIntegerLabel(indexLabel);
  if (!index.ok) return { ok: false, label: JOB_INDEX_KEY, message: index.message };
  const attemptLabel = getLabel(job, JOB_RESTART_ATTEMPT_KEY);
  // Jobs that were created while the gate was off lack the label and stay current.
  if (attemptLabel === undefined) {
    const warning = `Job ${getName(job)} has no label ${JOB_RESTART_ATTEMPT_KEY} and counts as current`;
    return { ok: true, previous: false, warning };
  }
  const attempt = parseIntegerLabel(attemptLabel);
  if (!attempt.ok) return { ok: false, label: JOB_RESTART_ATTEMPT_KEY, message: attempt.message };
  const restarts = restartsOfJob(name);
  if (index.value < 0 || index.value >= restarts.length) {
    const message = `job index ${index.decimal} is out of bounds for replicated job ${name}`;
    return { ok: false, label: JOB_INDEX_KEY, message };
  }
  return { ok: true, previous: attempt.value < restarts.at(index.value) };
}

function unreadable(job: Unvalidated<Job>, label: string): Attempt {
  const attempt = parseIntegerLabel(getLabel(job, label));
  return { ok: false, label, message: attempt.ok ? "" : attempt.message };
}

function createMissingAttempt(label: string): Attempt {
  return { ok: false, label, message: `missing label ${label}` };
}

/**
 * Returns the restart counts that individual Jobs must have reached. Empty for a ReplicatedJob that is unknown to
 * the JobSet.
 */
function singleRestarts(jobSet: Unvalidated<JobSet>): (replicatedJobName: string) => JobRestarts {
  const restartsOfJobs = jobRestartsByName(jobSet);
  const replicas = new Map(
    indexedReplicatedJobs(jobSet).map((indexed) => [indexed.name, indexed.replicas]),
  );
  return (name) => restartsOfJobs(name, replicas.get(name) ?? 0);
}
