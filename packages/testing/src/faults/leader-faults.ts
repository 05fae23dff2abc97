import { EXCLUSIVE_TOPOLOGY_KEY, JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import type { ClusterBuilder, JobPart } from "./cluster-builder.ts";
import { createRejectionTexts, denyFollowers, rejectPods } from "./creation-rejections.ts";
import { ago } from "./event-times.ts";
import { createRef, type Fault, type FaultEffect } from "./fault.ts";
import { createJobRef } from "./job-faults.ts";
import { createRunningStatus, createSucceededStatus } from "./pod-states.ts";

/** Faults of a Job's leader and of the admission of its followers. */
export const leaderFaults: readonly Fault[] = [
  {
    cause: "leader-rejected",
    how: "a quota, a policy or validation rejects every Pod of a Job, beginning with the first",
    requirements: { fresh: true, indexed: true },
    needs: ["Job", "Pod", "Event"],
    apply: (scene) => {
      const part = scene.anyPart();
      part.pods = [];
      if (scene.shape.topologyKey !== undefined && scene.dice.isOneIn(2))
        denyFollowers(scene, part);
      rejectPods(scene, part, 0, createRejectionTexts(scene.dice));
      scene.holdBackBehind(part.position);
      return atJob(scene, part);
    },
  },
  {
    cause: "webhook-unavailable",
    how: "no Pod is admitted, because a webhook for Pods cannot be called",
    needs: ["Job", "Pod", "Event"],
    apply: (scene) => {
      const { dice } = scene;
      const part = scene.anyPart();
      part.pods = part.pods.slice(0, dice.pickBelow(part.podCount));
      const hook = dice.pickOne("mpod.kb.io", "vpod.kb.io", "pods.kyverno.svc");
      const error = dice.pickOne(
        'Post "https://jobset-webhook-service.jobset-system.svc:443/mutate--v1-pod?timeout=10s": dial tcp 10.0.0.7:443: connect: connection refused',
        "x509: certificate signed by unknown authority",
        "context deadline exceeded",
      );
      rejectPods(scene, part, part.pods.length, () => {
        return `Internal error occurred: failed calling webhook "${hook}": failed to call webhook: ${error}`;
      });
      scene.holdBackBehind(part.position);
      return atJob(scene, part);
    },
  },
  {
    cause: "pods-rejected",
    how: "a quota admits only some Pods of a Job",
    requirements: { pods: 2, indexed: true },
    needs: ["Job", "Pod", "Event"],
    apply: (scene) => {
      const { dice, shape } = scene;
      const part = scene.anyPart();
      const remainingCount = 1 + dice.pickBelow(part.podCount - 1);
      part.pods = part.pods.slice(0, remainingCount);
      if (shape.topologyKey !== undefined && dice.isOneIn(2))
        denyFollowers(scene, part, { seconds: 80 });
      rejectPods(scene, part, remainingCount, createRejectionTexts(dice));
      scene.holdBackBehind(part.position);
      return atJob(scene, part);
    },
  },
  {
    cause: "pods-not-created",
    how: "the Job controller has not created some Pods yet",
    requirements: { pods: 2 },
    needs: ["Job", "Pod", "Event", "Node"],
    apply: (scene) => {
      const part = scene.anyPart();
      part.pods = part.pods.slice(0, 1 + scene.dice.pickBelow(part.podCount - 1));
      scene.holdBackBehind(part.position);
      return { ...atJob(scene, part), status: "Progressing" };
    },
  },
  {
    cause: "leader-absent",
    how: "the Job controller has not created the Pods of a new Job yet",
    requirements: { exclusive: true },
    needs: ["Job", "Pod", "Event"],
    apply: (scene) => {
      const part = scene.anyPart();
      part.pods = [];
      if (part.job !== undefined) part.job.metadata.creationTimestamp = ago(4);
      scene.holdBackBehind(part.position);
      return { ...atJob(scene, part), status: "Progressing" };
    },
  },
  {
    cause: "leader-absent",
    how: "a user deleted a leader while the Job controller was down",
    requirements: { exclusive: true },
    needs: ["Job", "Pod", "Event"],
    apply: (scene) => {
      const part = scene.anyPart();
      part.pods = part.pods.slice(1);
      return atJob(scene, part);
    },
  },
  {
    cause: "leader-duplicated",
    how: "a user created a Pod with the name of a leader",
    requirements: { exclusive: true, pods: 2 },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const part = scene.anyPart();
      const byHand: Pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name: `${part.name}-0-debug`,
          namespace: scene.namespace,
          uid: `${part.name}-debug-uid`,
          annotations: { [EXCLUSIVE_TOPOLOGY_KEY]: scene.shape.topologyKey ?? "" },
        },
        spec: { containers: [{ name: "sh" }], nodeName: "n-0" },
        status: createRunningStatus(),
      };
      scene.rest.push(byHand);
      loseFollowers(scene, part, `expected 1 leader pod (${part.name}-0), but got 2`);
      return { objects: [createRef(byHand)], status: "Stuck" };
    },
  },
  {
    cause: "leader-finished",
    how: "a leader has succeeded, and a follower was lost afterwards",
    requirements: { exclusive: true, pods: 2 },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const part = scene.anyPart();
      const [leader] = part.pods;
      if (leader !== undefined) leader.status = createSucceededStatus();
      loseFollowers(
        scene,
        part,
        `expected 1 leader pod (${part.name}-0), but got 0. this is an expected, transient error`,
      );
      return { objects: leader === undefined ? [] : [createRef(leader)], status: "Stuck" };
    },
  },
  {
    cause: "leader-name-truncated",
    how: "a Job's name is too long, so its followers cannot find the leader",
    requirements: { exclusive: true, pods: 2, replicatedJobs: 2, name: `${"llm-".repeat(12)}aa` },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const [first, ...others] = scene.parts.filter(({ position }) => position > 0);
      const part = first === undefined ? scene.anyPart() : scene.dice.pickOne(first, ...others);
      loseFollowers(
        scene,
        part,
        `expected 1 leader pod (${part.name}-0), but got 0. this is an expected, transient error`,
      );
      return atJob(scene, part);
    },
  },
  {
    cause: "non-indexed-exclusive",
    how: "the Jobs are not Indexed, so they have no leader",
    requirements: { exclusive: true },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const { jobSet, dice } = scene;
      const { position } = scene.anyPart();
      const template = jobSet.spec.replicatedJobs?.[position]?.template;
      if (template !== undefined) template.spec.completionMode = "NonIndexed";
      const parts = scene.partsAt(position);
      for (const part of parts) {
        if (part.job !== undefined)
          part.job.spec = { ...part.job.spec, completionMode: "NonIndexed" };
        part.pods = [];
        if (!dice.isOneIn(4)) denyFollowers(scene, part);
      }
      scene.holdBackBehind(position, { always: true });
      return { objects: parts.map((part) => createJobRef(scene, part)), status: "Stuck" };
    },
  },
  {
    cause: "leader-of-other-job",
    how: "the leader of a deleted Job of the same name still exists",
    requirements: { exclusive: true, pods: 2 },
    needs: ["Job", "Pod"],
    apply: (scene) => {
      const part = scene.anyPart();
      const uid = `${part.job?.metadata.uid}-deleted`;
      const extraLeader = scene.podFor(part, 0, "st");
      extraLeader.metadata.ownerReferences = [
        { apiVersion: "batch/v1", kind: "Job", name: part.name, uid, controller: true },
      ];
      extraLeader.metadata.annotations = {
        ...extraLeader.metadata.annotations,
        [JOB_COMPLETION_INDEX_KEY]: "0",
      };
      scene.rest.push(extraLeader);
      loseFollowers(
        scene,
        part,
        scene.dice.pickOne(
          `follower pod owner UID (a) != leader pod owner UID (${uid})`,
          `expected 1 leader pod (${part.name}-0), but got 2`,
        ),
      );
      return { objects: [createRef(extraLeader)], status: "Stuck" };
    },
  },
  {
    cause: "node-unknown",
    how: "the node of a leader was deleted",
    requirements: { fresh: true, exclusive: true },
    needs: ["Pod", "Node"],
    apply: (scene) => deleteNode(scene),
  },
  {
    cause: "node-missing",
    how: "a node was deleted, and its Pods remain",
    requirements: { fresh: true, exclusive: false },
    needs: ["Pod", "Node"],
    apply: (scene) => deleteNode(scene),
  },
  {
    cause: "topology-label-missing",
    how: "the label of a leader's node was removed, and followers were lost",
    requirements: { exclusive: true, pods: 2 },
    needs: ["Job", "Pod", "Node"],
    apply: (scene) => {
      const { topologyKey = "" } = scene.shape;
      const part = scene.anyPart();
      const { nodeName } = part.pods[0]?.spec ?? {};
      for (const { metadata } of scene.nodes) {
        if (metadata.name === nodeName) metadata.labels = {};
      }
      loseFollowers(scene, part, `node does not have topology label: ${topologyKey}`);
      return { objects: [`Node/${nodeName}`], status: "Stuck" };
    },
  },
  {
    cause: "follower-misplaced",
    how: "a follower is pinned to another domain than its leader's",
    requirements: { exclusive: true, pods: 2 },
    needs: ["Job", "Pod", "Node"],
    apply: (scene) => {
      const { topologyKey = "" } = scene.shape;
      const part = scene.anyPart();
      const follower = part.pods[1 + scene.dice.pickBelow(part.podCount - 1)];
      if (follower === undefined) return atJob(scene, part);
      follower.spec = {
        ...follower.spec,
        nodeName: "free-0",
        nodeSelector: { [topologyKey]: "free" },
      };
      follower.metadata.creationTimestamp = ago(70);
      return { objects: [createRef(follower)], status: "Stuck" };
    },
  },
];

function atJob(scene: ClusterBuilder, part: JobPart): FaultEffect {
  return { objects: [createJobRef(scene, part)], status: "Stuck" };
}

/** Removes followers. The webhook denies them when they are recreated. */
function loseFollowers(scene: ClusterBuilder, part: JobPart, words: string): void {
  const remainingCount = 1 + scene.dice.pickBelow(part.podCount - 1);
  part.pods = part.pods.slice(0, remainingCount);
  denyFollowers(scene, part, { words: scene.dice.pickOne(words, undefined) });
  scene.holdBackBehind(part.position);
}

/** Deletes the node of the first Pod of a Job. */
function deleteNode(scene: ClusterBuilder): FaultEffect {
  const { nodeName } = scene.anyPart().pods[0]?.spec ?? {};
  scene.nodes = scene.nodes.filter(({ metadata }) => metadata.name !== nodeName);
  return { objects: [`Node/${nodeName}`], status: "Stuck" };
}
