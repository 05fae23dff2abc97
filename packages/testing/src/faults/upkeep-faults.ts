import {
  IN_PLACE_RESTART_ATTEMPT_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { Job, Pod } from "@jobset-ts/api/kubernetes";
import {
  type ClusterBuilder,
  type JobPart,
  lostNode,
  readyNode,
  removeJob,
} from "./cluster-builder.ts";
import { ago } from "./event-times.ts";
import { createRef, type Fault, type FaultEffect } from "./fault.ts";
import { atJobSet, describeJobSet } from "./jobset-faults.ts";
import { notReady } from "./pod-states.ts";

/** Faults of the JobSet's Services and PVCs, and of the order in which its Jobs start and stop. */
export const supportObjectFaults: readonly Fault[] = [
  {
    cause: "service-rejected",
    how: "a quota rejects its Service, so it gets no Jobs",
    requirements: { hostnames: true },
    needs: ["Service", "Event", "Job", "Pod"],
    apply: (scene) => {
      for (const part of scene.parts) removeJob(part);
      return serviceRejected(scene);
    },
  },
  {
    cause: "service-rejected",
    how: "its Service was deleted, and a webhook denies a new one",
    requirements: { hostnames: true },
    needs: ["Service", "Event"],
    apply: (scene) => {
      breakHostnames(scene);
      return serviceRejected(scene);
    },
  },
  {
    cause: "service-missing",
    how: "its Service was deleted, and Pods cannot resolve each other's hostnames",
    requirements: { hostnames: true },
    needs: ["Service"],
    apply: (scene) => {
      breakHostnames(scene);
      scene.service = undefined;
      return atJobSet(scene, "Stuck");
    },
  },
  {
    cause: "service-foreign",
    how: "a Service of another owner has the name",
    requirements: { hostnames: true },
    needs: ["Service"],
    apply: (scene) => {
      const { service, dice } = scene;
      breakHostnames(scene);
      if (service !== undefined) {
        const { ownerReferences: _, ...metadata } = service.metadata;
        service.metadata = metadata;
        const other = { app: "api" };
        service.spec = dice.pickOne(
          { clusterIP: "10.0.150.138", selector: other },
          { clusterIP: "None", selector: other },
          { clusterIP: "None" },
        );
      }
      return { objects: service === undefined ? [] : [createRef(service)], status: "Stuck" };
    },
  },
  {
    cause: "volume-claim-rejected",
    how: "one of its PVCs is rejected, so it gets no Jobs",
    needs: ["Event", "Job", "Pod"],
    apply: (scene) => {
      for (const part of scene.parts) removeJob(part);
      endEveryPassEarly(scene);
      const message = `persistentvolumeclaims "data-${scene.name}" is forbidden: exceeded quota: storage`;
      scene.addEvents(scene.jobSet, "PVCCreationFailed", message, { by: "jobset", count: 2 });
      return atJobSet(scene, "Stuck");
    },
  },
  {
    cause: "restart-cleanup",
    how: "a finalizer blocks the deletion of a Job of the previous attempt",
    requirements: { restarted: true },
    needs: ["Job"],
    apply: (scene) => {
      const left = scene.anyPart();
      const [old] = leavePreviousJob(scene, left);
      old.metadata.finalizers = ["example.com/hold"];
      return { objects: [createRef(old)], status: "Waiting" };
    },
  },
  {
    cause: "pod-terminating",
    how: "a Pod of the previous attempt does not terminate",
    requirements: { restarted: true },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const [, pod] = leavePreviousJob(scene, scene.anyPart());
      pod.metadata.finalizers = ["example.com/dump-logs"];
      scene.rest.push(pod);
      return { objects: [createRef(pod)], status: "Waiting" };
    },
  },
  {
    cause: "node-not-ready",
    how: "a Pod of the previous attempt is on a lost node",
    requirements: { restarted: true },
    needs: ["Job", "Pod", "Node"],
    apply: (scene) => {
      const [, pod] = leavePreviousJob(scene, scene.anyPart());
      pod.spec.nodeName = "lost-0";
      scene.rest.push(pod);
      scene.nodes.push(lostNode(readyNode("lost-0", {})));
      return { objects: ["Node/lost-0"], status: "Stuck" };
    },
  },
  {
    cause: "dependency-not-ready",
    how: "a ReplicatedJob depends on itself",
    requirements: { startsAtOnce: true, replicatedJobs: 2 },
    needs: ["Job"],
    apply: (scene) => dependsOn(scene, (names, at) => names[at] ?? "", "Complete"),
  },
  {
    cause: "dependency-not-ready",
    how: "a ReplicatedJob waits for the completion of another one, which is still running",
    requirements: { startsAtOnce: true, replicatedJobs: 2 },
    needs: ["Job"],
    apply: (scene) => dependsOn(scene, (names) => names[0] ?? "", "Complete"),
  },
  {
    cause: "startup-order",
    how: "the Pods of the first ReplicatedJob are ready, but its Jobs do not report this yet",
    requirements: { fresh: true, startsAtOnce: true, replicatedJobs: 2 },
    needs: ["Job"],
    apply: (scene) => {
      const { jobSet, parts } = scene;
      jobSet.spec.startupPolicy = { startupPolicyOrder: "InOrder" };
      for (const part of parts) {
        if (part.position > 0) removeJob(part);
        else if (part.job !== undefined) part.job.status = { ready: 0 };
      }
      const message = "in order startup policy is in progress";
      describeJobSet(scene, "StartupPolicyInProgress", "InOrderStartupPolicyInProgress", message);
      return atJobSet(scene, "Waiting");
    },
  },
  {
    cause: "in-place-order",
    how: "in-place restart and the InOrder startup policy wait for each other",
    requirements: { fresh: true, startsAtOnce: true, replicatedJobs: 2 },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      scene.jobSet.spec.startupPolicy = { startupPolicyOrder: "InOrder" };
      for (const part of scene.parts) if (part.position > 0) removeJob(part);
      waitAtBarrier(scene);
      return atJobSet(scene, "Stuck");
    },
  },
  {
    cause: "in-place-order",
    how: "in-place restart and dependencies wait for each other",
    requirements: { fresh: true, startsAtOnce: true, replicatedJobs: 2 },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const status = scene.dice.pickOne("Ready", "Complete");
      dependsOn(scene, (names) => names[0] ?? "", status);
      waitAtBarrier(scene);
      return atJobSet(scene, "Stuck");
    },
  },
  {
    cause: "in-place-ignored",
    how: "in-place restart is requested, but its feature gate is disabled in the controller",
    requirements: { fresh: true, indexed: true },
    needs: ["Pod"],
    apply: (scene) => {
      waitAtBarrier(scene);
      return atJobSet(scene, "Stuck");
    },
  },
];

