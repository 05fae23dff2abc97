import { getRestarts, type JobSet, parseIntegerLabel, type Unvalidated } from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  CONDITION_RESTARTING,
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
} from "@jobset-ts/api/conditions";
import { RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  asInteger,
  asString,
  getLabel,
  getName,
  isObject,
} from "@jobset-ts/api/kubernetes";
import type { Quirks, Snapshot } from "@jobset-ts/core";
import { getObjectKey, jobSetKey } from "../checks/check-results.ts";
import { indexCluster } from "../view/cluster-facts.ts";
import { createJobSetView, startedCounts } from "../view/create-jobset-view.ts";
import type { JobSetView } from "../view/jobset-view.ts";
import { listContradictions } from "../view/numbers.ts";
import { domainViolations, keyViolations } from "./placement-violations.ts";
import { createViolation, type InvariantId, type InvariantViolation } from "./violation.ts";

/**
 * Returns the JobSet invariants that a cluster violates now, with the objects. Some violations resolve themselves, such
 * as two leaders during a restart. An idle cluster has none.
 *
 * Kinds that were not read cause no violations. The option `quirks` has the behaviors of a JobSet release, which decide
 * which Jobs belong to a JobSet. Default: none.
 *
 * @returns the violations by JobSet, then by domain; independent of list order
 * @example
 * import { createSnapshot } from "@jobset-ts/core";
 * findInvariantViolations(createSnapshot([])) // => []
 */
export function findInvariantViolations(
  snapshot: Snapshot,
  { quirks }: { readonly quirks?: Quirks } = {},
): readonly InvariantViolation[] {
  const facts = indexCluster(snapshot);
  const ofJobSets = snapshot.jobSets.flatMap((jobSet) => {
    const view = createJobSetView(jobSet, facts, 0, undefined, quirks);
    return [...statusViolations(jobSet, view), ...childViolations(view)];
  });
  return [...ofJobSets, ...keyViolations(snapshot), ...domainViolations(snapshot, facts)];
}

function statusViolations(
  jobSet: Unvalidated<JobSet>,
  view: JobSetView,
): readonly InvariantViolation[] {
  const { status } = jobSet;
  if (!isObject(status)) return [];
  const object = jobSetKey(view);
  const subject = `JobSet ${object.namespace}/${object.name}`;
  const found: InvariantViolation[] = [];
  const addViolation = (id: InvariantId, text: string) =>
    found.push(createViolation(id, `${subject} ${text}`, [object]));

  const restarts = getRestarts(jobSet);
  const counted = asInteger(status.restartsCountTowardsMax, 0);
  if (counted > restarts) {
    addViolation(
      "restarts-add-up",
      `counts ${counted} restarts toward its limit but ${restarts} in total`,
    );
  }
  if (restarts < 0 || counted < 0) addViolation("restarts-add-up", "has a negative restart count");

  const isTrue = trueTypes(status.conditions);
  const ends = [CONDITION_COMPLETED, CONDITION_FAILED].filter((type) => isTrue.has(type));
  if (ends.length > 1) addViolation("terminal-state-once", "has both completed and failed");
  const state = asString(status.terminalState);
  if (ends.length === 1 && state !== "" && !isTrue.has(state)) {
    addViolation("terminal-state-once", `has terminal state ${state} but condition ${ends[0]}`);
  }
  const types = asArray(status.conditions)
    .filter(isObject)
    .map((one) => asString(one.type));
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const type of types) {
    if (seen.has(type)) repeated.add(type);
    seen.add(type);
  }
  for (const type of repeated) addViolation("conditions-agree", `has several conditions ${type}`);
  if (isTrue.has(CONDITION_STARTUP_IN_PROGRESS) && isTrue.has(CONDITION_STARTUP_COMPLETED)) {
    addViolation("conditions-agree", "has its startup both in progress and completed");
  }
  if (ends.length > 0 && isTrue.has(CONDITION_RESTARTING)) {
    addViolation("conditions-agree", "has finished but restarts");
  }

  const left = asInteger(status.previousInPlaceRestartAttempt, Number.NaN);
  const reached = asInteger(status.currentInPlaceRestartAttempt, Number.NaN);
  if (left > reached) {
    addViolation(
      "in-place-attempts-ordered",
      `left in-place attempt ${left} but must reach ${reached}`,
    );
  }
  return [...found, ...countViolations(view, subject)];
}

