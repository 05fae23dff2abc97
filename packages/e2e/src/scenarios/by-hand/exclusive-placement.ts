import assert from "node:assert/strict";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_KEY_KEY,
  NAMESPACED_JOB_KEY,
  NO_SCHEDULE_TAINT_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import { eventually, type Stored } from "../../cluster.ts";
import { addNode } from "../../kubelet.ts";
import { getRejectionMessage, part, type Scenario, type Stage } from "../../scenario.ts";
import { denied } from "./messages.ts";
import { createPod } from "./pods-by-hand.ts";

const RACK = "example.com/rack";
const onRack = { [EXCLUSIVE_TOPOLOGY_KEY]: RACK };
const byNodeSelector = { ...onRack, [NODE_SELECTOR_STRATEGY_KEY]: "true" };

/** Returns the exclusive placement annotations of a Job and its Pods. */
function getPlacement({ metadata, spec }: Stored): readonly Stored[] {
  return [metadata.annotations, spec.template.metadata.annotations].map((annotations) => [
    annotations[EXCLUSIVE_TOPOLOGY_KEY],
    annotations[NODE_SELECTOR_STRATEGY_KEY],
  ]);
}

/** Creates a JobSet of one exclusive Job with three Pods. */
async function createExclusive(stage: Stage): Promise<void> {
  await stage.create({
    replicatedJobs: [
      part("workers", { pods: 3, annotations: onRack, podSpec: { nodeSelector: {} } }),
    ],
  });
}

/** Adds a node and a rack with the same name. */
async function addRack({ cluster, namespace }: Stage, rack: string): Promise<string> {
  const name = `${namespace}-${rack}`;
  await addNode(cluster, name, { [RACK]: name }, 10);
  return name;
}

/** Returns the leader of the Job, bound to a node. */
async function bindLeader(stage: Stage, node: string, suffix = "abcde"): Promise<Stored> {
  const leader = await createPod(stage, "workers-0", 0, { suffix });
  await stage.cluster.bind(leader, node);
  return leader;
}

const deniedPod = (message: string) => denied("vpod.kb.io", message);