/** Makes the agents of all Pods announce their first attempt, but start no worker. */
function waitAtBarrier({ jobSet, parts }: ClusterBuilder): void {
  jobSet.spec.failurePolicy = { maxRestarts: 3, restartStrategy: "InPlaceRestart" };
  for (const { pods } of parts) {
    for (const pod of pods) {
      const annotations = { ...pod.metadata.annotations, [IN_PLACE_RESTART_ATTEMPT_KEY]: "0" };
      pod.metadata = { ...pod.metadata, annotations };
      pod.status = notReady({});
    }
  }
}

function serviceRejected(scene: ClusterBuilder): FaultEffect {
  const { name } = scene.service?.metadata ?? {};
  scene.service = undefined;
  endEveryPassEarly(scene);
  const message = scene.dice.pickOne(
    `services "${name}" is forbidden: exceeded quota: team-quota, requested: services=1`,
    'admission webhook "svc.example.com" denied the request: no headless services here',
  );
  scene.addEvents(scene.jobSet, "HeadlessServiceCreationFailed", message, {
    by: "jobset",
    count: 2,
  });
  return atJobSet(scene, "Stuck");
}

/** Ends every pass of the controller before it writes the status. */
function endEveryPassEarly(scene: ClusterBuilder): void {
  scene.isStatusWritten = false;
  if (scene.dice.isOneIn(2) && scene.jobSet.status?.restarts === 0) delete scene.jobSet.status;
}

