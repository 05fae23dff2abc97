import type { JobCondition } from "@jobset-ts/api/kubernetes";
import { type ClusterBuilder, type JobPart, removeJob } from "./cluster-builder.ts";
import { ago } from "./event-times.ts";
import { createRef, type Fault, type FaultEffect } from "./fault.ts";
import { atJobSet, describeJobSet } from "./jobset-faults.ts";

/** Faults of Jobs. */
export const jobFaults: readonly Fault[] = [
  {
    cause: "job-foreign",
    how: "a Job of another owner has the name",
    needs: ["Job", "Event", "Pod"],
    apply: (scene) => {
      const part = scene.anyPart();
      const { job, name } = part;
      const message = `jobs.batch "${name}" already exists`;
      rejectJobs(scene, [part], () => message);
      if (job === undefined) return atJobSet(scene, "Stuck");
      const owner = {
        apiVersion: "batch/v1",
        kind: "CronJob",
        name: "nightly",
        uid: "nightly-uid",
        controller: true,
      };
      const ownerReferences = scene.dice.pickOne([], [owner]);
      const { labels: _, ...metadata } = job.metadata;
      scene.rest.push({
        ...job,
        metadata: { ...metadata, uid: `${name}-foreign-uid`, ownerReferences },
      });
      return { objects: [createRef(job)], status: "Stuck" };
    },
  },
  {
    cause: "job-rejected",
    how: "a quota, a policy or validation rejects its Jobs",
    needs: ["Job", "Event", "Pod"],
    apply: (scene) => {
      const { dice } = scene;
      const position = scene.anyPart().position;
      const rejected = dice.pickSome(scene.partsAt(position));
      const words = dice.pickOne<(name: string) => string>(
        (name) =>
          `jobs.batch "${name}" is forbidden: exceeded quota: q, requested: count/jobs.batch=1, used: count/jobs.batch=2, limited: count/jobs.batch=2`,
        (name) => `Job.batch "${name}" is invalid: spec.template.spec.containers: Required value`,
        () => 'admission webhook "jobs.example.com" denied the request:\nno team label',
        (name) =>
          `jobs.batch "${name}" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`,
      );
      rejectJobs(scene, rejected, words);
      return { objects: rejected.map((part) => createJobRef(scene, part)), status: "Stuck" };
    },
  },
  {
    cause: "webhook-unavailable",
    how: "no Job is admitted, because a webhook for Jobs cannot be called",
    needs: ["Job", "Event", "Pod"],
    apply: (scene) => {
      const rejected = scene.partsAt(scene.anyPart().position);
      const error = 'Post "https://kueue.example/mutate?timeout=10s": connection refused';
      rejectJobs(
        scene,
        rejected,
        () =>
          `Internal error occurred: failed calling webhook "mjob.kb.io": failed to call webhook: ${error}`,
      );
      return atJobSet(scene, "Stuck");
    },
  },
  {
    cause: "job-absent",
    how: "a user deleted a Job while the controller was down",
    needs: ["Job", "Event", "Pod", "Service"],
    apply: (scene) => {
      const part = scene.anyPart();
      removeJob(part);
      return { objects: [createJobRef(scene, part)], status: "Stuck" };
    },
  },
  {
    cause: "job-absent",
    how: "the JobSet has just restarted: the previous Jobs are gone, and new ones are being created",
    requirements: { restarted: true },
    needs: ["Job", "Event", "Pod", "Service"],
    apply: (scene) => {
      const removed = scene.dice.pickSome(scene.partsAt(0));
      for (const part of removed) removeJob(part);
      for (const part of scene.parts) if (part.position > 0) removeJob(part);
      const message = "applying RestartJobSet failure policy action (first failed job: js-w-0)";
      describeJobSet(scene, "RestartingJobSet", "DefaultFailurePolicy", message, 3);
      const objects = removed.map((part) => createJobRef(scene, part));
      return { objects, status: "Progressing" };
    },
  },
  {
    cause: "job-suspended",
    how: "the JobSet was just resumed, and its Jobs are still suspended",
    requirements: { startsAtOnce: true },
    needs: ["Job"],
    apply: (scene) => {
      for (const part of scene.parts) suspendJob(part);
      describeJobSet(scene, "Suspended", "ResumeJobs", "jobset is resumed", 2);
      for (const condition of scene.jobSet.status?.conditions ?? []) condition.status = "False";
      const objects = scene.parts.flatMap(({ job }) => (job === undefined ? [] : [createRef(job)]));
      return { objects, status: "Progressing" };
    },
  },
  {
    cause: "job-suspended",
    how: "a user suspended a Job",
    needs: ["Job"],
    apply: (scene) => {
      const part = scene.anyPart();
      suspendJob(part);
      return { objects: [createJobRef(scene, part)], status: "Stuck" };
    },
  },
  {
    cause: "job-change-rejected",
    how: "the JobSet was resumed, but one of its Jobs cannot be resumed",
    needs: ["Job", "Event"],
    apply: (scene) => {
      const part = scene.anyPart();
      suspendJob(part);
      const denied = `jobs.batch "${part.name}" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`;
      const [reason, message] = scene.dice.pickOne(
        [
          "JobUpdateFailed",
          `job "${part.name}" resumption failed with error: admission webhook "jobs.example.com" denied the request: no`,
        ],
        ["JobUpdateFailed", `job "${part.name}" resumption failed with error: ${denied}`],
        [
          "FailedResourcePropagation",
          `Failed to propagate mutated resources to child Job: ${denied}`,
        ],
      );
      scene.addEvents(scene.jobSet, reason, message, { by: "jobset", count: 2 });
      return { objects: [createJobRef(scene, part), createRef(scene.jobSet)], status: "Stuck" };
    },
  },
  {
    cause: "job-deadline-exceeded",
    how: "a Job has exceeded its deadline and is terminating its Pods",
    needs: ["Job", "Pod"],
    apply: (scene) =>
      decideToFail(scene, "DeadlineExceeded", "Job was active longer than specified deadline"),
  },
  {
    cause: "job-failing",
    how: "a rule of a Job has matched, and the Job is terminating its Pods",
    needs: ["Job", "Pod"],
    apply: (scene) => decideToFail(scene, "PodFailurePolicy", POLICY_MESSAGE),
  },
  {
    cause: "job-failed",
    how: "a Job has failed and its Pods are gone, but the controller has not noticed it",
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const part = scene.anyPart();
      failJob(scene, part);
      return { objects: [createJobRef(scene, part)], status: "Stuck" };
    },
  },
  {
    cause: "job-failed",
    how: "a Job has failed, which failed the JobSet, and its Pods are gone",
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const part = scene.anyPart();
      failJob(scene, part);
      endJobSet(scene, part);
      return { objects: [createJobRef(scene, part)], status: "Failed" };
    },
  },
];

