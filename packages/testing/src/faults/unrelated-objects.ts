import type {
  Job,
  KubernetesObject,
  PersistentVolumeClaim,
  Pod,
  Service,
} from "@jobset-ts/api/kubernetes";
import { ClusterBuilder, lostNode, readyNode } from "./cluster-builder.ts";
import { denyFollowers } from "./creation-rejections.ts";
import type { Fault } from "./fault.ts";
import type { FaultEvent } from "./fault-events.ts";
import { describeJobSet } from "./jobset-faults.ts";
import { createShape } from "./jobset-shape.ts";
import {
  container,
  createFailedStatus,
  createRunningStatus,
  createStartingStatus,
  createSucceededStatus,
  unschedulable,
} from "./pod-states.ts";
import type { RandomChoices } from "./random-choices.ts";

/** Objects that are unrelated to the JobSet's problem. */
export interface UnrelatedObjects {
  readonly objects: readonly KubernetesObject[];
  readonly events: readonly FaultEvent[];
  /** The healthy JobSets. */
  readonly jobSets: readonly { readonly namespace: string; readonly name: string }[];
}

/** Creates other JobSets, healthy and not, Pods without a JobSet, nodes, Services, PVCs and old Events. */
export function createUnrelatedObjects(
  scene: ClusterBuilder,
  dice: RandomChoices,
  faults: readonly Fault[],
): UnrelatedObjects {
  const wells = [0, 1].slice(0, dice.pickBelow(3)).map((at) => aJobSetThatIsWell(scene, dice, at));
  const [fault, ...others] = dice.isOneIn(3) ? faults : [];
  const struck =
    fault === undefined ? [] : [aJobSetInTrouble(scene, dice, dice.pickOne(fault, ...others))];
  const strangers = dice.isOneIn(3) ? [] : createUnrelatedPods(scene.namespace);
  const jobSets = [...wells, ...struck];
  return {
    objects: [...jobSets.flatMap((one) => one.objects()), ...strangers],
    events: [...jobSets.flatMap(({ events }) => events), ...oldEvents(scene, dice)],
    jobSets: wells.map(({ namespace, name }) => ({ namespace, name })),
  };
}

function aJobSetInTrouble(
  { name, namespace }: ClusterBuilder,
  dice: RandomChoices,
  { requirements = {}, apply }: Fault,
): ClusterBuilder {
  const own = { name: `${requirements.name ?? name}-2`, namespace, topologyKey: "zone" };
  const other = new ClusterBuilder(createShape(dice, { ...requirements, ...own }), dice, "y-");
  apply(other);
  return other;
}

/** Creates a JobSet with the same name in another namespace, or with a name that is a prefix of its Jobs' names. */
function aJobSetThatIsWell(scene: ClusterBuilder, dice: RandomChoices, at: number): ClusterBuilder {
  const isNamesake = at === 0;
  const wishes = {
    name: isNamesake ? scene.name : `${scene.name}-w`,
    namespace: isNamesake ? "elsewhere" : scene.namespace,
    topologyKey: "zone",
    startsAtOnce: true,
  };
  const other = new ClusterBuilder(createShape(dice, wishes), dice, `x${at}-`);
  if (dice.isOneIn(3)) finish(other, dice.isOneIn(2));
  else if (dice.isOneIn(2)) replaceAFailedPod(other);
  return other;
}

function finish(scene: ClusterBuilder, isTidied: boolean): void {
  for (const part of scene.parts) {
    for (const pod of part.pods) pod.status = createSucceededStatus();
    if (part.job === undefined || !isTidied) continue;
    part.pods = [];
    part.job.status = {
      conditions: [{ type: "Complete", status: "True" }],
      succeeded: part.podCount,
    };
  }
  describeJobSet(scene, "Completed", "AllJobsCompleted", "jobset completed successfully");
}

function replaceAFailedPod(scene: ClusterBuilder): void {
  const part = scene.anyPart();
  const before = scene.podFor(part, 0, "fa");
  before.status = createFailedStatus({ exitCode: 1, reason: "Error" });
  scene.rest.push(before);
}