/** Makes Pods run but not become ready, because they cannot resolve each other's hostnames. */
function breakHostnames(scene: ClusterBuilder): void {
  for (const { pods } of scene.parts) {
    for (const pod of pods) {
      pod.status = notReady({});
      const message = "Readiness probe failed: lookup js-w-0-0.js: no such host";
      scene.addEvents(pod, "Unhealthy", message, { by: "kubelet", count: 8 });
    }
  }
  scene.holdBackBehind(0);
}

/** Replaces a Job with the Job of the previous attempt and a terminating Pod. */
function leavePreviousJob(scene: ClusterBuilder, part: JobPart): readonly [Job, Pod] {
  const { job, name } = part;
  if (job === undefined) throw new TypeError(`there is no Job ${name}`);
  const attempt = previousAttemptLabel(scene, part);
  const uid = `${job.metadata.uid}-before`;
  const labels = { ...job.metadata.labels, ...attempt };
  const deletionTimestamp = ago(40);
  const old: Job = {
    ...job,
    metadata: {
      ...job.metadata,
      uid,
      labels,
      deletionTimestamp,
      finalizers: ["foregroundDeletion"],
    },
  };
  const pod = scene.podFor({ ...part, job: old }, 0, "b4");
  pod.metadata.labels = { ...pod.metadata.labels, ...attempt };
  pod.metadata.deletionTimestamp = deletionTimestamp;
  removeJob(part);
  scene.rest.push(old);
  if (scene.dice.isOneIn(2)) {
    const message = `job "${name}" creation failed with error: jobs.batch "${name}" already exists`;
    scene.addEvents(scene.jobSet, "JobCreationFailed", message, { by: "jobset", count: 3 });
  }
  return [old, pod];
}

/**
 * Returns the label of the previous attempt of the JobSet, or of an individual Job that has
 * restarted.
 */
function previousAttemptLabel(
  { jobSet, dice, parts }: ClusterBuilder,
  part: JobPart,
): Readonly<Record<string, string>> {
  const { status, spec } = jobSet;
  if (status === undefined || !dice.isOneIn(3)) {
    return { [RESTART_ATTEMPT_KEY]: `${(status?.restarts ?? 1) - 1}` };
  }
  const { name = "" } = spec.replicatedJobs?.[part.position] ?? {};
  const siblings = parts.filter(({ position }) => position === part.position);
  const jobRestarts = siblings.map((one) => (one === part ? 1 : 0));
  const counts = { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
  jobSet.status = { ...status, replicatedJobsStatus: [{ ...counts, jobRestarts }] };
  return { [JOB_RESTART_ATTEMPT_KEY]: "0" };
}

function dependsOn(
  scene: ClusterBuilder,
  nameOf: (names: readonly string[], at: number) => string,
  status: "Complete" | "Ready",
): FaultEffect {
  const { jobSet, parts, dice } = scene;
  const { replicatedJobs = [] } = jobSet.spec;
  const names = replicatedJobs.map(({ name }) => name);
  const at = 1 + dice.pickBelow(names.length - 1);
  jobSet.spec.replicatedJobs = replicatedJobs.map((one, position) =>
    position === at ? { ...one, dependsOn: [{ name: nameOf(names, at), status }] } : one,
  );
  for (const part of parts) if (part.position === at) removeJob(part);
  return atJobSet(scene, "Waiting");
}