export const exclusivePlacement: readonly Scenario[] = [
  {
    name: "exclusive placement of all Jobs by the JobSet's annotation",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("a"), part("b")] }, onRack);
      for (const job of await stage.jobs("a-0", "b-0")) {
        assert.deepEqual(getPlacement(job), [
          [RACK, undefined],
          [RACK, undefined],
        ]);
        assert.equal(job.spec.template.spec.nodeSelector[NAMESPACED_JOB_KEY], undefined);
      }
    },
  },
  {
    name: "exclusive placement of one ReplicatedJob by its annotation",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("a", { annotations: onRack }), part("b")] });
      const [a, b] = await stage.jobs("a-0", "b-0");
      assert.deepEqual(getPlacement(a).flat(), [RACK, undefined, RACK, undefined]);
      assert.deepEqual(getPlacement(b).flat(), [undefined, undefined, undefined, undefined]);
    },
  },
  ...[
    { by: "the JobSet's annotations", ofJobSet: byNodeSelector, ofPart: {} },
    { by: "its own annotations", ofJobSet: {}, ofPart: byNodeSelector },
  ].map(
    ({ by, ofJobSet, ofPart }): Scenario => ({
      name: `exclusive placement by node selector, by ${by}`,
      async play(stage) {
        await stage.create({ replicatedJobs: [part("a", { annotations: ofPart })] }, ofJobSet);
        const job = await stage.job("a-0");
        assert.deepEqual(getPlacement(job).flat(), [RACK, "true", RACK, "true"]);
        const { nodeSelector, tolerations } = job.spec.template.spec;
        assert.deepEqual(nodeSelector, {
          pool: "general",
          [NAMESPACED_JOB_KEY]: `${stage.namespace}_train-a-0`,
        });
        assert.deepEqual(tolerations, [
          { key: NO_SCHEDULE_TAINT_KEY, operator: "Exists", effect: "NoSchedule" },
        ]);
      },
    }),
  ),
  {
    name: "a leader Pod has affinity to its own Job and anti-affinity to all others",
    async play(stage) {
      await createExclusive(stage);
      const { metadata, spec } = await createPod(stage, "workers-0", 0);
      const key = metadata.labels[JOB_KEY_KEY];
      assert.equal(metadata.labels[PRIORITY_KEY], "0");
      const { podAffinity, podAntiAffinity } = spec.affinity;
      const term = (...matchExpressions: readonly Stored[]) => ({
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchExpressions }, topologyKey: RACK, namespaceSelector: {} },
        ],
      });
      assert.deepEqual(podAffinity, term({ key: JOB_KEY_KEY, operator: "In", values: [key] }));
      assert.deepEqual(
        podAntiAffinity,
        term(
          { key: JOB_KEY_KEY, operator: "Exists" },
          { key: JOB_KEY_KEY, operator: "NotIn", values: [key] },
          { key: PRIORITY_KEY, operator: "In", values: ["0"] },
        ),
      );
    },
  },
  {
    name: "a follower is denied without a leader and with a pending leader, and admitted with a bound one",
    async play(stage) {
      await createExclusive(stage);
      assert.equal(
        await getRejectionMessage(createPod(stage, "workers-0", 1)),
        deniedPod(
          "expected 1 leader pod (train-workers-0-0), but got 0. this is an expected, transient error",
        ),
      );
      const leader = await createPod(stage, "workers-0", 0);
      await stage.waitForValue(
        () => getRejectionMessage(createPod(stage, "workers-0", 1)),
        deniedPod(
          "leader pod not yet scheduled, not creating follower pod. this is an expected, transient error",
        ),
      );
      const node = await addRack(stage, "a");
      await stage.cluster.bind(leader, node);
      const follower = await eventually("the follower is admitted", () =>
        createPod(stage, "workers-0", 1),
      );
      assert.deepEqual(follower.spec.nodeSelector, { [RACK]: node });
      assert.equal(follower.spec.affinity, undefined);
      assert.equal(follower.metadata.labels[PRIORITY_KEY], "0");
    },
  },
  {
    name: "a follower is denied if its leader's node has no rack",
    async play(stage) {
      await createExclusive(stage);
      await bindLeader(stage, "general");
      await stage.waitForValue(
        () => getRejectionMessage(createPod(stage, "workers-0", 1)),
        denied("mpod.kb.io", `node does not have topology label: ${RACK}`),
      );
    },
  },
  {
    name: "a Pod with another owner is not the leader of a follower",
    async play(stage) {
      await createExclusive(stage);
      const { metadata } = await createPod(stage, "workers-0", 0, {
        metadata: { ownerReferences: [] },
      });
      await stage.waitForValue(
        () => getRejectionMessage(createPod(stage, "workers-0", 1)),
        deniedPod(`leader pod "${metadata.name}" has no owner reference`),
      );
    },
  },
  {
    name: "a failed leader is replaced by the next one",
    async play(stage) {
      await createExclusive(stage);
      const node = await addRack(stage, "a");
      const leader = await bindLeader(stage, node);
      await stage.cluster.patch(leader, { status: { phase: "Failed" } }, "status");
      await stage.waitForValue(
        () => getRejectionMessage(createPod(stage, "workers-0", 1)),
        deniedPod(
          "expected 1 leader pod (train-workers-0-0), but got 0. this is an expected, transient error",
        ),
      );
      await bindLeader(stage, node, "fghij");
      const follower = await eventually("the follower is admitted", () =>
        createPod(stage, "workers-0", 1),
      );
      assert.deepEqual(follower.spec.nodeSelector, { [RACK]: node });
    },
  },
  {
    name: "followers in a rack other than their leader's are deleted as disrupted",
    async play(stage) {
      await createExclusive(stage);
      const first = await addRack(stage, "a");
      const second = await addRack(stage, "b");
      const leader = await bindLeader(stage, first);
      const follower = await eventually("the follower is admitted", () =>
        createPod(stage, "workers-0", 1, { metadata: { finalizers: ["example.com/hold"] } }),
      );
      assert.deepEqual(follower.spec.nodeSelector, { [RACK]: first });
      await stage.cluster.end(leader);
      await bindLeader(stage, second, "fghij");
      const terminating = await eventually("the follower is being deleted", async () => {
        const pod = await stage.cluster.get("Pod", stage.namespace, follower.metadata.name);
        return pod?.metadata.deletionTimestamp !== undefined && pod;
      });
      const condition = terminating.status.conditions.find(
        ({ type }: Stored) => type === "DisruptionTarget",
      );
      const { type, status, reason, message } = condition;
      assert.deepEqual(
        { type, status, reason, message },
        {
          type: "DisruptionTarget",
          status: "True",
          reason: "ExclusivePlacementViolation",
          message: "Pod violated JobSet exclusive placement policy",
        },
      );
      await stage.cluster.patch(terminating, { metadata: { finalizers: null } });
    },
  },
  {
    name: "Pods that use the node selector strategy are admitted unchanged",
    async play(stage) {
      await stage.create({
        replicatedJobs: [part("workers", { pods: 2, annotations: byNodeSelector })],
      });
      const follower = await createPod(stage, "workers-0", 1);
      const leader = await createPod(stage, "workers-0", 0);
      for (const { metadata, spec } of [follower, leader]) {
        assert.equal(metadata.labels[PRIORITY_KEY], undefined);
        assert.equal(spec.affinity, undefined);
      }
    },
  },
  {
    name: "Pods without exclusive placement only get their priority",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers", { pods: 2 })] });
      const { metadata, spec } = await createPod(stage, "workers-0", 1);
      assert.equal(metadata.labels[PRIORITY_KEY], "0");
      assert.equal(spec.affinity, undefined);
      assert.deepEqual(spec.nodeSelector, { pool: "general" });
    },
  },
];
