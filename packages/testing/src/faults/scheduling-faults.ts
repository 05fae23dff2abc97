import { JOB_KEY_KEY, PRIORITY_KEY } from "@jobset-ts/api/keys";
import type { PersistentVolumeClaim, Pod } from "@jobset-ts/api/kubernetes";
import { type ClusterBuilder, lostNode, takeOffNode } from "./cluster-builder.ts";
import { denyFollowers } from "./creation-rejections.ts";
import { ago } from "./event-times.ts";
import { createRef, type Fault } from "./fault.ts";
import { createLostStatus, createRunningStatus, gated, unschedulable } from "./pod-states.ts";
import type { RandomChoices } from "./random-choices.ts";
import {
  formatMessage,
  rejectAll,
  rejectLeader,
  rejectSomePods,
  withoutNode,
} from "./scheduling-rejections.ts";

/** The report of an autoscaler about a Pod. */
const capacityReports = [
  {
    cause: "scaling-up",
    how: "an autoscaler is adding nodes for the Pods",
    reason: "TriggeredScaleUp",
    message: "pod triggered scale-up: [{pool-a 0->2 (max: 10)}]",
    status: "Progressing",
  },
  {
    cause: "scale-up-failed",
    how: "an autoscaler could not add nodes for the Pods",
    reason: "FailedScaleUp",
    message: "Node scale up in zones zone-a associated with this pod failed: out of resources.",
    status: "Stuck",
  },
  {
    cause: "scale-up-failed",
    how: "a node group has its maximum size",
    reason: "NotTriggerScaleUp",
    message: "pod didn't trigger scale-up: 1 max node group size reached",
    status: "Stuck",
  },
] as const;