function suspendJob(part: JobPart): void {
  part.pods = [];
  if (part.job === undefined) return;
  part.job.spec = { ...part.job.spec, suspend: true };
  part.job.status = { conditions: [{ type: "Suspended", status: "True" }] };
}

/** Returns the reference to a Job that may not exist. */
export function createJobRef({ namespace }: ClusterBuilder, { name }: JobPart): string {
  return `Job/${namespace}/${name}`;
}

/** Adds a condition to a Job. */
export function describeJob({ job }: JobPart, type: string, reason: string, message: string): void {
  if (job === undefined) return;
  const lastTransitionTime = ago(62);
  const condition: JobCondition = { type, status: "True", reason, message, lastTransitionTime };
  job.status = { ...job.status, conditions: [...(job.status?.conditions ?? []), condition] };
}

/** Fails the JobSet because one of its Jobs has failed, and stops the other Jobs. */
export function endJobSet(scene: ClusterBuilder, failed: JobPart): void {
  for (const part of scene.parts) {
    if (part !== failed && scene.jobSet.status?.restarts !== undefined) removeJob(part);
  }
  const [reason, message] = scene.dice.pickOne<readonly [string, string]>(
    ["FailedJobs", "jobset failed due to one or more job failures"],
    ["ReachedMaxRestarts", "jobset failed due to reaching max number of restarts"],
    ["FailJobSetFailurePolicyAction", "applying FailJobSet failure policy action"],
  );
  const output = `${message} (first failed job: ${failed.name})`;
  describeJobSet(scene, "Failed", reason, output);
  scene.addEvents(scene.jobSet, reason, output, { by: "jobset" });
}

const POLICY_MESSAGE =
  "Container main for pod ml/gone failed with exit code 42 matching FailJob rule at index 0";

/** A Job has started to fail, and its Pods still run. */
function decideToFail(scene: ClusterBuilder, reason: string, message: string): FaultEffect {
  const part = scene.anyPart();
  describeJob(part, "FailureTarget", reason, message);
  return { objects: [createJobRef(scene, part)], status: "Stuck" };
}

function failJob(scene: ClusterBuilder, part: JobPart): void {
  part.pods = [];
  const [reason, message] = scene.dice.pickOne<readonly [string, string]>(
    ["BackoffLimitExceeded", "Job has reached the specified backoff limit"],
    ["PodFailurePolicy", POLICY_MESSAGE],
  );
  describeJob(part, "FailureTarget", reason, message);
  describeJob(part, "Failed", reason, message);
  if (part.job !== undefined) scene.addEvents(part.job, reason, message, { by: "job-controller" });
}

/** Rejects Jobs. The controller then ends the pass before later ReplicatedJobs and before the status. */
function rejectJobs(
  scene: ClusterBuilder,
  rejected: readonly JobPart[],
  words: (name: string) => string,
): void {
  const last = Math.max(...rejected.map(({ position }) => position));
  for (const part of scene.parts) {
    if (part.position > last || rejected.includes(part)) removeJob(part);
  }
  scene.isStatusWritten = false;
  if (scene.jobSet.status?.restarts === 0) delete scene.jobSet.status;
  const lines = rejected.map(
    ({ name }) => `job "${name}" creation failed with error: ${words(name)}`,
  );
  scene.addEvents(scene.jobSet, "JobCreationFailed", lines.join("\n"), { by: "jobset", count: 2 });
}
