import type { Condition } from "@jobset-ts/api/kubernetes";
import { type ClusterBuilder, removeJob } from "./cluster-builder.ts";
import { ago } from "./event-times.ts";
import { createRef, type Fault, type FaultEffect } from "./fault.ts";

/** Faults of a JobSet as a whole, and states that a user requested. */
export const jobSetFaults: readonly Fault[] = [
  {
    cause: "deleting",
    how: "the JobSet is being deleted, and its Pods terminate slowly",
    needs: ["Pod"],
    apply: (scene) => {
      deleteJobSet(scene);
      for (const { job, pods } of scene.parts) {
        if (job !== undefined) job.metadata.deletionTimestamp = ago(20);
        for (const pod of pods) pod.metadata.deletionTimestamp = ago(10);
      }
      return { ...atJobSet(scene, "Waiting"), besides: ["pod-terminating"] };
    },
  },
  {
    cause: "deleting",
    how: "the JobSet is being deleted, and a finalizer blocks the deletion after its objects are gone",
    needs: ["Job"],
    apply: (scene) => {
      deleteJobSet(scene);
      for (const part of scene.parts) removeJob(part);
      if (scene.dice.isOneIn(2)) scene.service = undefined;
      return atJobSet(scene, "Waiting");
    },
  },
  {
    cause: "managed-elsewhere",
    how: "a controller in another cluster manages the JobSet",
    requirements: { queued: true },
    needs: ["Job"],
    apply: (scene) => {
      scene.jobSet.spec.managedBy = scene.dice.pickOne(
        "kueue.x-k8s.io/multikueue",
        "example.com/own",
      );
      resetToUntouched(scene, scene.dice.isOneIn(2));
      return atJobSet(scene, "Waiting");
    },
  },
  {
    cause: "not-reconciled",
    how: "no controller runs",
    needs: ["Job", "Service", "Event", "Pod"],
    apply: (scene) => {
      resetToUntouched(scene, false);
      const isYoung = scene.dice.isOneIn(3);
      if (isYoung) scene.jobSet.metadata.creationTimestamp = ago(scene.dice.pickOne(8, 29));
      return atJobSet(scene, isYoung ? "Progressing" : "Stuck");
    },
  },
  {
    cause: "too-many-jobs",
    how: "the JobSet requests more Jobs than a controller can create",
    requirements: { queued: false },
    needs: [],
    apply: (scene) => {
      const { dice, jobSet } = scene;
      resetToUntouched(scene, false);
      const [first, last = first] = jobSet.spec.replicatedJobs ?? [];
      const replicatedJob = dice.pickOne(first, last);
      if (replicatedJob !== undefined)
        replicatedJob.replicas = dice.pickOne(200_001, 2_147_483_647);
      return atJobSet(scene, "Stuck");
    },
  },
  {
    cause: "queued",
    how: "the JobSet waits for quota in a Kueue queue",
    requirements: { queued: true },
    needs: [],
    apply: (scene) => suspendJobSet(scene),
  },
  {
    cause: "suspended",
    how: "its owner has suspended the JobSet",
    requirements: { queued: false },
    needs: [],
    apply: (scene) => suspendJobSet(scene),
  },
  {
    cause: "restarts-exhausted",
    how: "the JobSet has no restarts left, and its failed Jobs were removed",
    needs: [],
    apply: (scene) => {
      const message = "jobset failed due to reaching max number of restarts";
      return failJobSet(scene, "ReachedMaxRestarts", message);
    },
  },
  {
    cause: "jobset-failed",
    how: "one of its Jobs has failed and was removed",
    needs: [],
    apply: (scene) => {
      const { dice } = scene;
      const [reason, message] = dice.pickOne<readonly [string, string]>(
        ["FailedJobs", "jobset failed due to one or more job failures (first failed job: js-w-0)"],
        ["FailJobSetFailurePolicyAction", "applying FailJobSet failure policy action"],
      );
      return failJobSet(scene, reason, message);
    },
  },
];

/** Returns the effect of a fault in the JobSet itself. */
export function atJobSet({ jobSet }: ClusterBuilder, status: FaultEffect["status"]): FaultEffect {
  return { objects: [createRef(jobSet)], status };
}

/** Adds a condition to the JobSet. */
export function describeJobSet(
  { jobSet }: ClusterBuilder,
  type: string,
  reason: string,
  message: string,
  seconds = 60,
): void {
  const condition: Condition = {
    type,
    status: "True",
    reason,
    message,
    lastTransitionTime: ago(seconds),
  };
  const { conditions = [], ...status } = jobSet.status ?? { restarts: 0 };
  jobSet.status = { ...status, conditions: [...conditions, condition] };
}

function deleteJobSet({ jobSet }: ClusterBuilder): void {
  jobSet.metadata.deletionTimestamp = ago(25);
  jobSet.metadata.finalizers = ["foregroundDeletion"];
}

/** Resets the JobSet to the state before any controller has reconciled it. */
export function resetToUntouched(scene: ClusterBuilder, hasStatus: boolean): void {
  for (const part of scene.parts) removeJob(part);
  scene.service = undefined;
  scene.isStatusWritten = hasStatus;
  if (!hasStatus) delete scene.jobSet.status;
}

/** Suspends the JobSet with its Jobs. Its Pods are gone or terminate. */
export function suspendJobSet(scene: ClusterBuilder): FaultEffect {
  const { dice, jobSet, parts } = scene;
  const isLate = dice.isOneIn(4);
  jobSet.spec.suspend = true;
  const condition = { type: "Suspended", status: "True", reason: "JobSuspended" } as const;
  for (const part of parts) {
    if (part.job === undefined) continue;
    part.job.spec = { ...part.job.spec, suspend: true };
    part.job.status = { conditions: [condition] };
    if (isLate) for (const pod of part.pods) pod.metadata.deletionTimestamp = ago(5);
    else part.pods = [];
    scene.addEvents(part.job, "Suspended", "Job suspended", {
      type: "Normal",
      by: "job-controller",
    });
  }
  if (scene.shape.waits === "dependsOn") scene.holdBackBehind(0, { always: true });
  // The controller writes the condition a moment later.
  if (!dice.isOneIn(5)) describeJobSet(scene, "Suspended", "SuspendedJobs", "jobset is suspended");
  scene.addEvents(jobSet, "SuspendedJobs", "jobset is suspended", { type: "Normal", by: "jobset" });
  return { ...atJobSet(scene, "Waiting"), besides: isLate ? ["pod-terminating"] : [] };
}

function failJobSet(scene: ClusterBuilder, reason: string, message: string): FaultEffect {
  for (const part of scene.parts) removeJob(part);
  describeJobSet(scene, "Failed", reason, message);
  scene.addEvents(scene.jobSet, reason, message, { by: "jobset" });
  return atJobSet(scene, "Failed");
}
