import type { Condition, KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type ClusterBuilder, takeOffNode } from "./cluster-builder.ts";
import { ago } from "./event-times.ts";
import { createRef, type Fault, type FaultEffect } from "./fault.ts";
import { atJobSet, resetToUntouched, suspendJobSet } from "./jobset-faults.ts";
import { gated } from "./pod-states.ts";

const quota =
  "couldn't assign flavors to pod set w: insufficient unused quota for nvidia.com/gpu in flavor h100, 8 more needed";

/** The states of a Workload in which Kueue keeps its JobSet suspended. */
const heldWorkloads: readonly {
  readonly cause: string;
  readonly how: string;
  readonly status: FaultEffect["status"];
  readonly spec?: object;
  readonly state: object;
}[] = [
  {
    cause: "workload-deactivated",
    how: "Kueue deactivated the Workload after too many retries",
    status: "Stuck",
    spec: { active: false },
    state: {
      conditions: [
        createCondition("QuotaReserved", "False", "Pending", "The workload is deactivated"),
        createCondition(
          "Evicted",
          "True",
          "DeactivatedDueToRequeuingLimitExceeded",
          "The workload is deactivated due to exceeding the maximum number of re-queuing retries",
        ),
      ],
    },
  },
  {
    cause: "admission-check-not-ready",
    how: "an admission check of the Workload waits for capacity",
    status: "Waiting",
    state: {
      conditions: [createCondition("QuotaReserved", "True", "QuotaReserved", "Quota reserved")],
      admissionChecks: [
        { name: "capacity", state: "Pending", message: "no capacity", lastTransitionTime: ago(60) },
        { name: "licence", state: "Ready", message: "", lastTransitionTime: ago(60) },
      ],
    },
  },
  {
    cause: "workload-evicted",
    how: "Kueue preempted the Workload",
    status: "Waiting",
    state: {
      conditions: [
        createCondition("QuotaReserved", "False", "Pending", quota),
        createCondition(
          "Evicted",
          "True",
          "Preempted",
          "Preempted to accommodate a workload due to prioritization in the ClusterQueue",
        ),
        createCondition(
          "Preempted",
          "True",
          "InClusterQueue",
          "Preempted to accommodate a workload due to prioritization in the ClusterQueue",
        ),
      ],
    },
  },
  {
    cause: "quota-not-reserved",
    how: "other Workloads use the quota",
    status: "Waiting",
    state: { conditions: [createCondition("QuotaReserved", "False", "Pending", quota)] },
  },
  {
    cause: "quota-not-reserved",
    how: "the ClusterQueue does not cover a resource of the Pods",
    status: "Stuck",
    state: {
      conditions: [
        createCondition(
          "QuotaReserved",
          "False",
          "Pending",
          "couldn't assign flavors to pod set w: resource memory unavailable in ClusterQueue",
        ),
      ],
    },
  },
  {
    cause: "workload-not-started",
    how: "Kueue has admitted the Workload, but has not resumed the JobSet",
    status: "Stuck",
    state: {
      conditions: [
        createCondition("QuotaReserved", "True", "QuotaReserved", "Quota reserved"),
        createCondition("Admitted", "True", "Admitted", "The workload is admitted"),
      ],
    },
  },
];