/** Faults that leave a Pod without a node. */
export const schedulingFaults: readonly Fault[] = [
  {
    cause: "scheduling-gated",
    how: "a scheduling gate of a controller blocks Pods",
    needs: ["Pod"],
    apply: (scene) => {
      const pods = withoutNode(scene);
      const name = scene.dice.pickOne("example.com/quota", "example.com/network-ready");
      for (const pod of pods) {
        takeOffNode(pod, gated());
        pod.spec.schedulingGates = [{ name }];
      }
      return { objects: pods.map(createRef), status: "Waiting" };
    },
  },
  {
    cause: "scheduler-not-tried",
    how: "the scheduler has not processed Pods yet",
    needs: ["Pod", "Event"],
    apply: (scene) => {
      const pods = withoutNode(scene);
      for (const pod of pods) takeOffNode(pod);
      return { objects: pods.map(createRef), status: "Progressing" };
    },
  },
  {
    cause: "scheduler-unknown",
    how: "no scheduler of the name in the Pods has processed them",
    needs: ["Pod", "Event"],
    apply: (scene) => {
      const pods = withoutNode(scene);
      for (const pod of pods) {
        takeOffNode(pod);
        pod.metadata.creationTimestamp = ago(3600);
        pod.spec.schedulerName = "team-scheduler";
      }
      return { objects: pods.map(createRef), status: "Stuck", equally: ["scheduler-not-tried"] };
    },
  },
  ...capacityReports.map(
    ({ cause, how, reason, message, status }): Fault => ({
      cause,
      how,
      needs: ["Pod", "Event"],
      apply: (scene) => {
        const { objects } = rejectSomePods(scene, createShortage(scene), (pod) =>
          scene.addEvents(pod, reason, message, { by: "other", count: 1, seconds: 20 }),
        );
        return { objects, status };
      },
    }),
  ),
  {
    cause: "preempting",
    how: "the scheduler preempts other Pods for the Pods",
    needs: ["Pod"],
    apply: (scene) => {
      const { objects } = rejectSomePods(scene, createShortage(scene), ({ status }) => {
        if (status !== undefined) status.nominatedNodeName = "n-0";
      });
      return { objects, status: "Waiting" };
    },
  },
  {
    cause: "resource-claim-missing",
    how: "the template of the Pods' ResourceClaims does not exist",
    needs: ["Pod", "Event"],
    apply: (scene) => {
      const reasons = "waiting for resource claim to be created for pod";
      const message = 'PodResourceClaim gpu: resource claim template "gpus": not found';
      const { objects } = rejectSomePods(scene, reasons, (pod) =>
        scene.addEvents(pod, "FailedResourceClaimCreation", message, { by: "other", count: 3 }),
      );
      return { objects, status: "Stuck" };
    },
  },
  {
    cause: "insufficient-capacity",
    how: "the nodes have too few free resources for the Pods",
    needs: ["Pod"],
    apply: (scene) => ({
      ...rejectAll(scene, pickShortage(scene.dice)),
      // The finding also names matching nodes that are cordoned.
      besides: ["constraint-mismatch"],
    }),
  },
  {
    cause: "constraint-mismatch",
    how: "no node matches the constraints of the Pods",
    needs: ["Pod"],
    apply: (scene) => rejectAll(scene, pickMismatch(scene)),
  },
  {
    cause: "constraint-mismatch",
    how: "the matching nodes are cordoned",
    needs: ["Pod", "Node"],
    apply: (scene) => {
      for (const node of scene.nodes) node.spec = { ...node.spec, unschedulable: true };
      const { length } = scene.nodes;
      const selector = scene.parts[0]?.job?.spec.template.spec?.nodeSelector;
      const isPartly = selector === undefined && scene.dice.isOneIn(3);
      const struck = rejectAll(
        scene,
        isPartly
          ? `${length - 1} node(s) were unschedulable, 1 Insufficient cpu`
          : `${length} node(s) were unschedulable`,
      );
      return isPartly ? { ...struck, equally: ["insufficient-capacity"] } : struck;
    },
  },
  {
    cause: "no-domain-label",
    how: "no node has the topology label of exclusive placement",
    requirements: { exclusive: true },
    needs: ["Pod", "Node"],
    apply: (scene) => {
      for (const { metadata } of scene.nodes) metadata.labels = {};
      const message = formatMessage(
        scene,
        `${scene.nodes.length} node(s) didn't match pod affinity rules`,
      );
      for (const part of scene.parts) {
        part.pods = part.pods.slice(0, 1);
        for (const leader of part.pods) takeOffNode(leader, unschedulable(message));
        denyFollowers(scene, part);
      }
      scene.holdBackBehind(0, { always: true });
      const leaders = scene.parts.flatMap(({ pods }) => pods.slice(0, 1));
      return { objects: [scene.jobSet, ...leaders].map(createRef), status: "Stuck" };
    },
  },
  {
    cause: "domain-occupied",
    how: "other Jobs of the same priority occupy every domain",
    requirements: { exclusive: true },
    needs: ["Pod", "Node"],
    apply: (scene) => {
      const { dice } = scene;
      const saysSo = !dice.isOneIn(3);
      const count = scene.nodes.length;
      const struck = rejectLeader(
        scene,
        saysSo
          ? `${count - 3} node(s) didn't match pod anti-affinity rules, 3 node(s) had untolerated taint {pool: general}`
          : createShortage(scene),
      );
      for (const { metadata } of scene.nodes) scene.rest.push(podOnNode(metadata.name ?? ""));
      return saysSo ? struck : { ...struck, equally: ["insufficient-capacity"] };
    },
  },
  {
    cause: "domain-sticky",
    how: "a leader was recreated, and the domain of its followers has no capacity for it",
    requirements: { exclusive: true, pods: 2 },
    needs: ["Pod"],
    apply: (scene) => {
      const [leader] = scene.anyPart().pods;
      const { length } = scene.nodes;
      if (leader === undefined) return { objects: [], status: "Stuck" };
      const message = formatMessage(
        scene,
        scene.dice.pickOne(
          `${length} node(s) didn't match pod affinity rules`,
          `${length - 1} node(s) didn't match pod affinity rules, 1 node(s) had untolerated taint(s)`,
        ),
      );
      takeOffNode(leader, unschedulable(message));
      return { objects: [createRef(leader)], status: "Stuck" };
    },
  },
  {
    cause: "node-not-ready",
    how: "the node of a leader is lost, and its replacement has to join the followers",
    requirements: { exclusive: true, pods: 2 },
    needs: ["Pod", "Node"],
    apply: (scene) => {
      const part = scene.anyPart();
      const [leader, ...followers] = part.pods;
      const { nodeName } = leader?.spec ?? {};
      if (leader === undefined) return { objects: [], status: "Stuck" };
      const alive = followers.filter(({ spec }) => spec.nodeName !== nodeName);
      part.pods = [leader, ...alive];
      leader.status = createLostStatus();
      leader.metadata.deletionTimestamp = ago(20);
      scene.nodes = scene.nodes.map((node) =>
        node.metadata.name === nodeName ? lostNode(node) : node,
      );
      const next = scene.podFor(part, 0, "nw");
      const count = scene.nodes.length;
      const reasons = `1 node(s) had untolerated taint(s), ${count - 1} node(s) didn't match pod affinity rules`;
      takeOffNode(next, unschedulable(formatMessage(scene, reasons)));
      scene.rest.push(next);
      if (alive.length < followers.length) denyFollowers(scene, part);
      return { objects: [`Node/${nodeName}`], status: "Stuck", equally: ["domain-sticky"] };
    },
  },
  {
    cause: "volume-claim-missing",
    how: "Pods name a PVC that does not exist",
    needs: ["Pod", "PersistentVolumeClaim"],
    apply: (scene) => {
      const isNamed = !scene.dice.isOneIn(3);
      const { pods, ...struck } = rejectSomePods(
        scene,
        isNamed
          ? `persistentvolumeclaim "data-${scene.name}" not found`
          : "pod has unbound immediate PersistentVolumeClaims",
      );
      mount(scene, pods);
      return struck;
    },
  },
  {
    cause: "volume-claim-pending",
    how: "no volume is provisioned for a PVC",
    needs: ["Pod", "PersistentVolumeClaim"],
    apply: (scene) => {
      const { dice, namespace, name } = scene;
      const claim: PersistentVolumeClaim & { status: { phase: string } } = {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: `data-${name}`, namespace, uid: `data-${name}-uid` },
        spec: { storageClassName: "fast" },
        status: { phase: dice.pickOne("Pending", "Lost") },
      };
      scene.claims.push(claim);
      const { pods } = rejectSomePods(scene, "pod has unbound immediate PersistentVolumeClaims");
      mount(scene, pods);
      const message = 'storageclass.storage.k8s.io "fast" not found';
      scene.addEvents(claim, "ProvisioningFailed", message, { by: "other", count: 9 });
      return { objects: [createRef(claim)], status: "Stuck" };
    },
  },
];

