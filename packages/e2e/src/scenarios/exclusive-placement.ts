import assert from "node:assert/strict";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api";
import { eventually, type Stored } from "../cluster.ts";
import { Kubelet } from "../kubelet.ts";
import { part, type Scenario, type Stage } from "../scenario.ts";

const TOPOLOGY = "example.com/rack";
const PODS = 3;

/** One Job of three Pods that share a rack with no other Job, on nodes of the namespace's own. */
function exclusive({ namespace }: Stage) {
  const annotations = { [EXCLUSIVE_TOPOLOGY_KEY]: TOPOLOGY };
  return part("workers", {
    pods: PODS,
    annotations,
    // What is disrupted is no failure of the Pod, for which the Job controller would wait longer and longer.
    job: {
      podFailurePolicy: {
        rules: [
          { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        ],
      },
    },
    podSpec: { nodeSelector: { pool: namespace } },
  });
}

function addRack({ cluster, namespace }: Stage, rack: string, room: number): Promise<void> {
  const labels = { pool: namespace, [TOPOLOGY]: `${namespace}-${rack}` };
  return new Kubelet(cluster).addNode(`${namespace}-${rack}`, labels, room);
}

/** Waits until all Pods are bound, and answers the racks that they are in. */
async function boundRacks(stage: Stage): Promise<readonly string[]> {
  const pods = await eventually("all Pods are bound", async () => {
    const found = await stage.pods();
    const areBound = found.every(
      ({ spec, metadata }) => spec.nodeName && !metadata.deletionTimestamp,
    );
    return found.length === PODS && areBound && found;
  });
  return [...new Set(pods.map(({ spec }) => spec.nodeName))];
}

export const leaderPending: Scenario = {
  name: "while the leader Pod waits for capacity, the refusal of its followers names it; then all share a rack",
  async play(stage) {
    await stage.create({ replicatedJobs: [exclusive(stage)] });
    const leader = await eventually("the leader is Pending", async () => {
      const pods = await stage.pods();
      return pods.length === 1 && pods[0];
    });
    assert.match(leader.metadata.name, /^train-workers-0-0-/);
    const refusal = await eventually("the Job controller reports a refusal", async () => {
      const events = await stage.cluster.list("Event", stage.namespace);
      return events.find(({ note }: Stored) => note?.includes("denied the request"));
    });
    assert.match(refusal.note, /denied the request: leader pod not yet scheduled/);
    assert.doesNotMatch(refusal.note, /node selector/);

    await addRack(stage, "a", PODS);
    assert.deepEqual(await boundRacks(stage), [`${stage.namespace}-a`]);
    await stage.counted("workers", { ready: 1 });
  },
};

export const leaderMoves: Scenario = {
  name: "when the leader moves to another rack, its followers are sent after it",
  async play(stage) {
    const { cluster, namespace } = stage;
    // The first rack has no room for the last follower, which waits there all the same.
    await addRack(stage, "a", PODS - 1);
    await stage.create({ replicatedJobs: [exclusive(stage)] });
    const bound = await eventually("two Pods are bound, and the third waits", async () => {
      const pods = await stage.pods();
      return pods.length === PODS && pods.filter(({ spec }) => spec.nodeName);
    });

    await addRack(stage, "b", PODS);
    const first = await cluster.get("Node", "", `${namespace}-a`);
    await cluster.patch(first, { spec: { unschedulable: true } });
    for (const pod of bound) await cluster.evict(pod);

    await eventually(
      "all Pods are in the second rack",
      async () => (await boundRacks(stage)).join() === `${namespace}-b`,
      150_000,
    );
    await stage.counted("workers", { ready: 1 });
  },
};
