import { type EpochMillis, formatTime, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { asArray, asRecord, getLabel, type Job } from "@jobset-ts/api/kubernetes";
import { type Context, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { desiredJobs, desiredService } from "@jobset-ts/core/desired";

type JobStatus = NonNullable<Job["status"]>;

/** A typical situation in the life of a JobSet. */
export interface Situation {
  readonly name: string;
  readonly jobSet: Unvalidated<JobSet>;
  readonly snapshot: Snapshot;
}

/** Each ReplicatedJob has at most this many Jobs in a situation, because the others are treated alike. */
const MAX_REPLICAS = 2;

/**
 * Returns the typical situations of a JobSet, with Jobs that the old version created: its creation, running Jobs, the
 * failure of a Job for each reason that its failure policy distinguishes, its completion, and its suspension.
 *
 * @param old - the context of the version that created the Jobs
 */
export function listSituations(given: Unvalidated<JobSet>, old: Context): readonly Situation[] {
  const jobSet = withFewReplicas(given);
  const service = desiredService(jobSet);
  const jobs = (desiredJobs(jobSet, old) as readonly Unvalidated<Job>[]).map(
    (job, index): Unvalidated<Job> => ({
      ...job,
      metadata: { ...job.metadata, uid: `uid-${index}`, resourceVersion: "1" },
    }),
  );
  const create = (name: string, own: Unvalidated<JobSet>, existing: readonly object[]) => {
    const objects = [own, ...(service === undefined ? [] : [service]), ...existing];
    return { name, jobSet: own, snapshot: createSnapshot(objects, { kinds: "all" }) };
  };
  const createWithJobs = (name: string, getStatus: (job: Unvalidated<Job>) => JobStatus) =>
    create(
      name,
      jobSet,
      jobs.map((job) => ({ ...job, status: getStatus(job) })),
    );
  return [
    create("Creation", jobSet, []),
    createWithJobs("Running", (job) => createRunningStatus(job, old.now)),
    ...listDistinguished(jobSet, jobs).flatMap((replicatedJob) => {
      const failed = jobs.find((job) => getReplicatedJob(job) === replicatedJob);
      return listFailureReasons(jobSet).map((reason) =>
        createWithJobs(`${reason} of ${replicatedJob}`, (job) =>
          job === failed ? createFailedStatus(reason, old.now) : createRunningStatus(job, old.now),
        ),
      );
    }),
    createWithJobs("Completion", (job) => createCompleteStatus(job, old.now)),
    create("Suspension", { ...jobSet, spec: { ...jobSet.spec, suspend: true } }, []),
  ];
}

function withFewReplicas(jobSet: Unvalidated<JobSet>): Unvalidated<JobSet> {
  const { status: _, ...others } = jobSet;
  const replicatedJobs = asArray(jobSet.spec?.replicatedJobs).map((one) => {
    const { replicas } = asRecord(one);
    return typeof replicas === "number" && replicas > MAX_REPLICAS
      ? { ...one, replicas: MAX_REPLICAS }
      : one;
  });
  return { ...others, spec: { ...jobSet.spec, replicatedJobs } } as Unvalidated<JobSet>;
}

function getReplicatedJob(job: Unvalidated<Job>): string {
  return getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "";
}

/** Returns the ReplicatedJobs that the failure policy distinguishes: those that rules name, and the first other one. */
function listDistinguished(
  { spec }: Unvalidated<JobSet>,
  jobs: readonly Unvalidated<Job>[],
): readonly string[] {
  const rules = asArray(asRecord(asRecord(spec).failurePolicy).rules);
  const named = new Set(rules.flatMap((rule) => asArray(asRecord(rule).targetReplicatedJobs)));
  const names = [...new Set(jobs.map(getReplicatedJob))];
  const other = names.find((name) => !named.has(name));
  return names.filter((name) => named.has(name) || name === other);
}

/** The reason of a Job with too many failed Pods, and the reasons that the rules name. */
function listFailureReasons({ spec }: Unvalidated<JobSet>): readonly string[] {
  const rules = asArray(asRecord(asRecord(spec).failurePolicy).rules);
  const named = rules.flatMap((rule) => asArray(asRecord(rule).onJobFailureReasons));
  const reasons = named.filter((reason): reason is string => typeof reason === "string");
  return [...new Set(["BackoffLimitExceeded", ...reasons])];
}

function countPods({ spec }: Unvalidated<Job>): number {
  return spec?.parallelism ?? 1;
}

function createRunningStatus(job: Unvalidated<Job>, now: EpochMillis): JobStatus {
  return { active: countPods(job), ready: countPods(job), startTime: formatTime(now) };
}

function createFailedStatus(reason: string, now: EpochMillis): JobStatus {
  return { failed: 1, conditions: [createCondition("Failed", reason, now)] };
}

function createCompleteStatus(job: Unvalidated<Job>, now: EpochMillis): JobStatus {
  const conditions = [createCondition("Complete", "CompletionsReached", now)];
  return { succeeded: countPods(job), completionTime: formatTime(now), conditions };
}

function createCondition(type: string, reason: string, now: EpochMillis) {
  return {
    type,
    status: "True" as const,
    reason,
    message: "",
    lastTransitionTime: formatTime(now),
  };
}