/** Creates Pods, Jobs and other objects without a JobSet that have their own problems. */
function createUnrelatedPods(namespace: string): readonly KubernetesObject[] {
  const pod = (name: string, nodeName: string, status: Pod["status"]): Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, uid: `${name}-uid`, labels: { app: "web" } },
    spec: { containers: [{ name: "web" }], ...(nodeName !== "" && { nodeName }) },
    ...(status !== undefined && { status }),
  });
  const state = { waiting: { reason: "CrashLoopBackOff" } };
  const crashing = {
    ...createRunningStatus(),
    containerStatuses: [container({ state, restartCount: 9 })],
  };
  const claim: PersistentVolumeClaim & { status: object } = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "scratch", namespace },
    spec: {},
    status: { phase: "Pending" },
  };
  const service: Service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace },
    spec: { clusterIP: "10.0.0.9", selector: { app: "web" } },
  };
  const job: Job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "nightly-28391", namespace, uid: "nightly-28391-uid" },
    spec: { template: {} },
    status: { conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }] },
  };
  const dead = lostNode(readyNode("dead-0", { pool: "general" }));
  const tainted = readyNode("tainted-0", { pool: "general" });
  tainted.spec = { taints: [{ key: "pool", value: "general", effect: "NoSchedule" }] };
  const shortOfCpu = unschedulable("0/5 nodes are available: 5 Insufficient cpu.");
  return [
    pod("web-1", "", shortOfCpu),
    pod("web-2", "dead-0", crashing),
    pod("web-3", "tainted-0", createStartingStatus()),
    pod("nightly-28391-abcde", "dead-0", createFailedStatus({ exitCode: 1, reason: "Error" })),
    claim,
    service,
    job,
    dead,
    tainted,
  ];
}

/** Creates Events about deleted objects with the same names, and about the JobSet's Pods before they were healthy. */
function oldEvents(scene: ClusterBuilder, dice: RandomChoices): readonly FaultEvent[] {
  const events: FaultEvent[] = [];
  const report = (
    about: FaultEvent["about"],
    by: FaultEvent["by"],
    reason: string,
    message: string,
  ) => events.push({ about, reason, message, by, type: "Warning", seconds: 3000, count: 3 });
  const [part] = scene.parts;
  if (dice.isOneIn(2)) {
    const pod = createDeletedObject("v1", "Pod", part?.pods[0]?.metadata.name ?? "", scene);
    report(
      pod,
      "default-scheduler",
      "FailedScheduling",
      "0/9 nodes are available: 9 Too many pods.",
    );
    report(pod, "kubelet", "FailedMount", "Unable to attach or mount volumes");
    const job = createDeletedObject("batch/v1", "Job", part?.name ?? "", scene);
    report(
      job,
      "job-controller",
      "FailedCreate",
      'Error creating: pods "p" is forbidden: exceeded quota: q',
    );
    const jobSet = createDeletedObject("jobset.x-k8s.io/v1alpha2", "JobSet", scene.name, scene);
    report(jobSet, "jobset", "HeadlessServiceCreationFailed", "services is forbidden");
    report(jobSet, "jobset", "PVCCreationFailed", "persistentvolumeclaims is forbidden");
    const lines = `job "${part?.name}" creation failed with error: jobs.batch is forbidden`;
    report(jobSet, "jobset", "JobCreationFailed", lines);
  }
  for (const { pods } of scene.parts.slice(0, 4)) {
    for (const pod of pods) {
      if (pod.spec.nodeName === undefined || !dice.isOneIn(3)) continue;
      report(pod, "default-scheduler", "FailedScheduling", "no nodes available to schedule pods");
    }
  }
  if (scene.shape.topologyKey !== undefined && dice.isOneIn(2)) {
    for (const one of scene.parts) denyFollowers(scene, one, { seconds: 84 });
  }
  return events;
}

/** Returns the deleted object that had the name before. */
function createDeletedObject(
  apiVersion: string,
  kind: string,
  name: string,
  { namespace }: ClusterBuilder,
) {
  return { apiVersion, kind, metadata: { name, namespace, uid: `${kind}-${name}-long-gone` } };
}
