import type { Pod } from "@jobset-ts/api/kubernetes";
import { type ClusterBuilder, type JobPart, lostNode } from "./cluster-builder.ts";
import { ago } from "./event-times.ts";
import { createRef, type Fault, type FaultEffect } from "./fault.ts";
import { describeJob, endJobSet } from "./job-faults.ts";
import {
  container,
  createFailedStatus,
  createLostStatus,
  createStartingStatus,
  initializing,
  notReady,
} from "./pod-states.ts";
import type { RandomChoices } from "./random-choices.ts";

/** Faults of a Pod on its node. */
export const podFaults: readonly Fault[] = [
  {
    cause: "pod-waiting",
    how: "a container of Pods cannot be started",
    needs: ["Pod"],
    apply: (scene) => applyToPods(scene, "Stuck", (pod) => cannotStart(scene, pod)),
  },
  {
    cause: "pod-start-failing",
    how: "the volumes or the network of Pods cannot be set up",
    needs: ["Pod", "Event", "Node"],
    apply: (scene) => {
      const [reason, message] = scene.dice.pickOne<readonly [string, string]>(
        ["FailedMount", 'MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found'],
        ["FailedAttachVolume", "Multi-Attach error for volume pvc-1: already used by 1 pod"],
        ["FailedCreatePodSandBox", "Failed to create pod sandbox: no IP addresses left"],
      );
      return applyToPods(scene, "Stuck", (pod) => {
        pod.status = createStartingStatus();
        scene.addEvents(pod, reason, message, { by: "kubelet", count: 5 });
      });
    },
  },
  {
    cause: "pod-starting",
    how: "containers of Pods are being created",
    needs: ["Pod", "Event", "Node"],
    apply: (scene) =>
      applyToPods(scene, "Progressing", (pod) => {
        pod.status = createStartingStatus();
      }),
  },
  {
    cause: "pod-restarting",
    how: "a container of Pods crashes repeatedly",
    needs: ["Pod"],
    apply: (scene) => {
      const [exitCode, reason] = scene.dice.pickOne<readonly [number, string]>(
        [137, "OOMKilled"],
        [1, "Error"],
      );
      const lastState = { terminated: { exitCode, reason, finishedAt: ago(30) } };
      const isBetween = scene.dice.isOneIn(3);
      const state = isBetween ? { terminated: lastState.terminated } : { running: {} };
      return applyToPods(scene, "Stuck", (pod) => {
        pod.status = notReady({ restartCount: 3, lastState, state });
      });
    },
  },
  {
    cause: "pod-not-ready",
    how: "Pods run, and their readiness probe has failed for a minute",
    needs: ["Pod", "Service", "Node"],
    apply: (scene) =>
      applyToPods(scene, "Progressing", (pod) => {
        pod.status = notReady({});
        const message = "Readiness probe failed: HTTP probe failed with statuscode: 503";
        scene.addEvents(pod, "Unhealthy", message, { by: "kubelet", count: 30 });
      }),
  },
  {
    cause: "pod-failed",
    how: "Pods have failed and are not replaced yet",
    needs: ["Pod", "Job", "Node"],
    apply: (scene) => ({
      ...applyToPods(scene, "Stuck", (pod) => failPod(scene.dice, pod)),
      besides: ["pods-not-created"],
    }),
  },
  {
    cause: "pod-failed",
    how: "a Pod has failed, which failed its Job and the JobSet",
    needs: ["Pod", "Job", "Node"],
    apply: (scene) => {
      const part = scene.anyPart();
      const [pod] = part.pods.slice(scene.dice.pickBelow(part.podCount));
      if (pod === undefined) return { objects: [], status: "Failed" };
      part.pods = [pod];
      failPod(scene.dice, pod);
      const message = "Job has reached the specified backoff limit";
      describeJob(part, "FailureTarget", "BackoffLimitExceeded", message);
      describeJob(part, "Failed", "BackoffLimitExceeded", message);
      endJobSet(scene, part);
      return { objects: [createRef(pod)], status: "Failed" };
    },
  },
  {
    cause: "pod-failed",
    how: "a Pod has failed, and its Job terminates the other Pods",
    requirements: { pods: 2 },
    needs: ["Pod", "Job", "Node"],
    apply: (scene) => {
      const part = scene.anyPart();
      const at = scene.dice.pickBelow(part.podCount);
      for (const [index, pod] of part.pods.entries()) {
        if (index === at) failPod(scene.dice, pod);
        else pod.metadata.deletionTimestamp = ago(-20);
      }
      describeJob(
        part,
        "FailureTarget",
        "BackoffLimitExceeded",
        "Job has reached the backoff limit",
      );
      const pod = part.pods[at];
      const objects = pod === undefined ? [] : [createRef(pod)];
      return { objects, status: "Waiting", equally: ["pod-terminating"] };
    },
  },
  {
    cause: "pod-terminating",
    how: "a finalizer blocks the deletion of Pods",
    needs: ["Pod", "Node"],
    apply: (scene) => {
      const created: Pod[] = [];
      const struck = applyToPods(scene, "Waiting", (pod, part, index) => {
        pod.metadata.deletionTimestamp = ago(30);
        pod.metadata.finalizers = ["example.com/hold"];
        // The Pod is replaced immediately or after it is gone.
        if (part.job?.spec.podReplacementPolicy !== "Failed")
          created.push(scene.podFor(part, index, "nw"));
      });
      scene.rest.push(...created);
      return struck;
    },
  },
  {
    cause: "node-not-ready",
    how: "a node is lost, and its Pods no longer report their status",
    needs: ["Pod", "Node"],
    apply: (scene) => {
      const part = scene.anyPart();
      const { nodeName } = scene.dice.pickOne(part.pods[0], ...part.pods.slice(1))?.spec ?? {};
      const status = scene.dice.pickOne("Unknown", "False");
      const isIt = (name: string | undefined) => name === nodeName;
      scene.nodes = scene.nodes.map((node) =>
        isIt(node.metadata.name) ? lostNode(node, status) : node,
      );
      const isEvicted = scene.dice.isOneIn(3);
      for (const one of scene.parts) {
        for (const pod of one.pods) {
          if (!isIt(pod.spec.nodeName)) continue;
          pod.status = createLostStatus();
          if (isEvicted) pod.metadata.deletionTimestamp = ago(15);
        }
        if (isEvicted && one.job !== undefined) {
          one.job.spec = { ...one.job.spec, podReplacementPolicy: "Failed" };
        }
      }
      return { objects: [`Node/${nodeName}`], status: "Stuck" };
    },
  },
];