function createShortage({ nodes }: ClusterBuilder): string {
  return `${nodes.length} Insufficient nvidia.com/gpu`;
}

function pickShortage(dice: RandomChoices): string {
  return dice.pickOne(
    "4 Insufficient nvidia.com/gpu",
    "10 Insufficient google.com/tpu, 2 node(s) had untolerated taint(s)",
    "2 Insufficient memory, 3 Insufficient cpu",
    "5 Too many pods",
    "1 node(s) were unschedulable, 4 Insufficient nvidia.com/gpu",
    "2 node(s) didn't match Pod's node affinity/selector, 3 Insufficient rdma/hca",
    "insufficient google.com/tpu resources",
  );
}

function pickMismatch({ dice, shape, nodes: { length } }: ClusterBuilder): string {
  if (shape.topologyKey === undefined && dice.isOneIn(4)) {
    return `${length} node(s) didn't match pod anti-affinity rules`;
  }
  return dice.pickOne(
    `${length} node(s) had untolerated taint(s)`,
    `${length} node(s) didn't match Pod's node affinity/selector`,
    `1 node(s) had untolerated taint {dedicated: infra}, ${length - 1} node(s) didn't match Pod's node affinity/selector`,
    `${length} node(s) had taint {nvidia.com/gpu: present}, that the pod didn't tolerate`,
    `${length} node(s) didn't match pod topology spread constraints`,
    `${length} node(s) didn't have free ports for the requested pod ports`,
    `${length} node(s) didn't match PersistentVolume's node affinity`,
    `${length} cannot allocate all claims`,
    `${length} node(s) had a reason of a plugin, of an unknown kind`,
  );
}

/** Returns a Pod of an unrelated Job with the same priority. */
function podOnNode(nodeName: string): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `tenant-${nodeName}`,
      namespace: "tenants",
      uid: `tenant-${nodeName}-uid`,
      labels: { [JOB_KEY_KEY]: `key-of-${nodeName}`, [PRIORITY_KEY]: "0" },
    },
    spec: { containers: [], nodeName },
    status: createRunningStatus(),
  };
}

function mount({ name }: ClusterBuilder, pods: readonly Pod[]): void {
  for (const { spec } of pods) {
    spec.volumes = [{ name: "data", persistentVolumeClaim: { claimName: `data-${name}` } }];
  }
}
