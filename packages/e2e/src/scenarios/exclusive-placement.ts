import assert from "node:assert/strict";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import { eventually, type Stored } from "../cluster.ts";
import { addNode } from "../kubelet.ts";
import { part, type Scenario, type Stage } from "../scenario.ts";

const TOPOLOGY = "example.com/rack";
/** One Job whose Pods share a rack with no other Job, on the namespace's own nodes. */
function exclusive({ namespace }: Stage, pods: number) {
  const annotations = { [EXCLUSIVE_TOPOLOGY_KEY]: TOPOLOGY };
  return part("workers", {
    pods,
    annotations,
    // A disruption does not count as a Pod failure. Otherwise the Job controller would back off exponentially.
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
  return addNode(cluster, `${namespace}-${rack}`, labels, room);
}

/** Returns the racks of the Pods when all of them exist and are bound. */
function getRacks(found: readonly Stored[], pods: number): readonly string[] | undefined {
  const areBound = found.every(
    ({ metadata, spec }) => spec.nodeName && !metadata.deletionTimestamp,
  );
  return found.length === pods && areBound
    ? [...new Set(found.map(({ spec }) => spec.nodeName))]
    : undefined;
}

/**
 * Reports whether the Job controller has counted the Pods. It waits five minutes for a Pod that it created and that was
 * deleted before it saw it, for example while its watch is broken. Only this test evicts Pods that early.
 */
async function hasCountedPods(stage: Stage, found: readonly Stored[]): Promise<boolean> {
  const job = await stage.job("workers-0");
  return job.status.active === found.filter(({ metadata }) => !metadata.deletionTimestamp).length;
}

export const leaderPending: Scenario = {
  name: "while the leader Pod is pending, the denial of its followers names it; then all share a rack",
  async play(stage) {
    const pods = 3;
    await stage.create({ replicatedJobs: [exclusive(stage, pods)] });
    const leader = await eventually("the leader is Pending", async () => {
      const found = await stage.pods();
      return found.length === 1 && found[0];
    });
    assert.match(leader.metadata.name, /^train-workers-0-0-/);
    // A follower that is created before the webhooks have seen its leader is denied for that reason first, and retried.
    const refusals = await eventually("the Job controller reports why followers wait", async () => {
      const events = await stage.cluster.list("Event", stage.namespace);
      const notes = events
        .map(({ note = "" }) => note)
        .filter((note) => note.includes("denied the request"));
      return notes.some((note) => note.includes("leader pod not yet scheduled")) && notes;
    });
    for (const note of refusals) assert.doesNotMatch(note, /node selector/);

    await addRack(stage, "a", pods);
    const racks = await eventually("all Pods are bound", async () =>
      getRacks(await stage.pods(), pods),
    );
    assert.deepEqual(racks, [`${stage.namespace}-a`]);
    await stage.waitForCounts("workers", { ready: 1 });
  },
};

export const leaderMoves: Scenario = {
  name: "when the leader moves to another rack, its followers follow",
  async play(stage) {
    const { cluster, namespace } = stage;
    // The Job controller doubles its delay for each replaced Pod, so the test uses few Pods.
    const pods = 2;
    // The first rack has no capacity for the follower, which waits in any case.
    await addRack(stage, "a", 1);
    await stage.create({ replicatedJobs: [exclusive(stage, pods)] });
    await eventually("the leader is bound, and the follower is pending", async () => {
      const found = await stage.pods();
      return found.length === pods && found.some(({ spec }) => spec.nodeName);
    });

    await addRack(stage, "b", pods);
    const first = await cluster.get("Node", "", `${namespace}-a`);
    await cluster.patch(first, { spec: { unschedulable: true } });
    await eventually("all Pods are in the second rack", async () => {
      const found = await stage.pods();
      // A late scheduler may still bind a follower there, and its leader would wait for it.
      const staying = found.filter(
        ({ metadata, spec }) => spec.nodeName === `${namespace}-a` && !metadata.deletionTimestamp,
      );
      if (await hasCountedPods(stage, found)) for (const pod of staying) await cluster.evict(pod);
      return getRacks(found, pods)?.join() === `${namespace}-b`;
    });
    await stage.waitForCounts("workers", { ready: 1 });
  },
};