/** Changes Pods of a Job, and sometimes of all its neighbors. */
export function applyToPods(
  scene: ClusterBuilder,
  status: FaultEffect["status"],
  change: (pod: Pod, part: JobPart, index: number) => void,
): FaultEffect {
  const { dice } = scene;
  const part = scene.anyPart();
  const parts = dice.isOneIn(4) ? scene.partsAt(part.position) : [part];
  const objects: string[] = [];
  for (const one of parts) {
    for (const pod of dice.pickSome(one.pods)) {
      change(pod, one, one.pods.indexOf(pod));
      objects.push(createRef(pod));
    }
  }
  scene.holdBackBehind(part.position);
  return { objects, status };
}

const waits = [
  ["ImagePullBackOff", 'Back-off pulling image "registry.example/team/trainer:nope"'],
  ["ErrImagePull", "rpc error: code = NotFound"],
  ["InvalidImageName", 'couldn\'t parse image name "A:B:C"'],
  ["CreateContainerConfigError", 'configmap "settings" not found'],
  ["CreateContainerError", "context deadline exceeded"],
  ["RunContainerError", "exec format error"],
] as const;

function cannotStart(scene: ClusterBuilder, pod: Pod): void {
  const { dice } = scene;
  const [reason, message] = dice.pickOne(waits[0], ...waits.slice(1));
  const state = { waiting: { reason, message } };
  const terminated = { exitCode: 1, reason: "Error", finishedAt: ago(20) };
  const crashing = {
    state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 40s restarting" } },
    lastState: { terminated },
    restartCount: 4,
  };
  const sidecar = container({ name: "proxy", ready: true, started: true, state: { running: {} } });
  const isCrashing = dice.isOneIn(3);
  if (dice.isOneIn(3)) pod.status = initializing(isCrashing ? crashing : { state });
  else pod.status = isCrashing ? notReady(crashing) : createStartingStatus({ state });
  const { containerStatuses = [] } = pod.status;
  if (dice.isOneIn(3)) pod.status.containerStatuses = [sidecar, ...containerStatuses];
  scene.addEvents(pod, "BackOff", `Back-off: ${reason}`, { by: "kubelet", count: 15, seconds: 5 });
  if (!isCrashing) scene.addEvents(pod, "Failed", `Error: ${reason}`, { by: "kubelet", count: 4 });
}

function failPod(dice: RandomChoices, pod: Pod): void {
  pod.status = dice.pickOne(
    createFailedStatus({ exitCode: 1, reason: "Error" }),
    createFailedStatus({ exitCode: 137, reason: "OOMKilled" }),
    createFailedStatus({ exitCode: 2, reason: "Error", message: "no such file" }),
  );
}