function countViolations(view: JobSetView, subject: string): readonly InvariantViolation[] {
  const found: InvariantViolation[] = [];
  const say = (id: InvariantId, text: string) =>
    found.push(createViolation(id, `${subject} ${text}`, [jobSetKey(view)]));
  const seen = new Set<string>();
  for (const entry of asArray(view.jobSet.status?.replicatedJobsStatus).filter(isObject)) {
    const name = asString(entry.name);
    if (seen.has(name)) say("counts-fit-replicas", `counts ReplicatedJob ${name} twice`);
    seen.add(name);
    const replicas = view.named.get(name)?.replicas;
    const { ready, succeeded, failed } = startedCounts(entry);
    const [active, suspended] = [asInteger(entry.active, 0), asInteger(entry.suspended, 0)];
    const most = Math.max(ready + succeeded + failed, active, suspended);
    if (replicas !== undefined && most > replicas) {
      say(
        "counts-fit-replicas",
        `counts ${most} Jobs of ReplicatedJob ${name} but it has ${replicas}`,
      );
    }
    const restarts = asArray(entry.jobRestarts);
    for (const [index, stored] of asArray(entry.jobRestartsCountTowardsMax).entries()) {
      const [counted, all] = [asInteger(stored, 0), asInteger(restarts[index], 0)];
      if (counted <= all) continue;
      const job = `${name} ${index}`;
      say(
        "restarts-add-up",
        `counts ${counted} restarts of Job ${job} toward its limit but ${all} in total`,
      );
    }
  }
  return found;
}

function trueTypes(
  conditions: readonly { readonly type?: string; readonly status?: string }[] | undefined,
): ReadonlySet<string> {
  const all = asArray(conditions).filter(isObject);
  return new Set(all.filter(({ status }) => status === "True").map(({ type }) => asString(type)));
}

function childViolations(view: JobSetView): readonly InvariantViolation[] {
  const found: InvariantViolation[] = [];
  const restarts = getRestarts(view.jobSet);
  for (const job of view.childJobs) {
    const attempt = parseIntegerLabel(getLabel(job, RESTART_ATTEMPT_KEY));
    if (!attempt.ok || attempt.value <= restarts) continue;
    const text = `Job ${getName(job)} has restart attempt ${attempt.value}, but its JobSet has ${restarts} restarts`;
    found.push(
      createViolation("attempt-recorded", text, [getObjectKey("Job", job), jobSetKey(view)]),
    );
  }
  const strategy = view.jobSet.spec?.failurePolicy?.restartStrategy;
  const { previousJobs, childJobs } = view;
  if (strategy === "BlockingRecreate" && previousJobs.length > 0) {
    const isPrevious = new Set(previousJobs);
    const current = childJobs.filter((job) => !isPrevious.has(job));
    const text = `${current.length} Jobs exist beside ${previousJobs.length} of an earlier restart attempt`;
    const objects = [...previousJobs, ...current].map((job) => getObjectKey("Job", job));
    if (current.length > 0) found.push(createViolation("no-blocked-creation", text, objects));
  }
  for (const { jobs } of view.replicatedJobs) {
    for (const job of jobs) {
      if (job.leaderState === "Duplicated") {
        const leaders = job.leaders.filter(({ isActive }) => isActive);
        const text = `Job ${job.name} has ${leaders.length} active leaders`;
        const objects = leaders.map(({ pod }) => getObjectKey("Pod", pod));
        found.push(createViolation("one-active-leader", text, objects));
      }
      for (const text of listContradictions(job.numbers, job.name)) {
        const objects = job.pods.map(({ pod }) => getObjectKey("Pod", pod));
        found.push(createViolation("pods-add-up", text, objects));
      }
    }
  }
  return found;
}