/** Faults of JobSets that Kueue holds, and of those whose owner is suspended. */
export const kueueFaults: readonly Fault[] = [
  ...heldWorkloads.map(
    ({ cause, how, status, spec, state }): Fault => ({
      cause,
      how,
      requirements: { queued: true },
      needs: [],
      reads: ["Workload"],
      apply: (scene) => {
        const effect = suspendJobSet(scene);
        const workload = addWorkload(scene, scene.jobSet, state, spec);
        return { ...effect, objects: [...effect.objects, createRef(workload)], status };
      },
    }),
  ),
  {
    cause: "workload-missing",
    how: "Kueue has not created a Workload for the JobSet",
    requirements: { queued: true },
    needs: [],
    reads: ["Workload"],
    apply: (scene) => ({ ...suspendJobSet(scene), status: "Stuck" }),
  },
  {
    cause: "local-queue-missing",
    how: "the LocalQueue of the JobSet does not exist",
    requirements: { queued: true },
    needs: [],
    reads: ["Workload", "LocalQueue"],
    apply: (scene) => {
      const effect = suspendJobSet(scene);
      const { queue = "" } = scene.shape;
      const message = `LocalQueue ${queue} doesn't exist`;
      addWorkload(scene, scene.jobSet, {
        conditions: [createCondition("QuotaReserved", "False", "Inadmissible", message)],
      });
      if (scene.dice.isOneIn(2)) addKueueObject(scene, "LocalQueue", "other", { spec: {} });
      return {
        objects: [...effect.objects, `LocalQueue/${scene.namespace}/${queue}`],
        status: "Stuck",
        besides: effect.besides ?? [],
      };
    },
  },
  {
    cause: "queue-inactive",
    how: "the ClusterQueue or the LocalQueue of the JobSet is stopped",
    requirements: { queued: true },
    needs: [],
    reads: ["Workload", "LocalQueue", "ClusterQueue"],
    apply: (scene) => {
      const effect = suspendJobSet(scene);
      const { queue = "" } = scene.shape;
      const isLocal = scene.dice.isOneIn(3);
      const stopPolicy = scene.dice.pickOne("Hold", "HoldAndDrain");
      const message = `ClusterQueue cq-${queue} is inactive`;
      const condition = createCondition("QuotaReserved", "False", "Inadmissible", message);
      addWorkload(scene, scene.jobSet, { conditions: [condition] });
      const localQueue = addKueueObject(scene, "LocalQueue", queue, {
        spec: { clusterQueue: `cq-${queue}`, stopPolicy: isLocal ? stopPolicy : "None" },
      });
      const active = isLocal
        ? createCondition("Active", "True", "Ready", "Can admit new workloads")
        : createCondition("Active", "False", "Stopped", "Can't admit new workloads: is stopped.");
      const clusterQueue = addKueueObject(
        scene,
        "ClusterQueue",
        `cq-${queue}`,
        { spec: { stopPolicy: isLocal ? "None" : stopPolicy }, status: { conditions: [active] } },
        true,
      );
      const stopped = isLocal ? localQueue : clusterQueue;
      return { ...effect, objects: [...effect.objects, createRef(stopped)], status: "Waiting" };
    },
  },
  {
    cause: "multikueue-dispatched",
    how: "MultiKueue runs the JobSet in another cluster",
    requirements: { queued: true },
    needs: ["Job"],
    reads: ["Workload"],
    apply: (scene) => {
      scene.jobSet.spec.managedBy = "kueue.x-k8s.io/multikueue";
      resetToUntouched(scene, scene.dice.isOneIn(2));
      addWorkload(scene, scene.jobSet, {
        conditions: [createCondition("Admitted", "True", "Admitted", "The workload is admitted")],
        admissionChecks: [{ name: "remote", state: "Ready", message: "reserved on west" }],
        ...(scene.dice.isOneIn(2) && { clusterName: "west" }),
      });
      return atJobSet(scene, "Progressing");
    },
  },
  {
    cause: "job-queued-separately",
    how: "Kueue suspends the Jobs of a JobSet one by one",
    requirements: { queued: false, startsAtOnce: true },
    needs: ["Job", "Event"],
    reads: ["Workload"],
    apply: (scene) => {
      const jobs = scene.parts.flatMap((part) => {
        const { job } = part;
        if (job === undefined) return [];
        part.pods = [];
        part.job = { ...job, spec: { ...job.spec, suspend: true } };
        return [job];
      });
      const isQueued = scene.dice.isOneIn(2);
      for (const job of jobs) {
        const condition = createCondition("QuotaReserved", "False", "Pending", quota);
        if (isQueued) addWorkload(scene, job, { conditions: [condition] });
        else {
          const message = "Missing Workload; unable to restore pod templates";
          scene.addEvents(job, "Stopped", message, { type: "Normal", by: "other", seconds: 70 });
        }
      }
      return { objects: jobs.map(createRef), status: "Stuck" };
    },
  },
  {
    cause: "kueue-gated",
    how: "Kueue's topology gate holds the Pods of an admitted Workload",
    requirements: { exclusive: false, startsAtOnce: true },
    needs: ["Pod"],
    reads: ["Workload"],
    apply: (scene) => {
      addWorkload(scene, scene.jobSet, {
        conditions: [createCondition("Admitted", "True", "Admitted", "The workload is admitted")],
        admission: { podSetAssignments: [{ topologyAssignment: { levels: ["rack"] } }] },
      });
      const pods = scene.parts.flatMap((part) => part.pods);
      for (const pod of pods) {
        takeOffNode(pod, gated());
        pod.spec.schedulingGates = [{ name: "kueue.x-k8s.io/topology" }];
      }
      return { objects: pods.map(createRef), status: "Stuck" };
    },
  },
  {
    cause: "owner-suspended",
    how: "a user suspended the TrainJob that owns the JobSet",
    requirements: { queued: false },
    needs: [],
    reads: ["TrainJob"],
    apply: (scene) => {
      const effect = suspendJobSet(scene);
      const apiVersion = "trainer.kubeflow.org/v1alpha1";
      const owner = { apiVersion, kind: "TrainJob", name: scene.name, uid: `${scene.name}-owner` };
      scene.jobSet.metadata.ownerReferences = [{ ...owner, controller: true }];
      const metadata = { name: owner.name, namespace: scene.namespace, uid: owner.uid };
      const trainJob = { apiVersion, kind: "TrainJob", metadata, spec: { suspend: true } };
      scene.rest.push(trainJob);
      return { ...effect, objects: [...effect.objects, createRef(trainJob)], status: "Waiting" };
    },
  },
];

function createCondition(
  type: string,
  status: Condition["status"],
  reason: string,
  message: string,
): Condition {
  return { type, status, reason, message, lastTransitionTime: ago(75) };
}

/** Adds an object of Kueue to the cluster, in the namespace of the JobSet or without one. */
function addKueueObject(
  scene: ClusterBuilder,
  kind: string,
  name: string,
  parts: object,
  isClusterScoped = false,
): KubernetesObject {
  const version = scene.dice.pickOne("v1beta1", "v1beta2");
  const namespace = isClusterScoped ? {} : { namespace: scene.namespace };
  const uid = `${kind}-${scene.namespace}-${name}-uid`;
  const metadata = { name, ...namespace, uid, creationTimestamp: ago(80) };
  const object = { apiVersion: `kueue.x-k8s.io/${version}`, kind, metadata, ...parts };
  scene.rest.push(object);
  return object;
}

function addWorkload(
  scene: ClusterBuilder,
  owner: KubernetesObject,
  status: object,
  spec: object = {},
): KubernetesObject {
  const { name = "", uid = "" } = owner.metadata;
  const workload = addKueueObject(scene, "Workload", `${owner.kind.toLowerCase()}-${name}-1a2b3`, {
    spec: { active: true, queueName: scene.shape.queue ?? "", ...spec },
    status,
  });
  const reference = { apiVersion: owner.apiVersion, kind: owner.kind, name, uid };
  workload.metadata.ownerReferences = [{ ...reference, controller: true }];
  return workload;
}
